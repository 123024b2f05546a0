/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression with two scales that the rows can hardly distinguish, such as the share of
 * extra zeros and a small size, which makes zeros as well. The coefficients then depend
 * on the scales in ways that no joint Gaussian can follow. The coefficients are fitted at
 * the points of a grid over both, and the posterior is the mixture of these fits.
 * Internal.
 */
#ifndef DLPI_GLM_TWO_SCALES_H
#define DLPI_GLM_TWO_SCALES_H

#include "glm/glm_state.h"
#include "math/log_curve.h"

#include <delaplace/fit.h>

/* Whether that takes no more than a second or two. */
bool dlpi_two_scales_are_cheap(const dlp_glm *glm);

/* Computes mu (n), Sigma (n, n) and *log_evidence anew. The grid's points lie in the
   margins (2) of the two logarithms as evenly spaced points do in that of a normal
   variable. DLP_EINPUT: the fit failed, and they stay as they are. */
dlp_status dlpi_integrate_two_scales(const dlp_glm *glm, const dlp_settings *settings,
                                     const dlpi_log_curve *margin, double *mu,
                                     double *Sigma, double *log_evidence,
                                     dlp_error *error);

#endif
