/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The integral over a parameter tau, such as the logarithm of a scale, by nodes on even
 * spaces: the trapezoidal rule, which is exact to rounding for a smooth density that fades
 * at both ends. Internal.
 */
#ifndef DLPI_INFER_GRID_H
#define DLPI_INFER_GRID_H

#include <stdbool.h>

enum { DLPI_GRID_NODES = 1024 }; /* at the most */

typedef struct dlpi_grid {
    double mean, sd; /* of tau's prior, which is normal */
    double far_out;  /* tau is sought this far from its mean, in prior sds */
    double deep;     /* and left out where its density is exp(-deep) of the highest */
    int n;           /* nodes; more where that is not enough */
    double tau[DLPI_GRID_NODES];
    double weight[DLPI_GRID_NODES]; /* they add up to 1 */
    double log_evidence;            /* log p(y) */
} dlpi_grid;

/* Writes log p(y, tau) of all nodes to grid->weight; -INFINITY where there is none. false:
   to stop. */
typedef bool dlpi_grid_evaluate(void *context, dlpi_grid *grid);

/* log p(tau) */
double dlpi_grid_log_prior(const dlpi_grid *grid, double tau);

/* Narrows the nodes to where the density is, or takes more, by as many evaluations of all
   of them as that takes, and makes weights of the last. false where no node has a
   density, or when it was stopped. */
bool dlpi_grid_integrate(dlpi_grid *grid, dlpi_grid_evaluate *evaluate, void *context);

#endif
