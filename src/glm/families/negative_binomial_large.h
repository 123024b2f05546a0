/* SPDX-License-Identifier: BSD-3-Clause */
/* A negative binomial whose size k is so large that it is nearly Poisson: log Gamma(y+k)
   - log Gamma(k) would lose most of its digits. Internal. */
#ifndef DLPI_GLM_NEGATIVE_BINOMIAL_LARGE_H
#define DLPI_GLM_NEGATIVE_BINOMIAL_LARGE_H

#include "glm/families/likelihoods.h"

/* From this size on, the series below are exact to all digits, and the differences that
   they replace lose more than that. */
#define DLPI_LARGE_SIZE 100

/* As dlpi_negative_binomial_log, at tau = log k, for large k. */
void dlpi_negative_binomial_large(dlpi_rows *rows, double tau, int order);

#endif
