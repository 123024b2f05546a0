/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An ordinal regression, p(y <= j) = sigma(c_j - eta), as a binary one. Since
 * sigma(a) - sigma(b) = sigma(a) sigma(-b) (1 - exp(b - a)), a row of level y is
 *
 *   l = log sigma(c_y - eta) + log sigma(eta - c_(y-1)) + log(1 - exp(c_(y-1) - c_y)),
 *
 * without the first term in the last level, the second in the first, the third in both.
 * The first two are rows of a binary response: whether y lies above a cut point c, with
 * the linear predictor eta - c. The third is about the gap alone. So cut points are
 * coefficients: c_0 = delta_0, c_j = c_(j-1) + exp(delta_j), of columns that are -1 for
 * the cut points from j on and 0 before. Internal.
 */
#ifndef DLPI_MIXED_ORDINAL_H
#define DLPI_MIXED_ORDINAL_H

#include "mixed/mixed.h"

typedef struct dlpi_ordinal_rows {
    dlpi_mixed_data
        data;       /* the binary regression; beta holds the coefficients outside smooths,
                       then delta, then those of smooths */
    dlp_index cuts; /* how many deltas there are, */
    dlp_index in_beta; /* and how many of them are in beta */
    dlpi_mixed_term *term;
    dlpi_mixed_smooth *smooth;
    const double **column; /* of X, then of the terms */
    double *numbers;       /* these columns */
    int32_t *code;
} dlpi_ordinal_rows;

/* Built from an ordinal regression whose y is 0, 1, ..., levels - 1, without trials, and
   whose likelihood is that of a binary response with a logit link. It must outlive the
   rows. */
dlp_status dlpi_ordinal_rows_make(const dlpi_mixed_data *of, dlp_index levels,
                                  dlpi_ordinal_rows *rows, dlp_error *error);
/* The same with a likelihood of rows given their cut points, for links whose l does not
   split: delta_0 is in beta, and the other deltas are tau. */
dlp_status dlpi_ordinal_levels_make(const dlpi_mixed_data *of, dlp_index levels,
                                    dlpi_ordinal_rows *rows, dlp_error *error);
void dlpi_ordinal_rows_clear(
    dlpi_ordinal_rows *rows); /* fine on a zeroed or failed one */

#endif
