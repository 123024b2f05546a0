/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/check/grid_proposal.h"

#include "core/core.h"

bool dlpi_grid_proposal_possible(const dlpi_explore *e)
{
    return e->reach > 0 && e->m <= DLPI_GRID_DIMENSIONS && e->points > 0;
}

dlp_status dlpi_grid_proposal_make(const dlpi_explore *e, dlpi_grid_proposal *p,
                                   dlp_error *error)
{
    double sum = 0;
    *p = (dlpi_grid_proposal){.of = e, .below = dlpi_calloc(e->points, sizeof(double))};
    if (!p->below) return dlpi_no_memory(error, "the draws");
    for (int i = 0; i < e->points; i++) p->below[i] = sum += e->weight[i];
    return DLP_OK;
}

void dlpi_grid_proposal_clear(dlpi_grid_proposal *p)
{
    free(p->below);
    *p = (dlpi_grid_proposal){0};
}

/* The p-quantile of the triangular density on (-1, 1). */
static double triangle(double p)
{
    return p < 0.5 ? sqrt(2 * p) - 1 : 1 - sqrt(2 * (1 - p));
}

void dlpi_grid_proposal_draw(const dlpi_grid_proposal *p, const double *uniform,
                             double *u)
{
    const dlpi_explore *e = p->of;
    const double want = uniform[0] * p->below[e->points - 1];
    int low = 0, high = e->points - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->below[middle] < want)
            low = middle + 1;
        else
            high = middle;
    }
    for (dlp_index k = 0; k < e->m; k++)
        u[k] = e->apart * (e->place[low * e->m + k] + triangle(uniform[k + 1]));
}

/* The weight of the point at a corner of the cell that begins at `first`; 0: there is
   none. */
static double weight_at(const dlpi_explore *e, const int *first, int corner)
{
    dlp_index at = 0;
    for (dlp_index k = 0; k < e->m; k++) {
        const int place = first[k] + (corner >> k & 1);
        if (place < -e->reach || place > e->reach) return 0;
        at = at * (2 * e->reach + 1) + place + e->reach;
    }
    return e->at_place[at] < 0 ? 0 : e->weight[e->at_place[at]];
}

double dlpi_grid_proposal_log(const dlpi_grid_proposal *p, const double *u)
{
    const dlpi_explore *e = p->of;
    int first[DLPI_GRID_DIMENSIONS];
    double t[DLPI_GRID_DIMENSIONS], sum = 0;
    for (dlp_index k = 0; k < e->m; k++) {
        const double at = u[k] / e->apart;
        if (!(fabs(at) < e->reach + 1)) return -INFINITY;
        first[k] = (int)floor(at);
        t[k] = at - first[k];
    }
    for (int corner = 0; corner < 1 << e->m; corner++) {
        double by = weight_at(e, first, corner);
        for (dlp_index k = 0; k < e->m && by > 0; k++)
            by *= corner >> k & 1 ? t[k] : 1 - t[k];
        sum += by;
    }
    return log(sum / p->below[e->points - 1]) - (double)e->m * log(e->apart);
}
