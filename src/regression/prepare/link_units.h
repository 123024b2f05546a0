/* SPDX-License-Identifier: BSD-3-Clause */
/* The response on the scale of the linear predictor. Internal. */
#ifndef DLPI_REGRESSION_LINK_UNITS_H
#define DLPI_REGRESSION_LINK_UNITS_H

#include "regression/prepare/prepare.h"

/* Its centre and units: as dlpi_response_measure says where the predictor is the mean,
   sd(sqrt y) = sd(y) / 2 sqrt m where it is its root, and else 0 and 1. */
void dlpi_link_measure(const dlpi_prepared *p, const dlp_glm_data *rows,
                       dlp_index intercept, double *centre, double *unit);

#endif
