/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How good the answers of a fit are. The normal distribution q that approximates the
 * posterior is compared with it by importance sampling: draws around q, weighted by the
 * ratio of the two densities, the largest weights smoothed (Vehtari, Simpson, Gelman, Yao
 * & Gabry, "Pareto smoothed importance sampling"). The same fit, table and seed give the
 * same numbers at any number of threads.
 */
#ifndef DELAPLACE_VERIFICATION_H
#define DELAPLACE_VERIFICATION_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How close the fit's mean, sd and interval of a parameter are to those by importance
   sampling. */
typedef enum dlp_grade {
    DLP_GRADE_GOOD,   /* none is off by more than 0.1 sd (in the draws, no more than
                         0.09) */
    DLP_GRADE_FAIR,   /* they are off by more, up to half an sd */
    DLP_GRADE_POOR,   /* one is off by more than that: do not trust it */
    DLP_GRADE_UNKNOWN /* the weights are unreliable: k is above 0.7 */
} dlp_grade;
/* "good", "fair", "poor", "unknown"; NULL past the last. */
DLP_API const char *dlp_grade_name(int i);

/* How reliable weights are, by the shape k of their tail. */
#define DLP_TAIL_K_LIGHT 0.5
#define DLP_TAIL_K_FAIR  0.7
typedef enum dlp_tail {
    DLP_TAIL_LIGHT, /* k up to DLP_TAIL_K_LIGHT: means and variances by the weights are
                       reliable */
    DLP_TAIL_FAIR,  /* k up to DLP_TAIL_K_FAIR: they are usable */
    DLP_TAIL_HEAVY  /* k above that, or unknown: their error is unknown */
} dlp_tail;
DLP_API dlp_tail dlp_tail_of(double k);

/* Where a parameter can be, which intervals at any level respect. */
typedef enum dlp_range {
    DLP_RANGE_REAL,        /* anywhere: coefficients, cut points */
    DLP_RANGE_POSITIVE,    /* above 0: scales and sds */
    DLP_RANGE_CORRELATION, /* from -1 to 1 */
    DLP_RANGE_SHARE        /* from 0 to 1; so is the correlation of an autoregression
                              whose times are not whole steps apart */
} dlp_range;

/* A parameter as people read it (dlp_parameter), by importance sampling. */
typedef struct dlp_verified {
    double mean, sd;
    double lower, median, upper; /* lower and upper enclose the middle 95 % */
    double skewness;             /* the third central moment over sd^3 */
    double off; /* the largest distance of mean, sd, lower and upper from the fit's, in
                   sds */
    dlp_grade grade;
} dlp_verified;

/* One posterior: the regression's, or that of a group. */
typedef struct dlp_verified_fit {
    double k; /* the shape of the weights' tail: good up to 0.5, useless above 0.7.
                 -infinity: all weights are equal, or differ too little to
                 have a tail, infinity: unknown */
    double effective;    /* the effective number of draws */
    int rounds;          /* 1: draws around the fit; more: the proposal had to be adapted,
                            since the fit was too far off */
    double log_evidence; /* log p(y) */
    double log_evidence_se;        /* its standard error */
    dlp_grade grade;               /* the worst of its parameters */
    const dlp_verified *parameter; /* (n) in the order of dlp_regression_parameters */
    dlp_index n_scales;            /* for a mixed model: sds, correlations and shares */
    const dlp_verified *scale;     /* (n_scales) */
    const char *const *scale_name; /* (n_scales) "sd(g: x)", as in dlp_regression_draw */
    const dlp_range *scale_range;  /* (n_scales) */
} dlp_verified_fit;

typedef struct dlp_verification {
    dlp_index draws;
    unsigned long seed;
    dlp_grade grade;             /* the worst of all */
    const dlp_verified_fit *fit; /* (M) */
    int automatic; /* non-zero: nobody asked for it; the fit was small enough */
} dlp_verification;

/* 0: dlp_regression_verify refuses such fits: mixed models with scales at their mode, or
   with neighbours of regions that are not in the fit. */
DLP_API int dlp_regression_can_be_verified(const dlp_regression_result *fit);

typedef struct dlp_verification_settings {
    size_t size;        /* set by dlp_verification_settings_default */
    dlp_index draws;    /* of each posterior; default 4000 */
    unsigned long seed; /* default 1 */
    int threads;        /* the result does not depend on it. Default 0: as many as help */
    dlp_design_problem *problem; /* filled in when the table is refused; NULL: not
                                    wanted */
    dlp_progress_call *progress; /* reports each group, and may stop the call; default
                                    NULL */
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
 * `verification`, which its file keeps. settings NULL: the defaults. DLP_EINPUT if the
 * table is another, or the file of the fit is too old to contain the whole prior;
 * DLP_EINVAL for mixed models with scales at their mode, or with regions whose neighbours
 * are not in the file; DLP_ENOMEM, DLP_ECANCELLED. For a mixed model the
 * coefficients, the scale, sds and correlations are verified; for a hierarchy the
 * coefficients of each group, given mu0, Sigma0 and a scale that the groups share, which
 * are not verified. On failure the regression is unchanged. O(draws N p).
 */
DLP_API dlp_status dlp_regression_verify(dlp_regression *regression,
                                         const dlp_table *table,
                                         const dlp_verification_settings *settings,
                                         dlp_error *error);

/* The central interval with probability `interval_level`, between 0 and 1: normal on each
   side of the median, matching lower and upper at 0.95, on a scale that ends where the
   parameter's range does: the logarithm, Fisher's z of a correlation, the log odds of a
   share. */
DLP_API void dlp_verified_interval(const dlp_verified *verified, dlp_range range,
                                   double interval_level, double *lower, double *upper);

/* How many numbers of a fit have this grade; 0 if it was not verified. */
DLP_API dlp_index dlp_verification_count(const dlp_regression_result *fit,
                                         dlp_grade grade);
/* The parameter that is farthest off, among the n of `verified`. */
DLP_API dlp_index dlp_verified_worst(const dlp_verified_fit *verified, dlp_index n);

/* A remark to print beside the number: "" if it is good, else "±0.2 sd" (UTF-8), "do not
   trust" or "not verified"; into out, at most room bytes. */
DLP_API void dlp_verified_remark(const dlp_verified *verified, char *out, size_t room);

#ifdef __cplusplus
}
#endif

#endif
