/* SPDX-License-Identifier: BSD-3-Clause */
/* How well a mixed model predicts its rows: for loo.c and cross_validation.c. Internal. */
#ifndef DLPI_REGRESSION_MIXED_SCORES_H
#define DLPI_REGRESSION_MIXED_SCORES_H

#include "mixed/scales/score.h"
#include "regression/predict/scores.h"

/* Fills `to`, in the order of the rows, and scores with what is known about the
   posterior: each row left out or, with fold (N), predicted by a fit without the rows of
   its fold. Uses a tenth of the draws asked for: effects that are integrated out need
   none. */
dlp_status dlpi_score_mixed(const dlpi_target *target, const dlp_comparison_settings *s,
                            int threads, const dlp_index *fold, dlp_index folds,
                            const dlpi_mixed_scores *to, dlp_scores *scores,
                            dlp_error *error);

#endif
