/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One scale for all groups of a hierarchy: tau, of which the M step finds the maximum of
 *
 *     sum_m E_q[log p(y_m | beta_m, tau)] + log N(tau; scale_mean, scale_sd^2),
 *
 * the expectation to second order in eta, which for a gaussian response is all of it.
 * Groups with a scale each would need rows enough to tell it: a group that its own columns
 * explain has none. Internal.
 */
#ifndef DLPI_GLM_HIERARCHY_SCALE_H
#define DLPI_GLM_HIERARCHY_SCALE_H

#include "glm/hierarchy/hierarchy_groups.h"

typedef struct dlpi_shared_scale {
    double *c;   /* (N) variances of eta under q, of all groups */
    dlp_index N; /* rows of all groups */
    double tau;  /* the maximum */
} dlpi_shared_scale;

dlp_status dlpi_shared_scale_alloc(dlpi_shared_scale *scale,
                                   const dlpi_hierarchy_groups *groups, dlp_error *error);
void dlpi_shared_scale_free(dlpi_shared_scale *scale); /* fine on a zeroed one */

/* Starts over: tau at its prior's mean. */
void dlpi_shared_scale_reset(dlpi_shared_scale *scale);
/* log N(tau; scale_mean, scale_sd^2) */
double dlpi_shared_scale_log_prior(double tau);
/* The M step, given q(beta_m). */
void dlpi_shared_scale_update(dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups);
/* The variance of groups->tau: by the curvature, of which the share that the coefficients
   have taken of the rows does not count. */
double dlpi_shared_scale_variance(dlpi_shared_scale *scale,
                                  dlpi_hierarchy_groups *groups);

#endif
