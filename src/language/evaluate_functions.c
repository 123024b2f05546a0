/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the language for numbers: element by element, and of whole arrays. */
#include "language/evaluate.h"
#include "language/graph_owner.h"
#include "language/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- of single numbers, where no operation of expressions does it ---- */

static double log_factorial(double x)
{
    return dlpi_op_value(DLPI_OP_LGAMMA, x + 1, 0, 0);
}
static double less(double a, double b)
{
    return a < b;
}
static double less_equal(double a, double b)
{
    return a <= b;
}
static double unequal(double a, double b)
{
    return a != b;
}

static double value_of_one(const dlpi_number_function *f, double x)
{
    return f->one ? f->one(x) : dlpi_op_value(f->op, x, 0, 0);
}
static double value_of_two(const dlpi_number_function *f, double a, double b)
{
    return f->two ? f->two(a, b) : dlpi_op_value(f->op, a, b, 0);
}

dlpi_op dlpi_inverse_link(dlpi_bugs_link link)
{
    static const dlpi_op inverse[] = {[DLPI_BUGS_LOG] = DLPI_OP_EXP,
                                      [DLPI_BUGS_LOGIT] = DLPI_OP_ILOGIT,
                                      [DLPI_BUGS_PROBIT] = DLPI_OP_PHI,
                                      [DLPI_BUGS_CLOGLOG] = DLPI_OP_ICLOGLOG};
    return inverse[link];
}

/* ---- element by element ---- */

static bool same_shape(dlpi_numbers *result, const dlpi_numbers *a)
{
    result->n_dim = a->n_dim;
    for (int d = 0; d < a->n_dim; d++) result->dim[d] = a->dim[d];
    return true;
}

static bool apply_one(dlpi_evaluator *e, const dlpi_number_function *f,
                      const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                      dlpi_numbers *result)
{
    (void)call, (void)n_args;
    same_shape(result, arg);
    if (!dlpi_numbers_take(e, result, arg->n)) return false;
    for (dlp_index i = 0; i < arg->n; i++)
        e->stack[result->at + i] = value_of_one(f, e->stack[arg->at + i]);
    return true;
}

/* The longest of the arguments; the others must be scalars or as long. */
static const dlpi_numbers *longest(dlpi_evaluator *e, const dlpi_syntax *call, int n_args,
                                   const dlpi_numbers *arg)
{
    const dlpi_numbers *most = arg;
    for (int i = 1; i < n_args; i++)
        if (arg[i].n > most->n || (arg[i].n == most->n && arg[i].n_dim > most->n_dim))
            most = &arg[i];
    for (int i = 0; i < n_args; i++)
        if (arg[i].n != 1 && arg[i].n != most->n) {
            dlpi_evaluator_fail(e, call->place,
                                "the arguments have %lld and %lld elements; they must "
                                "have equally many, or one",
                                (long long)arg[i].n, (long long)most->n);
            return NULL;
        }
    return most;
}

static bool apply_two(dlpi_evaluator *e, const dlpi_number_function *f,
                      const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                      dlpi_numbers *result)
{
    const dlpi_numbers *most = longest(e, call, n_args, arg);
    if (!most) return false;
    same_shape(result, most);
    if (!dlpi_numbers_take(e, result, most->n)) return false;
    for (dlp_index i = 0; i < most->n; i++)
        e->stack[result->at + i] =
            value_of_two(f, e->stack[arg[0].at + (arg[0].n > 1 ? i : 0)],
                         e->stack[arg[1].at + (arg[1].n > 1 ? i : 0)]);
    return true;
}

static bool apply_ifelse(dlpi_evaluator *e, const dlpi_number_function *f,
                         const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                         dlpi_numbers *result)
{
    (void)f;
    const dlpi_numbers *most = longest(e, call, n_args, arg);
    if (!most) return false;
    same_shape(result, most);
    if (!dlpi_numbers_take(e, result, most->n)) return false;
    for (dlp_index i = 0; i < most->n; i++) {
        const dlpi_numbers *a =
            e->stack[arg[0].at + (arg[0].n > 1 ? i : 0)] != 0 ? &arg[1] : &arg[2];
        e->stack[result->at + i] = e->stack[a->at + (a->n > 1 ? i : 0)];
    }
    return true;
}

/* ---- of whole arrays ---- */

static bool give(dlpi_evaluator *e, double value, dlpi_numbers *result)
{
    result->n_dim = 0;
    if (!dlpi_numbers_take(e, result, 1)) return false;
    e->stack[result->at] = value;
    return true;
}

static bool apply_reduce(dlpi_evaluator *e, const dlpi_number_function *f,
                         const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                         dlpi_numbers *result)
{
    double x = 0;
    dlp_index n = 0;
    for (int i = 0; i < n_args; i++)
        for (dlp_index k = 0; k < arg[i].n; k++) {
            const double next = e->stack[arg[i].at + k];
            x = n++ ? value_of_two(f, x, next) : next;
        }
    if (n == 0)
        return dlpi_evaluator_fail(e, call->place, "%s() needs at least one element",
                                   f->name);
    return give(e, x, result);
}

static double mean_of(const double *x, dlp_index n)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static double variance_of(const double *x, dlp_index n)
{
    const double mean = mean_of(x, n);
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)(n - 1);
}

static bool has_elements(dlpi_evaluator *e, const dlpi_number_function *f,
                         const dlpi_syntax *call, const dlpi_numbers *arg,
                         dlp_index least)
{
    return arg->n >= least ||
           dlpi_evaluator_fail(e, call->place,
                               "%s() is given %lld elements, which is too few", f->name,
                               (long long)arg->n);
}

static bool apply_mean(dlpi_evaluator *e, const dlpi_number_function *f,
                       const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                       dlpi_numbers *result)
{
    (void)n_args;
    return has_elements(e, f, call, arg, 1) &&
           give(e, mean_of(dlpi_numbers_at(e, arg), arg->n), result);
}

static bool apply_variance(dlpi_evaluator *e, const dlpi_number_function *f,
                           const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                           dlpi_numbers *result)
{
    (void)n_args;
    return has_elements(e, f, call, arg, 2) &&
           give(e, variance_of(dlpi_numbers_at(e, arg), arg->n), result);
}

static bool apply_sd(dlpi_evaluator *e, const dlpi_number_function *f,
                     const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                     dlpi_numbers *result)
{
    (void)n_args;
    return has_elements(e, f, call, arg, 2) &&
           give(e, sqrt(variance_of(dlpi_numbers_at(e, arg), arg->n)), result);
}

static bool apply_length(dlpi_evaluator *e, const dlpi_number_function *f,
                         const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                         dlpi_numbers *result)
{
    (void)f, (void)call, (void)n_args;
    return give(e, (double)arg->n, result);
}

static bool apply_inprod(dlpi_evaluator *e, const dlpi_number_function *f,
                         const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                         dlpi_numbers *result)
{
    (void)f, (void)n_args;
    double sum = 0;
    if (arg[0].n != arg[1].n)
        return dlpi_evaluator_fail(e, call->place,
                                   "the arguments of inprod() have %lld and %lld "
                                   "elements; they must have the same number",
                                   (long long)arg[0].n, (long long)arg[1].n);
    for (dlp_index i = 0; i < arg[0].n; i++)
        sum += dlpi_op_value(DLPI_OP_MUL, e->stack[arg[0].at + i],
                             e->stack[arg[1].at + i], 0);
    return give(e, sum, result);
}

static bool apply_combine(dlpi_evaluator *e, const dlpi_number_function *f,
                          const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                          dlpi_numbers *result)
{
    (void)f, (void)call;
    dlp_index n = 0;
    for (int i = 0; i < n_args; i++) n += arg[i].n;
    if (!dlpi_numbers_take(e, result, n)) return false;
    result->n_dim = n == 1 ? 0 : 1;
    result->dim[0] = n;
    dlp_index at = result->at;
    for (int i = 0; i < n_args; i++)
        for (dlp_index k = 0; k < arg[i].n; k++) e->stack[at++] = e->stack[arg[i].at + k];
    return true;
}

/* rep(x, times): repeats each element, or the whole of x, as often as times says. */
static bool apply_rep(dlpi_evaluator *e, const dlpi_number_function *f,
                      const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                      dlpi_numbers *result)
{
    (void)f, (void)n_args;
    double total = 0;
    const bool each = arg[1].n == arg[0].n && arg[1].n > 1;
    if (!each && arg[1].n != 1)
        return dlpi_evaluator_fail(
            e, call->place,
            "rep() needs one number of repetitions, or one for each element");
    for (dlp_index i = 0; i < arg[1].n; i++) {
        const double times = e->stack[arg[1].at + i];
        if (!(times >= 0 && times == floor(times))) total = INFINITY;
        total += each ? times : times * (double)arg[0].n;
    }
    if (!(total < DLPI_MOST_NUMBERS))
        return dlpi_evaluator_fail(e, call->place,
                                   "the repetitions of rep() must be whole numbers, not "
                                   "negative and not too large");
    const dlp_index n = (dlp_index)total;
    if (!dlpi_numbers_take_long(e, call->place, result, n)) return false;
    result->n_dim = n == 1 ? 0 : 1;
    result->dim[0] = n;
    dlp_index at = result->at;
    for (dlp_index i = 0; each && i < arg[0].n; i++)
        for (dlp_index k = 0; k < (dlp_index)e->stack[arg[1].at + i]; k++)
            e->stack[at++] = e->stack[arg[0].at + i];
    for (dlp_index k = 0; !each && k < n; k++)
        e->stack[at + k] = e->stack[arg[0].at + k % arg[0].n];
    return true;
}

struct ranked {
    double value;
    dlp_index index;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

typedef enum sorted { VALUES, ORDER, RANKS } sorted;

/* Ties stay in their order. */
static bool sort_numbers(dlpi_evaluator *e, const dlpi_syntax *call,
                         const dlpi_numbers *arg, sorted what, dlpi_numbers *result)
{
    const dlp_index n = arg->n;
    result->n_dim = n == 1 ? 0 : 1;
    result->dim[0] = n;
    struct ranked *r = malloc((size_t)(n > 0 ? n : 1) * sizeof *r);
    if (!r || !dlpi_numbers_take(e, result, n)) {
        free(r);
        return dlpi_evaluator_fail(e, call->place, "not enough memory to sort");
    }
    for (dlp_index i = 0; i < n; i++) {
        r[i].value = e->stack[arg->at + i];
        r[i].index = i;
    }
    if (n > 0) qsort(r, (size_t)n, sizeof *r, by_value);
    double *out = e->stack + result->at;
    for (dlp_index i = 0; i < n; i++)
        if (what == VALUES)
            out[i] = r[i].value;
        else if (what == ORDER)
            out[i] = (double)(r[i].index + 1);
        else
            out[r[i].index] = (double)(i + 1);
    free(r);
    return true;
}

static bool apply_sort(dlpi_evaluator *e, const dlpi_number_function *f,
                       const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                       dlpi_numbers *result)
{
    (void)f, (void)n_args;
    return sort_numbers(e, call, arg, VALUES, result);
}

static bool apply_order(dlpi_evaluator *e, const dlpi_number_function *f,
                        const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                        dlpi_numbers *result)
{
    (void)f, (void)n_args;
    return sort_numbers(e, call, arg, ORDER, result);
}

static bool apply_rank(dlpi_evaluator *e, const dlpi_number_function *f,
                       const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                       dlpi_numbers *result)
{
    (void)f, (void)n_args;
    return sort_numbers(e, call, arg, RANKS, result);
}

/* ---- matrices ---- */

/* Rows and columns of x: a vector is a row or a column. */
static bool matrix_shape(const dlpi_numbers *x, bool as_row, dlp_index *rows,
                         dlp_index *columns)
{
    *rows = x->n_dim == 2 ? x->dim[0] : as_row ? 1 : x->n;
    *columns = x->n_dim == 2 ? x->dim[1] : as_row ? x->n : 1;
    return x->n_dim <= 2;
}

static void set_matrix(dlpi_numbers *x, dlp_index rows, dlp_index columns)
{
    x->n_dim = 0;
    if (rows != 1) x->dim[x->n_dim++] = rows;
    if (columns != 1) x->dim[x->n_dim++] = columns;
}

static double product(const double *x, const double *y, dlp_index n)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static bool apply_product(dlpi_evaluator *e, const dlpi_number_function *f,
                          const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                          dlpi_numbers *result)
{
    (void)f, (void)n_args;
    dlp_index m, k, k2, n;
    bool good =
        matrix_shape(&arg[0], arg[1].n_dim != 2 || arg[1].dim[0] == arg[0].n, &m, &k);
    good &= matrix_shape(&arg[1], k == 1 && arg[1].n != 1, &k2, &n);
    if (!good || k != k2)
        return dlpi_evaluator_fail(e, call->place,
                                   "the two sides of %%*%% do not match: the left needs "
                                   "as many columns as the right has rows");
    set_matrix(result, m, n);
    if (!dlpi_numbers_take(e, result, m * n)) return false;
    double *row = malloc((size_t)(k + 1) * sizeof *row);
    if (!row) return dlpi_evaluator_fail(e, call->place, "not enough memory to multiply");
    for (dlp_index i = 0; i < m && dlpi_evaluator_works(e, n * k); i++) {
        for (dlp_index l = 0; l < k; l++) row[l] = e->stack[arg[0].at + i + m * l];
        for (dlp_index j = 0; j < n; j++)
            e->stack[result->at + i + m * j] =
                product(row, e->stack + arg[1].at + k * j, k);
    }
    free(row);
    return dlpi_evaluator_works(e, 0);
}

static bool apply_transpose(dlpi_evaluator *e, const dlpi_number_function *f,
                            const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                            dlpi_numbers *result)
{
    (void)f, (void)n_args;
    dlp_index m, n;
    if (!matrix_shape(arg, false, &m, &n))
        return dlpi_evaluator_fail(e, call->place, "t() needs a vector or a matrix");
    result->n_dim = arg->n == 1 ? 0 : 2;
    result->dim[0] = n;
    result->dim[1] = m;
    if (!dlpi_numbers_take(e, result, m * n)) return false;
    for (dlp_index i = 0; i < m; i++)
        for (dlp_index j = 0; j < n; j++)
            e->stack[result->at + j + n * i] = e->stack[arg->at + i + m * j];
    return true;
}

/* x = x - c x_k, a column of either matrix, without row k */
static void eliminate(dlp_index n, dlp_index k, const double *c, double *x)
{
    const double at_k = x[k];
    for (dlp_index i = 0; i < n; i++)
        if (c[i] != 0) x[i] -= c[i] * at_k;
}

/* Gauss-Jordan elimination with pivoting; B (n, n) becomes A's inverse, c (n) is room. Returns
   log |det A|, or NaN if it is singular or the caller has said stop. */
static double invert(dlpi_evaluator *e, dlp_index n, double *A, double *B, double *c)
{
    double log_det = 0;
    for (dlp_index i = 0; i < n * n; i++) B[i] = i % (n + 1) == 0;
    for (dlp_index k = 0; k < n; k++) {
        if (!dlpi_evaluator_works(e, 2 * n * n)) return NAN;
        dlp_index pivot = k;
        for (dlp_index i = k + 1; i < n; i++)
            if (fabs(A[i + n * k]) > fabs(A[pivot + n * k])) pivot = i;
        const double p = A[pivot + n * k];
        if (!(fabs(p) > 0)) return NAN;
        log_det += log(fabs(p));
        for (dlp_index j = 0; j < n; j++) {
            const double a = A[pivot + n * j], b = B[pivot + n * j];
            A[pivot + n * j] = A[k + n * j];
            B[pivot + n * j] = B[k + n * j];
            A[k + n * j] = a / p;
            B[k + n * j] = b / p;
        }
        memcpy(c, A + n * k, (size_t)n * sizeof *c);
        c[k] = 0;
        for (dlp_index j = 0; j < n; j++) {
            eliminate(n, k, c, A + n * j);
            eliminate(n, k, c, B + n * j);
        }
    }
    return log_det;
}

static bool invert_matrix(dlpi_evaluator *e, const dlpi_number_function *f,
                          const dlpi_syntax *call, const dlpi_numbers *arg,
                          double *log_det, dlpi_numbers *result)
{
    const dlp_index n = arg->n_dim == 2 ? arg->dim[0] : 1;
    if (arg->n != n * n || n > 4096)
        return dlpi_evaluator_fail(e, call->place, "%s() needs a square matrix", f->name);
    dlpi_numbers work, column;
    if (!dlpi_numbers_take(e, &work, n * n) || !dlpi_numbers_take(e, &column, n))
        return false;
    same_shape(result, arg);
    if (!dlpi_numbers_take(e, result, n * n)) return false;
    memcpy(e->stack + work.at, e->stack + arg->at, (size_t)(n * n) * sizeof(double));
    *log_det =
        invert(e, n, e->stack + work.at, e->stack + result->at, e->stack + column.at);
    return !isnan(*log_det) ||
           (dlpi_evaluator_works(e, 0) &&
            dlpi_evaluator_fail(e, call->place, "the matrix is singular"));
}

static bool apply_inverse(dlpi_evaluator *e, const dlpi_number_function *f,
                          const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                          dlpi_numbers *result)
{
    double log_det;
    (void)n_args;
    return invert_matrix(e, f, call, arg, &log_det, result);
}

static bool apply_log_det(dlpi_evaluator *e, const dlpi_number_function *f,
                          const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                          dlpi_numbers *result)
{
    double log_det;
    (void)n_args;
    return invert_matrix(e, f, call, arg, &log_det, result) && give(e, log_det, result);
}

/* interp.lin(x, xs, ys): linear between the points, constant beyond them. */
static bool apply_interpolate(dlpi_evaluator *e, const dlpi_number_function *f,
                              const dlpi_syntax *call, int n_args,
                              const dlpi_numbers *arg, dlpi_numbers *result)
{
    (void)f, (void)n_args;
    const dlp_index n = arg[1].n;
    if (arg[0].n != 1 || n != arg[2].n || n < 1)
        return dlpi_evaluator_fail(
            e, call->place,
            "interp.lin(x, xs, ys) needs one number x, and xs and ys of the same length");
    const double x = e->stack[arg[0].at], *xs = e->stack + arg[1].at,
                 *ys = e->stack + arg[2].at;
    dlp_index i = 0;
    while (i < n && xs[i] <= x) i++;
    const double y = i == 0   ? ys[0]
                     : i == n ? ys[n - 1]
                              : ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) /
                                                (xs[i] - xs[i - 1]);
    return give(e, y, result);
}

/* ---- the table ---- */

/* Element by element, by an operation of expressions, so that each is defined only
   once. */
#define ONE(name, alias, op)                                                             \
    {                                                                                    \
        name, alias, 1, 1, apply_one, op, NULL, NULL, DLPI_SHAPE_OF_ELEMENTS, false      \
    }
#define ONE_OF_C(name, alias, f)                                                         \
    {                                                                                    \
        name, alias, 1, 1, apply_one, DLPI_OP_LITERAL, f, NULL, DLPI_SHAPE_OF_ELEMENTS,  \
            false                                                                        \
    }
#define TWO(name, alias, op)                                                             \
    {                                                                                    \
        name, alias, 2, 2, apply_two, op, NULL, NULL, DLPI_SHAPE_OF_ELEMENTS, false      \
    }
#define TWO_OF_C(name, f)                                                                \
    {                                                                                    \
        name, NULL, 2, 2, apply_two, DLPI_OP_LITERAL, NULL, f, DLPI_SHAPE_OF_ELEMENTS,   \
            false                                                                        \
    }
#define REDUCE(name, op)                                                                 \
    {                                                                                    \
        name, NULL, 1, -1, apply_reduce, op, NULL, NULL, DLPI_SHAPE_OF_NUMBER, false     \
    }
#define ANY(name, alias, least, most, f, shape)                                          \
    {                                                                                    \
        name, alias, least, most, f, DLPI_OP_LITERAL, NULL, NULL, shape, false           \
    }
#define SIZE(name, shape)                                                                \
    {                                                                                    \
        name, NULL, 1, 1, apply_length, DLPI_OP_LITERAL, NULL, NULL, shape, true         \
    }

static const dlpi_number_function functions[] = {
    TWO("+", NULL, DLPI_OP_ADD),
    TWO("-", NULL, DLPI_OP_SUB),
    TWO("*", NULL, DLPI_OP_MUL),
    TWO("/", NULL, DLPI_OP_DIV),
    TWO("^", "pow", DLPI_OP_POW),
    TWO(">", NULL, DLPI_OP_GREATER),
    TWO(">=", NULL, DLPI_OP_GREATER_EQUAL),
    TWO_OF_C("<", less),
    TWO_OF_C("<=", less_equal),
    TWO("==", "equals", DLPI_OP_EQUALS),
    TWO_OF_C("!=", unequal),
    TWO("&&", NULL, DLPI_OP_AND),
    TWO("||", NULL, DLPI_OP_OR),
    ONE("neg", NULL, DLPI_OP_NEG),
    ONE("!", NULL, DLPI_OP_NOT),
    ONE("abs", NULL, DLPI_OP_ABS),
    ONE("exp", NULL, DLPI_OP_EXP),
    ONE("log", NULL, DLPI_OP_LOG),
    ONE("sqrt", NULL, DLPI_OP_SQRT),
    ONE("logit", NULL, DLPI_OP_LOGIT),
    ONE("ilogit", NULL, DLPI_OP_ILOGIT),
    ONE("phi", NULL, DLPI_OP_PHI),
    ONE("probit", NULL, DLPI_OP_PROBIT),
    ONE("cloglog", NULL, DLPI_OP_CLOGLOG),
    ONE("icloglog", NULL, DLPI_OP_ICLOGLOG),
    ONE("loggam", NULL, DLPI_OP_LGAMMA),
    ONE_OF_C("logfact", NULL, log_factorial),
    ONE("step", NULL, DLPI_OP_STEP),
    ONE("round", NULL, DLPI_OP_ROUND),
    ONE("trunc", NULL, DLPI_OP_TRUNC),
    ONE("floor", NULL, DLPI_OP_FLOOR),
    ONE("sin", NULL, DLPI_OP_SIN),
    ONE("cos", NULL, DLPI_OP_COS),
    ONE("tan", NULL, DLPI_OP_TAN),
    ONE("arcsin", "asin", DLPI_OP_ASIN),
    ONE("arccos", "acos", DLPI_OP_ACOS),
    ONE("arctan", "atan", DLPI_OP_ATAN),
    ONE("sinh", NULL, DLPI_OP_SINH),
    ONE("cosh", NULL, DLPI_OP_COSH),
    ONE("tanh", NULL, DLPI_OP_TANH),
    ONE_OF_C("arcsinh", "asinh", asinh),
    ONE_OF_C("arccosh", "acosh", acosh),
    ONE_OF_C("arctanh", "atanh", atanh),
    ANY("ifelse", NULL, 3, 3, apply_ifelse, DLPI_SHAPE_OF_ELEMENTS),
    REDUCE("sum", DLPI_OP_ADD),
    REDUCE("prod", DLPI_OP_MUL),
    REDUCE("max", DLPI_OP_MAX),
    REDUCE("min", DLPI_OP_MIN),
    ANY("mean", NULL, 1, 1, apply_mean, DLPI_SHAPE_OF_NUMBER),
    ANY("sd", NULL, 1, 1, apply_sd, DLPI_SHAPE_OF_NUMBER),
    ANY("var", NULL, 1, 1, apply_variance, DLPI_SHAPE_OF_NUMBER),
    SIZE("length", DLPI_SHAPE_OF_NUMBER),
    SIZE("dim", DLPI_SHAPE_OF_VALUE),
    ANY("inprod", "inprod2", 2, 2, apply_inprod, DLPI_SHAPE_OF_NUMBER),
    ANY("c", "combine", 1, -1, apply_combine, DLPI_SHAPE_OF_ALL),
    ANY("rep", NULL, 2, 2, apply_rep, DLPI_SHAPE_OF_VALUE),
    ANY("sort", NULL, 1, 1, apply_sort, DLPI_SHAPE_OF_FIRST),
    ANY("order", NULL, 1, 1, apply_order, DLPI_SHAPE_OF_FIRST),
    ANY("rank", NULL, 1, 1, apply_rank, DLPI_SHAPE_OF_FIRST),
    ANY("%*%", NULL, 2, 2, apply_product, DLPI_SHAPE_OF_PRODUCT),
    ANY("t", NULL, 1, 1, apply_transpose, DLPI_SHAPE_TRANSPOSED),
    ANY("inverse", NULL, 1, 1, apply_inverse, DLPI_SHAPE_OF_ELEMENTS),
    ANY("logdet", NULL, 1, 1, apply_log_det, DLPI_SHAPE_OF_NUMBER),
    ANY("interp.lin", NULL, 3, 3, apply_interpolate, DLPI_SHAPE_OF_NUMBER),
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

const dlpi_number_function *dlpi_number_function_at(int i)
{
    return i >= 0 && i < N_FUNCTIONS ? &functions[i] : NULL;
}

const dlpi_number_function *dlpi_number_function_find(const char *name)
{
    for (int i = 0; i < N_FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0 ||
            (functions[i].alias && strcmp(functions[i].alias, name) == 0))
            return &functions[i];
    return NULL;
}

const dlpi_number_function *dlpi_number_function_of(const dlpi_graph *graph,
                                                    const dlpi_syntax *call)
{
    return dlpi_owner_of(graph)->function_of[dlpi_name_number(call->name)];
}
