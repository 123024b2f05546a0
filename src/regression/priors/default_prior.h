/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prior of coefficients of which nothing is said. It is weak, whatever the units: one
 * spread of a column moves the linear predictor by N(0, 2.5^2), with an identity link in
 * standard deviations of the response. Where many columns would move it by more than
 * N(0, 5^2) together, each moves it less. A column counts from its mean, and a product or a
 * power beyond what its margins say (orthogonal.h): so it matters not where columns begin.
 *
 * That makes the priors of raw coefficients depend on one another: they have a covariance.
 * Where they cannot have one, the prior of an intercept or another margin is as good as
 * flat, for what it is at the columns' means and for all that lies between those and 0.
 * Internal.
 */
#ifndef DLPI_REGRESSION_DEFAULT_PRIOR_H
#define DLPI_REGRESSION_DEFAULT_PRIOR_H

#include "regression/prepare/prepare.h"

/* Sets prior->each, sd and covariance; prior->df is set. Coefficients have a
   covariance only where all are weak, and normal. Where columns are far from 0, or products
   of others, prior->R says which to fit in their place. DLP_EINPUT of a column that varies
   too little for its size. */
dlp_status dlpi_default_prior(const dlpi_prepared *prepared, bool all_weak,
                              dlpi_prior_choice *prior, dlp_error *error);

/* For a hierarchy: its hyperprior where none is stated, and prior->R where columns are
   products or functions of others, whose spread is else that of what their margins say. */
dlp_status dlpi_default_hyperprior(const dlpi_prepared *prepared,
                                   dlpi_prior_choice *prior, dlp_error *error);

#endif
