/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The weak prior of a regression with factors. It is about the predictor, so that it is the
 * same prior however the factors are coded and whichever levels are their references: it is
 * the product of
 *
 *   - N(0, level_sd^2) of the mean of the predictor over the rows;
 *   - of a factor: N(0, s^2) of the mean of the predictor at each level, less that mean. It is
 *     the mean of all of the predictor, other columns too: what a column says within the
 *     levels is not touched, however many levels there are to say something else of it;
 *   - of a product of factors: the same of the mean in each cell, less what the factors say;
 *   - of numbers: N(0, s^2) of the slope, with products and powers at their means; of a
 *     product with factors, of what the slope at each level has beyond the mean of all;
 *   - of a factor of two levels, which is an indicator: N(0, s^2) of their difference.
 *
 * s moves the predictor by N(0, 2.5^2) as default_prior.h has it. All these means are
 * weighted by the levels' shares of the rows. Coefficients about which the rows say
 * nothing beyond what others do have N(0, s^2) each. Internal.
 */
#ifndef DLPI_REGRESSION_FACTOR_PRIOR_H
#define DLPI_REGRESSION_FACTOR_PRIOR_H

#include "regression/priors/weak.h"

/* Whether the design has any factors. */
bool dlpi_has_factors(const dlpi_prepared *prepared);

/* Sets out->each, sd and covariance, and out->R with R_covariance where numbers are far
   from 0 or products of others. O(N p) for each term with factors, and O(p^3). */
dlp_status dlpi_factor_prior(const dlpi_weak *weak, const dlpi_term_margins *margins,
                             dlp_error *error);

#endif
