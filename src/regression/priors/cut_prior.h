/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The priors of parameters that are not coefficients. That of an ordinal regression's
 * first cut point is about the level of the predictor at the means of the columns
 * (basis.h), so that it says nothing about the slopes, whatever the origin of the
 * columns: N(0, 10^2), or as stated. That of the sd of a response with an identity link
 * is in units of the response. Internal.
 */
#ifndef DLPI_REGRESSION_CUT_PRIOR_H
#define DLPI_REGRESSION_CUT_PRIOR_H

#include "regression/prepare/prepare.h"

/* Sets cut_sd, first_cut_sd and scale_mean; the rest of the prior must be set already. */
dlp_status dlpi_cut_prior(const dlpi_prepared *prepared, dlpi_prior_choice *prior,
                          dlp_error *error);

#endif
