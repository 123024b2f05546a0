/* SPDX-License-Identifier: BSD-3-Clause */
/* The prior of tau, the logarithm of a regression's scale, for its integral. Internal. */
#ifndef DLPI_GLM_SCALE_PRIOR_H
#define DLPI_GLM_SCALE_PRIOR_H

#include "glm/glm_state.h"

/* Whether the scale of glm has a prior separate from that of the coefficients. */
bool dlpi_scale_is_apart(const dlp_glm *glm);
/* Means and sds (n, 2) of the normal priors of n parameters from `first` on. */
void dlpi_scale_priors(const dlp_glm *glm, dlp_index first, dlp_index n, double *out);
/* The same for the scale. */
void dlpi_scale_prior(const dlp_glm *glm, double *mean, double *sd);

#endif
