/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Negative binomial counts with more or fewer zeros, as zero.h does for Poisson counts. m
 * = exp(eta), tau = log(pi/(1-pi)), and the second scale is the logarithm of the size k,
 * which is in rows->df. Internal.
 */
#ifndef DLPI_GLM_ZERO_NEGATIVE_BINOMIAL_H
#define DLPI_GLM_ZERO_NEGATIVE_BINOMIAL_H

#include "glm/families/family.h"

#include <delaplace/random.h>

dlpi_likelihood dlpi_zero_inflated_negative_binomial_log,
    dlpi_hurdle_negative_binomial_log;

/* (1-pi) m / (1 - P(0)), with size k */
double dlpi_hurdle_negative_binomial_mean(double eta, double tau, double k);

/* log P(0) = -k log(1 + m/k) for a negative binomial count. */
double dlpi_negative_binomial_log_zero(double eta, double k);

double dlpi_draw_negative_binomial(dlp_rng *rng, double mean, double k);
/* The same given that it is at least 1. */
double dlpi_draw_positive_negative_binomial(dlp_rng *rng, double mean, double k);

#endif
