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
    dlp_index folds; /* of dlp_regression_cross_validate; default 10, or with `by` one for
                           each group */
    const char *by;  /* a column: rows of one group are left out together; default NULL */
    dlp_design_problem
        *problem; /* filled in when the table is refused; NULL: not wanted */
    dlp_progress_call
        *progress; /* reports each group or fold; may stop it; default NULL */
    void *context; /* for progress */
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
    const double *k;    /* (N) the shape of the weights' tail; above 0.7 elpd is not to be
                             trusted. Of K-fold, that of the fold's fit */
    dlp_index doubtful; /* how many have k > 0.7 */
    dlp_score_sum elpd_sum; /* over rows by their weights */
    dlp_score_sum
        parameters; /* the effective number of parameters: how much better rows are
                                 predicted that were seen. Of K-fold NaN */
    dlp_score_sum waic_elpd;       /* the widely applicable criterion's elpd, and its */
    dlp_score_sum waic_parameters; /*     number of parameters. Of K-fold NaN */
    dlp_index waic_doubtful;       /* rows whose log density varies by more than 0.4 */
    dlp_score_sum log_evidence; /* log p(y), and its error by sampling. Of K-fold NaN */
    double posterior_k;         /* of the weights of the whole posterior, the worst */
    dlp_index folds;            /* 0: rows were left out one by one */
    dlp_index groups;           /* of `by`; 0: none */
    const char *response;       /* what was predicted */
    int without_draws; /* non-zero: of a hierarchy, or a mixed model of an ordinal or multinomial
                          response: each row's own part was taken out of the fit, as
                          dlp_regression_residuals does, given the population or scales; k is that of
                          1 / p(y | its linear predictor). There is no WAIC, and the evidence is
                          the fit's own */
} dlp_scores;

/* Of a fit with the table that it was fitted to, each row left out by importance weights.
   Released by dlp_scores_free. Fails as dlp_regression_verify does, but not of hierarchies and
   mixed models of ordinal and multinomial responses (without_draws). O(draws N p). Of a mixed model a row is predicted
   from the others, those of its group among them, with the group's effects integrated out, and
   a tenth of the draws is taken. */
DLP_API dlp_status dlp_regression_loo(const dlp_regression *regression,
                                      const dlp_table *table,
                                      const dlp_comparison_settings *settings,
                                      dlp_scores **scores, dlp_error *error);
/* Of the same model fitted to all rows but those of a fold, for each of the folds. The prior is
   that of the whole fit; of mixed models of ordinal and multinomial responses a weak prior of
   coefficients is that of the rows of each fit. DLP_EINVAL for separate groups. */
DLP_API dlp_status dlp_regression_cross_validate(const dlp_regression *regression,
                                                 const dlp_table *table,
                                                 const dlp_comparison_settings *settings,
                                                 dlp_scores **scores, dlp_error *error);
DLP_API void dlp_scores_free(dlp_scores *scores); /* NULL is fine */

/* Whether two are about the same rows of a table, with the same response and weights. */
DLP_API int dlp_scores_comparable(const dlp_scores *a, const dlp_scores *b);
/* elpd of a less that of b, which must be comparable, and its standard error: that of the
   rows' differences. */
DLP_API dlp_score_sum dlp_scores_difference(const dlp_scores *a, const dlp_scores *b);
/* Whether the rows tell two fits apart: whether they differ by at least two standard errors. */
DLP_API int dlp_scores_tell_apart(dlp_score_sum difference);

#ifdef __cplusplus
}
#endif

#endif
