/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of regressions on X, a tile of rows at a time. X is read where it lies, column
   by column; only the tile at hand is copied. */
#include "math/dense.h"
#include "math/lapack.h"
#include "model/glm_state.h"

#include <math.h>
#include <string.h>

void dlpi_tile_load(dlp_glm *g, const double *beta, dlp_index at)
{
    const dlp_glm_data *d = &g->data;
    dlpi_rows *r = &g->rows;
    r->n = d->N - at < DLPI_TILE ? d->N - at : DLPI_TILE;
    r->y = d->y + at;
    r->trials = d->trials ? d->trials + at : NULL;
    r->xi = g->xi ? g->xi + at : NULL;
    for (dlp_index i = 0; i < r->n; i++) r->eta[i] = d->offset ? d->offset[at + i] : 0;
    for (dlp_index j = 0; j < d->p; j++) {
        const double *x = d->x[j] + at, b = beta[j];
        for (dlp_index i = 0; i < r->n; i++) r->eta[i] += b * x[i];
    }
}

void dlpi_tile_add_xw(const dlp_glm *g, dlp_index at, const double *w, double *out,
                      dlp_index stride)
{
    for (dlp_index j = 0; j < g->data.p; j++)
        out[j * stride] += dlpi_dot(g->rows.n, g->data.x[j] + at, w);
}

/* The rows whose weight has the sign given, scaled by its root. */
static void add_xwx_of_sign(dlp_glm *g, dlp_index at, const double *w, double sign,
                            double *C)
{
    const dlp_index n = g->rows.n;
    double root[DLPI_TILE];
    bool any = false;
    for (dlp_index i = 0; i < n; i++) {
        root[i] = sign * w[i] > 0 ? sqrt(sign * w[i]) : 0;
        any |= root[i] > 0;
    }
    if (!any) return;
    for (dlp_index j = 0; j < g->data.p; j++) {
        const double *x = g->data.x[j] + at;
        for (dlp_index i = 0; i < n; i++) g->tile[j * n + i] = x[i] * root[i];
    }
    dlpi_blas_syrk(g->data.p, n, sign, g->tile, C, g->n);
}

void dlpi_tile_add_xwx(dlp_glm *g, dlp_index at, const double *w, double *C)
{
    add_xwx_of_sign(g, at, w, -1, C);
    add_xwx_of_sign(g, at, w, 1, C);
}

void dlpi_tile_variances(dlp_glm *g, dlp_index at, const double *S, double *c)
{
    const dlp_index p = g->data.p, n = g->rows.n;
    for (dlp_index j = 0; j < p; j++)
        memcpy(g->tile + j * n, g->data.x[j] + at, (size_t)n * sizeof *c);
    dlpi_blas_symm(p, n, S, g->n, g->tile, g->half);
    memset(c, 0, (size_t)n * sizeof *c);
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index i = 0; i < n; i++) c[i] += g->tile[j * n + i] * g->half[j * n + i];
}

void dlpi_tile_times(const dlp_glm *g, dlp_index at, const double *v, dlp_index stride,
                     double *out)
{
    memset(out, 0, (size_t)g->rows.n * sizeof *out);
    for (dlp_index j = 0; j < g->data.p; j++) {
        const double *x = g->data.x[j] + at, b = v[j * stride];
        for (dlp_index i = 0; i < g->rows.n; i++) out[i] += b * x[i];
    }
}

void dlpi_mirror(dlp_index n, double *H)
{
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < i; j++) H[i * n + j] = H[j * n + i];
}
