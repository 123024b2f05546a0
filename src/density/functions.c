/* SPDX-License-Identifier: BSD-3-Clause */
/* All functions, by name, and those that work element by element, operators among them. */
#include "density/functions.h"

#include <string.h>

static bool same_shape(const dlpi_value *a, const dlpi_value *b)
{
    bool same = a->n == b->n && a->n_dim == b->n_dim;
    for (int i = 0; same && i < a->n_dim; i++) same = a->dim[i] == b->dim[i];
    return same;
}

dlp_status dlpi_common_shape(const dlpi_bugs_function *f, int n_args,
                             const dlpi_value *args, const dlpi_value **shape,
                             dlp_error *error)
{
    *shape = &args[0];
    for (int i = 1; i < n_args; i++) {
        if ((*shape)->n == 1 && args[i].n != 1) *shape = &args[i];
        if (args[i].n != 1 && !same_shape(*shape, &args[i]))
            return dlp_fail(
                error, DLP_EINVAL,
                "the arguments of '%s' have different sizes, %td and %td; they "
                "must have the same shape, or be single numbers",
                f->name, (*shape)->n, args[i].n);
    }
    return DLP_OK;
}

dlpi_expr *dlpi_array_result(dlpi_builder *b, dlp_index n, int n_dim,
                             const dlp_index *dim, dlpi_value *result)
{
    dlpi_expr *at = dlpi_builder_room(b, n);
    *result = (dlpi_value){.n_dim = dim ? n_dim : 1, .n = n, .at = at};
    if (!dim) result->dim[0] = n;
    for (int i = 0; dim && i < n_dim; i++) result->dim[i] = dim[i];
    return at;
}

dlp_status dlpi_scalar_result(dlpi_builder *b, dlpi_expr e, dlpi_value *result,
                              dlp_error *error)
{
    dlpi_expr *at = dlpi_builder_room(b, 1);
    if (!at) return dlpi_no_memory(error, "expressions");
    at[0] = e;
    *result = (dlpi_value){.n = 1, .at = at};
    return DLP_OK;
}

/* ---- element by element ---- */

typedef dlpi_expr element_function(dlpi_builder *b, dlpi_op op, const dlpi_expr *x);

static dlp_status each_element(DLPI_BUILD, element_function *call)
{
    const dlpi_value *shape;
    DLP_TRY(dlpi_common_shape(f, n_args, args, &shape, error));
    dlpi_expr *at = dlpi_array_result(b, shape->n, shape->n_dim, shape->dim, result);
    if (!at) return dlpi_no_memory(error, "expressions");
    for (dlp_index i = 0; i < shape->n; i++) {
        dlpi_expr x[3] = {-1, -1, -1};
        for (int a = 0; a < n_args; a++) x[a] = args[a].at[args[a].n == 1 ? 0 : i];
        at[i] = call(b, f->op, x);
    }
    return DLP_OK;
}

static dlpi_expr plain(dlpi_builder *b, dlpi_op op, const dlpi_expr *x)
{
    return dlpi_apply(b, op, x[0], x[1], x[2]);
}

static dlp_status build_plain(DLPI_BUILD)
{
    return each_element(f, b, n_args, args, result, error, plain);
}

/* x op y as y op' x, for < and <= */
static dlpi_expr swapped(dlpi_builder *b, dlpi_op op, const dlpi_expr *x)
{
    return dlpi_apply2(b, op, x[1], x[0]);
}

static dlp_status build_swapped(DLPI_BUILD)
{
    return each_element(f, b, n_args, args, result, error, swapped);
}

static dlpi_expr unequal(dlpi_builder *b, dlpi_op op, const dlpi_expr *x)
{
    return dlpi_apply1(b, DLPI_OP_NOT, dlpi_apply2(b, op, x[0], x[1]));
}

static dlp_status build_unequal(DLPI_BUILD)
{
    return each_element(f, b, n_args, args, result, error, unequal);
}

static dlpi_expr log_factorial(dlpi_builder *b, dlpi_op op, const dlpi_expr *x)
{
    return dlpi_apply1(b, op, plus(b, 1, x[0]));
}

static dlp_status build_log_factorial(DLPI_BUILD)
{
    return each_element(f, b, n_args, args, result, error, log_factorial);
}

/* By logarithms: log(x + sqrt(x^2 + 1)), log(x + sqrt(x^2 - 1)), log((1+x) / (1-x)) / 2.
   The first by |x|, so that no digits cancel. */
static dlpi_expr area_function(dlpi_builder *b, dlpi_op op, const dlpi_expr *x)
{
    if (op == DLPI_OP_TANH)
        return times(b, 0.5,
                     sub(b, log_(b, plus(b, 1, x[0])), log_(b, minus_from(b, 1, x[0]))));
    const double sign = op == DLPI_OP_SINH ? 1 : -1;
    const dlpi_expr size = op == DLPI_OP_SINH ? dlpi_apply1(b, DLPI_OP_ABS, x[0]) : x[0];
    const dlpi_expr root = sqrt_(b, plus(b, sign, square(b, x[0])));
    const dlpi_expr area = log_(b, add(b, size, root));
    if (op == DLPI_OP_COSH) return area;
    return if_else(b, at_least(b, x[0], num(b, 0)), area, neg(b, area));
}

static dlp_status build_area(DLPI_BUILD)
{
    return each_element(f, b, n_args, args, result, error, area_function);
}

#define UNARY(text, other, operation)                                                    \
    {                                                                                    \
        .name = (text), .alias = (other), .n_args = 1, .n_args_max = 1,                  \
        .build = build_plain, .op = (operation)                                          \
    }
#define BINARY(text, other, operation)                                                   \
    {                                                                                    \
        .name = (text), .alias = (other), .n_args = 2, .n_args_max = 2,                  \
        .build = build_plain, .op = (operation)                                          \
    }

const dlpi_bugs_function dlpi_element_functions[] = {
    BINARY("+", NULL, DLPI_OP_ADD),
    BINARY("-", NULL, DLPI_OP_SUB),
    BINARY("*", NULL, DLPI_OP_MUL),
    BINARY("/", NULL, DLPI_OP_DIV),
    BINARY("^", "**", DLPI_OP_POW),
    UNARY("neg", NULL, DLPI_OP_NEG),
    BINARY(">", NULL, DLPI_OP_GREATER),
    BINARY(">=", NULL, DLPI_OP_GREATER_EQUAL),
    {.name = "<",
     .n_args = 2,
     .n_args_max = 2,
     .build = build_swapped,
     .op = DLPI_OP_GREATER},
    {.name = "<=",
     .n_args = 2,
     .n_args_max = 2,
     .build = build_swapped,
     .op = DLPI_OP_GREATER_EQUAL},
    BINARY("==", NULL, DLPI_OP_EQUALS),
    {.name = "!=",
     .n_args = 2,
     .n_args_max = 2,
     .build = build_unequal,
     .op = DLPI_OP_EQUALS},
    BINARY("&&", NULL, DLPI_OP_AND),
    BINARY("||", NULL, DLPI_OP_OR),
    UNARY("!", NULL, DLPI_OP_NOT),
    BINARY("pow", NULL, DLPI_OP_POW),
    BINARY("equals", NULL, DLPI_OP_EQUALS),
    UNARY("abs", NULL, DLPI_OP_ABS),
    UNARY("exp", NULL, DLPI_OP_EXP),
    UNARY("log", NULL, DLPI_OP_LOG),
    UNARY("sqrt", NULL, DLPI_OP_SQRT),
    UNARY("logit", NULL, DLPI_OP_LOGIT),
    UNARY("ilogit", NULL, DLPI_OP_ILOGIT),
    UNARY("phi", NULL, DLPI_OP_PHI),
    UNARY("probit", NULL, DLPI_OP_PROBIT),
    UNARY("cloglog", NULL, DLPI_OP_CLOGLOG),
    UNARY("icloglog", NULL, DLPI_OP_ICLOGLOG),
    UNARY("loggam", "lgamma", DLPI_OP_LGAMMA),
    {.name = "logfact",
     .n_args = 1,
     .n_args_max = 1,
     .build = build_log_factorial,
     .op = DLPI_OP_LGAMMA},
    UNARY("step", NULL, DLPI_OP_STEP),
    UNARY("round", NULL, DLPI_OP_ROUND),
    UNARY("trunc", NULL, DLPI_OP_TRUNC),
    UNARY("floor", NULL, DLPI_OP_FLOOR),
    UNARY("sin", NULL, DLPI_OP_SIN),
    UNARY("cos", NULL, DLPI_OP_COS),
    UNARY("tan", NULL, DLPI_OP_TAN),
    UNARY("arcsin", "asin", DLPI_OP_ASIN),
    UNARY("arccos", "acos", DLPI_OP_ACOS),
    UNARY("arctan", "atan", DLPI_OP_ATAN),
    UNARY("sinh", NULL, DLPI_OP_SINH),
    UNARY("cosh", NULL, DLPI_OP_COSH),
    UNARY("tanh", NULL, DLPI_OP_TANH),
    {.name = "arcsinh",
     .alias = "asinh",
     .n_args = 1,
     .n_args_max = 1,
     .build = build_area,
     .op = DLPI_OP_SINH},
    {.name = "arccosh",
     .alias = "acosh",
     .n_args = 1,
     .n_args_max = 1,
     .build = build_area,
     .op = DLPI_OP_COSH},
    {.name = "arctanh",
     .alias = "atanh",
     .n_args = 1,
     .n_args_max = 1,
     .build = build_area,
     .op = DLPI_OP_TANH},
    {.name = "ifelse",
     .n_args = 3,
     .n_args_max = 3,
     .build = build_plain,
     .op = DLPI_OP_IFELSE},
};
const int dlpi_n_element_functions =
    sizeof dlpi_element_functions / sizeof dlpi_element_functions[0];

/* ---- by name ---- */

typedef struct part {
    const dlpi_bugs_function *table;
    const int *n;
} part;

static const part parts[] = {{dlpi_element_functions, &dlpi_n_element_functions},
                             {dlpi_vector_functions, &dlpi_n_vector_functions},
                             {dlpi_probability_functions, &dlpi_n_probability_functions}};
enum { N_PARTS = sizeof parts / sizeof parts[0] };

const dlpi_bugs_function *dlpi_bugs_function_at(int i)
{
    for (int t = 0; i >= 0 && t < N_PARTS; i -= *parts[t++].n)
        if (i < *parts[t].n) return &parts[t].table[i];
    return NULL;
}

/* Most differ in their first letter; this runs for each call of each instance. */
static bool same_name(const char *a, const char *b)
{
    return a[0] == b[0] && !strcmp(a, b);
}

const dlpi_bugs_function *dlpi_bugs_function_find(const char *name)
{
    for (int t = 0; t < N_PARTS; t++)
        for (int i = 0; i < *parts[t].n; i++) {
            const dlpi_bugs_function *f = &parts[t].table[i];
            if (same_name(f->name, name) || (f->alias && same_name(f->alias, name)))
                return f;
        }
    return NULL;
}
