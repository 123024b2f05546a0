/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a regression with random effects, y ~ x + (1 + z | g), found about them: how much
 * the levels of g differ, and the effects of each level.
 */
#ifndef DELAPLACE_RANDOM_EFFECTS_H
#define DELAPLACE_RANDOM_EFFECTS_H

#include <delaplace/design.h>
#include <delaplace/export.h>
#include <delaplace/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The posterior of a number that need not be normal. */
typedef struct dlp_margin {
    double mean, sd;
    double lower, median, upper; /* lower and upper enclose the middle 95 % */
} dlp_margin;

/* The prior of an sd between levels. */
typedef enum dlp_sd_distribution {
    DLP_SD_HALF_T,      /* Student-t with `a` degrees of freedom, scaled by b, above 0 */
    DLP_SD_HALF_NORMAL, /* normal with sd `a`, above 0 */
    DLP_SD_EXPONENTIAL, /* with rate `a` */
    DLP_SD_UNIFORM,     /* from `a` to `b` */
    DLP_SD_LOG_NORMAL,  /* its logarithm is normal with mean `a` and sd `b` */
    DLP_SD_FIXED        /* it is `a` */
} dlp_sd_distribution;
typedef struct dlp_sd_prior {
    dlp_sd_distribution distribution;
    double a, b; /* 0 if the distribution has no such number */
    int stated;  /* 0: the default, in the units of column and response */
    double weak; /* the scale of the default, near which the search for the sd begins; 0:
                    unknown */
} dlp_sd_prior;

/* log p(sd): -INFINITY if sd is impossible; for a fixed sd, 0 at its value. */
DLP_API double dlp_sd_prior_log_density(const dlp_sd_prior *prior, double sd);
/* "half_t(3, 108)", as settings.priors takes it, with that many digits, into out, at most
   room bytes. */
DLP_API void dlp_sd_prior_text(const dlp_sd_prior *prior, int digits, char *out,
                               size_t room);

/* The effects of one term of the formula. They belong to the regression. */
typedef struct dlp_random_effects {
    const char *label;         /* "1 + x | g" */
    const char *group;         /* what they vary by: "g", "a:b" */
    dlp_index levels;          /* of it */
    const char *const *level;  /* (levels) */
    dlp_index q;               /* effects per level */
    const char *const *name;   /* (q) "(Intercept)", "x" */
    const dlp_sd_prior *prior; /* (q) of each sd */
    double lkj;                /* eta of the LKJ prior of the correlations; 1: uniform */
    int lkj_stated;            /* 0: the default */

    const dlp_margin *sd;          /* (q) between levels */
    const dlp_margin *correlation; /* (q (q - 1) / 2) of effects 0 and 1, 0 and 2, 1 and
                                      2, 0 and 3, ... */
    const double *covariance; /* (q, q) the posterior mean of the covariance of a level's
                                 effects */

    const double *mean;      /* (levels, q) */
    const double *variance;  /* (levels, q, q) */
    const double *with_beta; /* (levels, q, p) covariances with the coefficients; for
                                ordinal and multinomial regressions (levels, q, n), with
                                all parameters */
    const dlp_index *rows;   /* (levels) how many rows each has; NULL: not known */

    /* If levels are nodes of a process, ar1(t | g), bym2(region) or a long walk, with one
       effect each: */
    const dlp_basis *process; /* the process; NULL: levels are independent */
    dlp_margin second;  /* ar1: the correlation of values one step apart, whose prior is
                           `lkj`; bym2: the share of the structured part, */
    double share[2];    /* whose Beta prior has these two parameters; */
    int share_stated;   /*     0: the default, uniform */
    const double *next; /* (levels) covariance with the next node, if there is one */
    double reference; /* for a walk with sd 1, the variance of a step of length 1 (rw2: of
                         the change of slope over it) is 1 / reference; otherwise 1 */
    const char *category; /* for a multinomial regression, whose terms have separate
                             effects on each level of the response except the first: that
                             level; else NULL */
} dlp_random_effects;

/* Covariances between the effects of two terms, for levels that occur together in some
   row of the fit; if there are few effects, for all levels. */
typedef struct dlp_effect_pairs {
    dlp_index first, second; /* the terms, counted from 0 */
    dlp_index n;
    const int32_t *level; /* (n, 2) the level of each term, ascending by the first, then
                             the second */
    const double *covariance; /* (n, q of the first, q of the second) */
} dlp_effect_pairs;

/*
 * How the variance of a response divides, on the scale of the link (Nakagawa &
 * Schielzeth, 2013): the variance of x'beta over the rows; the variance of the levels'
 * effects, z'Lambda z averaged over the rows; and the variance of a response around its
 * mean, which is the square of a Gaussian's sd, pi^2 / 3 for logit, 1 for probit, pi^2 /
 * 6 for cloglog, and log(1 + Var[y] / E[y]^2) for counts and the gamma family.
 * Coefficients are at their means, sds at their medians.
 */
typedef struct dlp_variance_explained {
    int known; /* 0: nothing below is known */
    double fixed, random, residual;
    double marginal; /* R^2 of coefficients alone: fixed / (fixed + random + residual) */
    double conditional; /* R^2 with the levels' effects: (fixed + random) / (fixed +
                           random + residual) */
    double icc; /* random / (random + residual): the correlation of two responses with the
                   same levels, given the columns */
    const double *term; /* (n_random) each term's part of `random` */
} dlp_variance_explained;
/* A smooth term, s(x): the coefficients of its wiggly part, columns first to first + n - 1 of
   the regression, share an sd. It belongs to the regression. */
typedef struct dlp_smooth_effect {
    const char *label; /* "s(x)", "s(x):ga", "s(x):z" */
    const char *by;    /* what it is multiplied by, or NULL */
    dlp_index level;   /* of `by`; -1: `by` is numeric or NULL */
    dlp_index basis;   /* terms->basis[basis] has its functions */
    dlp_index fixed,
        n_fixed;        /* the first column of its straight part, and how many; with a
                           numeric `by`, the first is that of a constant */
    dlp_index first, n; /* the same for its wiggly part */
    dlp_sd_prior prior; /* of its sd */
    dlp_margin sd;      /* of the wiggly part, averaged over the rows */
    double square;      /* E[sd^2] */
} dlp_smooth_effect;

/* The sd of effect k of a level, from `variance`. */
DLP_API double dlp_random_effects_sd(const dlp_random_effects *effects, dlp_index level,
                                     dlp_index k);

/* How many rows the levels of a term have. */
typedef struct dlp_level_sizes {
    dlp_index least, most;
    double mean;
} dlp_level_sizes;
/* Returns 0, and writes nothing, if the fit does not know. O(levels). */
DLP_API int dlp_random_effects_sizes(const dlp_random_effects *effects,
                                     dlp_level_sizes *sizes);

/* One effect of one level. */
typedef struct dlp_level_effect {
    const char *name;     /* "(Intercept)", "x" */
    const char *category; /* the level of a multinomial response, or NULL */
    dlp_margin effect;    /* how far the level is from the population */
    dlp_index column;     /* the regression's column of this name; -1: none */
    dlp_margin own; /* the level's own coefficient: the population's plus the effect.
                       Other terms are left out; without a column it is the effect */
} dlp_level_effect;

#ifdef __cplusplus
}
#endif

#endif
