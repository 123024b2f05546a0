/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Gaussian response with several rows for the same levels of all terms: y, X and Z of these
 * rows enter the likelihood by their cross-products alone, so the rows of R, from
 * [Z X y] = QR, say the same. They are no more than the columns. Internal.
 */
#ifndef DLPI_MIXED_FEWER_ROWS_H
#define DLPI_MIXED_FEWER_ROWS_H

#include "mixed/mixed.h"

typedef struct dlpi_fewer_rows {
    dlpi_mixed_data data; /* with `absorbed` */
    dlpi_mixed_term *term;
    const double **column; /* of X, then of the terms, last y */
    double *value;
    int32_t *code;
} dlpi_fewer_rows;

/* fewer->data becomes `data` with fewer rows, or stays `data` where these would not be
   much fewer. Neither weights nor offsets remain. */
dlp_status dlpi_fewer_rows_make(const dlpi_mixed_data *data, dlpi_fewer_rows *fewer,
                                dlp_error *error);
void dlpi_fewer_rows_clear(dlpi_fewer_rows *fewer); /* fine on a zeroed or failed one */

#endif
