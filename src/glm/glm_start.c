/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of a fit whose linear predictor must be positive: the coefficients that, by
 * least squares, give every row the overall mean or, if that is not positive everywhere,
 * its own response.
 */
#include "core/core.h"
#include "glm/glm_state.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

static double mean_response(const dlp_glm_data *d)
{
    double sum = 0, weights = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const double w = d->weight ? d->weight[i] : 1;
        sum += w * d->y[i];
        weights += w;
    }
    return weights > 0 ? sum / weights : 0;
}

/* eta of a mean above 0 */
static double target_of(const dlp_glm *g, dlp_index i, bool own, double mean)
{
    const double m = 0.5 + (own ? g->data.y[i] : mean);
    const double eta = g->family->linear ? m : sqrt(m);
    return eta - (g->data.offset ? g->data.offset[i] : 0);
}

static double largest(dlp_index N, const double *x)
{
    double most = 0;
    for (dlp_index i = 0; i < N; i++) most = fmax(most, fabs(x[i]));
    return most > 0 ? most : 1;
}

/* (X'X + ridge) theta = X'target, with columns in units of their largest number; room (p,
   p + 1), unit (p). */
static void least_squares(const dlp_glm *g, bool own, double *room, double *theta)
{
    const dlp_index N = g->data.N, p = g->data.p;
    const double little = 1e-9, mean = mean_response(&g->data);
    double *A = room, *unit = room + p * p;
    memset(theta, 0, (size_t)g->n * sizeof *theta);
    for (dlp_index j = 0; j < p; j++) unit[j] = largest(N, g->data.x[j]);
    for (dlp_index j = 0; j < p; j++) {
        const double *x = g->data.x[j];
        for (dlp_index k = j; k < p; k++)
            A[j * p + k] = dlpi_dot(N, x, g->data.x[k]) / unit[j] / unit[k];
        A[j * p + j] += little * (double)N;
        for (dlp_index i = 0; i < N; i++)
            theta[j] += x[i] / unit[j] * target_of(g, i, own, mean);
    }
    dlpi_mirror(p, A);
    if (dlpi_cholesky(p, A) == 0) dlpi_cholesky_solve(p, A, theta);
    for (dlp_index j = 0; j < p; j++) theta[j] /= unit[j];
}

static bool is_inside(dlp_glm *g, const double *theta)
{
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, theta, at);
        for (dlp_index i = 0; i < g->rows.n; i++)
            if (!(g->rows.eta[i] > 0)) return false;
    }
    return true;
}

int dlpi_glm_start(void *state, double *theta)
{
    dlp_glm *g = state;
    if (!g->family->positive || g->data.p == 0) return 0;
    double *room = dlpi_calloc(dlpi_size(g->data.p, g->data.p + 1, 0), sizeof *room);
    if (!room) return 0;
    least_squares(g, false, room, theta);
    if (!is_inside(g, theta)) least_squares(g, true, room, theta);
    free(room);
    return 1;
}
