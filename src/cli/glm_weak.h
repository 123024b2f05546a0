/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prior of coefficients of which nothing is said. It is weak, whatever the units: one
 * spread of a column moves the linear predictor by N(0, 2.5^2), with an identity link in
 * standard deviations of the response. Where many columns would move it by more than
 * N(0, 5^2) together, each moves it less. The intercept's is wider, for what it is at the
 * columns' means, and for all that lies between those and 0.
 */
#ifndef DLP_CLI_GLM_WEAK_H
#define DLP_CLI_GLM_WEAK_H

#include "cli/glm_fit.h"

/* Sets fit->own_prior, prior_sd and first_cut_sd; the fit has its columns, family, link and
   prior_df. */
dlp_status cli_glm_weak_prior(const dlp_glm_data *data, cli_glm_fit *fit,
                              dlp_error *error);

#endif
