/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How well a mixed model predicts its rows. Given x and psi a row is predicted from the others of its
 * leaf,
 *
 *   p(y_r | y_-r, x, psi) = I_g / I_g without row r,
 *
 * both by quadrature, and all rows of a leaf together from I_g itself. Draws of x and psi
 * are then reweighted as if the row, or the leaf, had not been seen. Internal.
 */
#ifndef DLPI_MIXED_SCORE_H
#define DLPI_MIXED_SCORE_H

#include "mixed/result/sample.h"

/* (N) each, in the order of the data's rows; for rows that were held out, elpd alone. */
typedef struct dlpi_mixed_scores {
    double *elpd, *k;            /* left out: log p(y_r | the others), and PSIS's k */
    double *seen;                /* log E[p(y_r | x, b, psi)] */
    double *mean_log, *variance; /* of log p(y_r | x, b, psi) */
    double *leaf_elpd, *leaf_k;  /* (L) of whole leaves; NULL: not wanted */
} dlpi_mixed_scores;

/* Whether the model can be scored; else DLP_EINVAL. */
dlp_status dlpi_mixed_scorable(const dlpi_mixed *model, dlp_error *error);
/* held (N): rows that had no weight in the fit and are predicted by it; the scores of all
   others are left untouched. NULL: each row is left out by itself. */
dlp_status dlpi_mixed_score(const dlpi_mixed_found *found,
                            const dlpi_mixed_sample *sample, const bool *held,
                            const dlpi_mixed_scores *to, dlp_error *error);

#endif
