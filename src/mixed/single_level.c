/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/single_level.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;

static double weight_at(const dlpi_mixed_data *d, dlp_index r)
{
    return d->weight ? d->weight[r] : 1;
}

/* eta of rows first, ..., first + n - 1 */
static void predict(const dlpi_mixed_data *d, const double *beta, dlp_index first,
                    dlp_index n, double *eta)
{
    for (dlp_index i = 0; i < n; i++) eta[i] = d->offset ? d->offset[first + i] : 0;
    for (dlp_index j = 0; j < d->p; j++) {
        const double *x = d->X[j] + first;
        for (dlp_index i = 0; i < n; i++) eta[i] += beta[j] * x[i];
    }
}

/* H += sign sum_r h_r x_r x_r' over the rows whose h has that sign. */
static void add_curvature(const dlpi_mixed_data *d, dlp_index first, dlp_index n,
                          const double *h, double sign, double *room, double *H)
{
    double *root = room, *A = room + DLPI_TILE;
    bool any = false;
    for (dlp_index i = 0; i < n; i++) {
        any |= sign * h[i] > 0;
        root[i] = sqrt(fmax(sign * h[i], 0));
    }
    if (!any) return;
    for (dlp_index j = 0; j < d->p; j++) {
        const double *x = d->X[j] + first;
        for (dlp_index i = 0; i < n; i++) A[j * n + i] = root[i] * x[i];
    }
    dlpi_blas_syrk(d->p, n, sign, A, H, d->p);
}

dlp_index dlpi_single_level_room(const dlpi_mixed_data *d)
{
    return DLPI_TILE * (d->p + 3);
}

/* ---- a Gaussian response ---- */

dlp_status dlpi_single_level_make(const dlpi_mixed_data *d, const double *origin,
                                  dlpi_single_level *flat, dlp_error *error)
{
    const dlp_index p = d->p;
    *flat = (dlpi_single_level){.data = d};
    if (!d->is_linear) return DLP_OK;
    double *room = dlpi_calloc(dlpi_single_level_room(d), sizeof *room);
    flat->origin = dlpi_calloc(p * (p + 2), sizeof *flat->origin);
    if (!flat->origin || !room) {
        free(room);
        return dlpi_no_memory(error, "the columns of smooths");
    }
    flat->cross = flat->origin + p;
    flat->gram = flat->cross + p;
    memcpy(flat->origin, origin, (size_t)p * sizeof *origin);
    double *r = room + DLPI_TILE * (p + 1), *w = r + DLPI_TILE;
    for (dlp_index first = 0; first < d->N; first += DLPI_TILE) {
        const dlp_index n = d->N - first < DLPI_TILE ? d->N - first : DLPI_TILE;
        predict(d, origin, first, n, r);
        for (dlp_index i = 0; i < n; i++) {
            w[i] = weight_at(d, first + i);
            r[i] = d->y[first + i] - r[i];
            flat->weight += w[i];
            flat->squares += w[i] * r[i] * r[i];
        }
        add_curvature(d, first, n, w, 1, room, flat->gram);
        for (dlp_index i = 0; i < n; i++) r[i] *= w[i];
        for (dlp_index j = 0; j < p; j++)
            flat->cross[j] += dlpi_dot(n, d->X[j] + first, r);
    }
    free(room);
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index j = 0; j < i; j++) flat->gram[i * p + j] = flat->gram[j * p + i];
    return DLP_OK;
}

void dlpi_single_level_clear(dlpi_single_level *flat)
{
    free(flat->origin);
    *flat = (dlpi_single_level){0};
}

/* -W (log 2 pi / 2 + tau) - (r'Wr - 2 d'X'Wr + d'X'WX d) / 2 sigma^2, d = beta - origin */
static double add_quadratic(const dlpi_single_level *f, const double *beta, double tau,
                            double *room, double *gradient, double *H)
{
    const dlp_index p = f->data->p;
    const double precision = exp(-2 * tau);
    double *by = room, squares = f->squares;
    for (dlp_index j = 0; j < p; j++) by[j] = beta[j] - f->origin[j];
    for (dlp_index j = 0; j < p; j++) {
        const double Gd = dlpi_dot(p, f->gram + j * p, by);
        squares += by[j] * (Gd - 2 * f->cross[j]);
        gradient[j] += precision * (f->cross[j] - Gd);
        for (dlp_index k = j; k < p; k++) H[j * p + k] += precision * f->gram[j * p + k];
    }
    return -f->weight * (0.5 * LOG_2_PI + tau) - 0.5 * precision * squares;
}

/* ---- any ---- */

double dlpi_single_level_add(const dlpi_single_level *f, const double *beta,
                             const double *tau, dlpi_rows *tile, double *room,
                             double *gradient, double *H)
{
    const dlpi_mixed_data *d = f->data;
    double sum = 0, *h = room + DLPI_TILE * (d->p + 1);
    if (d->is_linear) return add_quadratic(f, beta, tau[0], room, gradient, H);
    dlpi_mixed_tell(d, tau, tile);
    for (dlp_index first = 0; first < d->N; first += DLPI_TILE) {
        const dlp_index n = d->N - first < DLPI_TILE ? d->N - first : DLPI_TILE;
        tile->n = n;
        tile->y = d->y + first;
        tile->trials = d->trials ? d->trials + first : NULL;
        tile->weight = NULL;
        predict(d, beta, first, n, tile->eta);
        d->likelihood(tile, tau[0], 2);
        for (dlp_index i = 0; i < n; i++) {
            const double w = weight_at(d, first + i);
            if (w == 0) tile->l[i] = tile->l_e[i] = tile->l_ee[i] = 0;
            sum += w * tile->l[i];
            h[i] = -w * tile->l_ee[i];
            tile->l_e[i] *= w;
        }
        if (!isfinite(sum)) return -INFINITY;
        for (dlp_index j = 0; j < d->p; j++)
            gradient[j] += dlpi_dot(n, d->X[j] + first, tile->l_e);
        add_curvature(d, first, n, h, 1, room, H);
        add_curvature(d, first, n, h, -1, room, H);
    }
    return sum;
}
