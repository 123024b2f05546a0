/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How good the answers of a fit are. The normal distribution q that approximates the posterior
 * is compared with it by importance sampling: draws around q, weighted by how much more
 * probable they are than q has it, the largest weights smoothed (Vehtari, Simpson, Gelman,
 * Yao & Gabry, "Pareto smoothed importance sampling"). Nothing of it is random: the same
 * fit, table and seed give the same numbers on any number of threads.
 */
#ifndef DELAPLACE_VERIFICATION_H
#define DELAPLACE_VERIFICATION_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of mean and interval of a parameter, as the fit has them, beside those by importance
   sampling. */
typedef enum dlp_grade {
    DLP_GRADE_GOOD, /* none is off by more than 0.1 sd: by the draws, no more than 0.07 */
    DLP_GRADE_FAIR, /* they are off by more, up to half an sd */
    DLP_GRADE_POOR, /* one is off by more than that: do not trust it */
    DLP_GRADE_UNKNOWN /* the weights are unreliable: k is above 0.7 */
} dlp_grade;
/* "good", "fair", "poor", "unknown"; NULL from the end on. */
DLP_API const char *dlp_grade_name(int i);

/* What weights are good for, by the shape k of their tail. */
#define DLP_TAIL_K_LIGHT 0.5
#define DLP_TAIL_K_FAIR  0.7
typedef enum dlp_tail {
    DLP_TAIL_LIGHT, /* k up to the first: means and variances by the weights are reliable */
    DLP_TAIL_FAIR, /* up to the second: they will do */
    DLP_TAIL_HEAVY /* above, or unknown: their error is unknown */
} dlp_tail;
DLP_API dlp_tail dlp_tail_of(double k);

/* A parameter as people read it (dlp_parameter), by importance sampling. */
typedef struct dlp_verified {
    double mean, sd;
    double lower, median, upper; /* lower and upper enclose the middle 95 % */
    double skewness;             /* the third central moment, in sds */
    double off; /* the largest distance of mean, lower and upper from the fit's, in sds */
    dlp_grade grade;
} dlp_verified;

/* One posterior: the regression's, or that of a group. */
typedef struct dlp_verified_fit {
    double k; /* the shape of the weights' tail: good up to 0.5, of no use above 0.7.
                       -infinity: all weights are equal, infinity: unknown */
    double effective;    /* as how many draws of the posterior itself they count */
    int rounds;          /* 1: drawn around the fit; more: it was too far off for that */
    double log_evidence; /* log p(y) */
    double log_evidence_se;        /* its standard error */
    dlp_grade grade;               /* the worst of its parameters */
    const dlp_verified *parameter; /* (n) in the order of dlp_regression_parameters */
    dlp_index n_scales;            /* of a mixed model: sds, correlations and shares */
    const dlp_verified *scale;     /* (n_scales) */
    const char *const
        *scale_name; /* (n_scales) "sd(g: x)", as dlp_regression_draw has them */
} dlp_verified_fit;

typedef struct dlp_verification {
    dlp_index draws;
    unsigned long seed;
    dlp_grade grade;             /* the worst of all */
    const dlp_verified_fit *fit; /* (M) */
} dlp_verification;

typedef struct dlp_verification_settings {
    size_t size;        /* set by dlp_verification_settings_default */
    dlp_index draws;    /* of each posterior; default 4000 */
    unsigned long seed; /* default 1 */
    int threads;        /* the result does not depend on it. Default 0: as many as help */
    dlp_design_problem
        *problem; /* filled in when the table is refused; NULL: not wanted */
    dlp_progress_call *progress; /* reports each group; may stop it; default NULL */
    void *context;               /* for progress */
} dlp_verification_settings;

DLP_API void dlp_verification_settings_init(dlp_verification_settings *settings,
                                            size_t size);
static inline dlp_verification_settings dlp_verification_settings_default(void)
{
    dlp_verification_settings settings;
    dlp_verification_settings_init(&settings, sizeof settings);
    return settings;
}

/*
 * Verifies a fit with the table that it was fitted to: the regression's result then has a
 * `verification`, which its file keeps. settings NULL: the defaults. DLP_EINPUT where the
 * table is another, or the file of the fit too old to hold all of the prior; DLP_EINVAL for
 * mixed models with an ordinal or multinomial response or with regions, which
 * are not in the file; DLP_ENOMEM, DLP_ECANCELLED. Of a mixed model the coefficients, the scale, sds and
 * correlations are verified; of a hierarchy the coefficients of each group, given mu0, Sigma0 and a scale
 * that the groups share, which itself is not. On failure the regression is as
 * it was. O(draws N p).
 */
DLP_API dlp_status dlp_regression_verify(dlp_regression *regression,
                                         const dlp_table *table,
                                         const dlp_verification_settings *settings,
                                         dlp_error *error);

/* Its middle `interval_level`, between 0 and 1: normal to each side of the median, through lower
   and upper where that is 0.95; of a positive parameter, its logarithm is. */
DLP_API void dlp_verified_interval(const dlp_verified *verified, int positive,
                                   double interval_level, double *lower, double *upper);

/* What to say beside a number of that grade: "" where it is good, "±0.2 sd" (UTF-8), "do not
   trust", "not verified"; for room bytes at out. */
DLP_API void dlp_verified_remark(const dlp_verified *verified, char *out, size_t room);

#ifdef __cplusplus
}
#endif

#endif
