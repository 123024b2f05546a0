/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prior of coefficients for which none is stated. It is weak, whatever the units: one
 * spread of a column moves the linear predictor by N(0, 2.5^2), with an identity link in
 * standard deviations of the response. Where many columns would move it by more than N(0,
 * 5^2) together, each moves it less. A column is measured from its mean, and a product or
 * a power is orthogonalised to its margins (orthogonal.h), so the origin of the columns
 * does not matter.
 *
 * That makes the priors of raw coefficients depend on one another: they have a
 * covariance. Where they cannot have one, the prior of an intercept or another margin is
 * practically flat: wide enough for its value at the columns' means and for the distance
 * from there to 0. Internal.
 */
#ifndef DLPI_REGRESSION_DEFAULT_PRIOR_H
#define DLPI_REGRESSION_DEFAULT_PRIOR_H

#include "regression/prepare/prepare.h"

/* Sets prior->each, sd and covariance; prior->df is set already. Coefficients have a
   covariance only where all are weak and normal. Where columns are far from 0, or
   products of others, prior->R says which columns to fit instead. DLP_EINPUT for a column
   that varies too little for its size. */
dlp_status dlpi_default_prior(const dlpi_prepared *prepared, bool all_weak,
                              dlpi_prior_choice *prior, dlp_error *error);

/* For a hierarchy: its hyperprior where none is stated, and prior->R where columns are
   products or functions of others, whose spread would otherwise be that of their
   margins. */
dlp_status dlpi_default_hyperprior(const dlpi_prepared *prepared,
                                   dlpi_prior_choice *prior, dlp_error *error);

#endif
