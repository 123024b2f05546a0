/* SPDX-License-Identifier: BSD-3-Clause */
/* A negative binomial whose size is so large that it is hardly one: of log Gamma(y+k) - log Gamma(k)
   few digits would be left. Internal. */
#ifndef DLPI_GLM_NEGATIVE_BINOMIAL_LARGE_H
#define DLPI_GLM_NEGATIVE_BINOMIAL_LARGE_H

#include "glm/families/likelihoods.h"

/* From this size on the series below have all digits. */
#define DLPI_LARGE_SIZE 1e3

/* As dlpi_negative_binomial_log, of tau = log k where k is large. */
void dlpi_negative_binomial_large(dlpi_rows *rows, double tau, int order);

#endif
