/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and symmetric matrices of expressions. */
#include "bugs/algebra.h"
#include "bugs/builder.h"

/* In place: pairs, pairs of pairs, ... */
dlpi_expr dlpi_reduce(dlpi_builder *b, dlpi_op op, dlp_index n, const dlpi_expr *x)
{
    dlpi_expr *level = dlpi_builder_room(b, n);
    if (!level) return 0;
    for (dlp_index i = 0; i < n; i++) level[i] = x[i];
    while (n > 1) {
        dlp_index half = 0;
        for (dlp_index i = 0; i < n; i += 2)
            level[half++] =
                i + 1 < n ? dlpi_apply2(b, op, level[i], level[i + 1]) : level[i];
        n = half;
    }
    return level[0];
}

/* All cells of a simplex, each once. */
static bool is_simplex(const dlpi_builder *b, dlp_index n, const dlpi_expr *x)
{
    const dlpi_built *first = &b->built[x[0]];
    bool whole = first->n_simplex == n && n > 1;
    for (dlp_index i = 1; whole && i < n; i++) {
        const dlpi_built *other = &b->built[x[i]];
        whole = other->n_simplex == n && other->simplex == first->simplex &&
                other->node.cell > b->built[x[i - 1]].node.cell;
    }
    return whole;
}

dlpi_expr dlpi_sum(dlpi_builder *b, dlp_index n, const dlpi_expr *x)
{
    if (n <= 0) return num(b, 0);
    return is_simplex(b, n, x) ? num(b, 1) : dlpi_reduce(b, DLPI_OP_ADD, n, x);
}

/* d_j = a_jj - sum_k l_jk^2 d_k,  l_ij = (a_ij - sum_k l_ik l_jk d_k) / d_j,  k < j */
dlp_status dlpi_ldl_make(dlpi_builder *b, dlp_index n, const dlpi_expr *a, dlpi_ldl *f)
{
    *f = (dlpi_ldl){n, dlpi_builder_room(b, n * n), dlpi_builder_room(b, n)};
    if (!f->l || !f->d) return DLP_ENOMEM;
    for (dlp_index j = 0; j < n; j++)
        for (dlp_index i = j; i < n; i++) {
            dlpi_expr sum = a[i + n * j];
            for (dlp_index k = 0; k < j; k++) {
                const dlpi_expr scaled = mul(b, f->l[j + n * k], f->d[k]);
                sum = sub(b, sum, mul(b, f->l[i + n * k], scaled));
            }
            if (i == j) f->d[j] = sum;
            f->l[i + n * j] = i == j ? num(b, 1) : over(b, sum, f->d[j]);
        }
    return DLP_OK;
}

dlpi_expr dlpi_ldl_log_det(dlpi_builder *b, const dlpi_ldl *f)
{
    dlpi_expr sum = num(b, 0);
    for (dlp_index i = 0; i < f->n; i++) sum = add(b, sum, log_(b, f->d[i]));
    return sum;
}

/* z = L^-1 x, then sum_i z_i^2 / d_i */
dlpi_expr dlpi_ldl_inverse_form(dlpi_builder *b, const dlpi_ldl *f, const dlpi_expr *x)
{
    const dlp_index n = f->n;
    dlpi_expr *z = dlpi_builder_room(b, n), sum = num(b, 0);
    if (!z) return 0;
    for (dlp_index i = 0; i < n; i++) {
        z[i] = x[i];
        for (dlp_index k = 0; k < i; k++)
            z[i] = sub(b, z[i], mul(b, f->l[i + n * k], z[k]));
        sum = add(b, sum, over(b, square(b, z[i]), f->d[i]));
    }
    return sum;
}

dlpi_expr dlpi_quadratic_form(dlpi_builder *b, dlp_index n, const dlpi_expr *a,
                              const dlpi_expr *x)
{
    dlpi_expr sum = num(b, 0);
    for (dlp_index j = 0; j < n; j++) {
        dlpi_expr column = num(b, 0); /* twice the part below the diagonal */
        for (dlp_index i = j + 1; i < n; i++)
            column = add(b, column, mul(b, a[i + n * j], x[i]));
        sum = add(b, sum, mul(b, a[j + n * j], square(b, x[j])));
        sum = add(b, sum, times(b, 2, mul(b, x[j], column)));
    }
    return sum;
}

/* ---- weights ---- */

/* The common divisor of all weights: L of exp(u_i - L), or S of u_i / S; -1: none. */
static dlpi_expr common_part(const dlpi_builder *b, dlp_index n, const dlpi_expr *w,
                             dlpi_op *op)
{
    dlpi_expr part = -1;
    for (dlp_index i = 0; i < n; i++) {
        dlpi_expr e = w[i];
        const bool exponential = dlpi_builder_node(b, e)->op == DLPI_OP_EXP;
        if (exponential) e = dlpi_builder_node(b, e)->arg[0];
        const dlpi_expr_node *node = dlpi_builder_node(b, e);
        *op = exponential ? DLPI_OP_SUB : DLPI_OP_DIV;
        if (node->op != *op || (i > 0 && node->arg[1] != part)) return -1;
        part = node->arg[1];
    }
    return part;
}

/* The logarithms of weights, without what is common to all of them: it cancels where they are
   normalised, and softmax becomes what it was made of. */
dlpi_expr *dlpi_log_weights(dlpi_builder *b, dlp_index n, const dlpi_expr *w,
                            dlpi_expr *log_sum)
{
    dlpi_op op = DLPI_OP_DIV;
    const bool common = common_part(b, n, w, &op) >= 0;
    dlpi_expr *u = dlpi_builder_room(b, n), *log_u = dlpi_builder_room(b, n);
    if (!u || !log_u) return NULL;
    for (dlp_index i = 0; i < n; i++) {
        const dlpi_expr_node *node = dlpi_builder_node(b, w[i]);
        u[i] = w[i];
        if (common && op == DLPI_OP_DIV) u[i] = node->arg[0];
        if (common && op == DLPI_OP_SUB)
            u[i] = exp_(b, dlpi_builder_node(b, node->arg[0])->arg[0]);
        log_u[i] = log_(b, u[i]);
    }
    *log_sum = log_(b, dlpi_sum(b, n, u));
    return log_u;
}
