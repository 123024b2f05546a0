/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What absorbs the level of the linear predictor: the intercept; the cut points of an
 * ordinal regression; without either, a factor that is coded in full, one of whose
 * indicators is 1 in every row. Internal.
 */
#ifndef DLPI_REGRESSION_INTERCEPT_H
#define DLPI_REGRESSION_INTERCEPT_H

#include "regression/prepare/prepare.h"

/* Columns [first, first + n) of the data; n is 0 where nothing absorbs it. Cut points are
   column p, after the others. */
typedef struct dlpi_intercept {
    dlp_index first, n;
    dlp_index term; /* if it is a factor, else -1 */
} dlpi_intercept;

/* O(N p). */
dlpi_intercept dlpi_intercept_find(const dlpi_prepared *prepared);
bool dlpi_intercept_has(const dlpi_intercept *intercept, dlp_index j);

#endif
