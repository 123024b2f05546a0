/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A multinomial regression with K levels: columns and terms once for each of the K - 1 linear
 * predictors, as softmax.h has them, and what was found taken apart again. Internal.
 */
#ifndef DLPI_MIXED_MULTINOMIAL_H
#define DLPI_MIXED_MULTINOMIAL_H

#include "mixed/fit.h"

typedef struct dlpi_multinomial_rows {
    dlpi_mixed_data data; /* with `predictors` */
    dlpi_mixed_term *term;
    const double **column; /* of X, then of the terms */
    dlpi_mixed_smooth *smooth;
} dlpi_multinomial_rows;

/* From one whose y is 0, 1, ..., levels - 1, without processes. It must outlive the rows. */
dlp_status dlpi_multinomial_rows_make(const dlpi_mixed_data *of, dlp_index levels,
                                      dlpi_multinomial_rows *rows, dlp_error *error);
void dlpi_multinomial_rows_clear(dlpi_multinomial_rows *rows); /* fine on a zeroed one */

/* Where the coefficient of each of the rows' columns, which are those of D predictors, is among
   all of the first predictor, all of the second, ... (p). */
void dlpi_multinomial_places(const dlpi_mixed_data *data, dlp_index *place);

/* Terms of D predictors become D terms each, one behind the other; what two predictors'
   effects of a level have in common becomes pairs. */
dlp_status dlpi_multinomial_split(const dlpi_mixed_data *data, dlpi_mixed_result *found,
                                  dlp_error *error);

#endif
