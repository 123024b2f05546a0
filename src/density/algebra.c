/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and symmetric matrices of expressions. */
#include "density/algebra.h"
#include "density/builder.h"

#include <stdlib.h>

/* In place: pairs, pairs of pairs, ... */
dlpi_expr dlpi_reduce(dlpi_builder *b, dlpi_op op, dlp_index n, const dlpi_expr *x)
{
    dlpi_expr *part = n > 0 ? dlpi_builder_room(b, n) : NULL;
    if (!part) return 0;
    for (dlp_index i = 0; i < n; i++) part[i] = x[i];
    while (n > 1) {
        dlp_index half = 0;
        for (dlp_index i = 0; i < n; i += 2)
            part[half++] = i + 1 < n ? dlpi_apply2(b, op, part[i], part[i + 1]) : part[i];
        n = half;
    }
    return part[0];
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

/* ---- symmetric matrices ---- */

double *dlpi_numbers(const dlpi_builder *b, dlp_index n, const dlpi_expr *x,
                     bool *literal)
{
    bool numbers = true;
    *literal = true;
    for (dlp_index i = 0; numbers && i < n; i++) {
        numbers = dlpi_is_number(b, x[i], NULL);
        *literal = *literal && dlpi_builder_node(b, x[i])->op == DLPI_OP_LITERAL;
    }
    double *number = numbers ? calloc((size_t)n + 1, sizeof *number) : NULL;
    for (dlp_index i = 0; number && i < n; i++) dlpi_is_number(b, x[i], &number[i]);
    return number;
}

dlpi_expr dlpi_number(dlpi_builder *b, double number, bool literal)
{
    return literal ? dlpi_literal(b, number) : dlpi_datum(b, number);
}

/* d_j = a_jj - sum_k l_jk^2 d_k,  l_ij = (a_ij - sum_k l_ik l_jk d_k) / d_j,  k < j; in
   place, d on the diagonal */
void dlpi_ldl_numbers(dlpi_builder *b, dlp_index n, double *a)
{
    for (dlp_index j = 0; j < n; j++)
        for (dlp_index i = j; i < n && dlpi_builder_works(b, j); i++) {
            double sum = a[i + n * j];
            for (dlp_index k = 0; k < j; k++)
                sum -= a[i + n * k] * a[j + n * k] * a[k + n * k];
            a[i + n * j] = i == j ? sum : sum / a[j + n * j];
        }
}

static void ldl_expressions(dlpi_builder *b, const dlpi_expr *a, dlpi_ldl *f)
{
    const dlp_index n = f->n;
    for (dlp_index j = 0; j < n; j++)
        for (dlp_index i = j; i < n && dlpi_builder_works(b, j); i++) {
            dlpi_expr sum = a[i + n * j];
            for (dlp_index k = 0; k < j; k++) {
                const dlpi_expr scaled = mul(b, f->l[j + n * k], f->d[k]);
                sum = sub(b, sum, mul(b, f->l[i + n * k], scaled));
            }
            if (i == j) f->d[j] = sum;
            f->l[i + n * j] = i == j ? num(b, 1) : over(b, sum, f->d[j]);
        }
}

dlp_status dlpi_ldl_make(dlpi_builder *b, dlp_index n, const dlpi_expr *a, dlpi_ldl *f)
{
    bool literal;
    *f = (dlpi_ldl){n, dlpi_builder_room(b, n * n), dlpi_builder_room(b, n)};
    if (!f->l || !f->d) return DLP_ENOMEM;
    double *number = dlpi_numbers(b, n * n, a, &literal);
    if (number) dlpi_ldl_numbers(b, n, number);
    for (dlp_index j = 0; number && j < n; j++) {
        f->d[j] = dlpi_number(b, number[j + n * j], literal);
        f->l[j + n * j] = num(b, 1);
        for (dlp_index i = j + 1; i < n; i++)
            f->l[i + n * j] = dlpi_number(b, number[i + n * j], literal);
    }
    if (!number) ldl_expressions(b, a, f);
    free(number);
    return dlpi_builder_failed(b) ? DLP_ENOMEM : DLP_OK;
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

/*
 * Weights are often normalised already: exp(u_i - L), or u_i / S, with one L or S for
 * all. That cancels when they are normalised again, so that a softmax is reduced to its
 * terms.
 */
typedef struct split {
    dlpi_expr u;    /* the logarithm of the weight, or the weight */
    dlpi_expr part; /* L or S; -1: none */
    bool exponential;
} split;

static split split_weight(dlpi_builder *b, dlpi_expr w)
{
    const dlpi_expr_node *node = dlpi_builder_node(b, w);
    if (node->op == DLPI_OP_DIV) return (split){node->arg[0], node->arg[1], false};
    if (node->op != DLPI_OP_EXP) return (split){w, -1, false};
    node = dlpi_builder_node(b, node->arg[0]);
    if (node->op == DLPI_OP_SUB) return (split){node->arg[0], node->arg[1], true};
    if (node->op == DLPI_OP_NEG) { /* exp(0 - L) */
        const dlpi_expr part = node->arg[0];
        return (split){num(b, 0), part, true};
    }
    return (split){w, -1, true};
}

/* Takes u out of the n that are left; false: it is not there. */
static bool take_out(dlpi_expr u, dlp_index *n, dlpi_expr *left)
{
    for (dlp_index i = 0; i < *n; i++)
        if (left[i] == u) {
            left[i] = left[--*n];
            return true;
        }
    return false;
}

/* Whether e is log sum exp of what is left, whichever way it was added up; no deeper than
   there are terms. */
static bool takes_all(dlpi_builder *b, dlpi_expr e, dlp_index depth, dlp_index *n,
                      dlpi_expr *left)
{
    const dlpi_expr_node node = *dlpi_builder_node(b, e);
    if (take_out(e, n, left)) return true;
    if (depth == 0) return false;
    if (node.op == DLPI_OP_LOG1P_EXP)
        return take_out(num(b, 0), n, left) &&
               takes_all(b, node.arg[0], depth - 1, n, left);
    return node.op == DLPI_OP_LOG_ADD_EXP &&
           takes_all(b, node.arg[0], depth - 1, n, left) &&
           takes_all(b, node.arg[1], depth - 1, n, left);
}

static bool is_log_sum(dlpi_builder *b, dlpi_expr e, dlp_index n, const dlpi_expr *log_u)
{
    const dlp_index many = 64; /* the search is quadratic */
    dlpi_expr *left = n <= many ? dlpi_builder_room(b, n) : NULL;
    if (!left) return false;
    for (dlp_index i = 0; i < n; i++) left[i] = log_u[i];
    return takes_all(b, e, n, &n, left) && n == 0;
}

dlpi_expr *dlpi_log_weights(dlpi_builder *b, dlp_index n, const dlpi_expr *w,
                            dlpi_expr *log_sum)
{
    const split first = split_weight(b, w[0]);
    bool common = first.part >= 0;
    for (dlp_index i = 1; common && i < n; i++) {
        const split other = split_weight(b, w[i]);
        common = other.part == first.part && other.exponential == first.exponential;
    }
    dlpi_expr *u = dlpi_builder_room(b, n), *log_u = dlpi_builder_room(b, n);
    if (!u || !log_u) return NULL;
    for (dlp_index i = 0; i < n; i++) {
        const dlpi_expr part = split_weight(b, w[i]).u;
        u[i] = !common ? w[i] : first.exponential ? exp_(b, part) : part;
        log_u[i] = log_(b, u[i]);
    }
    *log_sum = common && first.exponential && is_log_sum(b, first.part, n, log_u)
                   ? first.part
                   : log_(b, dlpi_sum(b, n, u));
    return log_u;
}
