/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/psi_points.h"

#include "core/core.h"
#include "infer/explore_adapt.h"
#include "infer/psi_polynomial.h"
#include "math/normal_lattice.h"
#include "math/weighted.h"

#include <math.h>
#include <string.h>

enum { LATTICE = 2039 }; /* an odd prime */

/* ---- a grid ---- */

/* How far log p is from that of N(0, I) in u at a point. */
static double beyond_normal(const dlpi_explore *e, int point)
{
    double square = 0;
    for (dlp_index k = 0; k < e->m; k++) {
        const double u = e->apart * e->place[point * e->m + k];
        square += u * u;
    }
    return e->log_p[point] - e->log_mode + 0.5 * square;
}

/* The deviation at every point and its curvature, precomputed because many fine points
   use them. */
typedef struct surface {
    const dlpi_explore *e;
    double *beyond; /* (points) */
    double *bend;   /* (points, m) */
} surface;

/* The curvature at a place along k, in units of the spacing; at an edge, from the places
   behind it. */
static double bend_at(const surface *s, dlp_index at, dlp_index k)
{
    const dlpi_explore *e = s->e;
    dlp_index wide = 1;
    for (dlp_index i = k + 1; i < e->m; i++) wide *= 2 * e->reach + 1;
    const int point = e->at_place[at], place = e->place[point * e->m + k];
    for (int shift = 0; shift < 3; shift++) { /* centred here, one lower, one higher */
        const int to = shift == 0 ? 0 : shift == 1 ? -1 : 1;
        if (abs(place + to - 1) > e->reach || abs(place + to + 1) > e->reach) continue;
        const int low = e->at_place[at + (to - 1) * wide],
                  mid = e->at_place[at + to * wide],
                  high = e->at_place[at + (to + 1) * wide];
        if (low < 0 || mid < 0 || high < 0) continue;
        const double bend = s->beyond[low] - 2 * s->beyond[mid] + s->beyond[high];
        if (isfinite(bend)) return bend;
    }
    return 0;
}

static dlp_status surface_make(const dlpi_explore *e, surface *s, dlp_error *error)
{
    dlp_index places = 1;
    for (dlp_index k = 0; k < e->m; k++) places *= 2 * e->reach + 1;
    *s = (surface){.e = e};
    s->beyond = dlpi_calloc(e->points, (size_t)(e->m + 1) * sizeof *s->beyond);
    if (!s->beyond) return dlpi_no_memory(error, "the scales");
    s->bend = s->beyond + e->points;
    for (int i = 0; i < e->points; i++) s->beyond[i] = beyond_normal(e, i);
    for (dlp_index at = 0; at < places; at++)
        for (dlp_index k = 0; e->at_place[at] >= 0 && k < e->m; k++)
            s->bend[e->at_place[at] * e->m + k] = bend_at(s, at, k);
    return DLP_OK;
}

/* The same between points, from the corners that exist; place (m) is in units of the
   spacing. Linear in each direction, corrected by the curvature of four points on a line:
   f(t) = (1 - t) f_0 + t f_1 - t (1 - t) {(2 - t) f_0'' + (1 + t) f_1''} / 6 */
static double between(const surface *s, const double *place)
{
    const dlpi_explore *e = s->e;
    double sum = 0, all = 0, t[5] = {0};
    int low[5] = {0};
    for (dlp_index k = 0; k < e->m; k++) {
        low[k] = (int)floor(place[k]);
        t[k] = place[k] - floor(place[k]);
    }
    for (int corner = 0; corner < 1 << e->m; corner++) {
        dlp_index at = 0;
        double share = 1;
        bool inside = true;
        for (dlp_index k = 0; k < e->m; k++) {
            const int i = low[k] + (corner >> k & 1);
            share *= corner >> k & 1 ? t[k] : 1 - t[k];
            inside = inside && i >= -e->reach && i <= e->reach;
            at = at * (2 * e->reach + 1) + i + e->reach;
        }
        if (!inside || share == 0 || e->at_place[at] < 0) continue;
        const int point = e->at_place[at];
        double value = s->beyond[point];
        for (dlp_index k = 0; k < e->m; k++) {
            const double far = corner >> k & 1 ? 1 - t[k] : t[k];
            /* of the share 1 - far, (1 - far) far (2 - far) / 6 */
            if (far > 0 && far < 1)
                value -= far * (2 - far) / 6 * s->bend[point * e->m + k];
        }
        sum += share * value;
        all += share;
    }
    return sum / all;
}

/* Where in its box, from 0 to 1, the i-th fine point lies along k. With many directions
   there are few boxes side by side, and points in their middles would make the margins
   step-like, so we use a Kronecker sequence. */
static double in_box(const dlpi_explore *e, dlp_index i, dlp_index k)
{
    static const double ratio[] = {1.2207440846057596, 1.1673039782614187,
                                   1.1347241384015194}; /* r^(m+1) = r + 1, m = 3, 4, 5 */
    if (!e->adaptive || e->m < 3) return 0.5;
    double at = (double)(i + 1);
    for (dlp_index j = 0; j <= k; j++) at /= ratio[e->m - 3];
    at += 0.5;
    return at - floor(at);
}

/* The d-th fine point around a point, the i-th of all. */
static void fill_fine(const surface *s, int point, dlp_index i, int d, int fine,
                      double *psi, double *weight, double *log_p)
{
    const dlpi_explore *e = s->e;
    double place[5] = {0}, z[5] = {0}, square = 0, volume = 1;
    for (dlp_index k = 0; k < e->m; k++, d /= fine) {
        place[k] = e->place[point * e->m + k] + (d % fine + in_box(e, i, k)) / fine - 0.5;
        const double u = e->apart * place[k];
        z[k] = dlpi_explore_z(e, k, u);
        volume *= dlpi_explore_width(e, k, u);
        square += u * u;
    }
    dlpi_explore_psi(e, z, psi);
    *log_p = between(s, place) - 0.5 * square;
    *weight = volume * exp(*log_p);
}

/* The number of fine points between two points along a direction. */
static int fineness(const dlpi_explore *e)
{
    static const int each[][5] = {{16, 6, 4, 3, 2},
                                  {32, 14, 6, 4, 3}}; /* adaptive: far apart */
    const double most = e->quick ? 250000 : 30000;    /* of a grid that is already fine */
    int f = each[e->adaptive][e->m - 1];
    while (e->fine && f > 1 && e->points * pow(f, (double)e->m) > most) f--;
    return f;
}

static dlp_status fill_from_grid(const dlpi_explore *e, dlpi_psi_points *c,
                                 dlp_error *error)
{
    const int fine = fineness(e);
    const dlp_index each = c->n / e->points;
    surface s;
    DLP_TRY(surface_make(e, &s, error));
    for (dlp_index i = 0; i < c->n; i++)
        fill_fine(&s, (int)(i / each), i, (int)(i % each), fine, c->psi + i * e->m,
                  &c->weight[i], &c->log_p[i]);
    free(s.beyond);
    return DLP_OK;
}

/* ---- a design ---- */

static dlp_status fill_from_lattice(const dlpi_explore *e, dlpi_psi_points *c,
                                    dlp_error *error)
{
    const dlp_index m = e->m;
    double *u = dlpi_calloc(m * LATTICE, sizeof *u), *z = dlpi_calloc(m, sizeof *z);
    dlp_status status = u && z ? dlpi_normal_lattice(LATTICE, m, u, error)
                               : dlpi_no_memory(error, "the scales");
    for (dlp_index i = 0; status == DLP_OK && i < LATTICE; i++) {
        c->weight[i] = 1;
        for (dlp_index k = 0; k < m; k++) {
            const double t = u[k * LATTICE + i];
            z[k] = dlpi_explore_z(e, k, t);
            c->weight[i] *= dlpi_explore_width(e, k, t);
            c->log_p[i] -= 0.5 * t * t;
        }
        dlpi_explore_psi(e, z, c->psi + i * m);
    }
    free(u);
    free(z);
    return status;
}

/* ---- weighted points ---- */

/* Writes the points to u (points, m) and their deviations from normal to value
   (points). */
static dlp_status measure_points(const dlpi_explore *e, double *u, double *value,
                                 dlp_error *error)
{
    const dlp_index m = e->m, n = e->points;
    double *lattice = dlpi_calloc(m * n, sizeof *lattice);
    dlp_status status = lattice ? dlpi_normal_lattice((int)n, m, lattice, error)
                                : dlpi_no_memory(error, "the scales");
    for (dlp_index i = 0; status == DLP_OK && i < n; i++) {
        value[i] = e->log_p[i] - e->log_mode;
        for (dlp_index k = 0; k < m; k++) {
            u[i * m + k] = e->stretch * lattice[k * n + i];
            value[i] += 0.5 * u[i * m + k] * u[i * m + k];
        }
    }
    free(lattice);
    return status;
}

/* Points of the larger lattice, equally stretched, by the polynomial through the weighted
   points. */
static dlp_status weigh_lattice(const dlpi_explore *e, dlpi_psi_points *c,
                                dlp_error *error)
{
    const dlp_index m = e->m, n = e->points;
    double *u = dlpi_calloc(m + 1, (size_t)(n + LATTICE) * sizeof *u);
    double *value = u ? u + m * (n + LATTICE) : NULL, *one = u ? value + n : NULL;
    dlpi_polynomial p = {0};
    dlp_status status =
        u ? measure_points(e, u, value, error) : dlpi_no_memory(error, "the scales");
    if (status == DLP_OK)
        status = dlpi_polynomial_fit(m, n, u, value, e->weight, false, &p, error);
    if (status == DLP_OK) status = dlpi_normal_lattice(LATTICE, m, u, error);
    for (dlp_index i = 0; status == DLP_OK && i < LATTICE; i++) {
        double log_w = 0;
        c->weight[i] = 1;
        for (dlp_index k = 0; k < m; k++) {
            const double t = u[k * LATTICE + i];
            one[k] = e->stretch * t;
            log_w += 0.5 * (t * t - one[k] * one[k]);
            c->log_p[i] -= 0.5 * one[k] * one[k];
            c->weight[i] *= dlpi_explore_width(e, k, one[k]);
        }
        const double rest = dlpi_polynomial_at(&p, one);
        c->log_p[i] += rest;
        c->weight[i] *= exp(log_w + rest);
        for (dlp_index k = 0; k < m; k++) one[k] = dlpi_explore_z(e, k, one[k]);
        dlpi_explore_psi(e, one, c->psi + i * m);
    }
    dlpi_polynomial_free(&p);
    free(u);
    return status;
}

/* Points of the larger lattice around the adapted centre, by the polynomial through all
   points. */
static dlp_status weigh_adapted(const dlpi_explore *e, dlpi_psi_points *c,
                                dlp_error *error)
{
    const dlp_index m = e->m;
    double *u = dlpi_calloc(m * (LATTICE + 2), sizeof *u);
    double *zeta = u ? u + m * LATTICE : NULL, *phi = u ? zeta + m : NULL;
    dlpi_polynomial p = {0};
    dlp_status status =
        u ? dlpi_adapted_polynomial(e, &p, error) : dlpi_no_memory(error, "the scales");
    if (status == DLP_OK) status = dlpi_normal_lattice(LATTICE, m, u, error);
    for (dlp_index i = 0; status == DLP_OK && i < LATTICE; i++) {
        double log_w = 0, square = 0;
        for (dlp_index k = 0; k < m; k++) {
            const double t = u[k * LATTICE + i];
            zeta[k] = e->stretch * t;
            log_w += 0.5 * t * t;
            square += zeta[k] * zeta[k];
        }
        const double log_det = dlpi_adapted_psi(e, zeta, phi, c->psi + i * m);
        if (isnan(log_det)) { /* below 0 there is no density: a point of weight 0 at the
                               mode */
            memcpy(c->psi + i * m, e->mode, (size_t)m * sizeof *c->psi);
            c->log_p[i] = c->weight[i] = 0;
            continue;
        }
        const double log_p = dlpi_polynomial_at(&p, zeta) - 0.5 * square;
        c->log_p[i] = log_p - log_det;
        c->weight[i] = exp(log_w + log_p);
    }
    dlpi_polynomial_free(&p);
    free(u);
    return status;
}

/* The points themselves, where they are many. */
static void take_points(const dlpi_explore *e, dlpi_psi_points *c)
{
    for (dlp_index i = 0; i < c->n; i++) {
        dlpi_explore_psi(e, e->z + i * e->m, c->psi + i * e->m);
        c->weight[i] = e->weight[i];
        c->log_p[i] = e->log_p[i] - e->log_mode;
    }
}

/* ---- the whole ---- */

dlp_status dlpi_psi_points_make(const dlpi_explore *e, dlpi_psi_points *c,
                                dlp_error *error)
{
    dlp_index n = e->points == 1 ? 1 : LATTICE;
    if (e->reach) {
        n = e->points;
        for (dlp_index k = 0; k < e->m; k++) n *= fineness(e);
    }
    if (e->many) n = e->points;
    *c = (dlpi_psi_points){.n = n, .m = e->m};
    c->psi = dlpi_calloc(n, (size_t)(e->m + 3) * sizeof *c->psi);
    c->order = dlpi_calloc(n, 2 * sizeof(double));
    if (!c->psi || !c->order) return dlpi_no_memory(error, "the scales");
    c->weight = c->psi + n * e->m;
    c->value = c->weight + n;
    c->log_p = c->value + n;
    c->weight[0] = 1;
    if (e->points == 1)
        dlpi_explore_psi(e, e->z, c->psi);
    else if (e->reach)
        DLP_TRY(fill_from_grid(e, c, error));
    else if (e->many)
        take_points(e, c);
    else if (e->centre)
        DLP_TRY(weigh_adapted(e, c, error));
    else if (e->stretch > 0)
        DLP_TRY(weigh_lattice(e, c, error));
    else
        DLP_TRY(fill_from_lattice(e, c, error));
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += c->weight[i];
    for (dlp_index i = 0; i < n; i++) c->weight[i] /= sum;
    return DLP_OK;
}

void dlpi_psi_points_free(dlpi_psi_points *c)
{
    free(c->psi);
    free(c->order);
    *c = (dlpi_psi_points){0};
}

dlp_margin dlpi_psi_points_margin(dlpi_psi_points *c)
{
    dlpi_weighted *w = (dlpi_weighted *)(void *)c->order;
    double mean = 0, square = 0;
    for (dlp_index i = 0; i < c->n; i++) {
        w[i] = (dlpi_weighted){c->value[i], c->weight[i]};
        mean += c->weight[i] * c->value[i];
    }
    for (dlp_index i = 0; i < c->n; i++)
        square += c->weight[i] * (c->value[i] - mean) * (c->value[i] - mean);
    dlpi_weighted_sort(c->n, w);
    if (w[0].value == w[c->n - 1].value) { /* a fixed value must not vary by rounding */
        const double x = w[0].value;
        return (dlp_margin){x, 0, x, x, x};
    }
    return (dlp_margin){.mean = mean,
                        .sd = sqrt(square),
                        .lower = dlpi_weighted_quantile(c->n, w, 0.025),
                        .median = dlpi_weighted_quantile(c->n, w, 0.5),
                        .upper = dlpi_weighted_quantile(c->n, w, 0.975)};
}
