/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The priors that no coefficient has. Of an ordinal regression's first cut point it is one
 * of the level of the predictor, at the means of the columns (basis.h), so that it says
 * nothing of the slopes wherever the columns begin: N(0, 10^2), or as stated. Of the sd of a
 * response with an identity link it is in units of the response. Internal.
 */
#ifndef DLPI_REGRESSION_CUT_PRIOR_H
#define DLPI_REGRESSION_CUT_PRIOR_H

#include "regression/prepare/prepare.h"

/* Sets cut_sd, first_cut_sd and scale_mean; all else of the prior is set. */
dlp_status dlpi_cut_prior(const dlpi_prepared *prepared, dlpi_prior_choice *prior,
                          dlp_error *error);

#endif
