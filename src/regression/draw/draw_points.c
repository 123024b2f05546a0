/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws of a mixed model's scales and coefficients, from its points (scale_points.h).
 * Every point x is used equally often, and moved a little so that no two draws are the
 * same:
 *
 *   E[x] + sqrt(1 - h^2) (x - E[x]) + h L z,   Var[x] = LL',
 *
 * which has the mean and the covariance of the points (West, JRSS B 55, 1993).
 */
#include "core/core.h"
#include "glm/predict/predict.h"
#include "math/shuffle.h"
#include "math/symmetric/structure.h"
#include "regression/draw/draws.h"
#include "regression/draw/scale_points.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

enum { POINT_STREAM = 1 << 25 };
static const double h = 0.08; /* more would show in the quantiles of a skewed margin */

typedef struct work {
    const struct dlpi_scale_points *s;
    double *mean, *root; /* (m), (m, m) of the points */
    double *L;           /* (p, p) of R */
    double *z;           /* (m or p) */
    dlp_index *order;    /* (n) */
} work;

static void measure(const work *w)
{
    const struct dlpi_scale_points *s = w->s;
    const dlp_index m = s->m;
    const double share = 1 / (double)s->n;
    for (dlp_index i = 0; i < s->n; i++)
        for (dlp_index j = 0; j < m; j++) w->mean[j] += share * s->value[i * m + j];
    for (dlp_index i = 0; i < s->n; i++)
        for (dlp_index j = 0; j < m; j++)
            for (dlp_index k = 0; k <= j; k++)
                w->root[j * m + k] += share * (s->value[i * m + j] - w->mean[j]) *
                                      (s->value[i * m + k] - w->mean[k]);
    dlpi_root(m, w->root);
    memcpy(w->L, s->R, (size_t)(s->p * s->p) * sizeof *w->L);
    dlpi_root(s->p, w->L);
}

/* x (m) near point i. */
static void draw_scales(const work *w, dlp_index i, dlp_rng *rng, double *x)
{
    const dlp_index m = w->s->m;
    const double *at = w->s->value + i * m, keep = sqrt(1 - h * h);
    for (dlp_index j = 0; j < m; j++) w->z[j] = dlp_draw_normal(rng);
    for (dlp_index j = 0; j < m; j++) {
        x[j] = w->mean[j] + keep * (at[j] - w->mean[j]);
        for (dlp_index k = 0; k <= j; k++) x[j] += h * w->root[j * m + k] * w->z[k];
    }
}

/* theta (p) there. */
static void draw_coefficients(const work *w, dlp_index i, dlp_rng *rng, double *theta)
{
    const dlp_index p = w->s->p, at = w->s->gaussian[i] * p;
    for (dlp_index j = 0; j < p; j++) w->z[j] = dlp_draw_normal(rng);
    for (dlp_index j = 0; j < p; j++) {
        double sum = 0;
        for (dlp_index k = 0; k <= j; k++) sum += w->L[j * p + k] * w->z[k];
        theta[j] = w->s->mean[at + j] + w->s->sd[at + j] * sum;
    }
}

static void draw_all(dlpi_drawing *d, const work *w)
{
    const struct dlpi_scale_points *s = w->s;
    const dlp_index n = d->of->result.n;
    dlp_rng rng = dlp_rng_at(d->s.seed, POINT_STREAM);
    for (dlp_index k = 0; k < d->s.n; k++) {
        if (k % s->n == 0) dlpi_shuffle(s->n, &rng, w->order);
        const dlp_index i = w->order[k % s->n];
        double *theta = d->theta + k * n;
        draw_scales(w, i, &rng, d->scale + k * s->m);
        draw_coefficients(w, i, &rng, theta);
        const dlp_index own = n - s->p; /* tau come last */
        memcpy(theta + s->p, d->scale + (k + 1) * s->m - own,
               (size_t)own * sizeof *theta);
    }
}

dlp_status dlpi_draw_points(dlpi_drawing *d, dlp_error *error)
{
    const struct dlpi_scale_points *s = d->of->scales;
    const dlp_index m = s->m, p = s->p, n = d->of->result.n;
    double *room = dlpi_calloc(m + m * m + p * p + (m > p ? m : p), sizeof *room);
    dlp_index *order = dlpi_calloc(s->n, sizeof *order);
    d->theta = dlpi_calloc(dlpi_size(d->s.n, n, 0), sizeof *d->theta);
    d->scale = dlpi_calloc(dlpi_size(d->s.n, m, 0), sizeof *d->scale);
    const bool there = room && order && d->theta && d->scale;
    if (there) {
        work w = {.s = s, .mean = room, .root = room + m, .L = room + m + m * m};
        w.z = w.L + p * p;
        w.order = order;
        measure(&w);
        draw_all(d, &w);
    }
    free(room);
    free(order);
    return there ? DLP_OK : dlpi_no_memory(error, "the draws");
}
