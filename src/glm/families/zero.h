/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts with more zeros, or fewer, than Poisson's have: "zero-inflated-poisson", in which a
 * row is 0 with probability pi and else Poisson's, and "hurdle-poisson", in which it is 0
 * with probability pi and else Poisson's from 1 on. m = exp(eta), and tau = log(pi/(1-pi)).
 * Internal.
 */
#ifndef DLPI_GLM_ZERO_H
#define DLPI_GLM_ZERO_H

#include "glm/families/family.h"

#include <delaplace/random.h>

dlpi_likelihood dlpi_zero_inflated_poisson_log, dlpi_hurdle_poisson_log;

double dlpi_zero_inflated_poisson_mean(double eta, double tau, double second);
double dlpi_hurdle_poisson_mean(double eta, double tau, double second);

/* Poisson's from 1 on. */
double dlpi_draw_positive_poisson(dlp_rng *rng, double mean);

#endif
