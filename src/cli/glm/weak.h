/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prior of coefficients of which nothing is said. It is weak, whatever the units: one
 * spread of a column moves the linear predictor by N(0, 2.5^2), with an identity link in
 * standard deviations of the response. Where many columns would move it by more than
 * N(0, 5^2) together, each moves it less. A column counts from its level, and a product or
 * a power beyond what its parents say (glm_freed.h): so it matters not where columns begin.
 *
 * That makes the priors of raw coefficients depend on one another: they have a covariance.
 * Where they cannot have one, the prior of an intercept or another parent is as good as
 * free, for what it is at the columns' means and for all that lies between those and 0.
 */
#ifndef DLP_CLI_GLM_WEAK_H
#define DLP_CLI_GLM_WEAK_H

#include "cli/glm/rows.h"

/* Sets fit->own_prior, prior_sd, first_cut_sd and prior_covariance; the fit has its columns,
   family, link and prior_df. Coefficients have a covariance only where all are weak, and
   normal. Where columns are far from 0, or products of others, rows->freed says which to fit
   in their place (glm_turn.h). DLP_EINPUT of a column that varies too little for its
   size. */
dlp_status cli_glm_weak_prior(bool all_weak, cli_glm_rows *rows, cli_glm_fit *fit,
                              dlp_error *error);

/* For a hierarchy, whose hyperprior is weak: sets rows->freed where columns are products or
   functions of others, whose spread is else that of what their parents say. */
dlp_status cli_glm_free_products(cli_glm_rows *rows, const cli_glm_fit *fit,
                                 dlp_error *error);

#endif
