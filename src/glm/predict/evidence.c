/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The next terms of Laplace's expansion of an integral (Shun & McCullagh, JRSS B 57, 1995).
 * With f3 and f4 the third and fourth derivatives of a row's log density by eta, and c_nm =
 * x_n'C x_m, log p(y) is Laplace's f(mode) + 1/2 log|2 pi C| and
 *
 *   1/8 sum_n f4_n c_nn^2 + 1/12 sum_nm f3_n f3_m c_nm^3
 *                         + 1/8  sum_nm f3_n f3_m c_nn c_nm c_mm.
 *
 * The delta method's objective already includes the last sum: that is its gain over
 * Laplace's. Where rows are few for the columns, each has much leverage, c_nn f2_n near
 * -1, and the sums grow with their number: they matter for how likely a scale is.
 */
#include "glm/predict/evidence.h"

#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

typedef struct rows {
    double *f3, *f4; /* (N) */
    double *own;     /* (N) c_nn */
    double number;   /* of parameters that the rows determine: sum_n -f2_n c_nn */
} rows;

static void take_rows(dlp_glm *g, const double *mu, const double *C, rows *all)
{
    const dlpi_rows *r = &g->rows;
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, mu, at);
        dlpi_tile_evaluate(g, g->held_tau, 4);
        memcpy(all->f3 + at, r->l_eee, (size_t)r->n * sizeof *all->f3);
        memcpy(all->f4 + at, r->l_eeee, (size_t)r->n * sizeof *all->f4);
        dlpi_tile_variances(g, at, C, all->own + at);
        all->number -= dlpi_dot(r->n, r->l_ee, all->own + at);
    }
}

/* The sums over n and m, each in a tile; glm->half holds C x_n for the tile's n_rows
   rows. */
static double add_tiles(dlp_glm *g, const rows *all, dlp_index n_at, dlp_index n_rows,
                        dlp_index m_at, bool delta)
{
    const double *f3_m = all->f3 + m_at, *own_m = all->own + m_at;
    double c[DLPI_TILE], sum = 0;
    for (dlp_index n = 0; n < n_rows; n++) {
        double cubes = 0, chains = 0;
        dlpi_tile_times(g, m_at, g->half + n, n_rows, c);
        for (dlp_index m = 0; m < g->rows.n; m++) {
            cubes += f3_m[m] * c[m] * c[m] * c[m];
            chains += f3_m[m] * c[m] * own_m[m];
        }
        sum += all->f3[n_at + n] * cubes / 12;
        if (!delta) sum += all->f3[n_at + n] * all->own[n_at + n] * chains / 8;
    }
    return sum;
}

dlp_index dlpi_evidence_room(const dlp_glm *g)
{
    return dlpi_size(3, g->data.N, 0);
}

double dlpi_evidence_correction(dlp_glm *g, const double *mu, const double *C, bool delta,
                                double *work)
{
    const dlp_index N = g->data.N;
    rows all = {.f3 = work, .f4 = work + N, .own = work + 2 * N};
    double sum = 0;
    take_rows(g, mu, C, &all);
    for (dlp_index n = 0; n < N; n++) sum += all.f4[n] * all.own[n] * all.own[n] / 8;
    for (dlp_index n_at = 0; n_at < N; n_at += DLPI_TILE) {
        dlpi_tile_load(g, mu, n_at);
        dlpi_tile_variances(g, n_at, C, all.own + n_at); /* also sets glm->half */
        const dlp_index n_rows = g->rows.n;
        for (dlp_index m_at = 0; m_at < N; m_at += DLPI_TILE) {
            dlpi_tile_load(g, mu, m_at);
            sum += add_tiles(g, &all, n_at, n_rows, m_at, delta);
        }
    }
    /* beyond a nat a parameter it cannot be trusted: -H is nearly singular */
    return fabs(sum) < all.number ? sum : 0;
}
