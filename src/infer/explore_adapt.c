/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/explore_adapt.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/normal_lattice.h"

#include <math.h>
#include <string.h>

enum { LATTICE = 2039 };
/* Points per polynomial coefficient (without crossed cubes) in each round, the number in
   the second round where points are cheap, and how far the points are spread. */
static const int EACH[2] = {2, 5}, PLENTY = 20;
static const double STRETCH = 1.3;
/* Points in the rounds that follow where they are quick, how far they are spread, and how
   many effective points represent the density without a polynomial. */
static const int MANY[2] = {2003, 8009};
static const double NARROW = 1.1, WIDE = 1.8;
static const double ENOUGH = 1000;

/* ---- coordinates ---- */

static double phi_of(const dlpi_explore *e, dlp_index i, double psi)
{
    return e->log_sd[i] ? exp(0.5 * psi) : psi;
}

double dlpi_adapted_psi(const dlpi_explore *e, const double *zeta, double *phi,
                        double *psi)
{
    double log_det = 0;
    for (dlp_index i = 0; i < e->m; i++) {
        phi[i] = e->centre[i] + dlpi_dot(i + 1, e->spread + i * e->m, zeta);
        psi[i] = phi[i];
        if (!e->log_sd[i]) continue;
        if (!(phi[i] > 1e-3 * e->centre[i])) return NAN;
        psi[i] = 2 * log(phi[i]);
        log_det += log(2 / phi[i]);
    }
    return log_det;
}

/* zeta (m) at z (m), and log |dpsi / dphi| there; psi (m): room. */
static double zeta_at(const dlpi_explore *e, const double *z, double *psi, double *zeta)
{
    double log_det = 0;
    dlpi_explore_psi(e, z, psi);
    for (dlp_index i = 0; i < e->m; i++) {
        const double phi = phi_of(e, i, psi[i]);
        if (e->log_sd[i]) log_det += log(2 / phi);
        zeta[i] = (phi - e->centre[i] - dlpi_dot(i, e->spread + i * e->m, zeta)) /
                  e->spread[i * (e->m + 1)];
    }
    return log_det;
}

/* z at psi: the columns of root are orthogonal. */
static void z_at(const dlpi_explore *e, const double *psi, double *z)
{
    for (dlp_index k = 0; k < e->m; k++) {
        double sum = 0, square = 0;
        for (dlp_index i = 0; i < e->m; i++) {
            const double r = e->root[i * e->m + k];
            sum += r * (psi[i] - e->mode[i]);
            square += r * r;
        }
        z[k] = sum / fmax(square, 1e-300);
    }
}

/* ---- mean and covariance ---- */

/* Sets centre and spread from weighted points phi (n, m). false: they are unchanged. */
static bool take_moments(dlpi_explore *e, dlp_index n, const double *phi,
                         const double *weight)
{
    const dlp_index m = e->m;
    double *mean = e->work, *V = mean + m, sum = 0;
    memset(mean, 0, (size_t)(m * (m + 1)) * sizeof *mean);
    for (dlp_index i = 0; i < n; i++) {
        sum += weight[i];
        dlpi_axpy(m, weight[i], phi + i * m, mean);
    }
    if (!(sum > 0)) return false;
    for (dlp_index a = 0; a < m; a++) mean[a] /= sum;
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index a = 0; a < m; a++)
            for (dlp_index b = 0; b <= a; b++)
                V[b * m + a] += weight[i] / sum * (phi[i * m + a] - mean[a]) *
                                (phi[i * m + b] - mean[b]);
    if (dlpi_cholesky(m, V) >= 0) return false; /* U'U, and spread is U' */
    memcpy(e->centre, mean, (size_t)m * sizeof *mean);
    for (dlp_index a = 0; a < m; a++)
        for (dlp_index b = 0; b < m; b++)
            e->spread[a * m + b] = b <= a ? V[b * m + a] : 0;
    return true;
}

/* From the scales on both sides of the mode. u (m, LATTICE), phi (LATTICE, m), weight.
   For a logarithm that is hardly known, large sds are not trusted. */
static bool start(dlpi_explore *e, const double *u, double *phi, double *weight)
{
    const double far = 3;
    const dlp_index m = e->m;
    double *z = e->work, *psi = z + m;
    for (dlp_index i = 0; i < LATTICE; i++) {
        weight[i] = 1;
        for (dlp_index k = 0; k < m; k++) {
            z[k] = dlpi_explore_z(e, k, u[k * LATTICE + i]);
            weight[i] *= dlpi_explore_width(e, k, u[k * LATTICE + i]);
        }
        dlpi_explore_psi(e, z, psi);
        for (dlp_index k = 0; k < m; k++) {
            const double most = far * phi_of(e, k, e->mode[k]),
                         here = phi_of(e, k, psi[k]);
            phi[i * m + k] = e->log_sd[k] ? fmin(here, most) : here;
        }
    }
    return take_moments(e, LATTICE, phi, weight);
}

/* From the polynomial through the existing points. */
static dlp_status improve(dlpi_explore *e, const double *u, double *phi, double *weight,
                          dlp_error *error)
{
    const dlp_index m = e->m;
    dlpi_polynomial p;
    double *zeta = e->work, *psi = zeta + m;
    DLP_TRY(dlpi_adapted_polynomial(e, &p, error));
    for (dlp_index i = 0; i < LATTICE; i++) {
        double log_w = 0;
        for (dlp_index k = 0; k < m; k++) {
            const double t = u[k * LATTICE + i];
            zeta[k] = STRETCH * t;
            log_w += 0.5 * (t * t - zeta[k] * zeta[k]);
        }
        const bool there = !isnan(dlpi_adapted_psi(e, zeta, phi + i * m, psi));
        weight[i] = there ? exp(log_w + dlpi_polynomial_at(&p, zeta)) : 0;
    }
    dlpi_polynomial_free(&p);
    (void)take_moments(e, LATTICE, phi, weight);
    return DLP_OK;
}

/* ---- points ---- */

static bool is_prime(int n)
{
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return true;
}

static int points_of(const dlpi_explore *e, int round)
{
    if (round > 1) return MANY[round - 2];
    const int each = round == 1 && e->cheap ? PLENTY : EACH[round];
    return (int)(each * dlpi_polynomial_terms(e->m)) | 1;
}

/* How far point i of n is spread. In the rounds where points are many, a third of them are
   spread wide, for long tails; mirror images alike. */
static double spread_of(int round, int i, int n)
{
    if (round < 2) return STRETCH;
    return (2 * i < n ? i : n - i) % 3 == 0 ? WIDE : NARROW;
}

/* Minus the logarithm of the density of a round's points, times (2 pi)^m/2, where zeta'zeta
   is `square`. */
static double log_apart(int round, dlp_index m, double square)
{
    const double M = (double)m;
    if (round < 2) return 0.5 * square / (STRETCH * STRETCH) + M * log(STRETCH);
    const double wide = exp(-0.5 * square / (WIDE * WIDE)) / pow(WIDE, M),
                 narrow = exp(-0.5 * square / (NARROW * NARROW)) / pow(NARROW, M);
    return -log((wide + 2 * narrow) / 3);
}

/* The points of a round; each represents a volume in psi, in units of |root|. */
static dlp_status lay(dlpi_explore *e, int round, dlp_error *error)
{
    const dlp_index m = e->m;
    int n = points_of(e, round);
    while (!is_prime(n)) n += 2;
    double *u = dlpi_calloc(m * (n + 4), sizeof *u), *zeta = u + m * n, *phi = zeta + m,
           *psi = phi + m, *z = psi + m, size = 0;
    dlp_status status = u ? dlpi_normal_lattice(n, m, u, error)
                          : dlpi_no_memory(error, "the points of an integral");
    e->stretch = STRETCH;
    for (dlp_index k = 0; k < m; k++) {
        double square = e->root[k] * e->root[k];
        for (dlp_index i = 1; i < m; i++)
            square += e->root[i * m + k] * e->root[i * m + k];
        size += log(e->spread[k * (m + 1)]) - 0.5 * log(square);
    }
    for (int i = 0; status == DLP_OK && i < n; i++) {
        double square = 0;
        for (dlp_index k = 0; k < m; k++) {
            zeta[k] = spread_of(round, i, n) * u[k * n + i];
            square += zeta[k] * zeta[k];
        }
        const double log_volume = size - log(n) + log_apart(round, m, square) +
                                  dlpi_adapted_psi(e, zeta, phi, psi);
        if (isnan(log_volume)) continue;
        z_at(e, psi, z);
        if (!dlpi_explore_add(e, z, exp(log_volume)))
            status = dlpi_no_memory(error, "the points of an integral");
    }
    free(u);
    return status;
}

/* Importance weights of the points from `first` on, which sum to 1; returns the effective
   number of points as a share of all. */
static double weigh(const dlpi_explore *e, int first, double *weight)
{
    double top = -INFINITY, sum = 0, square = 0;
    for (int i = first; i < e->points; i++) top = fmax(top, e->log_p[i]);
    if (!isfinite(top)) {
        memset(weight + first, 0, (size_t)(e->points - first) * sizeof *weight);
        return 0;
    }
    for (int i = first; i < e->points; i++)
        sum += weight[i] = e->weight[i] * exp(e->log_p[i] - top);
    for (int i = first; i < e->points; i++) {
        weight[i] /= sum;
        square += weight[i] * weight[i];
    }
    return 1 / (square * (double)(e->points - first));
}

/* ---- the polynomial ---- */

dlp_status dlpi_adapted_polynomial(const dlpi_explore *e, dlpi_polynomial *p,
                                   dlp_error *error)
{
    const dlp_index m = e->m, n = e->points;
    double *zeta = dlpi_calloc(n * (m + 1) + m, sizeof *zeta);
    if (!zeta) return dlpi_no_memory(error, "the scales");
    double *value = zeta + n * m, *psi = value + n;
    for (dlp_index i = 0; i < n; i++) {
        double *at = zeta + i * m;
        const double log_det = zeta_at(e, e->z + i * m, psi, at);
        value[i] = e->log_p[i] - e->log_mode + log_det + 0.5 * dlpi_dot(m, at, at);
    }
    const dlp_status status =
        dlpi_polynomial_fit(m, n, zeta, value, e->count, true, p, error);
    free(zeta);
    return status;
}

/* ---- the whole ---- */

/* After the first round: the weights of its points in the polynomial fit. */
static dlp_status count(dlpi_explore *e, int first, dlp_error *error)
{
    double *to = realloc(e->count, (size_t)e->points * sizeof *to);
    if (!to) return dlpi_no_memory(error, "the points of an integral");
    e->count = to;
    e->worth = weigh(e, first, to);
    return DLP_OK;
}

/* The first round, repeated if it says next to nothing. Only the second is looked at. */
static dlp_status find_place(dlpi_explore *e, const double *u, double *phi,
                             double *weight, dlp_error *error)
{
    enum { MOST_ROUNDS = 3 };
    const double enough = 0.1;
    e->worth = 0;
    for (int i = 0; i < MOST_ROUNDS && e->worth < enough; i++) {
        const int before = e->points;
        DLP_TRY(lay(e, 0, error));
        DLP_TRY(dlpi_explore_evaluate_from(e, before, error));
        DLP_TRY(count(e, before, error));
        DLP_TRY(improve(e, u, phi, weight, error));
    }
    return DLP_OK;
}

/* Centre and spread from the weights of the points from `first` on; no point weighs more
   than n^-1/2. phi: room. */
static bool follow(dlpi_explore *e, int first, double *phi)
{
    const dlp_index m = e->m;
    const int n = e->points - first;
    const double most = 1 / sqrt((double)n);
    double *psi = e->work, *weight = phi + n * m;
    for (int i = 0; i < n; i++) {
        dlpi_explore_psi(e, e->z + (first + i) * m, psi);
        for (dlp_index k = 0; k < m; k++) phi[i * m + k] = phi_of(e, k, psi[k]);
        weight[i] = fmin(e->count[first + i], most);
    }
    return take_moments(e, n, phi, weight);
}

/* Another round, about where the points from `first` on show the density to be. */
static dlp_status lay_again(dlpi_explore *e, int first, int round, dlp_error *error)
{
    double *phi = dlpi_calloc(e->points - first, (size_t)(e->m + 1) * sizeof *phi);
    if (!phi) return dlpi_no_memory(error, "the points of an integral");
    (void)follow(e, first, phi);
    free(phi);
    const int before = e->points;
    for (int i = 0; i < before; i++) e->weight[i] = 0;
    DLP_TRY(lay(e, round, error));
    DLP_TRY(dlpi_explore_evaluate_from(e, before, error));
    return count(e, before, error);
}

/* Where points are quick, two more rounds, the last of so many points that they represent
   the density. */
static dlp_status add_many(dlpi_explore *e, int first, void (*look)(void *, int),
                           dlp_error *error)
{
    const int next = e->points;
    DLP_TRY(lay_again(e, first, 2, error));
    const int last = e->points;
    e->look = look;
    DLP_TRY(lay_again(e, next, 3, error));
    e->many = e->worth * (double)(e->points - last) > ENOUGH;
    return DLP_OK;
}

static dlp_status run(dlpi_explore *e, double *u, bool *found, dlp_error *error)
{
    const dlp_index m = e->m;
    double *phi = u + m * LATTICE, *weight = phi + m * LATTICE;
    void (*const look)(void *, int) = e->look;
    DLP_TRY(dlpi_normal_lattice(LATTICE, m, u, error));
    *found = start(e, u, phi, weight);
    if (!*found) return DLP_OK;
    e->look = NULL;
    const dlp_status status = find_place(e, u, phi, weight, error);
    if (!e->quick) e->look = look;
    DLP_TRY(status);
    const int before = e->points;
    DLP_TRY(lay(e, 1, error));
    for (int i = 0; i < before; i++) e->weight[i] = 0;
    DLP_TRY(dlpi_explore_evaluate_from(e, before, error));
    DLP_TRY(count(e, before, error));
    return e->quick ? add_many(e, before, look, error) : DLP_OK;
}

dlp_status dlpi_explore_adapt(dlpi_explore *e, bool *found, dlp_error *error)
{
    const dlp_index m = e->m;
    e->centre = dlpi_calloc(m * (m + 1), sizeof *e->centre);
    double *u = dlpi_calloc((2 * m + 1) * LATTICE, sizeof *u);
    if (e->centre) e->spread = e->centre + m;
    const dlp_status status = e->centre && u
                                  ? run(e, u, found, error)
                                  : dlpi_no_memory(error, "the points of an integral");
    free(u);
    if (status == DLP_OK && *found) return DLP_OK;
    free(e->centre);
    e->centre = e->spread = NULL;
    return status;
}
