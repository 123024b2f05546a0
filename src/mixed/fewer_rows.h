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

/* How many numbers a row has: X, Z and y. No level keeps more rows. */
dlp_index dlpi_fewer_rows_width(const dlpi_mixed_data *data);
/* Whether rows that become `kept` are worth it. */
static inline bool dlpi_fewer_rows_pay(dlp_index kept, dlp_index rows)
{
    return 4 * kept <= 3 * rows;
}

/* fewer->data becomes `data` with fewer rows, or stays `data` where these would not be
   much fewer. Neither weights nor offsets remain, nor a division: each process then has the
   rows of all. leaves: the chunks of the levels of the only term, or NULL. */
dlp_status dlpi_fewer_rows_make(const dlpi_mixed_data *data, dlpi_division *leaves,
                                dlpi_fewer_rows *fewer, dlp_error *error);
/* For dlpi_fewer_rows_make: the columns are at value, codes at code, each with room for so
   many rows; and the rows of all processes go to each. */
void dlpi_fewer_rows_point(dlp_index room, dlpi_fewer_rows *to);
dlp_status dlpi_fewer_rows_gather(const dlpi_division *d, dlp_index room,
                                  dlpi_fewer_rows *fewer, dlp_error *error);
void dlpi_fewer_rows_clear(dlpi_fewer_rows *fewer); /* fine on a zeroed or failed one */

#endif
