/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By Gram and Schmidt, twice: column j less its projections on those before it. With x_j
 * = sum_k R_kj q_k, where nothing is left of x_j, the combination c of the columns before
 * it solves R c = R_j.
 */
#include "regression/collinear.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    dlp_index N, p;
    double *q; /* (p, N) */
    double *R; /* (p, p), of columns of length 1 */
    double *c; /* (p) */
} work;

/* Loads column j, scaled to length 1; false where it is 0. */
static bool load(work *w, const double *x, dlp_index j)
{
    double *q = w->q + j * w->N, most = 0;
    for (dlp_index i = 0; i < w->N; i++) most = fmax(most, fabs(x[i]));
    if (!(most > 0)) return false;
    for (dlp_index i = 0; i < w->N; i++) q[i] = x[i] / most;
    const double length = sqrt(dlpi_dot(w->N, q, q));
    for (dlp_index i = 0; i < w->N; i++) q[i] /= length;
    return true;
}

/* What is left of it. */
static double project(const work *w, dlp_index j)
{
    double *q = w->q + j * w->N;
    for (int twice = 0; twice < 2; twice++)
        for (dlp_index k = 0; k < j; k++) {
            const double *other = w->q + k * w->N, r = dlpi_dot(w->N, other, q);
            w->R[k * w->p + j] += r;
            for (dlp_index i = 0; i < w->N; i++) q[i] -= r * other[i];
        }
    const double left = sqrt(dlpi_dot(w->N, q, q));
    w->R[j * w->p + j] = left;
    return left;
}

/* Solves R c = R_j, from the last row up. */
static void combine(const work *w, dlp_index j, dlpi_collinear *found)
{
    const double little = 1e-6;
    found->column = j;
    for (dlp_index k = j - 1; k >= 0; k--) {
        double sum = w->R[k * w->p + j];
        for (dlp_index l = k + 1; l < j; l++) sum -= w->R[k * w->p + l] * w->c[l];
        w->c[k] = sum / w->R[k * w->p + k];
    }
    for (dlp_index k = 0; k < j; k++)
        if (fabs(w->c[k]) > little) {
            if (found->n < DLPI_MOST_COLLINEAR) found->with[found->n] = k;
            found->n++;
        }
}

static void find(work *w, const dlp_glm_data *d, dlpi_collinear *found)
{
    const double nothing = 1e-10;
    for (dlp_index j = 0; j < w->p && found->column < 0; j++) {
        if (!load(w, d->x[j], j)) return; /* a column of zeros has a note of its own */
        const double left = project(w, j);
        if (left < nothing) combine(w, j, found);
        double *q = w->q + j * w->N;
        for (dlp_index i = 0; i < w->N; i++) q[i] /= left;
    }
}

/* As find does, but leaves out a column that others make up. */
static dlp_index count_own(work *w, const dlp_glm_data *d)
{
    const double nothing = 1e-10;
    dlp_index own = 0;
    for (dlp_index j = 0; j < d->p; j++) {
        double *q = w->q + own * w->N;
        if (!load(w, d->x[j], own)) continue;
        const double left = project(w, own);
        if (left < nothing) continue;
        for (dlp_index i = 0; i < w->N; i++) q[i] /= left;
        own++;
    }
    return own;
}

/* false: it would take too long, or there is no memory. */
static bool make_room(const dlp_glm_data *d, work *w)
{
    const double most = 1e8; /* operations: 0.1 s */
    *w = (work){.N = d->N, .p = d->p};
    if (d->p < 2 || d->p >= d->N || (double)d->N * (double)d->p * (double)d->p > most)
        return false;
    w->q = dlpi_calloc(dlpi_size(d->p, d->N, 0), sizeof *w->q);
    w->R = dlpi_calloc(dlpi_size(d->p, d->p, 0), sizeof *w->R);
    w->c = dlpi_calloc(d->p, sizeof *w->c);
    return w->q && w->R && w->c;
}

static void clear(work *w)
{
    free(w->q);
    free(w->R);
    free(w->c);
}

dlpi_collinear dlpi_collinear_find(const dlp_glm_data *d)
{
    dlpi_collinear found = {.column = -1};
    work w;
    if (make_room(d, &w)) find(&w, d, &found);
    clear(&w);
    return found;
}

dlp_index dlpi_column_rank(const dlp_glm_data *d)
{
    work w;
    const dlp_index rank = make_room(d, &w) ? count_own(&w, d) : d->p;
    clear(&w);
    return rank;
}
