/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts with more or fewer zeros than a Poisson count: "zero-inflated-poisson", where a
 * row is 0 with probability pi and otherwise Poisson, and "hurdle-poisson", where it is 0
 * with probability pi and otherwise Poisson given that it is at least 1. m = exp(eta),
 * and tau = log(pi/(1-pi)). Internal.
 */
#ifndef DLPI_GLM_ZERO_H
#define DLPI_GLM_ZERO_H

#include "glm/families/family.h"

#include <delaplace/random.h>

dlpi_likelihood dlpi_zero_inflated_poisson_log, dlpi_hurdle_poisson_log;

double dlpi_zero_inflated_poisson_mean(double eta, double tau, double second);
double dlpi_hurdle_poisson_mean(double eta, double tau, double second);

/* A draw of a Poisson count given that it is at least 1. */
double dlpi_draw_positive_poisson(dlp_rng *rng, double mean);

#endif
