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

    /* ---- what else the rest of the program has to know of it ---- */

    /* Which parameter sets where its values lie rather than how far they spread. */
    int location;
    bool centred; /* its first parameter is what values lie around */
    bool improper;
    bool takes_vectors; /* parameters of a single value may be vectors */
    int shaped_like;    /* which parameter has the shape of its vector or matrix */
    /* Which parameters bound y, counted from 1 (0: none), to check data; upper_by_length:
       by how many elements it has. */
    int lower_by, upper_by;
    bool upper_by_length;
    double end; /* where the support ends if no parameter says so; 0: nowhere */
    bool open;  /* y lies strictly between the ends */
    /* y with P(Y <= y | params) = p, if there is a formula for it; NULL: there is none. */
    dlpi_expr (*quantile)(dlpi_builder *b, dlpi_expr p, const dlpi_value *params);
    /* The middle of a prior with these parameters, as an unbounded coordinate: its
       logarithm if it is positive, its logit between 0 and 1. NaN: it has a spike. */
    double (*middle)(const double *params);
    /* If y = value is data that say between which bounds the first parameter lies: these
       bounds, given the second. -1: none on that side. NULL: it does not censor. */
    void (*censor)(dlpi_builder *b, dlpi_expr y, double value, const dlpi_value *second,
                   dlpi_expr bound[2]);
    /* What is wrong if a parameter that is not discrete ('%s') enters it, and what to
       write; NULL: its density may be smooth. */
    const char *jump;
} dlpi_distribution;

enum { DLPI_EVERY_PARAMETER = -1 }; /* of `location` */

/* NULL: unknown. Searches the whole table: call it per relation, not per instance. */
const dlpi_distribution *dlpi_distribution_find(const char *name);
const dlpi_distribution *dlpi_distribution_at(int i); /* NULL: past the last */
/* log P(lower <= Y <= upper), by which T(,) divides; a bound of -1: none on that side.
   Returns -1 if the distribution has no cdf. */
dlpi_expr dlpi_log_between(const dlpi_distribution *d, dlpi_builder *b,
                           const dlpi_value *params, dlpi_expr lower, dlpi_expr upper);

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
