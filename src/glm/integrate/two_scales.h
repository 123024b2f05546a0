/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression with two scales that rows hardly tell apart, as zeros that have a reason of their own
 * and those of a small size: what coefficients are depends on the scales in ways that no Gaussian of
 * all of them follows. The coefficients are fitted at the points of a grid over both, and
 * the posterior is the mixture of these fits. Internal.
 */
#ifndef DLPI_GLM_TWO_SCALES_H
#define DLPI_GLM_TWO_SCALES_H

#include "glm/glm_state.h"
#include "math/log_curve.h"

#include <delaplace/fit.h>

/* Whether that is a matter of a second or two. */
bool dlpi_two_scales_are_cheap(const dlp_glm *glm);

/* mu (n) and Sigma (n, n) anew, and *log_evidence, by points that lie in the margins (2) of the
   logarithms of both as those of a normal variable do. DLP_EINPUT: there is no fit, and they stay as they are. */
dlp_status dlpi_integrate_two_scales(const dlp_glm *glm, const dlp_settings *settings,
                                     const dlpi_log_curve *margin, double *mu,
                                     double *Sigma, double *log_evidence,
                                     dlp_error *error);

#endif
