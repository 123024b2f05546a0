/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether means that must be positive may be below 0 by a fit. Internal. */
#ifndef DLPI_REGRESSION_NEAR_ZERO_H
#define DLPI_REGRESSION_NEAR_ZERO_H

#include "regression/prepare/prepare.h"
#include "regression/regression.h"

/* Where the normal distribution of a row's predictor reaches below 0, effects of its
   levels included: count 0 where none does, or where that need not be asked. */
dlp_status dlpi_find_near_zero(const dlpi_prepared *p, const dlp_regression_result *fit,
                               dlp_diagnostic *found, dlp_error *error);

#endif
