/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the language, of numbers: element by element, and of whole arrays. */
#include "language/evaluate.h"
#include "language/parse.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- of one number ---- */

static double f_neg(double x)
{
    return -x;
}
static double f_not(double x)
{
    return x == 0;
}
static double f_logit(double x)
{
    return log(x / (1 - x));
}
static double f_cloglog(double x)
{
    return log(-log1p(-x));
}
static double f_icloglog(double x)
{
    return -expm1(-exp(x));
}
static double f_step(double x)
{
    return x >= 0;
}
static double f_logfact(double x)
{
    return dlp_lgamma(x + 1);
}
static double f_round(double x)
{
    return floor(x + 0.5);
}
static double f_lgamma(double x)
{
    return x > 0 ? dlp_lgamma(x) : NAN;
}

/* ---- of two numbers ---- */

static double f_add(double a, double b)
{
    return a + b;
}
static double f_sub(double a, double b)
{
    return a - b;
}
/* 0 log(0) is 0, as in JAGS. */
static double f_mul(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}
static double f_div(double a, double b)
{
    return b == 0 && a == 0 ? NAN : a / b;
}
static double f_equals(double a, double b)
{
    return a == b;
}
static double f_unequal(double a, double b)
{
    return a != b;
}
static double f_greater(double a, double b)
{
    return a > b;
}
static double f_greater_equal(double a, double b)
{
    return a >= b;
}
static double f_less(double a, double b)
{
    return a < b;
}
static double f_less_equal(double a, double b)
{
    return a <= b;
}
static double f_and(double a, double b)
{
    return a != 0 && b != 0;
}
static double f_or(double a, double b)
{
    return a != 0 || b != 0;
}

double dlpi_inverse_link(const char *link, double x)
{
    if (strcmp(link, "log") == 0) return exp(x);
    if (strcmp(link, "logit") == 0) return dlp_logistic(x);
    if (strcmp(link, "probit") == 0) return dlp_normal_cdf(x);
    return f_icloglog(x);
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
        e->stack[result->at + i] = f->one(e->stack[arg->at + i]);
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
                                "arguments of %lld and %lld elements; they must be "
                                "equally many, or one",
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
        e->stack[result->at + i] = f->two(e->stack[arg[0].at + (arg[0].n > 1 ? i : 0)],
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
            x = n++ ? f->two(x, next) : next;
        }
    if (n == 0) return dlpi_evaluator_fail(e, call->place, "%s() of nothing", f->name);
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

static bool apply_moment(dlpi_evaluator *e, const dlpi_number_function *f,
                         const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                         dlpi_numbers *result)
{
    (void)n_args;
    const dlp_index least = f->name[0] == 'm' ? 1 : 2;
    if (arg->n < least)
        return dlpi_evaluator_fail(e, call->place, "%s() of %lld elements", f->name,
                                   (long long)arg->n);
    const double *x = dlpi_numbers_at(e, arg);
    const double value = f->name[0] == 'm'   ? mean_of(x, arg->n)
                         : f->name[0] == 's' ? sqrt(variance_of(x, arg->n))
                                             : variance_of(x, arg->n);
    return give(e, value, result);
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
                                   "inprod() of %lld and %lld elements; they must be "
                                   "equally many",
                                   (long long)arg[0].n, (long long)arg[1].n);
    for (dlp_index i = 0; i < arg[0].n; i++)
        sum += f_mul(e->stack[arg[0].at + i], e->stack[arg[1].at + i]);
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

/* rep(x, times), each element as often as times says, or all so often. */
static bool apply_rep(dlpi_evaluator *e, const dlpi_number_function *f,
                      const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                      dlpi_numbers *result)
{
    (void)f, (void)n_args;
    double total = 0;
    const bool each = arg[1].n == arg[0].n && arg[1].n > 1;
    if (!each && arg[1].n != 1)
        return dlpi_evaluator_fail(e, call->place,
                                   "rep() needs one number of times, or one for each");
    for (dlp_index i = 0; i < arg[1].n; i++) {
        const double times = e->stack[arg[1].at + i];
        if (!(times >= 0 && times == floor(times))) total = INFINITY;
        total += each ? times : times * (double)arg[0].n;
    }
    if (!(total < 1 << 28))
        return dlpi_evaluator_fail(e, call->place, "rep() so often is not possible");
    const dlp_index n = (dlp_index)total;
    if (!dlpi_numbers_take(e, result, n)) return false;
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

/* sort, order, rank: ties in their order. */
static bool apply_sort(dlpi_evaluator *e, const dlpi_number_function *f,
                       const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                       dlpi_numbers *result)
{
    (void)call, (void)n_args;
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
        if (f->name[0] == 's')
            out[i] = r[i].value;
        else if (f->name[0] == 'o')
            out[i] = (double)(r[i].index + 1);
        else
            out[r[i].index] = (double)(i + 1);
    free(r);
    return true;
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
                                   "the shapes of the two sides of %%*%% do not agree");
    set_matrix(result, m, n);
    if (!dlpi_numbers_take(e, result, m * n)) return false;
    for (dlp_index i = 0; i < m; i++)
        for (dlp_index j = 0; j < n; j++) {
            double sum = 0;
            for (dlp_index l = 0; l < k; l++)
                sum += e->stack[arg[0].at + i + m * l] * e->stack[arg[1].at + l + k * j];
            e->stack[result->at + i + m * j] = sum;
        }
    return true;
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

/* Gauss and Jordan, with pivots; A (n, n) becomes its inverse. Returns log |det A|, or NaN
   where it is singular. */
static double invert(dlp_index n, double *A, double *B)
{
    double log_det = 0;
    for (dlp_index i = 0; i < n * n; i++) B[i] = i % (n + 1) == 0;
    for (dlp_index k = 0; k < n; k++) {
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
        for (dlp_index i = 0; i < n; i++) {
            const double c = i == k ? 0 : A[i + n * k];
            for (dlp_index j = 0; c != 0 && j < n; j++) {
                A[i + n * j] -= c * A[k + n * j];
                B[i + n * j] -= c * B[k + n * j];
            }
        }
    }
    return log_det;
}

/* inverse and logdet. */
static bool apply_inverse(dlpi_evaluator *e, const dlpi_number_function *f,
                          const dlpi_syntax *call, int n_args, const dlpi_numbers *arg,
                          dlpi_numbers *result)
{
    (void)n_args;
    const dlp_index n = arg->n_dim == 2 ? arg->dim[0] : 1;
    if (arg->n != n * n || n > 4096)
        return dlpi_evaluator_fail(e, call->place, "%s() needs a square matrix", f->name);
    dlpi_numbers work;
    if (!dlpi_numbers_take(e, &work, n * n)) return false;
    same_shape(result, arg);
    if (!dlpi_numbers_take(e, result, n * n)) return false;
    memcpy(e->stack + work.at, e->stack + arg->at, (size_t)(n * n) * sizeof(double));
    const double log_det = invert(n, e->stack + work.at, e->stack + result->at);
    if (isnan(log_det))
        return dlpi_evaluator_fail(e, call->place, "the matrix is singular");
    return f->name[0] == 'i' || give(e, log_det, result);
}

/* interp.lin(x, xs, ys): linear between the points, constant beyond them. */
static bool apply_interpolate(dlpi_evaluator *e, const dlpi_number_function *f,
                              const dlpi_syntax *call, int n_args,
                              const dlpi_numbers *arg, dlpi_numbers *result)
{
    (void)f, (void)n_args;
    const dlp_index n = arg[1].n;
    if (arg[0].n != 1 || n != arg[2].n || n < 1)
        return dlpi_evaluator_fail(e, call->place,
                                   "interp.lin(x, xs, ys) needs one x, and as many xs as "
                                   "ys");
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

#define ONE(name, alias, f)                                                              \
    {                                                                                    \
        name, alias, 1, 1, apply_one, f, NULL                                            \
    }
#define TWO(name, alias, f)                                                              \
    {                                                                                    \
        name, alias, 2, 2, apply_two, NULL, f                                            \
    }
#define ANY(name, alias, least, most, f)                                                 \
    {                                                                                    \
        name, alias, least, most, f, NULL, NULL                                          \
    }

static const dlpi_number_function functions[] = {
    TWO("+", NULL, f_add),
    TWO("-", NULL, f_sub),
    TWO("*", NULL, f_mul),
    TWO("/", NULL, f_div),
    TWO("^", "pow", pow),
    TWO(">", NULL, f_greater),
    TWO(">=", NULL, f_greater_equal),
    TWO("<", NULL, f_less),
    TWO("<=", NULL, f_less_equal),
    TWO("==", "equals", f_equals),
    TWO("!=", NULL, f_unequal),
    TWO("&&", NULL, f_and),
    TWO("||", NULL, f_or),
    ONE("neg", NULL, f_neg),
    ONE("!", NULL, f_not),
    ONE("abs", NULL, fabs),
    ONE("exp", NULL, exp),
    ONE("log", NULL, log),
    ONE("sqrt", NULL, sqrt),
    ONE("logit", NULL, f_logit),
    ONE("ilogit", NULL, dlp_logistic),
    ONE("phi", NULL, dlp_normal_cdf),
    ONE("probit", NULL, dlp_normal_quantile),
    ONE("cloglog", NULL, f_cloglog),
    ONE("icloglog", NULL, f_icloglog),
    ONE("loggam", NULL, f_lgamma),
    ONE("logfact", NULL, f_logfact),
    ONE("step", NULL, f_step),
    ONE("round", NULL, f_round),
    ONE("trunc", NULL, trunc),
    ONE("floor", NULL, floor),
    ONE("sin", NULL, sin),
    ONE("cos", NULL, cos),
    ONE("tan", NULL, tan),
    ONE("arcsin", "asin", asin),
    ONE("arccos", "acos", acos),
    ONE("arctan", "atan", atan),
    ONE("sinh", NULL, sinh),
    ONE("cosh", NULL, cosh),
    ONE("tanh", NULL, tanh),
    ONE("arcsinh", "asinh", asinh),
    ONE("arccosh", "acosh", acosh),
    ONE("arctanh", "atanh", atanh),
    ANY("ifelse", NULL, 3, 3, apply_ifelse),
    {"sum", NULL, 1, -1, apply_reduce, NULL, f_add},
    {"prod", NULL, 1, -1, apply_reduce, NULL, f_mul},
    {"max", NULL, 1, -1, apply_reduce, NULL, fmax},
    {"min", NULL, 1, -1, apply_reduce, NULL, fmin},
    ANY("mean", NULL, 1, 1, apply_moment),
    ANY("sd", NULL, 1, 1, apply_moment),
    ANY("var", NULL, 1, 1, apply_moment),
    ANY("length", NULL, 1, 1, apply_length),
    ANY("dim", NULL, 1, 1, apply_length),
    ANY("inprod", NULL, 2, 2, apply_inprod),
    ANY("c", NULL, 1, -1, apply_combine),
    ANY("rep", NULL, 2, 2, apply_rep),
    ANY("sort", NULL, 1, 1, apply_sort),
    ANY("order", NULL, 1, 1, apply_sort),
    ANY("rank", NULL, 1, 1, apply_sort),
    ANY("%*%", NULL, 2, 2, apply_product),
    ANY("t", NULL, 1, 1, apply_transpose),
    ANY("inverse", NULL, 1, 1, apply_inverse),
    ANY("logdet", NULL, 1, 1, apply_inverse),
    ANY("interp.lin", NULL, 3, 3, apply_interpolate),
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
