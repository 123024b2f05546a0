/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that are too large to compute with, and which column has them. Internal. */
#ifndef DLPI_REGRESSION_LARGE_NUMBERS_H
#define DLPI_REGRESSION_LARGE_NUMBERS_H

#include "regression/regression.h"

/* The column, response or offset with the largest number in the data, which is *most. */
const char *dlpi_largest_column(const dlpi_prepared *p, const dlp_glm_data *d,
                                double *most);
/* Whether a column has numbers too large for any regression. */
bool dlpi_has_too_large(const dlp_glm_data *d);
/* Whether numbers may be why there is no fit: those of a column, or of an offset, whose
   exponential may be the mean. */
bool dlpi_has_large(const dlpi_prepared *p, const dlp_glm_data *d);
/* The engine cannot compute f at the start: the numbers are too large. */
dlp_status dlpi_fail_too_large(const dlpi_prepared *p, const dlp_glm_data *d,
                               dlp_error *error);

#endif
