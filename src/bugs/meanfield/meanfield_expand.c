/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expands an expression into a sum of products of atoms, each a function of one factor of
 * q: products are multiplied out, and exponentials of sums and logarithms of products are
 * split. What cannot be split becomes a joint atom of several factors.
 */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum {
    MOST_PARTS = 6,    /* atoms of a term */
    MOST_TERMS = 4096, /* of one factor of log p */
    MOST_SQUARED = 12  /* terms of a sum that is squared */
};
enum { NOTHING = -1, JOINT = -2 }; /* depends on no q, on several */

typedef struct term {
    double c;
    int n;
    dlpi_expr e[MOST_PARTS];
    int32_t q[MOST_PARTS]; /* or JOINT */
} term;

typedef struct expansion {
    dlpi_meanfield *mf;
    dlpi_builder *b;
    int relation;
    term *at;
    int n, room;
    int32_t *of; /* (n_of) what each expression depends on */
    dlp_index n_of, of_room;
    bool failed; /* no memory */
    bool large;  /* too many terms */
    dlpi_program_draft draft;
} expansion;

/* ---- what an expression depends on ---- */

static int32_t join(int32_t a, int32_t b)
{
    if (a == NOTHING || a == b) return b;
    return b == NOTHING ? a : JOINT;
}

static int32_t depends_on(expansion *x, dlpi_expr e)
{
    const dlp_index size = dlpi_builder_size(x->b);
    if (size > x->of_room) {
        const dlp_index room = 2 * size + 64;
        int32_t *to = realloc(x->of, (size_t)room * sizeof *to);
        if (!to) {
            x->failed = true;
            return NOTHING;
        }
        x->of = to;
        x->of_room = room;
    }
    if (!x->of) return NOTHING;
    for (; x->n_of < size; x->n_of++) {
        const dlpi_expr_node *node = dlpi_builder_node(x->b, (dlpi_expr)x->n_of);
        int32_t q = NOTHING;
        if (node->op == DLPI_OP_CELL)
            q = x->mf->q_of[node->cell];
        else if (node->op != DLPI_OP_LITERAL && node->op != DLPI_OP_DATA)
            for (int a = 0; a < dlpi_op_arity(node->op); a++)
                q = join(q, x->of[node->arg[a]]);
        x->of[x->n_of] = q;
    }
    return x->of[e];
}

/* ---- terms ---- */

static term *new_term(expansion *x)
{
    if (x->n == x->room) {
        const int room = 2 * x->room + 64;
        term *to = realloc(x->at, (size_t)room * sizeof *to);
        if (!to) {
            x->failed = true;
            return NULL;
        }
        x->at = to;
        x->room = room;
    }
    x->large = x->large || x->n >= MOST_TERMS;
    return &x->at[x->n++];
}

static void put(expansion *x, double c, dlpi_expr e)
{
    const int32_t q = depends_on(x, e);
    term *t = new_term(x);
    if (!t) return;
    *t = (term){.c = c, .n = 1, .e = {e}, .q = {q}};
    if (q == NOTHING) {
        double v = 0;
        t->n = 0;
        (void)dlpi_is_number(x->b, e, &v);
        t->c = c * v;
    }
}

/* Whether a joint expression has cells of factor q. */
static bool has_factor(expansion *x, dlpi_expr e, int32_t q)
{
    if (dlpi_program_make(x->b, e, &x->draft, NULL) != DLP_OK) {
        x->failed = true;
        return true;
    }
    for (int i = 0; i < x->draft.program.n_inputs; i++)
        if (x->draft.cell[i] >= 0 && x->mf->q_of[x->draft.cell[i]] == q) return true;
    return false;
}

static bool share(expansion *x, const term *t, int i, dlpi_expr e, int32_t q)
{
    if (t->q[i] == JOINT && q == JOINT) return true; /* assumed, not checked */
    if (t->q[i] == JOINT) return has_factor(x, t->e[i], q);
    if (q == JOINT) return has_factor(x, e, t->q[i]);
    return t->q[i] == q;
}

/* Multiplies t by an atom: atoms of the same factor become one. */
static void multiply(expansion *x, term *t, dlpi_expr e)
{
    for (int i = 0; i < t->n;) {
        if (!share(x, t, i, e, depends_on(x, e))) {
            i++;
            continue;
        }
        e = dlpi_apply2(x->b, DLPI_OP_MUL, t->e[i], e);
        t->n--;
        t->e[i] = t->e[t->n];
        t->q[i] = t->q[t->n];
        i = 0;
    }
    if (t->n == MOST_PARTS) { /* no room: make one atom of two */
        e = dlpi_apply2(x->b, DLPI_OP_MUL, t->e[--t->n], e);
        x->large = true;
    }
    t->e[t->n] = e;
    t->q[t->n++] = depends_on(x, e);
}

/* The terms from `first` to `second` times those from there on, in their place. */
static void multiply_out(expansion *x, int first, int second)
{
    const int end = x->n;
    for (int i = first; i < second && !x->failed && !x->large; i++)
        for (int j = second; j < end && !x->failed && !x->large; j++) {
            term *t = new_term(x);
            if (!t) return;
            *t = x->at[i];
            const term by = x->at[j];
            t->c *= by.c;
            for (int k = 0; k < by.n; k++) multiply(x, &x->at[x->n - 1], by.e[k]);
        }
    const int n = x->n - end;
    memmove(x->at + first, x->at + end, (size_t)n * sizeof *x->at);
    x->n = first + n;
}

static void scale(expansion *x, int first, double c)
{
    for (int i = first; i < x->n; i++) x->at[i].c *= c;
}

/* ---- statistics ---- */

static bool is_cell(const expansion *x, dlpi_expr e, dlp_index *cell)
{
    const dlpi_expr_node *node = dlpi_builder_node(x->b, e);
    *cell = node->cell;
    return node->op == DLPI_OP_CELL;
}

/* x^2, or the product of two cells of a factor. */
static bool is_square(const expansion *x, dlpi_expr e)
{
    const dlpi_expr_node node = *dlpi_builder_node(x->b, e);
    dlp_index cell;
    if (node.op == DLPI_OP_SQUARE) return is_cell(x, node.arg[0], &cell);
    return node.op == DLPI_OP_MUL && is_cell(x, node.arg[0], &cell) &&
           is_cell(x, node.arg[1], &cell);
}

static bool is_one(const expansion *x, dlpi_expr e)
{
    double value;
    return dlpi_is_number(x->b, e, &value) && value == 1;
}

/* 1 - x */
static bool is_complement(const expansion *x, dlpi_expr e)
{
    const dlpi_expr_node node = *dlpi_builder_node(x->b, e);
    dlp_index cell;
    return node.op == DLPI_OP_SUB && is_one(x, node.arg[0]) &&
           is_cell(x, node.arg[1], &cell);
}

/* Which statistic of its family an expression in factor q is; -1: none. */
static int statistic_of(const expansion *x, const dlpi_q *q, dlpi_expr e)
{
    const dlpi_expr_node node = *dlpi_builder_node(x->b, e);
    dlp_index cell;
    const bool plain = is_cell(x, e, &cell);
    const bool log = node.op == DLPI_OP_LOG && is_cell(x, node.arg[0], &cell);
    switch (q->family) {
    case DLPI_NORMAL:
        if (plain) return 0;
        return is_square(x, e) ? 1 : -1;
    case DLPI_GAMMA: return log ? 0 : plain ? 1 : -1;
    case DLPI_SCALE:
        if (log) return 0;
        return node.op == DLPI_OP_DIV && is_one(x, node.arg[0]) &&
                       is_square(x, node.arg[1])
                   ? 1
                   : -1;
    case DLPI_BETA:
        if (log) return 0;
        return node.op == DLPI_OP_LOG && is_complement(x, node.arg[0]) ? 1 : -1;
    case DLPI_DIRICHLET: return log ? x->mf->place[cell] : -1;
    case DLPI_WISHART: {
        if (!plain) return -1;
        const int i = x->mf->place[cell] % q->size, j = x->mf->place[cell] / q->size;
        return j * q->size - j * (j - 1) / 2 + i - j;
    }
    case DLPI_GAUSSIAN:
    case DLPI_CATEGORICAL:
    case DLPI_N_FAMILIES: break;
    }
    return -1;
}

/* ---- the determinant of a matrix ---- */

/* e as c_0 + sum c_s t_s(X) in the statistics of a Wishart: found from its values at some
   matrices, and checked at some others. */
enum { MOST_SIZE = 8, MOST_STATS = MOST_SIZE * (MOST_SIZE + 1) / 2 + 1 };

static void some_matrix(int d, int seed, double *X)
{
    double L[MOST_SIZE][MOST_SIZE] = {{0}};
    for (int i = 0; i < d; i++)
        for (int j = 0; j <= i; j++)
            L[i][j] = i == j ? 1 + 0.5 * sin(3.7 * seed + 1.3 * i)
                             : 0.6 * sin(1.9 * seed + 2.3 * i + 5.1 * j);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            X[i + j * d] = 0;
            for (int k = 0; k < d; k++) X[i + j * d] += L[i][k] * L[j][k];
        }
}

static double log_det(int d, const double *X)
{
    double a[MOST_SIZE * MOST_SIZE], sum = 0;
    memcpy(a, X, (size_t)(d * d) * sizeof *a);
    for (int k = 0; k < d; k++) {
        sum += log(a[k + k * d]);
        for (int i = k + 1; i < d; i++)
            for (int j = k + 1; j < d; j++)
                a[i + j * d] -= a[i + k * d] * a[k + j * d] / a[k + k * d];
    }
    return sum;
}

static double value_at(expansion *x, const dlpi_program_draft *d, const double *X)
{
    double value[MOST_SIZE * MOST_SIZE + 1] = {0}, result;
    const double *input[MOST_SIZE * MOST_SIZE + 1];
    int slot[MOST_SIZE * MOST_SIZE + 1];
    for (int i = 0; i < d->program.n_inputs; i++) {
        value[i] = d->cell[i] >= 0 ? X[x->mf->place[d->cell[i]]] : d->value[i];
        input[i] = &value[i];
        slot[i] = -1;
    }
    double *room =
        dlpi_calloc((dlp_index)dlpi_program_room(&d->program, 0, 0, slot), sizeof *room);
    if (!room) {
        x->failed = true;
        return NAN;
    }
    dlpi_program_run(&d->program, 1, input, 0, slot, 0, &result, room);
    free(room);
    return result;
}

static bool solve(int n, double (*a)[MOST_STATS + 2])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (!(fabs(a[best][k]) > 1e-12)) return false;
        for (int j = 0; j <= n; j++) {
            const double keep = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = keep;
        }
        for (int i = 0; i < n; i++) {
            const double by = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j <= n && by != 0; j++) a[i][j] -= by * a[k][j];
        }
    }
    for (int k = 0; k < n; k++) a[k][n] /= a[k][k];
    return true;
}

static void fill_statistics(int d, const double *X, double *t)
{
    int at = 1;
    t[0] = 1;
    for (int j = 0; j < d; j++)
        for (int i = j; i < d; i++) t[at++] = X[i + j * d];
    t[at] = log_det(d, X);
}

/* Whether e is affine in q's statistics; c receives the coefficients. */
static bool fit_wishart(expansion *x, const dlpi_q *q, dlpi_expr e, double *c)
{
    const int d = q->size, n = q->n_stats + 1;
    static const int held = 3;
    double(*a)[MOST_STATS + 2], X[MOST_SIZE * MOST_SIZE], t[MOST_STATS + 1];
    if (d > MOST_SIZE || dlpi_program_make(x->b, e, &x->draft, NULL) != DLP_OK ||
        x->draft.program.n_inputs > MOST_SIZE * MOST_SIZE)
        return false;
    a = dlpi_calloc(n, sizeof *a);
    if (!a) return false;
    for (int i = 0; i < n; i++) {
        some_matrix(d, i + 1, X);
        fill_statistics(d, X, a[i]);
        a[i][n] = value_at(x, &x->draft, X);
    }
    bool fits = solve(n, a);
    for (int i = 0; i < held && fits; i++) {
        some_matrix(d, n + i + 1, X);
        fill_statistics(d, X, t);
        double sum = 0;
        for (int k = 0; k < n; k++) sum += a[k][n] * t[k];
        fits = fabs(sum - value_at(x, &x->draft, X)) < 1e-8 * (1 + fabs(sum));
    }
    for (int k = 0; k < n && fits; k++) c[k] = fabs(a[k][n]) > 1e-11 ? a[k][n] : 0;
    free(a);
    return fits;
}

/* ---- opening ---- */

static void expand(expansion *x, dlpi_expr e);

/* Adds up the atoms' exponents by factor: exp(a + b) = exp(a) exp(b). */
static void expand_exp(expansion *x, dlpi_expr e)
{
    const dlpi_expr under = dlpi_builder_node(x->b, e)->arg[0];
    const int first = x->n;
    expand(x, under);
    term product = {.c = 1};
    bool parts = true;
    for (int i = first; i < x->n; i++) parts = parts && x->at[i].n <= 1;
    for (int i = first; i < x->n && parts; i++) {
        const term t = x->at[i];
        if (t.n == 0) {
            product.c *= exp(t.c);
            continue;
        }
        const dlpi_expr power =
            dlpi_apply1(x->b, DLPI_OP_EXP,
                        dlpi_apply2(x->b, DLPI_OP_MUL, dlpi_datum(x->b, t.c), t.e[0]));
        multiply(x, &product, power);
    }
    x->n = first;
    if (!parts) {
        put(x, 1, e);
        return;
    }
    term *t = new_term(x);
    if (t) *t = product;
}

/* f of a product of positive atoms, f a logarithm (sum) or a power (product). */
static void expand_product(expansion *x, dlpi_expr e, dlpi_expr base, dlpi_expr power)
{
    const int first = x->n;
    expand(x, base);
    bool parts = x->n == first + 1 && x->at[first].n > 1 && x->at[first].c > 0;
    for (int k = 0; parts && k < x->at[first].n; k++)
        parts = dlpi_is_positive(x->b, x->at[first].e[k]);
    if (!parts) {
        x->n = first;
        put(x, 1, e);
        return;
    }
    const term t = x->at[first];
    double p = 1;
    x->n = first;
    if (power < 0) {
        put(x, log(t.c), dlpi_literal(x->b, 1));
        for (int k = 0; k < t.n; k++) expand(x, dlpi_apply1(x->b, DLPI_OP_LOG, t.e[k]));
        return;
    }
    (void)dlpi_is_number(x->b, power, &p);
    put(x, pow(t.c, p), dlpi_literal(x->b, 1));
    for (int k = 0; k < t.n; k++)
        multiply(x, &x->at[first], dlpi_apply2(x->b, DLPI_OP_POW, t.e[k], power));
}

static void expand_quotient(expansion *x, dlpi_expr e, dlpi_expr top, dlpi_expr under)
{
    const int first = x->n;
    double v;
    expand(x, top);
    const int second = x->n;
    if (dlpi_is_number(x->b, under, &v)) {
        scale(x, first, 1 / v);
        return;
    }
    if (depends_on(x, under) != JOINT) {
        put(x, 1, dlpi_apply2(x->b, DLPI_OP_DIV, dlpi_literal(x->b, 1), under));
    } else {
        expand(x, under);
        if (x->n != second + 1) { /* a sum */
            x->n = first;
            put(x, 1, e);
            return;
        }
        term t = x->at[second], one = {.c = 1 / t.c};
        for (int k = 0; k < t.n; k++)
            multiply(x, &one,
                     dlpi_apply2(x->b, DLPI_OP_DIV, dlpi_literal(x->b, 1), t.e[k]));
        x->at[second] = one;
    }
    multiply_out(x, first, second);
}

static void expand_square(expansion *x, dlpi_expr e, dlpi_expr under)
{
    const int first = x->n;
    expand(x, under);
    const int n = x->n - first;
    if (n > MOST_SQUARED) {
        x->n = first;
        put(x, 1, e);
        return;
    }
    for (int i = 0; i < n; i++) {
        term *t = new_term(x);
        if (t) *t = x->at[first + i];
    }
    if (!x->failed) multiply_out(x, first, first + n);
}

/* Two parts, one after the other; returns where the second begins. */
static int expand_both(expansion *x, const dlpi_expr_node *node)
{
    expand(x, node->arg[0]);
    const int second = x->n;
    expand(x, node->arg[1]);
    return second;
}

/* Expands an expression that is a sum or a product of parts. */
static void open(expansion *x, dlpi_expr e)
{
    const dlpi_expr_node node = *dlpi_builder_node(x->b, e);
    const int first = x->n;
    switch (node.op) {
    case DLPI_OP_ADD: (void)expand_both(x, &node); return;
    case DLPI_OP_SUB: scale(x, expand_both(x, &node), -1); return;
    case DLPI_OP_NEG:
        expand(x, node.arg[0]);
        scale(x, first, -1);
        return;
    case DLPI_OP_MUL: multiply_out(x, first, expand_both(x, &node)); return;
    case DLPI_OP_DIV: expand_quotient(x, e, node.arg[0], node.arg[1]); return;
    case DLPI_OP_SQUARE: expand_square(x, e, node.arg[0]); return;
    case DLPI_OP_EXP: expand_exp(x, e); return;
    case DLPI_OP_LOG: expand_product(x, e, node.arg[0], -1); return;
    case DLPI_OP_SQRT: expand_product(x, e, node.arg[0], dlpi_literal(x->b, 0.5)); return;
    case DLPI_OP_POW:
        if (dlpi_is_number(x->b, node.arg[1], &(double){0})) {
            expand_product(x, e, node.arg[0], node.arg[1]);
            return;
        }
        break;
    default: break;
    }
    put(x, 1, e);
}

/* Expands an expression in a factor with a family: looks for the family's statistics
   inside sums, and inside products with numbers. */
static void expand_statistics(expansion *x, const dlpi_q *q, dlpi_expr e)
{
    const dlpi_op op = dlpi_builder_node(x->b, e)->op;
    const bool sum =
        op == DLPI_OP_ADD || op == DLPI_OP_SUB || op == DLPI_OP_NEG || op == DLPI_OP_MUL;
    const bool product = q->family == DLPI_NORMAL && op == DLPI_OP_SQUARE;
    if (statistic_of(x, q, e) < 0 && q->family != DLPI_WISHART &&
        (sum || product || op == DLPI_OP_DIV))
        open(x, e);
    else
        put(x, 1, e);
}

static void expand(expansion *x, dlpi_expr e)
{
    const int32_t q = depends_on(x, e);
    if (x->failed || x->large) return;
    if (q == JOINT)
        open(x, e);
    else if (q == NOTHING || dlpi_is_gaussian(x->mf, q))
        put(x, 1, e);
    else
        expand_statistics(x, &x->mf->q[q], e);
}

/* ---- from terms to atoms ---- */

static void break_factor(expansion *x, int32_t q)
{
    const int r = x->mf->q[q].relation;
    if (!x->mf->broken[r]) x->mf->because[r] = x->relation;
    x->mf->broken[r] = true;
}

/* A joint atom may contain only Gaussian factors. */
static dlp_status joint_atom(expansion *x, dlpi_expr e, int32_t *atom, dlp_error *error)
{
    bool all = true;
    DLP_TRY(dlpi_program_make(x->b, e, &x->draft, error));
    for (int i = 0; i < x->draft.program.n_inputs; i++) {
        const dlp_index cell = x->draft.cell[i];
        if (cell < 0 || dlpi_is_gaussian(x->mf, x->mf->q_of[cell])) continue;
        break_factor(x, x->mf->q_of[cell]);
        all = false;
    }
    *atom = 0;
    return all ? dlpi_meanfield_atom(x->mf, e, atom, error) : DLP_OK;
}

static dlp_status add(expansion *x, const term *t, int from, int32_t *atom, int n,
                      double c, dlp_error *error);

/* A function of a matrix as a sum over its statistics. */
static dlp_status add_wishart(expansion *x, const term *t, int at, int32_t *atom, int n,
                              double c, dlp_error *error)
{
    const dlpi_q *q = &x->mf->q[t->q[at]];
    double coef[MOST_STATS + 1];
    if (!fit_wishart(x, q, t->e[at], coef)) {
        break_factor(x, t->q[at]);
        return DLP_OK;
    }
    DLP_TRY(add(x, t, at + 1, atom, n, c * coef[0], error));
    for (int s = 0; s < q->n_stats; s++) {
        if (coef[s + 1] == 0) continue;
        atom[n] = (int32_t)q->stat + s;
        DLP_TRY(add(x, t, at + 1, atom, n + 1, c * coef[s + 1], error));
    }
    return DLP_OK;
}

static dlp_status add(expansion *x, const term *t, int from, int32_t *atom, int n,
                      double c, dlp_error *error)
{
    if (c == 0) return DLP_OK;
    for (int k = from; k < t->n; k++) {
        const dlpi_q *q = t->q[k] >= 0 ? &x->mf->q[t->q[k]] : NULL;
        if (!q) {
            DLP_TRY(joint_atom(x, t->e[k], &atom[n++], error));
            continue;
        }
        if (q->family == DLPI_GAUSSIAN) {
            DLP_TRY(dlpi_meanfield_atom(x->mf, t->e[k], &atom[n++], error));
            continue;
        }
        const int s = statistic_of(x, q, t->e[k]);
        if (s < 0 && q->family == DLPI_WISHART)
            return add_wishart(x, t, k, atom, n, c, error);
        if (s < 0) break_factor(x, t->q[k]);
        atom[n++] = (int32_t)q->stat + (s > 0 ? s : 0);
    }
    return dlpi_meanfield_add_term(x->mf, c, n, atom, error);
}

dlp_status dlpi_meanfield_expand(dlpi_meanfield *mf, int relation, dlpi_expr e, int n,
                                 const int32_t *indicator, dlp_error *error)
{
    expansion x = {.mf = mf, .b = mf->factors->lowering->builder, .relation = relation};
    int32_t atom[MOST_PARTS + 32];
    dlp_status status = DLP_OK;
    expand(&x, e);
    if (x.large) { /* take it as one term */
        x.n = 0;
        x.large = false;
        put(&x, 1, e);
    }
    if (x.failed || dlpi_builder_failed(x.b))
        status = dlpi_no_memory(error, "the factors of the model");
    for (int i = 0; i < x.n && status == DLP_OK; i++) {
        for (int k = 0; k < n; k++) atom[k] = indicator[k];
        status = add(&x, &x.at[i], 0, atom, n, x.at[i].c, error);
    }
    free(x.at);
    free(x.of);
    dlpi_program_draft_free(&x.draft);
    return status;
}
