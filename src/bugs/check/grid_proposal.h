/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The density of psi between the points of its grid, to draw from: multilinear in u,
 * where the points are at multiples of a step a in each direction,
 *
 *   k(u) = sum_i w_i prod_k max(1 - |u_k - u_ik| / a, 0) / a
 *
 * It follows a curved posterior, which no t distribution can. Internal.
 */
#ifndef DLPI_BUGS_GRID_PROPOSAL_H
#define DLPI_BUGS_GRID_PROPOSAL_H

#include "infer/explore.h"

enum { DLPI_GRID_DIMENSIONS = 5 };

typedef struct dlpi_grid_proposal {
    const dlpi_explore *of;
    double *below; /* (points) cumulative weights */
} dlpi_grid_proposal;

/* Whether there is a grid to draw from. */
bool dlpi_grid_proposal_possible(const dlpi_explore *e);
dlp_status dlpi_grid_proposal_make(const dlpi_explore *e, dlpi_grid_proposal *p,
                                   dlp_error *error);
void dlpi_grid_proposal_clear(dlpi_grid_proposal *p);

/* Draws u (m), given m + 1 numbers between 0 and 1. */
void dlpi_grid_proposal_draw(const dlpi_grid_proposal *p, const double *uniform,
                             double *u);
/* log k(u); -INFINITY beyond the grid. */
double dlpi_grid_proposal_log(const dlpi_grid_proposal *p, const double *u);

#endif
