/* SPDX-License-Identifier: BSD-3-Clause */
/* What the integral over the sd of a gaussian regression knows beyond moments. Internal. */
#ifndef DLPI_GLM_GAUSSIAN_INTEGRAL_H
#define DLPI_GLM_GAUSSIAN_INTEGRAL_H

#include <delaplace/random_effects.h>

#include "glm/glm_state.h"

/* The exact margin of the sd, exp(tau), of a model that dlp_glm_integrate can integrate. */
dlp_status dlpi_gaussian_sd_margin(dlp_glm *glm, dlp_margin *margin, dlp_error *error);

#endif
