/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression with one linear predictor and its scale held fixed, for expectation
 * propagation (infer/expectation_propagation.h): its rows are the sites. Its Student-t
 * priors are replaced by Gaussians, too. Internal.
 */
#ifndef DLPI_GLM_GLM_SITES_H
#define DLPI_GLM_GLM_SITES_H

#include "glm/glm_state.h"
#include "glm/integrate/row_sites.h"
#include "glm/integrate/student_sites.h"

typedef struct dlpi_glm_sites {
    dlpi_sites_type type; /* the functions that this regression needs */
    dlp_glm *g;
    dlpi_prior prior; /* (p) with Gaussians in the places of Student-ts */
    dlpi_student_sites student;
    dlpi_row_tilt tilt;
} dlpi_glm_sites;

/* Whether g can be fitted this way: it has one predictor, and its priors have
   variances. */
bool dlpi_glm_sites_fit(const dlp_glm *g);
/* g's parameters are the coefficients alone, and g->held_tau is the scale; g must outlive
   the sites. */
dlp_status dlpi_glm_sites_alloc(dlpi_glm_sites *s, dlp_glm *g, dlp_error *error);
void dlpi_glm_sites_free(dlpi_glm_sites *s); /* fine on a zeroed or failed one */

#endif
