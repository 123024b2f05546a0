/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of regressions on X, a tile of rows at a time. X is read in place, column by
   column; only the current tile is copied. */
#include "glm/glm_state.h"
#include "math/clones.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

/* The number of columns processed together: so many streams from memory share the loads
   of a vector over the rows. */
enum { TOGETHER = 4 };

/* out += the sum of b[k] x[k] over `columns` columns */
DLPI_INLINE void add_columns(int columns, dlp_index n, const double *const *x,
                             dlp_index at, const double *b, dlp_index stride,
                             double *restrict out)
{
    if (columns == TOGETHER) {
        const double *x0 = x[0] + at, *x1 = x[1] + at, *x2 = x[2] + at, *x3 = x[3] + at;
        const double b0 = b[0], b1 = b[stride], b2 = b[2 * stride], b3 = b[3 * stride];
        DLPI_SIMD()
        for (dlp_index i = 0; i < n; i++)
            out[i] += (b0 * x0[i] + b1 * x1[i]) + (b2 * x2[i] + b3 * x3[i]);
        return;
    }
    for (int k = 0; k < columns; k++) {
        const double *xk = x[k] + at, bk = b[k * stride];
        DLPI_SIMD()
        for (dlp_index i = 0; i < n; i++) out[i] += bk * xk[i];
    }
}

DLPI_CLONES
static void add_x_times(dlp_index p, dlp_index n, const double *const *x, dlp_index at,
                        const double *b, dlp_index stride, double *out)
{
    dlp_index j = 0;
    for (; j + TOGETHER <= p; j += TOGETHER)
        add_columns(TOGETHER, n, x + j, at, b + j * stride, stride, out);
    add_columns((int)(p - j), n, x + j, at, b + j * stride, stride, out);
}

void dlpi_tile_load(dlp_glm *g, const double *beta, dlp_index at)
{
    const dlp_glm_data *d = &g->data;
    dlpi_rows *r = &g->rows;
    r->n = d->N - at < DLPI_TILE ? d->N - at : DLPI_TILE;
    r->y = d->y + at;
    r->trials = d->trials ? d->trials + at : NULL;
    r->weight = d->weight ? d->weight + at : NULL;
    r->df = g->n > d->p ? dlpi_second_scale(g->family->of, beta, d->p, d->df) : d->df;
    r->xi = g->xi ? g->xi + at : NULL;
    for (dlp_index i = 0; i < r->n; i++) r->eta[i] = d->offset ? d->offset[at + i] : 0;
    add_x_times(d->p, r->n, d->x, at, beta, 1, r->eta);
}

/* Weights only the requested derivatives; the others are stale. A row of weight 0
   contributes nothing, even if its likelihood is 0. */
static void weigh(dlpi_rows *r, int order)
{
    double *const written[][4] = {{r->l},
                                  {r->l_e, r->l_t},
                                  {r->l_ee, r->l_et, r->l_tt},
                                  {r->l_eee, r->l_eet, r->l_ett, r->l_ttt},
                                  {r->l_eeee}};
    for (int k = 0; k <= order; k++)
        for (int j = 0; j < 4 && written[k][j]; j++)
            for (dlp_index i = 0; i < r->n; i++)
                written[k][j][i] = r->weight[i] > 0 ? r->weight[i] * written[k][j][i] : 0;
}

static void weigh_second(dlpi_rows *r)
{
    double *const written[] = {r->l_s,   r->l_ss, r->l_sss, r->l_es,  r->l_ees,
                               r->l_ess, r->l_ts, r->l_tts, r->l_tss, r->l_ets};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++)
        for (dlp_index i = 0; i < r->n; i++)
            written[k][i] = r->weight[i] > 0 ? r->weight[i] * written[k][i] : 0;
}

void dlpi_tile_evaluate(dlp_glm *g, double tau, int order)
{
    g->family->evaluate(&g->rows, tau, order);
    if (g->rows.weight) weigh(&g->rows, order);
    if (g->rows.weight && g->family->of->second && order > 0) weigh_second(&g->rows);
}

void dlpi_tile_add_xw(const dlp_glm *g, dlp_index at, const double *w, double *out,
                      dlp_index stride)
{
    for (dlp_index j = 0; j < g->data.p; j++)
        out[j * stride] += dlpi_dot(g->rows.n, g->data.x[j] + at, w);
}

/* root_i = sqrt(sign w_i), or 0 for the other sign; returns whether any is not 0. */
DLPI_CLONES
static bool roots_of_sign(dlp_index n, const double *w, double sign, double *root)
{
    bool any = false;
    for (dlp_index i = 0; i < n; i++) {
        const double s = sign * w[i] > 0 ? sign * w[i] : 0;
        root[i] = sqrt(s);
        any |= s > 0;
    }
    return any;
}

DLPI_CLONES
static void scale_columns(dlp_index p, dlp_index n, const double *const *x, dlp_index at,
                          const double *root, double *restrict tile)
{
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index i = 0; i < n; i++) tile[j * n + i] = x[j][at + i] * root[i];
}

/* The rows whose weight has the sign given, scaled by its root. */
static void add_xwx_of_sign(dlp_glm *g, dlp_index at, const double *w, double sign,
                            double *C)
{
    double root[DLPI_TILE];
    if (!roots_of_sign(g->rows.n, w, sign, root)) return;
    scale_columns(g->data.p, g->rows.n, g->data.x, at, root, g->tile);
    dlpi_blas_syrk(g->data.p, g->rows.n, sign, g->tile, C, g->n);
}

void dlpi_tile_add_xwx(dlp_glm *g, dlp_index at, const double *w, double *C)
{
    add_xwx_of_sign(g, at, w, -1, C);
    add_xwx_of_sign(g, at, w, 1, C);
}

static void copy_columns(dlp_glm *g, dlp_index at)
{
    const size_t bytes = (size_t)g->rows.n * sizeof *g->tile;
    for (dlp_index j = 0; j < g->data.p; j++)
        memcpy(g->tile + j * g->rows.n, g->data.x[j] + at, bytes);
}

/* c_i = sum_j a_ji b_ji */
DLPI_CLONES
static void sum_of_products(dlp_index p, dlp_index n, const double *a, const double *b,
                            double *restrict c)
{
    for (dlp_index i = 0; i < n; i++) c[i] = 0;
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index i = 0; i < n; i++) c[i] += a[j * n + i] * b[j * n + i];
}

void dlpi_tile_variances(dlp_glm *g, dlp_index at, const double *S, double *c)
{
    copy_columns(g, at);
    dlpi_blas_symm(g->data.p, g->rows.n, S, g->n, g->tile, g->half);
    sum_of_products(g->data.p, g->rows.n, g->tile, g->half, c);
}

bool dlpi_tile_root(dlp_glm *g, const double *S)
{
    const dlp_index p = g->data.p;
    if (p <= DLPI_BLAS_SMALL || p > DLPI_TILE) return false;
    for (dlp_index j = 0; j < p; j++)
        memcpy(g->half + j * p, S + j * g->n, (size_t)p * sizeof *S);
    return dlpi_cholesky(p, g->half) < 0;
}

void dlpi_tile_variances_by_root(dlp_glm *g, dlp_index at, double *c)
{
    copy_columns(g, at);
    dlpi_blas_trmm(g->data.p, g->rows.n, g->half, g->tile);
    sum_of_products(g->data.p, g->rows.n, g->tile, g->tile, c);
}

void dlpi_tile_times(const dlp_glm *g, dlp_index at, const double *v, dlp_index stride,
                     double *out)
{
    memset(out, 0, (size_t)g->rows.n * sizeof *out);
    add_x_times(g->data.p, g->rows.n, g->data.x, at, v, stride, out);
}
