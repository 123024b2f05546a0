/* SPDX-License-Identifier: BSD-3-Clause */
/* What to know about a fitted regression before trusting its numbers: as data, which each
   client puts into words. */
#ifndef DELAPLACE_DIAGNOSTICS_H
#define DELAPLACE_DIAGNOSTICS_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_diagnostic_kind {
    /* The fit found no maximum, or did not end. */
    DLP_LINK_LEAVES_SUPPORT, /* with this link the mean of counts can become 0 or less,
                                which is impossible; with log it cannot */
    DLP_SCALE_OF_GROUPS,     /* groups may have too few rows to estimate a scale each */
    DLP_SCALE_WITHOUT_MODE,  /* the mode of all parameters together was not found; the
                                default method integrates the scale out instead */
    DLP_RESPONSE_EXPLAINED,  /* the columns explain every response exactly, so nothing is
                                left to estimate the scale from */
    /* The prior, not the data, determines the answer. */
    DLP_PRIOR_MATTERS,    /* `parameter` is farthest from its prior mean, by `value` prior
                             sds, and there are few rows for the columns */
    DLP_PRIOR_HOLDS_BACK, /* the same, but there are enough rows */
    DLP_PRIOR_ALONE,      /* the data say next to nothing about `count` parameters, the
                             first of which is `parameter` */
    DLP_FEW_ROWS,         /* no more rows (`value`, by weight) than columns, with a weak
                             prior: intervals are as wide as the prior allows */
    DLP_HYPERPRIOR_HOLDS_BACK, /* the groups' mean of `parameter` lies `value` sds of the
                                  paper's hyperprior from 0 */
    /* Known only right after the fit, not for a fit that was loaded. */
    DLP_CONSTANT_COLUMN, /* `count` columns, `parameter` the first, do not vary: the first
                            is `value` in every row */
    DLP_SEPARATION, /* the columns separate the responses perfectly, and the fit did not
                       converge: larger coefficients always fit better */
    /* Likewise, for a mixed model: what its priors decide because the rows cannot. */
    DLP_LEVELS_OF_ONE_ROW,  /* each level of term `random` has one row: its effects cannot
                               be told from noise */
    DLP_EFFECT_ALIASED,     /* within every level, `effect` of term `random` is a linear
                               combination of the effects before it, for example because
                               it does not vary there */
    DLP_LEVELS_OUTSIDE,     /* the grouping of term `random` is also a fixed effect */
    DLP_FEW_LEVELS,         /* term `random` has only `count` levels, so the prior of its
                               sds matters */
    DLP_TERMS_ALIASED,      /* the levels of term `random` are those of term `other` */
    DLP_PROCESS_OF_ONE_ROW, /* each node of the process `random` has one row, and its
                               correlation (or structured share) may be 0: it cannot be
                               told from noise */
    DLP_SD_NEAR_ZERO, /* the sd of `effect` of term `random` may well be 0: the rows do
                         not show that levels differ in it */
    /* Likewise: where the approximation is in doubt. */
    DLP_EFFECTS_BY_LAPLACE, /* term `random` has `count` effects per level, too many for
                               quadrature: they are integrated out by Laplace's method, so
                               coefficients and sds are too close to 0 if levels have few
                               rows */
    DLP_EFFECTS_CROSSED,    /* several terms, all but the largest integrated out by
                               Laplace's method, whose error varies with the sds: by
                               `value` in the log evidence over two of their posterior
                               sds */
    DLP_SCALES_BY_DESIGN, /* `count` sds, correlations and scales are integrated over at a
                             few points, and their density is not close to normal: means
                             may be off by about `value` sds */
    DLP_SCALES_CUT, /* no fit was found next to values of the sds that have the posterior
                       probability `value`: the integral over them may end too early */
    DLP_LEVELS_BY_ALPHABET, /* the levels of an ordinal response are words, and their
                               order was not given: they were taken in alphabetical
                               order */
    DLP_COUNTS_AS_NUMBERS,  /* no family was given, and the response, whole numbers from 0
                               or 1 on, was treated as Gaussian */
    DLP_COLLINEAR, /* column `parameter` is a linear combination of `count` others, the
                      first four of which are `column`: only the prior tells their
                      coefficients apart */
    DLP_MEAN_NEAR_ZERO,     /* according to the fit, the mean of `count` rows may be 0 or
                               less, although it must be positive; the largest probability
                               of that is `value` */
    DLP_CUTS_BY_LOGARITHMS, /* the logarithms of the gaps between `count` cut points are
                               not normal (`value` is the largest of their sds) but are
                               treated as if they were, since there are too many rows to
                               do better, or the fit has groups */
    DLP_LEVELS_NOT_PROPAGATED, /* there are few rows for the columns, and the response has
                                 too many levels, `count`, for expectation propagation */
    DLP_UNGRADED /* known only right after the fit: it has no grades, because they would
                    take long and coefficients are up to `value` sds from the mode (in a
                    mixed model: have a density whose skewness is about `value`, INFINITY
                    if means and sds are not known), or, if that is 0, because the weights
                    of draws cannot tell */
} dlp_diagnostic_kind;

typedef struct dlp_diagnostic {
    dlp_diagnostic_kind kind;
    dlp_index parameter; /* -1: not about a parameter */
    dlp_index count;
    double value;
    dlp_coefficient_prior prior; /* of the parameter */
    double wider_sd; /* DLP_PRIOR_HOLDS_BACK: a prior sd that would not hold it back; for
                        a cut point, a value for dlp_regression_settings.intercept_sd, or
                        0 if its prior is not known */
    int stated_column;    /* DLP_PRIOR_ALONE, non-zero: the prior of a column was
                             stated */
    int stated_intercept; /* DLP_PRIOR_ALONE, non-zero: the prior of the intercept was
                             stated */
    dlp_index random, effect, other; /* for mixed models: terms, and an effect of one of
                                        them */
    dlp_index column[4];             /* DLP_COLLINEAR */
    int severe; /* DLP_EFFECTS_CROSSED and DLP_SCALES_BY_DESIGN, non-zero: means of sds
                   may be off by several tenths of an sd; 0: by about a tenth */
} dlp_diagnostic;

/* Writes the diagnostics, at most `room` of them, in the order of the kinds, and returns
   how many there are. */
DLP_API dlp_index dlp_regression_diagnose(const dlp_regression *regression,
                                          dlp_index room, dlp_diagnostic *diagnostic);

/* What to try next after a fit that did not converge. */
typedef enum dlp_next_fit_kind {
    DLP_NEXT_NOTHING,    /* it converged, or nothing better is known */
    DLP_NEXT_THE_SAME,   /* it was stopped: run it again to the end */
    DLP_NEXT_HYPERPRIOR, /* a hierarchy converges too slowly, since only its hyperprior
                            keeps the groups' mean or their sds from growing: `nu`, `phi0`
                            and `phi1` make it converge sooner. For standardised columns
                            they put the mean of the groups at 0 with an sd of 2, and sds
                            between groups near 1. */
    DLP_NEXT_ITERATIONS, /* up to `max_iter` iterations (dlp_more_iterations) */
    DLP_NEXT_METHOD      /* use `method`, since the one of the settings found no
                            maximum */
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
