/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Summing over tau, the logarithm of a regression's scale, on even spaces: the trapezoidal
 * rule, which is exact to rounding for a smooth density that fades at both ends. Internal.
 */
#ifndef DLPI_GLM_SCALE_GRID_H
#define DLPI_GLM_SCALE_GRID_H

#include "glm/glm_state.h"

enum { DLPI_SCALE_NODES = 1024 }; /* at the most */

typedef struct dlpi_scale_grid {
    double mean, sd; /* of tau's prior, which is normal */
    double far_out;  /* tau is sought this far from its mean, in prior sds */
    double deep;     /* and left out where its density is exp(-deep) of the highest */
    int n;           /* nodes; more where that is not enough */
    double tau[DLPI_SCALE_NODES];
    double weight[DLPI_SCALE_NODES]; /* they add up to 1 */
    double log_evidence;             /* log p(y) */
} dlpi_scale_grid;

/* Writes log p(y, tau) of all nodes to grid->weight; -INFINITY where there is none. false:
   to stop. */
typedef bool dlpi_scale_evaluate(void *context, dlpi_scale_grid *grid);

/* Whether the scale of glm has a prior apart from that of the coefficients. */
bool dlpi_scale_is_apart(const dlp_glm *glm);
/* Takes tau's prior from glm; the rest is the caller's. */
void dlpi_scale_take_prior(const dlp_glm *glm, dlpi_scale_grid *grid);
/* log p(tau) */
double dlpi_scale_log_prior(const dlpi_scale_grid *grid, double tau);

/* Narrows the nodes to where the density is, or takes more, by as many evaluations of all
   of them as that takes, and makes weights of the last. false where no node has a
   density, or when it was stopped. */
bool dlpi_scale_integrate(dlpi_scale_grid *grid, dlpi_scale_evaluate *evaluate,
                          void *context);

#endif
