/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * By Gram and Schmidt, twice: column j less its projections on those before it. With x_j
 * = sum_k R_kj q_k, where nothing is left of x_j, the combination c of the columns before
 * it solves R c = R_j.
 */
#include "regression/collinear.h"

#include "comm/division.h"
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const dlp_glm_data *d;
    dlp_index N, p;
    dlp_index from, to; /* the rows that this process has */
    double *q;          /* (p, N) */
    double *R;          /* (p, p), of columns of length 1 */
    double *c;          /* (p) */
} work;

typedef struct product {
    const double *a, *b;
} product;

static void add_product(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const product *of = context;
    *sum += dlpi_dot(to - from, of->a + from, of->b + from);
}

static double product_of(const work *w, const double *a, const double *b)
{
    const product of = {a, b};
    double sum;
    dlpi_division_sum(w->d->division, w->N, 1, add_product, &of, &sum);
    return sum;
}

static void divide(const work *w, double *q, double by)
{
    for (dlp_index i = w->from; i < w->to; i++) q[i] /= by;
}

/* Loads column j, scaled to length 1; false where it is 0. */
static bool load(work *w, const double *x, dlp_index j)
{
    double *q = w->q + j * w->N, most = 0;
    for (dlp_index i = w->from; i < w->to; i++) most = fmax(most, fabs(x[i]));
    most = dlpi_division_most(w->d->division, most);
    if (!(most > 0)) return false;
    for (dlp_index i = w->from; i < w->to; i++) q[i] = x[i] / most;
    divide(w, q, sqrt(product_of(w, q, q)));
    return true;
}

/* What is left of it. */
static double project(const work *w, dlp_index j)
{
    double *q = w->q + j * w->N;
    for (int twice = 0; twice < 2; twice++)
        for (dlp_index k = 0; k < j; k++) {
            const double *other = w->q + k * w->N, r = product_of(w, other, q);
            w->R[k * w->p + j] += r;
            for (dlp_index i = w->from; i < w->to; i++) q[i] -= r * other[i];
        }
    const double left = sqrt(product_of(w, q, q));
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
        divide(w, w->q + j * w->N, left);
    }
}

/* As find does, but leaves out a column that others make up. */
static dlp_index count_own(work *w, const dlp_glm_data *d)
{
    const double nothing = 1e-10;
    dlp_index own = 0;
    for (dlp_index j = 0; j < d->p; j++) {
        if (!load(w, d->x[j], own)) continue;
        const double left = project(w, own);
        if (left < nothing) continue;
        divide(w, w->q + own * w->N, left);
        own++;
    }
    return own;
}

/* false: it would take too long, or there is no memory. */
static bool make_room(const dlp_glm_data *d, dlpi_spill *spill, work *w)
{
    const double most = 1e8; /* operations: 0.1 s */
    *w = (work){.d = d,
                .N = d->N,
                .p = d->p,
                .from = dlpi_rows_from(d->division),
                .to = dlpi_rows_to(d->division, d->N)};
    if (d->p < 2 || d->p >= d->N || (double)d->N * (double)d->p * (double)d->p > most)
        return false;
    w->q = dlpi_rows_alloc(spill, dlpi_size(d->p, d->N, 0), sizeof *w->q);
    w->R = dlpi_calloc(dlpi_size(d->p, d->p, 0), sizeof *w->R);
    w->c = dlpi_calloc(d->p, sizeof *w->c);
    return !dlpi_division_any(d->division, !w->q || !w->R || !w->c);
}

static void clear(work *w)
{
    dlpi_rows_free(w->q);
    free(w->R);
    free(w->c);
}

dlpi_collinear dlpi_collinear_find(const dlp_glm_data *d, dlpi_spill *spill)
{
    dlpi_collinear found = {.column = -1};
    work w;
    if (make_room(d, spill, &w)) find(&w, d, &found);
    clear(&w);
    return found;
}

dlp_index dlpi_column_rank(const dlp_glm_data *d, dlpi_spill *spill)
{
    work w;
    const dlp_index rank = make_room(d, spill, &w) ? count_own(&w, d) : d->p;
    clear(&w);
    return rank;
}
