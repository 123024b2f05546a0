/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A multinomial regression with few rows for its columns, by expectation propagation: what a
 * row says of its linear predictors is replaced by the Gaussian of all of them that has the
 * same effect on the posterior's moments, as infer/expectation_propagation.h has it for one.
 * Internal.
 */
#ifndef DLPI_GLM_MULTINOMIAL_WIDE_H
#define DLPI_GLM_MULTINOMIAL_WIDE_H

#include "glm/glm_state.h"

#include <delaplace/fit.h>

/* Whether glm is one, with no more than five levels and a Gaussian prior. */
bool dlpi_multinomial_is_wide(const dlp_glm *glm);

/* mu (n) and Sigma (n, n) anew, from mu; *log_evidence. DLP_EINPUT: there is no fit, and they
   stay as they are. */
dlp_status dlpi_multinomial_fit_wide(dlp_glm *glm, double *mu, double *Sigma,
                                     double *log_evidence, dlp_error *error);

#endif
