/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Poisson counts whose mean is the linear predictor itself ("identity") or its square
 * ("sqrt"). The predictor must be positive: elsewhere the likelihood is 0, so a fit
 * starts at positive predictors and reports where it ends. Internal.
 */
#ifndef DLPI_GLM_POISSON_LINKS_H
#define DLPI_GLM_POISSON_LINKS_H

#include "glm/families/family.h"

dlpi_likelihood dlpi_poisson_identity, dlpi_poisson_sqrt;

/* The mean, 0 where the predictor is not positive. */
double dlpi_positive_mean(double eta);
double dlpi_squared_mean(double eta);

#endif
