/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does the model describe its data? Residuals: where each response lies in the
 * distribution that the fit to the other rows predicts for it, and whether residuals
 * still depend on a column. Replicates: responses drawn from the fit for the same rows,
 * beside those observed. For all families, also with groups and random effects. The same
 * for the same seed, at any number of threads.
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
    int as_new; /* residuals, non-zero: rows are treated as new ones that the fit has not
                   seen: none is taken out of the fit, and any table will do. Default 0:
                   the table is the one that was fitted */
    int middle; /* residuals, non-zero: a discrete response is put in the middle of its
                   probability (mid-p). Default 0: at a random place in it, so that
                   residuals are normal if the model is right */
    int influence; /* residuals, non-zero: also elpd and k of each row, as in
                      dlp_regression_loo with 4000 draws */
    dlp_index n_by;
    const char *const *by; /* (n_by) further columns of the table to summarise by, beside
                              those of the formula */
    dlp_index parts;       /* into which a column of numbers is divided; default 10 */
    dlp_index draws;       /* replicates: how many tables of responses; default 400 */
    int threads;           /* default 0: as many as help */
    dlp_design_problem *problem; /* filled in when the table is refused; NULL: not
                                    wanted */
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

/* The rows with one value of a column, or between two values. */
typedef struct dlp_look_part {
    const char *label; /* "12 to 15", "male" */
    double x;          /* the mean of a column of numbers in this part; else NaN */
    dlp_index rows;
    /* residuals: their mean, and where 95 % of such means are if the model is right.
       Replicates: the observed mean, and the middle 95 % of the means drawn */
    double mean, lower, upper;
    double sd;                 /* of the residuals, or of the observed responses; NaN for
                                  one row */
    double sd_lower, sd_upper; /* replicates: the middle 95 % of the sds drawn */
    double median,
        sd_median; /* replicates: of the means and of the sds drawn; else NaN */
} dlp_look_part;

/* Residuals, or responses, summarised by a column. */
typedef struct dlp_look_by {
    const char *name; /* "fitted", or a column: which one, is_fitted says */
    int numeric;
    dlp_index n;
    const dlp_look_part *part; /* (n) */
    double p; /* residuals: the p-value of a chi-squared test that the means of the parts
                 are 0; replicates: NaN */
    dlp_index outside; /* parts whose mean is outside lower and upper */
    dlp_index worst;   /* residuals: the part whose mean is farthest from 0 by its band */
    double outside_expected; /* on average, if the model is right */
    int long_tail; /* non-zero: numbers above 0 with so long a tail that a picture needs a
                      logarithmic axis */
    int is_fitted; /* non-zero: by fitted value. 0: by a column, which may be called
                      "fitted", too */
} dlp_look_by;

/*
 * Quantile residuals (Dunn & Smyth, 1996). u is the probability, with the posterior
 * integrated out, that a row's response is below the observed one. If the model is right
 * u is uniform, and its normal quantile, the residual, is standard normal. The row's own
 * contribution is first taken out of the posterior, as a Gaussian with the slope and
 * curvature of its likelihood: for a linear regression with a flat prior the residuals
 * are R's rstudent(), as normal quantiles. A censored response is put at a random point
 * of the range it covers. New fields come last.
 */
typedef struct dlp_residuals {
    dlp_index N;
    dlp_index dropped;      /* rows left out because a value is missing */
    const dlp_index *row;   /* (N) the table's row, from 0; NULL: all of them */
    const double *weight;   /* (N) or NULL */
    const double *response; /* (N) for levels their number from 1; for trials the share of
                               successes; if censored, the limit that is known */
    const double *fitted; /* (N) E[y] at the posterior mean; for levels the mean of their
                             number */
    const double *below, *up_to; /* (N) P(Y < y) and P(Y <= y) */
    const double *pit;           /* (N) u */
    const double *residual;      /* (N) its normal quantile, within -9 and 9 */
    const double *leverage;      /* (N) how much of the information about the row's linear
                                    predictor comes from the row itself: for a linear
                                    regression with a flat prior, the diagonal of the hat
                                    matrix. May be negative, where an outlier widens the
                                    posterior */
    dlp_index kept; /* rows that cannot be taken out, since their leverage is 1 or more:
                       the whole posterior is used */
    const double *elpd, *k; /* (N) with settings.influence; else NULL */
    int left_out;           /* 0: rows were not taken out of the fit (settings.as_new) */
    int discrete;           /* non-zero: responses are not continuous */

    double mean, sd; /* of the residuals; 0 and 1 if the model is right */
    double ks,
        ks_p; /* the largest distance of u from uniform (Kolmogorov and Smirnov), and the
                 probability of a larger one if the model is right */
    dlp_index beyond; /* rows with |residual| > 3 */
    double beyond_expected;
    dlp_index n_by;
    const dlp_look_by *by;  /* (n_by) by fitted value, then by columns and groups */
    int uniform;            /* 0: ks_p is below 0.01; 1 otherwise, also if it is NaN */
    const double *expected; /* (N) the normal quantile of the residual's rank, (rank -
                               1/2) / N */
    dlp_index unsure;       /* rows with k > 0.7; 0 without settings.influence */
} dlp_residuals;

/* The residuals of a fit. Released by dlp_residuals_free; on failure *residuals is NULL.
   DLP_EINPUT also if the table is not the one that was fitted. O(N p^2), and with
   `influence` as dlp_regression_loo. */
DLP_API dlp_status dlp_regression_residuals(const dlp_regression *regression,
                                            const dlp_table *table,
                                            const dlp_look_settings *settings,
                                            dlp_residuals **residuals, dlp_error *error);
/* The most informative residuals for any table with the fit's columns. Chooses `as_new`
   and `influence` of the settings: for the table that was fitted, with `influence` if
   that can be computed and there are no more than 20,000 rows; for any other,
   `as_new`. */
DLP_API dlp_status dlp_regression_best_residuals(const dlp_regression *regression,
                                                 const dlp_table *table,
                                                 const dlp_look_settings *settings,
                                                 dlp_residuals **residuals,
                                                 dlp_error *error);
/* The rows from the most conspicuous on, into row (N): by k if there is one, else by the
   size of the residual; ties in their order. */
DLP_API dlp_status dlp_residuals_order(const dlp_residuals *residuals, dlp_index *row,
                                       dlp_error *error);
DLP_API void dlp_residuals_free(dlp_residuals *residuals); /* NULL is fine */

/* A statistic of the responses: their mean, their sd, how many are 0. */
typedef struct dlp_replicated {
    const char *name;
    double observed;
    double median, lower,
        upper;    /* of replicates; lower and upper enclose the middle 95 % */
    double share; /* of replicates that are above `observed`, counting ties as half */
    int odd;      /* non-zero: `share` is below 0.025 or above 0.975 */
} dlp_replicated;

/* How many responses lie between two numbers, equal one number, or have one level. */
typedef struct dlp_replicated_bin {
    const char *label;
    double from, to; /* for numbers; the same for whole numbers; NaN for levels */
    double observed; /* the share of rows */
    double median, lower, upper;
    int odd; /* non-zero: `observed` is outside of lower to upper */
} dlp_replicated_bin;

/*
 * Posterior predictive checks: `draws` tables of responses for the same rows, each with
 * parameters drawn from the posterior, beside the observed ones. Rows have the effects of
 * their groups. New fields come last.
 */
typedef struct dlp_replicates {
    dlp_index N, draws; /* N: the rows compared, which excludes those with 0 trials */
    dlp_index dropped;  /* rows left out because a value is missing */
    int whole;          /* non-zero: responses are whole numbers, or levels */
    dlp_index n_statistics;
    const dlp_replicated *statistic; /* (n_statistics) */
    dlp_index n_bins;
    const dlp_replicated_bin *bin; /* (n_bins) how responses are distributed */
    dlp_index n_by;
    const dlp_look_by *by; /* (n_by) by columns and groups */
} dlp_replicates;

/* Released by dlp_replicates_free; on failure *replicates is NULL. DLP_EINVAL if
   responses are censored: whether a replicate would be censored is not known. O(draws N
   p). */
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
