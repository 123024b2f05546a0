/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shares that vary: "beta", a share y ~ Beta(mu phi, (1 - mu) phi), and "beta-binomial", y
 * successes in trials whose probability is such a share. mu = sigma(eta), phi = exp(tau).
 * Internal.
 */
#ifndef DLPI_GLM_BETA_H
#define DLPI_GLM_BETA_H

#include "glm/families/family.h"

#include <delaplace/random.h>

dlpi_likelihood dlpi_beta_logit, dlpi_beta_binomial_logit;

double dlpi_draw_beta(dlp_rng *rng, double a, double b);
/* P(Y <= y) of a beta-binomial count of n, y whole. O(y) */
double dlpi_beta_binomial_cdf(double n, double a, double b, double y);

#endif
