/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The distributions and functions of the language, a table of each. Log densities are
 * built from expressions, so that their derivatives need no code of their own. Internal.
 */
#ifndef DLPI_BUGS_DISTRIBUTION_H
#define DLPI_BUGS_DISTRIBUTION_H

#include "density/expression.h"

#include <delaplace/random.h>

/* A scalar, vector or array of expressions, in R's order. */
typedef struct dlpi_value {
    int n_dim; /* 0: a scalar */
    dlp_index dim[DLPI_MAX_DIM];
    dlp_index n;
    const dlpi_expr *at; /* (n) */
} dlpi_value;

typedef enum dlpi_support {
    DLPI_REAL,     /* any number */
    DLPI_INTERVAL, /* between two bounds, either of which may be infinite (see bounds) */
    DLPI_BINARY,   /* 0, 1 */
    DLPI_CATEGORY, /* 1 to the length of its first parameter */
    DLPI_COUNT,    /* 0, 1, ... up to a bound, which may be infinite */
    DLPI_REAL_VECTOR,      /* multivariate normal, t */
    DLPI_SIMPLEX,          /* Dirichlet */
    DLPI_COUNT_VECTOR,     /* multinomial */
    DLPI_POSITIVE_DEFINITE /* Wishart */
} dlpi_support;

typedef struct dlpi_distribution {
    const char *name;
    const char *alias; /* another name, or NULL */
    int n_params, n_params_max;
    dlpi_support support;
    const char *params; /* "mean, precision": for messages */
    /* What is wrong with the scalar parameter i if its value is v, e.g. "must be
       positive"; NULL: nothing. */
    const char *(*complain)(int i, double v);
    /* log p(y | params). */
    dlpi_expr (*log_density)(dlpi_builder *b, const dlpi_value *y,
                             const dlpi_value *params);
    /* The bounds of the support, literals of -INFINITY and INFINITY where there are none;
       for scalars. NULL: by `support`. */
    void (*bounds)(dlpi_builder *b, const dlpi_value *params, dlpi_expr *lower,
                   dlpi_expr *upper);
    bool fixed_bounds; /* they do not depend on the parameters, which may be NULL */
    /* P(Y <= y | params), for T(,) and I(,) and dinterval; NULL: not available. */
    dlpi_expr (*cdf)(dlpi_builder *b, dlpi_expr y, const dlpi_value *params);
    /* log P(Y > y | params), if more accurate than log(1 - cdf); NULL: not available. */
    dlpi_expr (*log_above)(dlpi_builder *b, dlpi_expr y, const dlpi_value *params);
    /* Draws y (n) given numeric parameters, each params[i] (n_params[i]). For nodes
       without data below them. */
    void (*draw)(const double *const *params, const dlp_index *n_params, dlp_index n,
                 dlp_rng *rng, double *y);
    bool (*shapes_agree)(const dlpi_value *y, const dlpi_value *params);
} dlpi_distribution;

/* NULL: unknown. Searches the whole table: call it per relation, not per instance. */
const dlpi_distribution *dlpi_distribution_find(const char *name);
const dlpi_distribution *dlpi_distribution_at(int i); /* NULL: past the last */
/* log P(lower <= Y <= upper), by which T(,) divides; a bound of -1: none on that side.
   Returns -1 if the distribution has no cdf. */
dlpi_expr dlpi_log_between(const dlpi_distribution *d, dlpi_builder *b,
                           const dlpi_value *params, dlpi_expr lower, dlpi_expr upper);

/* Half a unit of the last digit that dround keeps: 0.5 10^-digits. */
dlpi_expr dlpi_half_unit(dlpi_builder *b, dlpi_expr digits);

/* A function of the language; operators are functions, too. */
typedef struct dlpi_bugs_function {
    const char *name;
    const char *alias;
    int n_args, n_args_max; /* -1: any number */
    /* Its value. The elements of the result are in `room` and live until the builder is
       cleared. DLP_EINVAL with a message (without a place): shapes disagree. */
    dlp_status (*build)(const struct dlpi_bugs_function *f, dlpi_builder *b, int n_args,
                        const dlpi_value *args, dlpi_value *result, dlp_error *error);
    dlpi_op op; /* for functions that work element by element, recycling scalars */
} dlpi_bugs_function;

/* NULL: unknown, or past the last. */
const dlpi_bugs_function *dlpi_bugs_function_find(const char *name);
const dlpi_bugs_function *dlpi_bugs_function_at(int i);

#endif
