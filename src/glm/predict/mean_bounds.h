/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of a mean response that depends on scales, too. Internal. */
#ifndef DLPI_GLM_MEAN_BOUNDS_H
#define DLPI_GLM_MEAN_BOUNDS_H

#include "glm/predict/predict.h"

/* Phi(-z) and Phi(z) quantiles of E[y | eta, tau] of a family with `mean_given`, where eta
   and the logarithms of its scales are normal. */
void dlpi_mean_bounds(const dlpi_family *family, const dlpi_predictor *q, double z,
                      double *lower, double *upper);

#endif
