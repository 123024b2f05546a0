/* SPDX-License-Identifier: BSD-3-Clause */
/* How well rows are predicted: what loo.c and cross_validation.c share. Internal. */
#ifndef DLPI_REGRESSION_SCORES_H
#define DLPI_REGRESSION_SCORES_H

#include <delaplace/comparison.h>

#include "regression/check/importance.h"
#include "regression/check/target.h"

/* Room for N rows of the target, zeroed, with its weights and row numbers; sums are NaN. */
dlp_status dlpi_scores_alloc(const dlpi_target *target, dlp_scores **scores,
                             dlp_error *error);
/* The sum of value (N) over rows, by their weights. */
dlp_score_sum dlpi_score_sum(const dlp_scores *scores, const double *value);
/* elpd's sum and how many rows are doubtful. */
void dlpi_scores_finish(dlp_scores *scores);

/* The settings, checked and with defaults filled in; also checks that there is something
   to compare. */
dlp_status dlpi_comparison_begin(const dlp_regression *regression, const dlp_table *table,
                                 const dlp_comparison_settings *given,
                                 dlp_comparison_settings *full, dlp_error *error);
/* Returns status; after a failure there are no scores. */
dlp_status dlpi_comparison_end(dlp_status status, dlp_scores **scores);
dlp_status dlpi_comparison_tell(const dlp_comparison_settings *s, const char *phase,
                                const char *unit, dlp_index done, dlp_index total,
                                dlp_error *error);

/* log sum_s exp(a_s) */
double dlpi_log_sum_exp(dlp_index S, const double *a);

/* refit.c. The posterior for other rows with the target's prior, fitted the same way: mu
   (n) and Sigma (n, n), in the variables of the target. */
dlp_status dlpi_refit(const dlpi_target *target, const dlp_glm_data *rows, dlp_glm *glm,
                      double *mu, double *Sigma, dlp_error *error);

/* Whether both are about the same rows of a table, with the same response and weights. */
int dlpi_scores_comparable(const dlp_scores *a, const dlp_scores *b);

#endif
