/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression with one linear predictor, its scale held, for expectation propagation
 * (infer/expectation_propagation.h): its rows are the sites, and its Student-t priors are replaced by
 * Gaussians, too. Internal.
 */
#ifndef DLPI_GLM_GLM_SITES_H
#define DLPI_GLM_GLM_SITES_H

#include "glm/glm_state.h"
#include "glm/integrate/row_sites.h"
#include "glm/integrate/student_sites.h"

typedef struct dlpi_glm_sites {
    dlpi_sites_type type; /* what this regression needs of it */
    dlp_glm *g;
    dlpi_prior prior; /* (p) with Gaussians in the places of Student-ts */
    dlpi_student_sites student;
    dlpi_row_tilt tilt;
} dlpi_glm_sites;

/* Whether it can: there is one predictor, and priors have variances. */
bool dlpi_glm_sites_fit(const dlp_glm *g);
/* g's parameters are the coefficients alone; it outlives the sites, and g->held_tau is the
   scale. */
dlp_status dlpi_glm_sites_alloc(dlpi_glm_sites *s, dlp_glm *g, dlp_error *error);
void dlpi_glm_sites_free(dlpi_glm_sites *s); /* fine on a zeroed or failed one */

#endif
