/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A multinomial regression with few rows for its columns, by expectation propagation: the
 * likelihood of a row, a function of several linear predictors, is replaced by the joint
 * Gaussian that has the same effect on the posterior's moments, as
 * infer/expectation_propagation.h does for a single predictor. Internal.
 */
#ifndef DLPI_GLM_MULTINOMIAL_WIDE_H
#define DLPI_GLM_MULTINOMIAL_WIDE_H

#include "glm/glm_state.h"
#include "infer/listener.h"

#include <delaplace/fit.h>

/* Whether glm is such a regression, with at most five levels and a Gaussian prior. */
bool dlpi_multinomial_is_wide(const dlp_glm *glm);

/* Computes mu (n), Sigma (n, n) and *log_evidence anew, starting from mu. DLP_EINPUT: the
   fit failed or was stopped, and they stay as they are. */
dlp_status dlpi_multinomial_fit_wide(dlp_glm *glm, dlpi_listener *listener, double *mu,
                                     double *Sigma, double *log_evidence,
                                     dlp_error *error);

#endif
