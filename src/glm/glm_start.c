/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The start of a fit whose linear predictor must be positive: the coefficients that, by
 * least squares, give every row the overall mean or, if that is not positive everywhere,
 * its own response.
 */
#include "comm/division.h"
#include "core/core.h"
#include "glm/glm_state.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* What is summed over rows, and how. */
typedef struct rows {
    dlp_glm *g;
    const double *unit; /* (p) of the columns */
    const double *theta;
    double mean;
    bool own;
} rows;

/* sum: w y, and w */
static void add_responses(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const dlp_glm_data *d = &((const rows *)context)->g->data;
    for (dlp_index i = from; i < to; i++) {
        const double w = d->weight ? d->weight[i] : 1;
        sum[0] += w * d->y[i];
        sum[1] += w;
    }
}

static double mean_response(dlp_glm *g)
{
    double sum[2];
    const rows of = {.g = g};
    dlpi_division_sum(g->data.division, g->data.N, 2, add_responses, &of, sum);
    return sum[1] > 0 ? sum[0] / sum[1] : 0;
}

/* eta of a mean above 0 */
static double target_of(const dlp_glm *g, dlp_index i, bool own, double mean)
{
    const double m = 0.5 + (own ? g->data.y[i] : mean);
    const double eta = g->family->linear ? m : sqrt(m);
    return eta - (g->data.offset ? g->data.offset[i] : 0);
}

static double largest(const dlp_glm_data *d, const double *x)
{
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    double most = 0;
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++)
        most = fmax(most, fabs(x[i]));
    most = dlpi_division_most(d->division, most);
    return most > 0 ? most : 1;
}

/* sum: X'X (p, p), of which the upper triangle is filled, then X'target (p) */
static void add_squares(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const rows *of = context;
    const dlp_glm *g = of->g;
    const dlp_index p = g->data.p;
    for (dlp_index j = 0; j < p; j++) {
        const double *x = g->data.x[j];
        for (dlp_index k = j; k < p; k++)
            sum[j * p + k] += dlpi_dot(to - from, x + from, g->data.x[k] + from) /
                              of->unit[j] / of->unit[k];
        for (dlp_index i = from; i < to; i++)
            sum[p * p + j] += x[i] / of->unit[j] * target_of(g, i, of->own, of->mean);
    }
}

/* (X'X + ridge) theta = X'target, with columns in units of their largest number; room (p,
   p + 2). */
static void least_squares(dlp_glm *g, bool own, double *room, double *theta)
{
    const dlp_index N = g->data.N, p = g->data.p;
    const double little = 1e-9;
    double *A = room, *target = room + p * p, *unit = target + p;
    memset(theta, 0, (size_t)g->n * sizeof *theta);
    for (dlp_index j = 0; j < p; j++) unit[j] = largest(&g->data, g->data.x[j]);
    const rows of = {.g = g, .unit = unit, .mean = mean_response(g), .own = own};
    dlpi_division_sum(g->data.division, N, p * p + p, add_squares, &of, room);
    for (dlp_index j = 0; j < p; j++) A[j * p + j] += little * (double)N;
    memcpy(theta, target, (size_t)p * sizeof *theta);
    dlpi_mirror(p, A);
    if (dlpi_cholesky(p, A) == 0) dlpi_cholesky_solve(p, A, theta);
    for (dlp_index j = 0; j < p; j++) theta[j] /= unit[j];
}

/* sum: how many rows have no mean above 0 */
static void count_outside(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const rows *of = context;
    dlp_glm *g = of->g;
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        dlpi_tile_load(g, of->theta, at);
        for (dlp_index i = 0; i < g->rows.n && at + i < to; i++)
            *sum += !(g->rows.eta[i] > 0);
    }
}

static bool is_inside(dlp_glm *g, const double *theta)
{
    double outside;
    const rows of = {.g = g, .theta = theta};
    dlpi_division_sum(g->data.division, g->data.N, 1, count_outside, &of, &outside);
    return outside == 0;
}

int dlpi_glm_start(void *state, double *theta)
{
    dlp_glm *g = state;
    if (!g->family->positive || g->data.p == 0) return 0;
    double *room = dlpi_calloc(dlpi_size(g->data.p, g->data.p + 2, 0), sizeof *room);
    if (!room) return 0;
    least_squares(g, false, room, theta);
    if (!is_inside(g, theta)) least_squares(g, true, room, theta);
    free(room);
    return 1;
}
