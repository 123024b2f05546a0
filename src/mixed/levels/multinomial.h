/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A multinomial regression with K levels: repeats columns and terms for each of the K - 1
 * linear predictors, as softmax.h expects them, and splits the result by predictor again.
 * Internal.
 */
#ifndef DLPI_MIXED_MULTINOMIAL_H
#define DLPI_MIXED_MULTINOMIAL_H

#include "mixed/fit.h"

typedef struct dlpi_multinomial_rows {
    dlpi_mixed_data data; /* with `predictors` */
    dlpi_mixed_term *term;
    const double **column; /* of X, then of the terms */
    dlpi_mixed_smooth *smooth;
    double *lkj, *share; /* of the prior, term by term */
} dlpi_multinomial_rows;

/* Built from a regression whose y is 0, 1, ..., levels - 1. It must outlive the rows. */
dlp_status dlpi_multinomial_rows_make(const dlpi_mixed_data *of, dlp_index levels,
                                      dlpi_multinomial_rows *rows, dlp_error *error);
void dlpi_multinomial_rows_clear(dlpi_multinomial_rows *rows); /* fine on a zeroed one */

/* Repeats the numbers of a prior, lkj and share, for the terms that the rows have. */
void dlpi_multinomial_priors(const dlpi_mixed_data *of, const double *lkj,
                             const double *share, dlpi_multinomial_rows *rows);

/* For each of the rows' columns, which belong to D predictors, the place (p) of its
   coefficient in the order: all of the first predictor, all of the second, ... */
void dlpi_multinomial_places(const dlpi_mixed_data *data, dlp_index *place);

/* Splits each term of D predictors into D terms, one after another; covariances between a
   level's effects on two predictors become pairs. */
dlp_status dlpi_multinomial_split(const dlpi_mixed_data *data, dlpi_mixed_result *found,
                                  dlp_error *error);

#endif
