/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaf_products.h"

#include "core/core.h"
#include "math/dense.h"
#include "mixed/gaussian_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HALF_LOG_2_PI = 0.91893853320467274178;

/* ---- products ---- */

static void add_row(const dlpi_mixed_rows *rows, dlp_index row, double *of,
                    dlpi_leaf_products *to)
{
    const dlp_index q = rows->q, p = rows->p;
    const double *Z = rows->Z + row * q, *X = rows->X + row * p, w = rows->weight[row];
    const double r = rows->y[row] - rows->offset[row] - dlpi_dot(p, X, to->origin);
    if (w == 0) return;
    double *ZZ = of, *ZX = ZZ + q * q, *Zr = ZX + q * p;
    for (dlp_index i = 0; i < q; i++) {
        for (dlp_index j = 0; j < q; j++) ZZ[i * q + j] += w * Z[i] * Z[j];
        dlpi_axpy(p, w * Z[i], X, ZX + i * p);
        Zr[i] += w * Z[i] * r;
    }
    for (dlp_index i = 0; i < p; i++) dlpi_axpy(p, w * X[i], X, to->XX + i * p);
    dlpi_axpy(p, w * r, X, to->Xr);
    to->rr += w * r * r;
    to->weight += w;
}

dlp_status dlpi_leaf_products_make(const dlpi_mixed_rows *rows, const double *origin,
                                   dlpi_leaf_products *to, dlp_error *error)
{
    const dlp_index q = rows->q, p = rows->p, size = q * (q + p + 1);
    *to = (dlpi_leaf_products){.size = size};
    to->of = dlpi_calloc(rows->L, (size_t)size * sizeof *to->of);
    to->origin = dlpi_calloc(p * (p + 2), sizeof *to->origin);
    if (!to->of || !to->origin) return dlpi_no_memory(error, "a mixed model");
    to->Xr = to->origin + p;
    to->XX = to->Xr + p;
    memcpy(to->origin, origin, (size_t)p * sizeof *origin);
    for (dlp_index g = 0; g < rows->L; g++)
        for (dlp_index row = rows->begin[g]; row < rows->begin[g + 1]; row++)
            add_row(rows, row, to->of + g * size, to);
    return DLP_OK;
}

void dlpi_leaf_products_clear(dlpi_leaf_products *products)
{
    free(products->of);
    free(products->origin);
    *products = (dlpi_leaf_products){.size = 0};
}

/* ---- one leaf ---- */

typedef struct room {
    double *d, *gradient, *H; /* (p), (p), (p, p) */
    double *U, *work;         /* (q, q) */
} room;

static room divide(const dlpi_mixed_rows *rows, double *all)
{
    const dlp_index p = rows->p, q = rows->q;
    room r = {.d = all};
    r.gradient = r.d + p;
    r.H = r.gradient + p;
    r.U = r.H + p * p;
    r.work = r.U + q * q;
    return r;
}

dlp_index dlpi_leaf_products_room(const dlpi_mixed_rows *rows)
{
    return rows->p * (rows->p + 2) + 2 * rows->q * rows->q;
}

/* U'^-1 of rows i of B (q, p), then U^-1 of these. */
static void solve_forward(dlp_index q, const double *U, dlp_index p, double *B)
{
    for (dlp_index i = 0; i < q; i++) {
        for (dlp_index k = 0; k < i; k++)
            for (dlp_index j = 0; j < p; j++) B[i * p + j] -= U[k * q + i] * B[k * p + j];
        for (dlp_index j = 0; j < p; j++) B[i * p + j] /= U[i * (q + 1)];
    }
}

static void solve_back(dlp_index q, const double *U, dlp_index p, double *B)
{
    for (dlp_index i = q - 1; i >= 0; i--) {
        for (dlp_index k = i + 1; k < q; k++)
            for (dlp_index j = 0; j < p; j++) B[i * p + j] -= U[i * q + k] * B[k * p + j];
        for (dlp_index j = 0; j < p; j++) B[i * p + j] /= U[i * (q + 1)];
    }
}

/* Adds leaf g to the room's sums, and sets b and what is kept of it. Returns the logarithm of |C| /
   |P|, NAN where C is not positive definite; *square = v'C^-1 v. */
static double add_leaf(const dlpi_mixed_rows *rows, const dlpi_leaf_prior *prior,
                       double precision, const double *of, const room *to, double *b,
                       double *kept, double *square)
{
    const dlp_index q = rows->q, p = rows->p;
    const double *ZZ = of, *ZX = ZZ + q * q, *Zr = ZX + q * p;
    double *mean = kept, *variance = mean + q, *slope = variance + q * q;
    for (dlp_index i = 0; i < q * q; i++) to->U[i] = prior->P[i] + precision * ZZ[i];
    if (dlpi_cholesky(q, to->U) >= 0) return NAN;
    for (dlp_index i = 0; i < q; i++) {
        double v = Zr[i];
        for (dlp_index j = 0; j < p; j++) {
            v -= ZX[i * p + j] * to->d[j];
            slope[i * p + j] = -precision * ZX[i * p + j];
        }
        mean[i] = precision * v;
    }
    solve_forward(q, to->U, 1, mean);
    solve_forward(q, to->U, p, slope);
    *square = 0;
    for (dlp_index i = 0; i < q; i++) {
        const double *s = slope + i * p;
        *square += mean[i] * mean[i];
        for (dlp_index j = 0; j < p; j++) {
            to->gradient[j] += mean[i] * s[j];
            for (dlp_index k = j; k < p; k++) to->H[j * p + k] -= s[j] * s[k];
        }
    }
    solve_back(q, to->U, 1, mean);
    solve_back(q, to->U, p, slope);
    dlpi_cholesky_inverse(q, to->U, to->work, variance);
    memcpy(b, mean, (size_t)q * sizeof *b);
    return 2 * dlpi_half_log_det(q, to->U) - prior->log_det;
}

/* ---- all ---- */

/* What does not depend on leaves: -(r - X d)'W(r - X d) / 2 s^2 - W (tau + log(2 pi) / 2) */
static double add_beta(const dlpi_leaf_products *of, dlp_index p, double tau,
                       const room *r, double *gradient, double *H)
{
    const double precision = exp(-2 * tau);
    double square = of->rr;
    for (dlp_index j = 0; j < p; j++) {
        const double XXd = dlpi_dot(p, of->XX + j * p, r->d);
        square += r->d[j] * (XXd - 2 * of->Xr[j]);
        gradient[j] += precision * (of->Xr[j] - XXd) + r->gradient[j];
        for (dlp_index k = j; k < p; k++)
            H[j * p + k] += precision * of->XX[j * p + k] + r->H[j * p + k];
    }
    return -0.5 * precision * square - of->weight * (tau + HALF_LOG_2_PI);
}

bool dlpi_leaf_products_add(const dlpi_leaf_products *of, const dlpi_mixed_rows *rows,
                            const dlpi_leaf_prior *prior, const double *beta, double *b,
                            double *kept, double *all, double *gradient, double *H,
                            double *height, double *integrals)
{
    const dlp_index p = rows->p, q = rows->q, each = q * (1 + q + p);
    const double tau = prior->tau[0], precision = exp(-2 * tau);
    const double most = 18; /* log |C| / |P|, where differences keep 8 digits */
    const room r = divide(rows, all);
    double squares = 0, log_dets = 0;
    memset(r.gradient, 0, (size_t)(p * (p + 1)) * sizeof *r.gradient);
    for (dlp_index j = 0; j < p; j++) r.d[j] = beta[j] - of->origin[j];
    for (dlp_index g = 0; g < rows->L; g++) {
        double square = 0;
        const double more = add_leaf(rows, prior, precision, of->of + g * of->size, &r,
                                     b + g * q, kept + g * each, &square);
        if (!(more < most)) return false;
        squares += square;
        log_dets += more;
    }
    const double rest = add_beta(of, p, tau, &r, gradient, H);
    *height = rest + 0.5 * squares + 0.5 * (double)rows->L * prior->log_det;
    *integrals = rest + 0.5 * squares - 0.5 * log_dets;
    return true;
}
