/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/grid.h"

#include <math.h>

/* The limit of the search for tau, where exp(tau) is still safe to compute with. */
static const double FARTHEST = 100;
/* A peak is too narrow for the nodes if one of them has more than this share of the
   weight; for a normal density, if the nodes are more than one sd apart. */
static const double COARSE = 0.4;

double dlpi_grid_log_prior(const dlpi_grid *grid, double tau)
{
    const double half_log_2_pi = 0.91893853320467274178,
                 z = (tau - grid->mean) / grid->sd;
    return -0.5 * z * z - log(grid->sd) - half_log_2_pi;
}

static void space_evenly(dlpi_grid *grid, double lo, double hi)
{
    for (int i = 0; i < grid->n; i++) grid->tau[i] = lo + (hi - lo) * i / (grid->n - 1);
}

static double highest(const dlpi_grid *grid)
{
    double most = -INFINITY;
    for (int i = 0; i < grid->n; i++) most = fmax(most, grid->weight[i]);
    return most;
}

/* The range of nodes that contains the density, plus one node on each side. */
static void find_density(const dlpi_grid *grid, double most, int *first, int *last)
{
    *first = 0;
    *last = grid->n - 1;
    while (grid->weight[*first] < most - grid->deep) ++*first;
    while (grid->weight[*last] < most - grid->deep) --*last;
    if (*first > 0) --*first;
    if (*last < grid->n - 1) ++*last;
}

/* From log densities to weights. */
static void normalise(dlpi_grid *grid, double most)
{
    double *weight = grid->weight, sum = 0;
    for (int i = 0; i < grid->n; i++) sum += weight[i] = exp(weight[i] - most);
    for (int i = 0; i < grid->n; i++) weight[i] /= sum;
    grid->log_evidence = most + log(sum * (grid->tau[1] - grid->tau[0]));
}

bool dlpi_grid_integrate(dlpi_grid *grid, dlpi_grid_evaluate *evaluate, void *context)
{
    const double out = grid->far_out * grid->sd;
    double lo = fmax(grid->mean - out, -FARTHEST), hi = fmin(grid->mean + out, FARTHEST);
    for (;;) {
        int first, last;
        space_evenly(grid, lo, hi);
        if (!evaluate(context, grid)) return false;
        const double most = highest(grid);
        if (!isfinite(most)) return false;
        find_density(grid, most, &first, &last);
        const bool narrow = last - first <= grid->n / 2;
        if (!narrow) normalise(grid, most);
        if (!narrow && (highest(grid) <= COARSE || 2 * grid->n > DLPI_GRID_NODES))
            return true;
        if (!narrow) grid->n *= 2; /* a peak on a plain */
        lo = grid->tau[first];
        hi = grid->tau[last];
    }
}
