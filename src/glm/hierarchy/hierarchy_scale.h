/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One scale for all groups of a hierarchy: the M step finds the tau that maximises
 *
 *     sum_m E_q[log p(y_m | beta_m, tau)] + log N(tau; scale_mean, scale_sd^2),
 *
 * the expectation taken to second order in eta, which is exact for a gaussian response.
 * If each group had a scale of its own, it would need enough rows to estimate it: a group
 * that its own columns explain fully has none left for that. Internal.
 */
#ifndef DLPI_GLM_HIERARCHY_SCALE_H
#define DLPI_GLM_HIERARCHY_SCALE_H

#include "glm/hierarchy/hierarchy_groups.h"

/* What a group adds to the slope in tau, and to the sums from which the variance of tau
   follows. */
typedef struct dlpi_scale_slopes {
    double slope;
    double told; /* sum of -l_ee c: how many rows' worth the coefficients have used up */
    double rows; /* the sum of their weights */
} dlpi_scale_slopes;

typedef struct dlpi_shared_scale {
    double *c;        /* variances of eta under q, of the rows of this process's groups */
    dlp_index *first; /* (M) where in c those of a group begin */
    dlpi_scale_slopes *group; /* (M) */
    double *S;                /* (threads, fitted, fitted) */
    dlp_index N;              /* rows of all groups */
    double tau;               /* the maximum */
    dlp_status status;        /* of the first exchange between processes that failed */
    dlp_error error;
} dlpi_shared_scale;

dlp_status dlpi_shared_scale_alloc(dlpi_shared_scale *scale,
                                   const dlpi_hierarchy_groups *groups, dlp_error *error);
void dlpi_shared_scale_free(dlpi_shared_scale *scale); /* fine on a zeroed one */

/* Starts over: tau at its prior's mean. */
void dlpi_shared_scale_reset(dlpi_shared_scale *scale);
/* log N(tau; scale_mean, scale_sd^2) */
double dlpi_shared_scale_log_prior(double tau);
/* Whether processes could talk in everything below. */
dlp_status dlpi_shared_scale_check(const dlpi_shared_scale *scale, dlp_error *error);
/* The M step, given q(beta_m). */
void dlpi_shared_scale_update(dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups);
/* The variance of groups->tau, from the curvature without the share of the rows that the
   coefficients have used up. */
double dlpi_shared_scale_variance(dlpi_shared_scale *scale,
                                  dlpi_hierarchy_groups *groups);

#endif
