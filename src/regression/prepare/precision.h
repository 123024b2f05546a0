/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that are known more or less exactly: the variance of row i around its mean is sd^2 / w_i, as
 * R's lm has it with weights=. Of a response with an identity link, sqrt(w_i) times the row, its
 * response and its offset is a row of precision 1. Internal.
 */
#ifndef DLPI_REGRESSION_PRECISION_H
#define DLPI_REGRESSION_PRECISION_H

#include "regression/prepare/prepare.h"

/* Changes nothing when zeroed. */
typedef struct dlpi_precise_rows {
    double *numbers;     /* (p + 3, N) */
    const double **x;    /* (p) */
    double log_jacobian; /* sum_i log(w_i)/2: how much higher the log density of y is */
} dlpi_precise_rows;

/* Whether a family takes precisions. */
bool dlpi_takes_precision(const dlp_family *family);
/* By how much the log density of row i exceeds that of the row that is fitted. */
double dlpi_log_unit(const double *precision, dlp_index i);

/* Turns the rows into those to be fitted, which keep their own weights, if any. precision
   NULL: they stay as they are. */
dlp_status dlpi_precise_rows_make(const double *precision, dlpi_spill *spill,
                                  dlp_glm_data *rows, dlpi_precise_rows *made,
                                  dlp_error *error);
void dlpi_precise_rows_clear(dlpi_precise_rows *rows);

#endif
