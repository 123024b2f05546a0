/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The integral over a parameter tau, such as the logarithm of a scale, by evenly spaced
 * nodes: the trapezoidal rule, which is exact to rounding for a smooth density that
 * fades at both ends. Internal.
 */
#ifndef DLPI_INFER_GRID_H
#define DLPI_INFER_GRID_H

#include <stdbool.h>

enum { DLPI_GRID_NODES = 1024 }; /* at most */

typedef struct dlpi_grid {
    double mean, sd; /* of tau's normal prior */
    double far_out;  /* range of tau about its mean, in prior sds */
    double deep;     /* nodes below exp(-deep) of the highest density are dropped */
    int n;           /* nodes; more if that is not enough */
    double tau[DLPI_GRID_NODES];
    double weight[DLPI_GRID_NODES]; /* they add up to 1 */
    double log_evidence;            /* log p(y) */
} dlpi_grid;

/* Writes log p(y, tau) at all nodes to grid->weight; -INFINITY where it does not exist.
   false: stop. */
typedef bool dlpi_grid_evaluate(void *context, dlpi_grid *grid);

/* log p(tau) */
double dlpi_grid_log_prior(const dlpi_grid *grid, double tau);

/* Evaluates all nodes, narrowing their range to the density or adding nodes, as often as
   needed, and turns the last densities into weights. false if no node has a density or
   the caller stopped it. */
bool dlpi_grid_integrate(dlpi_grid *grid, dlpi_grid_evaluate *evaluate, void *context);

#endif
