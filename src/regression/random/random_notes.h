/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rows cannot tell about random effects. Internal. */
#ifndef DLPI_REGRESSION_RANDOM_NOTES_H
#define DLPI_REGRESSION_RANDOM_NOTES_H

#include "mixed/fit.h"
#include "regression/regression.h"

/* Into r->note. O(N q^2) a term. */
dlp_status dlpi_random_notes(const dlpi_prepared *prepared, dlp_regression *r,
                             dlp_error *error);
/* Notes where the approximation is in doubt. */
void dlpi_random_doubts(const dlpi_prepared *prepared, const dlpi_mixed_result *found,
                        dlp_regression *r);

#endif
