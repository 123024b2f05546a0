/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds by fits of the formula to the other rows. Internal. */
#ifndef DLPI_REGRESSION_REFIT_FOLDS_H
#define DLPI_REGRESSION_REFIT_FOLDS_H

#include "regression/predict/scores.h"

/* Fills elpd of the scores; fold (N) is each row's fold. A group that has no other rows
   is predicted from the population. */
dlp_status dlpi_score_refits(const dlpi_target *target,
                             const dlp_comparison_settings *settings,
                             const dlp_index *fold, dlp_index folds, dlp_scores *scores,
                             dlp_error *error);

#endif
