/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An ordinal regression with few rows for its columns. Given the gaps between cut points it
 * is, with link
 *   logit    a binary regression: a row of level y lies above the cut point below it and
 *            below the one above it, and the gap between them adds log(1 - exp(-gap)) to
 *            its log likelihood (mixed/levels/ordinal.h);
 *   probit   a regression of normal responses of sd 1, each known to lie in an interval;
 *   cloglog  the same of exponential times: the cut points are logarithms of the limits.
 * That regression is fitted by expectation propagation, and the fits are summed over the
 * gaps at Gauss-Hermite points. Internal.
 */
#ifndef DLPI_GLM_ORDINAL_WIDE_H
#define DLPI_GLM_ORDINAL_WIDE_H

#include "glm/glm_state.h"
#include "infer/listener.h"

#include <delaplace/fit.h>

/* Whether glm is such a regression, with at most four cut points. */
bool dlpi_ordinal_is_wide(const dlp_glm *glm);

/* Computes mu (n), Sigma (n, n) and *log_evidence anew, starting from what mu and Sigma
   say about the gaps. DLP_EINPUT: the fit failed or was stopped, and they stay as they
   are. */
dlp_status dlpi_ordinal_fit_wide(const dlp_glm *glm, const dlp_settings *settings,
                                 dlpi_listener *listener, double *mu, double *Sigma,
                                 double *log_evidence, dlp_error *error);

#endif
