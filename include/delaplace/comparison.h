/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which regression predicts better? The expected log density of responses that a fit has not
 * seen (elpd), by leaving out each row in turn with the help of importance weights (Vehtari,
 * Gelman & Gabry, "Practical Bayesian model evaluation using leave-one-out cross-validation
 * and WAIC", 2017), or by fits of parts of the rows (K-fold).
 */
#ifndef DELAPLACE_COMPARISON_H
#define DELAPLACE_COMPARISON_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sum over rows, and its standard error: sqrt(N) times the sd of the rows. */
typedef struct dlp_score_sum {
    double value, se;
} dlp_score_sum;

typedef struct dlp_comparison_settings {
    size_t size;        /* set by dlp_comparison_settings_default */
    dlp_index draws;    /* of each posterior; default 10000 */
    unsigned long seed; /* of draws and folds; default 1 */
    int threads;        /* the result does not depend on it. Default 0: as many as help */
    dlp_index folds; /* for dlp_regression_cross_validate; default 10, or, with `by`, one
                        for each group */
    const char *by;  /* a column: rows of one group are left out together; default NULL */
    dlp_design_problem *problem; /* filled in when the table is refused; NULL: not
                                    wanted */
    dlp_progress_call *progress; /* reports each group or fold, and may stop the call;
                                    default NULL */
    void *context;               /* for progress */
} dlp_comparison_settings;

DLP_API void dlp_comparison_settings_init(dlp_comparison_settings *settings, size_t size);
static inline dlp_comparison_settings dlp_comparison_settings_default(void)
{
    dlp_comparison_settings settings;
    dlp_comparison_settings_init(&settings, sizeof settings);
    return settings;
}

/* How well a regression predicts each of its rows from the others. New fields come last. */
typedef struct dlp_scores {
    dlp_index N;          /* rows, in the order of the table */
    const dlp_index *row; /* (N) the table's row, from 0; NULL: all of them */
    const double *weight; /* (N) how often a row counts; NULL: once */
    const double *elpd;   /* (N) log p(y_n | the others) */
    const double *k;    /* (N) the shape of the tail of the importance weights; above 0.7
                           do not trust elpd. In K-fold, that of the fold's fit */
    dlp_index doubtful; /* how many have k > 0.7 */
    dlp_score_sum elpd_sum;   /* over rows by their weights */
    dlp_score_sum parameters; /* the effective number of parameters: how much better rows
                                 are predicted by a fit that has seen them. NaN for
                                 K-fold */
    dlp_score_sum waic_elpd;  /* elpd by WAIC, the widely applicable information
                                 criterion, and its */
    dlp_score_sum waic_parameters; /* effective number of parameters; NaN for K-fold */
    dlp_index waic_doubtful;       /* rows whose log density varies by more than 0.4 */
    dlp_score_sum log_evidence; /* log p(y), and its Monte Carlo error; NaN for K-fold */
    double posterior_k;         /* the largest k of the whole posterior's weights */
    dlp_index folds;            /* 0: rows were left out one by one */
    dlp_index groups;           /* of `by`; 0: none */
    const char *response;       /* what was predicted */
    int without_draws;   /* non-zero for a hierarchy, or a mixed model of an ordinal or
                          multinomial response: each row's own contribution was taken out
                          of the fit, as dlp_regression_residuals does, given the
                          population or scales; k is that of the weights 1 / p(y | its
                          linear predictor). There is no WAIC, and the evidence is the
                          fit's own */
    double elpd_per_row; /* the mean over rows by their weights */
} dlp_scores;

/* Scores a fit on the table that it was fitted to, each row left out by importance
   weights. Released by dlp_scores_free. Fails as dlp_regression_verify does, except that
   hierarchies and mixed models of ordinal and multinomial responses are scored too
   (without_draws). O(draws N p). In a mixed model a row is predicted from all other rows,
   including those of its group, with the group's effects integrated out, from a tenth of
   the draws. */
DLP_API dlp_status dlp_regression_loo(const dlp_regression *regression,
                                      const dlp_table *table,
                                      const dlp_comparison_settings *settings,
                                      dlp_scores **scores, dlp_error *error);
/* Scores each fold by the same model fitted to all rows outside it. Released by
   dlp_scores_free. The prior is that of the whole fit; only in mixed models of ordinal
   and multinomial responses is a weak prior of coefficients set anew from the rows of
   each fit. DLP_EINVAL for separate groups. */
DLP_API dlp_status dlp_regression_cross_validate(const dlp_regression *regression,
                                                 const dlp_table *table,
                                                 const dlp_comparison_settings *settings,
                                                 dlp_scores **scores, dlp_error *error);
DLP_API void dlp_scores_free(dlp_scores *scores); /* NULL is fine */

/* The order in which to list n fits, into order (n): those comparable with the first, by
   falling elpd, then the others. Returns how many are comparable. */
DLP_API dlp_index dlp_scores_rank(dlp_index n, const dlp_scores *const *scores,
                                  dlp_index *order);
/* The elpd of a minus that of b, which must be comparable, with its standard error, from
   the rows' differences. */
DLP_API dlp_score_sum dlp_scores_difference(const dlp_scores *a, const dlp_scores *b);
/* Whether the difference is large enough to prefer one fit: two standard errors. */
DLP_API int dlp_scores_tell_apart(dlp_score_sum difference);

#ifdef __cplusplus
}
#endif

#endif
