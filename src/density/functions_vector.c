/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of vectors and matrices. */
#include "density/functions.h"
#include "math/distinct.h"

#include <string.h>

static dlp_status need_elements(const dlpi_bugs_function *f, const dlpi_value *x,
                                dlp_index at_least_n, dlp_error *error)
{
    if (x->n >= at_least_n) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "'%s' needs at least %td elements, not %td",
                    f->name, at_least_n, x->n);
}

/* ---- sums and the like ---- */

/* All elements of all arguments, one after another. */
static dlpi_expr *gather(dlpi_builder *b, int n_args, const dlpi_value *args,
                         dlp_index *n)
{
    *n = 0;
    for (int i = 0; i < n_args; i++) *n += args[i].n;
    dlpi_expr *all = dlpi_builder_room(b, *n), *at = all;
    for (int i = 0; all && i < n_args; i++) {
        if (args[i].n) memcpy(at, args[i].at, (size_t)args[i].n * sizeof *at);
        at += args[i].n;
    }
    return all;
}

/* sum, prod, max, min: the operation between all of them */
static dlp_status build_reduce(DLPI_BUILD)
{
    dlp_index n;
    const dlpi_expr *x = gather(b, n_args, args, &n);
    if (!x) return dlpi_no_memory(error, "expressions");
    if (n == 0)
        return dlp_fail(error, DLP_EINVAL, "'%s' has no elements to work on", f->name);
    const dlpi_expr e =
        f->op == DLPI_OP_ADD ? dlpi_sum(b, n, x) : dlpi_reduce(b, f->op, n, x);
    return dlpi_scalar_result(b, e, result, error);
}

static dlpi_expr mean_of(dlpi_builder *b, const dlpi_value *x)
{
    return over(b, dlpi_sum(b, x->n, x->at), num(b, (double)x->n));
}

static dlp_status build_mean(DLPI_BUILD)
{
    (void)n_args;
    DLP_TRY(need_elements(f, args, 1, error));
    return dlpi_scalar_result(b, mean_of(b, args), result, error);
}

/* var: sum (x - mean)^2 / (n-1), and sd: its root */
static dlp_status build_spread(DLPI_BUILD)
{
    (void)n_args;
    DLP_TRY(need_elements(f, args, 2, error));
    const dlp_index n = args[0].n;
    const dlpi_expr mean = mean_of(b, args);
    dlpi_expr *term = dlpi_builder_room(b, n);
    if (!term) return dlpi_no_memory(error, "expressions");
    for (dlp_index i = 0; i < n; i++) term[i] = square(b, sub(b, args[0].at[i], mean));
    const dlpi_expr variance = over(b, dlpi_sum(b, n, term), num(b, (double)(n - 1)));
    return dlpi_scalar_result(b, f->op == DLPI_OP_SQRT ? sqrt_(b, variance) : variance,
                              result, error);
}

/* sum_i x_i y_i, steps apart */
static dlpi_expr inner(dlpi_builder *b, dlp_index n, const dlpi_expr *x, dlp_index step_x,
                       const dlpi_expr *y, dlp_index step_y)
{
    dlpi_expr *term = dlpi_builder_room(b, n);
    if (!term) return 0;
    for (dlp_index i = 0; i < n; i++) term[i] = mul(b, x[i * step_x], y[i * step_y]);
    return dlpi_sum(b, n, term);
}

static dlp_status build_inprod(DLPI_BUILD)
{
    (void)n_args;
    if (args[0].n != args[1].n)
        return dlp_fail(error, DLP_EINVAL,
                        "the arguments of '%s' have %td and %td elements; they must have "
                        "the same number",
                        f->name, args[0].n, args[1].n);
    return dlpi_scalar_result(b, inner(b, args[0].n, args[0].at, 1, args[1].at, 1),
                              result, error);
}

/* ---- shapes ---- */

static dlp_status build_length(DLPI_BUILD)
{
    (void)f, (void)n_args;
    return dlpi_scalar_result(b, num(b, (double)args[0].n), result, error);
}

static dlp_status build_dim(DLPI_BUILD)
{
    (void)f, (void)n_args;
    const int n = args[0].n_dim ? args[0].n_dim : 1;
    dlpi_expr *at = dlpi_array_result(b, n, 1, NULL, result);
    if (!at) return dlpi_no_memory(error, "expressions");
    for (int i = 0; i < n; i++)
        at[i] = num(b, args[0].n_dim ? (double)args[0].dim[i] : 1);
    return DLP_OK;
}

static dlp_status build_combine(DLPI_BUILD)
{
    (void)f;
    dlp_index n;
    dlpi_expr *x = gather(b, n_args, args, &n);
    if (!x) return dlpi_no_memory(error, "expressions");
    *result = (dlpi_value){.n_dim = 1, .dim = {n}, .n = n, .at = x};
    return DLP_OK;
}

/* rep(x, times): the whole x that many times, or each element as often as times says */
static dlp_status build_rep(DLPI_BUILD)
{
    (void)n_args;
    const double most = 1 << 26;
    const dlpi_value *x = &args[0], *often = &args[1];
    double count, n = 0;
    for (dlp_index i = 0; i < often->n; i++) {
        if (!dlpi_is_number(b, often->at[i], &count) || !(count >= 0) ||
            count != floor(count))
            return dlp_fail(error, DLP_EINVAL,
                            "'%s' needs known whole numbers as its second "
                            "argument",
                            f->name);
        n += often->n == 1 ? count * (double)x->n : count;
    }
    if ((often->n != 1 && often->n != x->n) || !(n <= most))
        return dlp_fail(error, DLP_EINVAL,
                        "'%s' cannot repeat %td elements by %td numbers", f->name, x->n,
                        often->n);
    dlpi_expr *at = dlpi_array_result(b, (dlp_index)n, 1, NULL, result);
    if (!at) return dlpi_no_memory(error, "expressions");
    for (dlp_index i = 0, filled = 0; filled < (dlp_index)n; i++) {
        if (often->n == 1) {
            at[filled++] = x->at[i % x->n];
            continue;
        }
        dlpi_is_number(b, often->at[i], &count);
        for (dlp_index c = (dlp_index)count; c > 0; c--) at[filled++] = x->at[i];
    }
    return DLP_OK;
}

/* ---- matrices ---- */

static dlp_index rows_of(const dlpi_value *x)
{
    return x->n_dim == 2 ? x->dim[0] : x->n;
}

static dlp_index columns_of(const dlpi_value *x)
{
    return x->n_dim == 2 ? x->dim[1] : 1;
}

static dlp_status build_transpose(DLPI_BUILD)
{
    (void)n_args;
    if (args[0].n_dim > 2)
        return dlp_fail(error, DLP_EINVAL, "'%s' needs a matrix", f->name);
    const dlp_index n = rows_of(args), m = columns_of(args), dim[2] = {m, n};
    dlpi_expr *at = dlpi_array_result(b, n * m, 2, dim, result);
    if (!at) return dlpi_no_memory(error, "expressions");
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < m; j++) at[j + m * i] = args[0].at[i + n * j];
    return DLP_OK;
}

/* A vector on the left is a row, on the right a column; dimensions of 1 are dropped. */
static dlp_status build_matrix_product(DLPI_BUILD)
{
    (void)n_args;
    const dlpi_value *x = &args[0], *y = &args[1];
    const bool row = x->n_dim < 2;
    const dlp_index n = row ? 1 : rows_of(x), m = row ? x->n : columns_of(x);
    const dlp_index p = columns_of(y), dim[2] = {n, p};
    if (x->n_dim > 2 || y->n_dim > 2 || rows_of(y) != m)
        return dlp_fail(error, DLP_EINVAL,
                        "'%s' cannot multiply %td by %td elements; the left matrix "
                        "must have as many columns as the right one has rows",
                        f->name, x->n, y->n);
    const bool vector = n == 1 || p == 1;
    dlpi_expr *at = dlpi_array_result(b, n * p, 2, vector ? NULL : dim, result);
    if (!at) return dlpi_no_memory(error, "expressions");
    if (n * p == 1) result->n_dim = 0;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index i = 0; i < n && dlpi_builder_works(b, m); i++)
            at[i + n * j] =
                inner(b, m, x->at + (row ? 0 : i), row ? 1 : n, y->at + m * j, 1);
    return DLP_OK;
}

static bool all_numbers(const dlpi_builder *b, const dlpi_value *x)
{
    bool numbers = true;
    for (dlp_index i = 0; numbers && i < x->n; i++)
        numbers = dlpi_is_number(b, x->at[i], NULL);
    return numbers;
}

/* A square matrix that is not too large to be expanded. */
static dlp_status need_square(const dlpi_bugs_function *f, const dlpi_builder *b,
                              const dlpi_value *x, dlp_index *n, dlp_error *error)
{
    const dlp_index most = all_numbers(b, x) ? 500 : 60;
    *n = x->n == 1 ? 1 : x->n_dim == 2 ? x->dim[0] : 0;
    if (*n * *n != x->n || *n == 0)
        return dlp_fail(error, DLP_EINVAL, "'%s' needs a square matrix", f->name);
    if (*n > most)
        return dlp_fail(error, DLP_EINVAL,
                        "'%s' of a %td by %td matrix is too large; it may have "
                        "at most %td rows",
                        f->name, *n, *n, most);
    return DLP_OK;
}

static dlp_status build_log_det(DLPI_BUILD)
{
    (void)n_args;
    dlp_index n;
    dlpi_ldl ldl;
    DLP_TRY(need_square(f, b, args, &n, error));
    if (dlpi_ldl_make(b, n, args[0].at, &ldl) != DLP_OK)
        return dlpi_no_memory(error, "expressions");
    return dlpi_scalar_result(b, dlpi_ldl_log_det(b, &ldl), result, error);
}

/* (a b; b c)^-1 = (c -b; -b a) / (ac - b^2) */
static void inverse_of_two(dlpi_builder *b, const dlpi_expr *a, dlpi_expr *at)
{
    const dlpi_expr det = sub(b, mul(b, a[0], a[3]), square(b, a[1]));
    at[0] = over(b, a[3], det);
    at[1] = at[2] = neg(b, over(b, a[1], det));
    at[3] = over(b, a[0], det);
}

/* Column j of A^-1 = L'^-1 D^-1 L^-1 e_j, from row j on */
static void inverse_column(dlpi_builder *b, const dlpi_ldl *f, dlp_index j, dlpi_expr *x)
{
    const dlp_index n = f->n;
    for (dlp_index i = 0; i < n; i++) {
        x[i] = num(b, i == j);
        for (dlp_index k = j; k < i; k++)
            x[i] = sub(b, x[i], mul(b, f->l[i + n * k], x[k]));
    }
    for (dlp_index i = n; i-- > j;) {
        x[i] = over(b, x[i], f->d[i]);
        for (dlp_index k = i + 1; k < n; k++)
            x[i] = sub(b, x[i], mul(b, f->l[k + n * i], x[k]));
    }
}

/* Of numbers, by numbers: columns of L'^-1 D^-1 L^-1 */
static void inverse_of_numbers(dlpi_builder *b, dlp_index n, double *a, bool literal,
                               dlpi_expr *at)
{
    double *x = malloc((size_t)(n + 1) * sizeof *x);
    dlpi_ldl_numbers(b, n, a);
    for (dlp_index j = 0; x && j < n && dlpi_builder_works(b, n * n); j++) {
        for (dlp_index i = 0; i < n; i++) {
            x[i] = i == j;
            for (dlp_index k = j; k < i; k++) x[i] -= a[i + n * k] * x[k];
        }
        for (dlp_index i = n; i-- > j;) {
            x[i] /= a[i + n * i];
            for (dlp_index k = i + 1; k < n; k++) x[i] -= a[k + n * i] * x[k];
            at[i + n * j] = at[j + n * i] = dlpi_number(b, x[i], literal);
        }
    }
    for (dlp_index i = 0; !x && i < n * n; i++) at[i] = num(b, NAN);
    free(x);
}

static void inverse_of_expressions(dlpi_builder *b, const dlpi_ldl *f, dlpi_expr *at)
{
    const dlp_index n = f->n;
    for (dlp_index j = 0; j < n && !dlpi_builder_failed(b); j++) {
        inverse_column(b, f, j, at + n * j);
        for (dlp_index i = 0; i < j; i++) at[i + n * j] = at[j + n * i];
    }
}

/* Of symmetric matrices, as in JAGS. */
static dlp_status build_inverse(DLPI_BUILD)
{
    (void)n_args;
    dlp_index n;
    dlpi_ldl ldl;
    DLP_TRY(need_square(f, b, args, &n, error));
    const dlp_index dim[2] = {n, n};
    dlpi_expr *at = dlpi_array_result(b, n * n, args[0].n_dim, dim, result);
    if (!at) return dlpi_no_memory(error, "expressions");
    bool literal;
    double *number = n > 2 ? dlpi_numbers(b, n * n, args[0].at, &literal) : NULL;
    if (number) {
        inverse_of_numbers(b, n, number, literal, at);
        free(number);
    } else if (n == 1) {
        at[0] = over(b, num(b, 1), args[0].at[0]);
    } else if (n == 2) {
        inverse_of_two(b, args[0].at, at);
    } else if (dlpi_ldl_make(b, n, args[0].at, &ldl) == DLP_OK) {
        inverse_of_expressions(b, &ldl, at);
    }
    return dlpi_builder_failed(b) ? dlpi_no_memory(error, "expressions") : DLP_OK;
}

/* ---- order ---- */

enum { MOST_RANKED = 1000 }; /* a million comparisons */

/* rank_i = 1 + how many are smaller, or equal and come before it; R's "first" */
static dlpi_expr *ranks(dlpi_builder *b, const dlpi_value *x)
{
    dlpi_expr *rank = dlpi_builder_room(b, x->n), *term = dlpi_builder_room(b, x->n);
    for (dlp_index i = 0; rank && term && i < x->n; i++) {
        for (dlp_index j = 0; j < x->n; j++)
            term[j] = j == i  ? num(b, 1)
                      : j < i ? at_least(b, x->at[i], x->at[j])
                              : above(b, x->at[i], x->at[j]);
        rank[i] = dlpi_sum(b, x->n, term);
    }
    return term ? rank : NULL;
}

static dlp_status check_number(const dlpi_bugs_function *f, const dlpi_value *x,
                               dlp_error *error)
{
    if (x->n <= MOST_RANKED) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "'%s' takes at most %d values", f->name,
                    MOST_RANKED);
}

static dlp_status build_rank(DLPI_BUILD)
{
    (void)n_args;
    const dlpi_value *x = &args[0];
    DLP_TRY(check_number(f, x, error));
    const dlpi_expr *rank = ranks(b, x);
    dlpi_expr *at = dlpi_array_result(b, x->n, 1, NULL, result);
    if (!rank || !at) return dlpi_no_memory(error, "expressions");
    for (dlp_index i = 0; i < x->n; i++) at[i] = rank[i];
    return DLP_OK;
}

/* The i of rank k. */
static dlp_status build_order(DLPI_BUILD)
{
    (void)n_args;
    const dlpi_value *x = &args[0];
    DLP_TRY(check_number(f, x, error));
    const dlpi_expr *rank = ranks(b, x);
    dlpi_expr *term = dlpi_builder_room(b, x->n);
    dlpi_expr *at = dlpi_array_result(b, x->n, 1, NULL, result);
    if (!rank || !term || !at) return dlpi_no_memory(error, "expressions");
    for (dlp_index k = 0; k < x->n; k++) {
        for (dlp_index i = 0; i < x->n; i++)
            term[i] =
                mul(b, dlpi_apply2(b, DLPI_OP_EQUALS, rank[i], num(b, (double)(k + 1))),
                    num(b, (double)(i + 1)));
        at[k] = dlpi_sum(b, x->n, term);
    }
    return DLP_OK;
}

/* By comparing neighbours: minima and maxima are continuous, as the sorted values are. */
static dlp_status sort_unknowns(dlpi_builder *b, const dlpi_value *x, dlpi_value *result,
                                dlp_error *error)
{
    dlpi_expr *at = dlpi_builder_room(b, x->n);
    if (!at) return dlpi_no_memory(error, "expressions");
    memcpy(at, x->at, (size_t)x->n * sizeof *at);
    for (dlp_index last = x->n - 1; last > 0; last--)
        for (dlp_index i = 0; i < last; i++) {
            const dlpi_expr low = dlpi_apply2(b, DLPI_OP_MIN, at[i], at[i + 1]);
            at[i + 1] = dlpi_apply2(b, DLPI_OP_MAX, at[i], at[i + 1]);
            at[i] = low;
        }
    *result = (dlpi_value){.n_dim = 1, .dim = {x->n}, .n = x->n, .at = at};
    return DLP_OK;
}

/* Numbers are sorted as numbers. */
static dlp_status build_sort(DLPI_BUILD)
{
    const dlpi_value *x = &args[0];
    (void)n_args;
    if (!all_numbers(b, x) && x->n > MOST_RANKED)
        return dlp_fail(error, DLP_EINVAL, "'%s' takes at most %d unknown values",
                        f->name, MOST_RANKED);
    if (!all_numbers(b, x)) return sort_unknowns(b, x, result, error);
    double *number = malloc((size_t)(x->n + 1) * sizeof *number);
    dlpi_expr *at = dlpi_array_result(b, x->n, 1, NULL, result);
    if (number && at) {
        for (dlp_index i = 0; i < x->n; i++) dlpi_is_number(b, x->at[i], &number[i]);
        qsort(number, (size_t)x->n, sizeof *number, dlpi_ascending);
        for (dlp_index i = 0; i < x->n; i++) at[i] = dlpi_datum(b, number[i]);
    }
    const bool ok = number && at;
    free(number);
    return ok ? DLP_OK : dlpi_no_memory(error, "expressions");
}

/* ---- interpolation ---- */

/* y_i + (e - x_i) (y_(i+1) - y_i) / (x_(i+1) - x_i) between knots, constant outside: a
   choice of one line where e is known. */
static dlpi_expr interpolate_at(dlpi_builder *b, dlpi_expr e, const dlpi_expr *x,
                                const dlpi_expr *y, dlp_index n)
{
    dlpi_expr value = y[n - 1];
    for (dlp_index i = n - 1; i-- > 0;) {
        const dlpi_expr slope = over(b, sub(b, y[i + 1], y[i]), sub(b, x[i + 1], x[i]));
        const dlpi_expr line = add(b, y[i], mul(b, sub(b, e, x[i]), slope));
        value = if_else(b, above(b, x[i + 1], e), line, value);
    }
    return if_else(b, above(b, x[0], e), y[0], value);
}

/* The same as a sum of hinges, y_1 + sum_i (y_(i+1) - y_i) / (x_(i+1) - x_i) max(0,
   min(e, x_(i+1)) - x_i): a choice by an unknown e would be taken for a jump. */
static dlpi_expr interpolate_by_hinges(dlpi_builder *b, dlpi_expr e, const dlpi_expr *x,
                                       const dlpi_expr *y, dlp_index n)
{
    dlpi_expr value = y[0];
    for (dlp_index i = 0; i + 1 < n; i++) {
        const dlpi_expr slope = over(b, sub(b, y[i + 1], y[i]), sub(b, x[i + 1], x[i]));
        const dlpi_expr below = dlpi_apply2(b, DLPI_OP_MIN, e, x[i + 1]);
        const dlpi_expr part =
            dlpi_apply2(b, DLPI_OP_MAX, dlpi_literal(b, 0), sub(b, below, x[i]));
        value = add(b, value, mul(b, slope, part));
    }
    return value;
}

static dlp_status build_interpolate(DLPI_BUILD)
{
    (void)n_args;
    const dlp_index n = args[1].n;
    const dlpi_expr e = args[0].at[0], *x = args[1].at, *y = args[2].at;
    double known;
    if (args[0].n != 1 || n < 1 || args[2].n != n || !all_numbers(b, &args[1]))
        return dlp_fail(error, DLP_EINVAL,
                        "'%s' needs a number, a vector of known numbers in increasing "
                        "order, and as many values",
                        f->name);
    const dlpi_expr value = dlpi_is_number(b, e, &known)
                                ? interpolate_at(b, e, x, y, n)
                                : interpolate_by_hinges(b, e, x, y, n);
    return dlpi_scalar_result(b, value, result, error);
}

#define VECTOR(text, other, from, to, builder)                                           \
    {                                                                                    \
        .name = (text), .alias = (other), .n_args = (from), .n_args_max = (to),          \
        .build = (builder)                                                               \
    }
#define REDUCE(text, operation)                                                          \
    {                                                                                    \
        .name = (text), .n_args = 1, .n_args_max = -1, .build = build_reduce,            \
        .op = (operation)                                                                \
    }

const dlpi_bugs_function dlpi_vector_functions[] = {
    REDUCE("sum", DLPI_OP_ADD),
    REDUCE("prod", DLPI_OP_MUL),
    REDUCE("max", DLPI_OP_MAX),
    REDUCE("min", DLPI_OP_MIN),
    VECTOR("mean", NULL, 1, 1, build_mean),
    {.name = "sd",
     .n_args = 1,
     .n_args_max = 1,
     .build = build_spread,
     .op = DLPI_OP_SQRT},
    VECTOR("var", NULL, 1, 1, build_spread),
    VECTOR("inprod", "inprod2", 2, 2, build_inprod),
    VECTOR("length", NULL, 1, 1, build_length),
    VECTOR("dim", NULL, 1, 1, build_dim),
    VECTOR("c", "combine", 1, -1, build_combine),
    VECTOR("rep", NULL, 2, 2, build_rep),
    VECTOR("t", NULL, 1, 1, build_transpose),
    VECTOR("%*%", NULL, 2, 2, build_matrix_product),
    VECTOR("inverse", NULL, 1, 1, build_inverse),
    VECTOR("logdet", NULL, 1, 1, build_log_det),
    VECTOR("sort", NULL, 1, 1, build_sort),
    VECTOR("rank", NULL, 1, 1, build_rank),
    VECTOR("order", NULL, 1, 1, build_order),
    VECTOR("interp.lin", NULL, 3, 3, build_interpolate),
};
const int dlpi_n_vector_functions =
    sizeof dlpi_vector_functions / sizeof dlpi_vector_functions[0];
