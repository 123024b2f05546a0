/* SPDX-License-Identifier: BSD-3-Clause */
/* What to know about a fitted regression before trusting its numbers: as data, for any
   client to put into words. */
#ifndef DELAPLACE_DIAGNOSTICS_H
#define DELAPLACE_DIAGNOSTICS_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_diagnostic_kind {
    /* The fit found no maximum, or did not end. */
    DLP_LINK_LEAVES_SUPPORT, /* with its link the mean of counts can be 0 or less, which they
                               do not have, and with log it cannot */
    DLP_SCALE_OF_GROUPS,    /* groups may have too few rows to estimate their own scale */
    DLP_SCALE_WITHOUT_MODE, /* the mode of all parameters together was not found; the
                               default method integrates the scale out instead */
    DLP_RESPONSE_EXPLAINED, /* the columns explain every response exactly, so that nothing
                               is left to estimate the scale from */
    /* The prior, not the data, determines the answer. */
    DLP_PRIOR_MATTERS, /* `parameter`, farthest from the mean of its prior, lies `value`
                              prior sds from there, and rows are few for the columns */
    DLP_PRIOR_HOLDS_BACK, /* the same, and rows are not few */
    DLP_PRIOR_ALONE,      /* of `count` parameters, `parameter` the first, the data tell
                              next to nothing */
    DLP_FEW_ROWS,         /* no more rows (`value`, by weight) than columns, under a weak
                              prior: intervals are as wide as that lets them be */
    DLP_HYPERPRIOR_HOLDS_BACK, /* the groups' mean of `parameter` lies `value` sds of the
                                  paper's hyperprior from 0 */
    /* Known only right after the fit, not of a fit that was loaded. */
    DLP_CONSTANT_COLUMN, /* `count` columns, `parameter` the first, do not vary: the first
                            is `value` in every row */
    DLP_SEPARATION, /* the columns separate the responses perfectly, and the fit did not
                            converge: larger coefficients always fit better */
    /* Of a mixed model, likewise: what its priors decide, for the rows cannot. */
    DLP_LEVELS_OF_ONE_ROW, /* each level of term `random` has one row: its effects are as
                              good as noise */
    DLP_EFFECT_ALIASED,    /* `effect` of term `random` is within every level a sum of the
                              effects before it, as one that does not vary within levels */
    DLP_LEVELS_OUTSIDE,    /* the grouping of term `random` is also a fixed effect */
    DLP_FEW_LEVELS,        /* term `random` has `count` levels, and the prior of its sds
                              counts */
    DLP_TERMS_ALIASED,     /* the levels of term `random` are those of term `other` */
    DLP_PROCESS_OF_ONE_ROW, /* each node of the process `random` has one row, and its
                               correlation may be 0, or its share: it is as good as noise */
    DLP_SD_NEAR_ZERO, /* the sd of `effect` of term `random` may as well be 0: rows do not
                               tell that levels differ in it */
    /* Likewise: where the approximation is in doubt. */
    DLP_EFFECTS_BY_LAPLACE, /* term `random` has `count` effects a level, too many for
                               quadrature: Laplace's method takes them, and coefficients and
                               sds are too near 0 where levels have few rows */
    DLP_EFFECTS_CROSSED,    /* several terms, all but the largest by Laplace's method, and
                               what that leaves out varies with the sds: over two of their sds
                               by `value` in the log evidence */
    DLP_SCALES_BY_DESIGN, /* `count` sds, correlations and scales are integrated over at a few
                               points, and their density is not normal to two digits: means may be off
                               by about `value` sds */
    DLP_SCALES_CUT, /* beside values of the sds that are likely, to `value`, there is no fit:
                               the integral over them may end too early */
    DLP_LEVELS_BY_ALPHABET, /* the levels of an ordinal response are words, and nobody said which
                               is the lowest: they are taken by the alphabet */
    DLP_COUNTS_AS_NUMBERS, /* nobody named a family, the response has whole numbers from 0 or 1 on,
                               and was taken for Gaussian */
    DLP_COLLINEAR, /* column `parameter` is a combination of `count` others, the first four of which
                     are `column`: only the prior tells their coefficients apart */
    DLP_MEAN_NEAR_ZERO, /* by the fit, the mean of `count` rows, which must be positive, may be 0 or
                          less: most of all with the probability `value` */
    DLP_CUTS_BY_LOGARITHMS, /* `count` cut points have logarithms of gaps that are not normal, `value` the
                              largest of their sds, and are as if they were: rows are too many to
                              follow them, or the fit has groups */
    DLP_LEVELS_NOT_PROPAGATED /* rows are few for the columns, and the response has too many levels,
                                 `count`, for expectation propagation */
} dlp_diagnostic_kind;

typedef struct dlp_diagnostic {
    dlp_diagnostic_kind kind;
    dlp_index parameter; /* -1: not about a parameter */
    dlp_index count;
    double value;
    dlp_coefficient_prior prior; /* of the parameter */
    double
        wider_sd; /* DLP_PRIOR_HOLDS_BACK: a prior sd that would let it go; of a cut point that
                        of dlp_regression_settings.intercept_sd, 0 where it has none */
    int stated_column;    /* DLP_PRIOR_ALONE: a column's prior was stated */
    int stated_intercept; /* DLP_PRIOR_ALONE: the intercept's prior was stated */
    dlp_index random, effect, other; /* of a mixed model: terms, and an effect of one */
    dlp_index column[4];             /* DLP_COLLINEAR */
    int severe; /* DLP_SCALES_BY_DESIGN: `value` is some tenths, not about one */
} dlp_diagnostic;

/* Writes up to `room` of them and returns how many there are, in the order of the kinds. */
DLP_API dlp_index dlp_regression_diagnose(const dlp_regression *regression,
                                          dlp_index room, dlp_diagnostic *diagnostic);

/* The fit to ask for next, where one did not come to its end. */
typedef enum dlp_next_fit_kind {
    DLP_NEXT_NOTHING,    /* it did, or nothing better is known */
    DLP_NEXT_THE_SAME,   /* it was stopped: let it run to its end */
    DLP_NEXT_HYPERPRIOR, /* a hierarchy creeps towards an end that it did not reach,
                               since its hyperprior alone stops the groups' mean or their
                               sds from growing: `nu`, `phi0` and `phi1` end sooner. For
                               columns in their sds: the mean of the groups within about
                               two sds of 2 from 0, and sds between groups of about 1. */
    DLP_NEXT_ITERATIONS, /* up to `max_iter` of them (dlp_more_iterations) */
    DLP_NEXT_METHOD      /* `method`: the one that was asked for found no maximum */
} dlp_next_fit_kind;

typedef struct dlp_next_fit {
    dlp_next_fit_kind kind;
    double nu, phi0, phi1;
    int max_iter;
    const char *method;
} dlp_next_fit;

DLP_API dlp_next_fit dlp_regression_next_fit(const dlp_regression *regression);

#ifdef __cplusplus
}
#endif

#endif
