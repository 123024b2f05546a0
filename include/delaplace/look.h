/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does the model describe its data? Residuals of every row, by what the fit says of it without
 * that row, and what is left in them of any column; and responses that the fit would draw for
 * the same rows, beside those observed. For all families, with groups and random effects too.
 * The same for the same seed, on any number of threads.
 */
#ifndef DELAPLACE_LOOK_H
#define DELAPLACE_LOOK_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_look_settings {
    size_t size;        /* set by dlp_look_settings_default */
    unsigned long seed; /* default 1 */
    int as_new; /* residuals: non-zero: rows are treated as new ones that the fit did not see: none
                     is left out, and any table will do. Default 0: the table that was fitted */
    int middle; /* residuals: non-zero: of responses that are not continuous the middle of
                     their share (mid-p). Default 0: a random place in it, so that residuals of
                     a right model are normal */
    int influence; /* residuals: non-zero: elpd and k of each row, too, as dlp_regression_loo with 4000 draws has
                      them */
    dlp_index n_by;
    const char *const
        *by; /* (n_by) columns of the table to look by, beside those of the formula */
    dlp_index parts; /* of a column of numbers; default 10 */
    dlp_index draws; /* replicates: how many tables of responses; default 400 */
    int threads;     /* default 0: as many as help */
    dlp_design_problem
        *problem; /* filled in when the table is refused; NULL: not wanted */
    dlp_progress_call *progress; /* may stop it; default NULL */
    void *context;               /* for progress */
} dlp_look_settings;

DLP_API void dlp_look_settings_init(dlp_look_settings *settings, size_t size);
static inline dlp_look_settings dlp_look_settings_default(void)
{
    dlp_look_settings settings;
    dlp_look_settings_init(&settings, sizeof settings);
    return settings;
}

/* Rows that have a value of a column, or lie between two. */
typedef struct dlp_look_part {
    const char *label; /* "12 to 15", "male" */
    double x;          /* of numbers, their mean in it; else NaN */
    dlp_index rows;
    /* of residuals their mean, and where 95 % of such means are if the model is right. Of
       replicates the mean of what was observed, and of the middle 95 % of those drawn */
    double mean, lower, upper;
    double sd;                 /* of residuals, or responses observed; NaN of one row */
    double sd_lower, sd_upper; /* replicates: the middle 95 % of the drawn ones' */
} dlp_look_part;

/* Residuals, or responses, summarised by a column. */
typedef struct dlp_look_by {
    const char *name; /* "fitted", or of a column */
    int numeric;
    dlp_index n;
    const dlp_look_part *part; /* (n) */
    double
        p; /* residuals: if the model is right, the probability of parts as different from
                 0 as these, by a chi-squared test; replicates: NaN */
    dlp_index outside; /* parts whose mean is outside of lower and upper */
    dlp_index worst;   /* residuals: the part whose mean is farthest from 0 by its band */
    double outside_expected; /* if the model is right */
} dlp_look_by;

/*
 * Quantile residuals (Dunn & Smyth, 1996). The share u of what the fit expects of a row that
 * lies below its response, with the posterior integrated out, is uniform if the model is right,
 * and its normal quantile standard normal. The row's own part is taken out of the posterior
 * first, as a Gaussian with the slope and curvature of its likelihood: residuals of a linear
 * regression with a flat prior are R's rstudent(), as normal quantiles. A censored response has
 * a random point in the range that it covers. New fields come last.
 */
typedef struct dlp_residuals {
    dlp_index N;
    dlp_index dropped;    /* rows left out because a value is missing */
    const dlp_index *row; /* (N) the table's row, from 0; NULL: all of them */
    const double *weight; /* (N) or NULL */
    const double
        *response; /* (N) of levels their number from 1; of trials the share; of a
                               censored one the end of what is known */
    const double
        *fitted; /* (N) E[y] at the posterior mean; of levels the mean of their number */
    const double *below, *up_to; /* (N) P(Y < y) and P(Y <= y) */
    const double *pit;           /* (N) u */
    const double *residual;      /* (N) its normal quantile, within -9 and 9 */
    const double
        *leverage;  /* (N) how much of what is known of the row's linear predictor is
                               by itself: of a linear regression with a flat prior the
                               diagonal of the hat matrix. May be negative where an outlier
                               widens it */
    dlp_index kept; /* rows that cannot be left out, their leverage being 1 or more: with
                       the whole posterior */
    const double *elpd, *k; /* (N) settings.influence; else NULL */
    int left_out;           /* 0: settings.as_new */
    int discrete;           /* responses are not continuous */

    double mean, sd; /* of the residuals; 0 and 1 if the model is right */
    double ks,
        ks_p; /* the largest distance of u from uniform (Kolmogorov and Smirnov), and the
                            probability of a larger one if the model is right */
    dlp_index beyond; /* rows with |residual| > 3 */
    double beyond_expected;
    dlp_index n_by;
    const dlp_look_by *by; /* (n_by) by fitted value, then by columns and groups */
    int uniform;           /* 0: ks_p is below 0.01; 1, too, where it is NaN */
    const double
        *expected; /* (N) the normal quantile of the residual's rank, (rank - 1/2) / N */
    dlp_index unsure; /* rows with k > 0.7; 0 without settings.influence */
} dlp_residuals;

/* Released by dlp_residuals_free; on failure *residuals is NULL. DLP_EINPUT also where the
   table is not the one that was fitted. O(N p^2), and with `influence` as dlp_regression_loo. */
DLP_API dlp_status dlp_regression_residuals(const dlp_regression *regression,
                                            const dlp_table *table,
                                            const dlp_look_settings *settings,
                                            dlp_residuals **residuals, dlp_error *error);
/* The most informative ones for any table with the fit's columns: of the rows that were fitted, with
   `influence` where that can be told and rows are no more than 20,000; of others `as_new`. Both of
   the settings are chosen. */
DLP_API dlp_status dlp_regression_best_residuals(const dlp_regression *regression,
                                                 const dlp_table *table,
                                                 const dlp_look_settings *settings,
                                                 dlp_residuals **residuals,
                                                 dlp_error *error);
DLP_API void dlp_residuals_free(dlp_residuals *residuals); /* NULL is fine */

/* A number that responses have: their mean, their sd, how many are 0. */
typedef struct dlp_replicated {
    const char *name;
    double observed;
    double median, lower,
        upper;    /* of replicates; lower and upper enclose the middle 95 % */
    double share; /* of replicates that are above it, and half of those that equal it */
    int odd;      /* that is less than 0.025 or more than 0.975 */
} dlp_replicated;

/* How many responses lie between two numbers, are one, or a level. */
typedef struct dlp_replicated_bin {
    const char *label;
    double from, to; /* of numbers; of whole ones alike; else NaN */
    double observed; /* the share of rows */
    double median, lower, upper;
} dlp_replicated_bin;

/*
 * Posterior predictive checks: `draws` tables of responses for the same rows, each with
 * parameters drawn from the posterior, beside the observed ones. Rows keep the effects of
 * their groups. New fields come last.
 */
typedef struct dlp_replicates {
    dlp_index N, draws; /* rows that are compared: those without a trial are not */
    dlp_index dropped;  /* rows left out because a value is missing */
    int whole;          /* responses are whole numbers, or levels */
    dlp_index n_statistics;
    const dlp_replicated *statistic; /* (n_statistics) */
    dlp_index n_bins;
    const dlp_replicated_bin *bin; /* (n_bins) how responses are distributed */
    dlp_index n_by;
    const dlp_look_by *by; /* (n_by) by columns and groups */
} dlp_replicates;

/* Released by dlp_replicates_free; on failure *replicates is NULL. DLP_EINVAL where responses
   are censored: when they would have been is not known. O(draws N p). */
DLP_API dlp_status dlp_regression_replicate(const dlp_regression *regression,
                                            const dlp_table *table,
                                            const dlp_look_settings *settings,
                                            dlp_replicates **replicates,
                                            dlp_error *error);
DLP_API void dlp_replicates_free(dlp_replicates *replicates); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
