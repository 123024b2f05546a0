/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/propagation.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/structure.h"

#include <math.h>
#include <string.h>

/* The moments agree to so many sds. */
static const double AGREED = 1e-4;
/* Gaussians move so much of the way: all at once, they would overshoot. Where that still
   leads nowhere, they move by smaller steps, and more of them. */
static const struct {
    double damping;
    int sweeps;
} PACE[] = {{0.8, 60}, {0.3, 200}};
static const double LOG_2_PI = 1.8378770664093454836;

/* ---- the Gaussian posterior ---- */

/* U'U = P + X'diag(precision) X, and h = P m + X'(shift - precision offset): what the
   Gaussians say of beta. Returns what they say of no beta at all. */
static double add_up(dlpi_propagation *e)
{
    const dlp_index p = e->g->data.p;
    const double *offset = e->g->data.offset;
    double w[DLPI_TILE], rest = 0;
    memset(e->U, 0, (size_t)(p * p) * sizeof *e->U);
    memset(e->h, 0, (size_t)p * sizeof *e->h);
    for (dlp_index at = 0; at < e->g->data.N; at += DLPI_TILE) {
        const double *a = e->precision + at, *b = e->shift + at;
        dlpi_tile_load(e->g, e->mu, at);
        for (dlp_index i = 0; i < e->g->rows.n; i++) {
            const double o = offset ? offset[at + i] : 0;
            w[i] = b[i] - a[i] * o;
            rest += o * (b[i] - 0.5 * a[i] * o);
        }
        dlpi_tile_add_xwx(e->g, at, a, e->U);
        dlpi_tile_add_xw(e->g, at, w, e->h, 1);
    }
    return rest;
}

/* The same of the prior. */
static double add_prior(dlpi_propagation *e)
{
    const dlpi_prior *prior = &e->prior;
    const dlp_index p = prior->n;
    double square = 0;
    for (dlp_index j = 0; j < p; j++) {
        const double *row = prior->precision ? prior->precision + j * p : NULL,
                     own = 1 / (prior->sd[j] * prior->sd[j]);
        const double P_m = row ? dlpi_dot(p, row, prior->mean) : own * prior->mean[j];
        e->h[j] += P_m;
        square += prior->mean[j] * P_m;
        if (!row) e->U[j * p + j] += own;
        for (dlp_index k = j; row && k < p; k++) e->U[j * p + k] += row[k];
    }
    return prior->constant - 0.5 * square;
}

/* mu, C and the log of the integral of all Gaussians. */
static bool take_posterior(dlpi_propagation *e)
{
    const dlp_index p = e->g->data.p;
    const double constant = add_up(e) + add_prior(e);
    memcpy(e->mu, e->h, (size_t)p * sizeof *e->mu);
    if (dlpi_cholesky(p, e->U) >= 0) return false;
    dlpi_cholesky_solve(p, e->U, e->mu);
    e->log_evidence = constant + 0.5 * ((double)p * LOG_2_PI + dlpi_dot(p, e->h, e->mu) -
                                        dlpi_cholesky_log_det(p, e->U));
    dlpi_cholesky_inverse(p, e->U, e->work, e->C);
    return isfinite(e->log_evidence);
}

/* ---- the rows ---- */

/* log of the integral of N(eta; m, v) exp(-a/2 eta^2 + b eta) */
static double log_site_z(double m, double v, double a, double b)
{
    const double together = a + 1 / v, shift = b + m / v;
    return 0.5 * (shift * shift / together - m * m / v - log1p(a * v));
}

/* Row n, whose predictor is N(eta, c) under the posterior, of which the rest without the
   row is a part. A row of weight 3 is three rows, which differ in nothing. */
static bool update_row(dlpi_propagation *e, dlp_index n, double eta, double c)
{
    const dlp_glm_data *d = &e->g->data;
    const double weight = d->weight ? d->weight[n] : 1, copies = fmax(weight, 1);
    const double a = e->precision[n] / copies, b = e->shift[n] / copies;
    if (weight == 0) return true;
    dlpi_row_tilt_take(&e->tilt, e->g->family, e->g->held_tau, d->y[n],
                       d->trials ? d->trials[n] : 1, weight / copies);
    if (c == 0) { /* its columns are all 0: it says nothing of the coefficients */
        e->log_evidence += copies * dlpi_row_tilt_at(&e->tilt, eta);
        return true;
    }
    const double rest = 1 / c - a, m = (eta / c - b) / rest;
    dlpi_tilted t;
    if (!(rest > 0)) return false;
    if (!dlpi_row_tilt_moments(&e->tilt, m, 1 / rest, &e->mode[n], &t)) return false;
    e->log_evidence += copies * (t.log_z - log_site_z(m, 1 / rest, a, b));
    e->mismatch = fmax(e->mismatch, fabs(t.mean - eta) / sqrt(t.variance));
    e->mismatch = fmax(e->mismatch, 0.5 * fabs(log(t.variance / c)));
    const double step = e->damping * copies;
    e->precision[n] += step * (fmax(1 / t.variance - rest, 0) - a);
    e->shift[n] += step * (t.mean / t.variance - m * rest - b);
    return true;
}

static bool update_rows(dlpi_propagation *e)
{
    double c[DLPI_TILE];
    for (dlp_index at = 0; at < e->g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(e->g, e->mu, at);
        dlpi_tile_variances(e->g, at, e->C, c);
        for (dlp_index i = 0; i < e->g->rows.n; i++)
            if (!update_row(e, at + i, e->g->rows.eta[i], c[i])) return false;
    }
    return true;
}

/* Gaussian rows need no others in their places. Returns what their densities have besides
   the Gaussians. */
static double take_gaussian_rows(dlpi_propagation *e)
{
    const dlp_glm_data *d = &e->g->data;
    const double tau = e->g->held_tau;
    double rest = 0;
    for (dlp_index n = 0; n < d->N; n++) {
        const double weight = d->weight ? d->weight[n] : 1, y = d->y[n];
        e->precision[n] = weight * exp(-2 * tau);
        e->shift[n] = e->precision[n] * y;
        rest -= weight * (tau + 0.5 * LOG_2_PI) + 0.5 * e->shift[n] * y;
    }
    return rest;
}

/* ---- the whole ---- */

static dlp_outcome sweep(dlpi_propagation *e)
{
    const double gaussian = e->gaussian ? take_gaussian_rows(e) : 0;
    e->mismatch = 0;
    if (!take_posterior(e)) return DLP_NOT_CONCAVE;
    e->log_evidence += gaussian;
    if (!e->gaussian && !update_rows(e)) return DLP_NOT_CONCAVE;
    if (e->student) {
        dlpi_student_sites_update(&e->sites, e->mu, e->C);
        e->log_evidence += e->sites.log_ratio;
        e->mismatch = fmax(e->mismatch, e->sites.mismatch);
    }
    return e->mismatch <= AGREED ? DLP_CONVERGED : DLP_RUNNING;
}

/* The Gaussian that has the row's slope and curvature at eta = x'beta:
   exp(l_e (eta' - eta) + l_ee (eta' - eta)^2 / 2). */
static void expand_rows(dlpi_propagation *e, const double *beta)
{
    dlp_glm *g = e->g;
    const dlpi_rows *r = &g->rows;
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, beta, at);
        dlpi_tile_evaluate(g, g->held_tau, 2);
        for (dlp_index i = 0; i < r->n; i++) {
            const double a = fmax(-r->l_ee[i], 0);
            e->precision[at + i] = a;
            e->shift[at + i] = r->l_e[i] + a * r->eta[i];
            e->mode[at + i] = r->eta[i];
        }
    }
}

/* beta: about where the posterior is; NULL: nothing is known of the rows. */
static void start_over(dlpi_propagation *e, const double *beta)
{
    const dlp_index N = e->g->data.N;
    const dlpi_prior *stated = &e->g->prior;
    memset(e->precision, 0, (size_t)N * sizeof *e->precision);
    memset(e->shift, 0, (size_t)N * sizeof *e->shift);
    memset(e->mode, 0, (size_t)N * sizeof *e->mode);
    memset(e->mu, 0, (size_t)stated->n * sizeof *e->mu);
    if (beta && !e->gaussian) expand_rows(e, beta);
    memcpy(e->prior.mean, stated->mean, (size_t)stated->n * sizeof *stated->mean);
    if (e->student) dlpi_student_sites_start(&e->sites, stated, &e->prior);
}

/* Whether the caller wants no more of it; what there is stays a posterior. */
static bool is_stopped(const dlpi_propagation *e)
{
    if (!e->watch) return false;
    return e->tells
               ? dlpi_watch_tell(e->watch, (int)e->sweeps, e->log_evidence, e->mismatch)
               : dlpi_watch_poll(e->watch);
}

static dlp_outcome run(dlpi_propagation *e, int pace)
{
    dlp_outcome outcome = DLP_RUNNING;
    e->damping = PACE[pace].damping;
    for (int i = 0; i < PACE[pace].sweeps && outcome == DLP_RUNNING; i++) {
        outcome = sweep(e);
        e->sweeps++;
        if (outcome == DLP_RUNNING && is_stopped(e)) outcome = DLP_CANCELLED;
    }
    e->started = outcome == DLP_CONVERGED;
    return outcome == DLP_RUNNING ? DLP_MAX_ITERATIONS : outcome;
}

static bool is_over(dlp_outcome outcome)
{
    return outcome == DLP_CONVERGED || outcome == DLP_CANCELLED;
}

dlp_outcome dlpi_propagate(dlpi_propagation *e, const double *beta)
{
    const int paces = sizeof PACE / sizeof *PACE;
    dlp_outcome outcome = e->started ? run(e, 0) : DLP_RUNNING;
    for (int pace = 0; pace < paces && !is_over(outcome); pace++) {
        start_over(e, beta);
        outcome = run(e, pace);
    }
    return outcome;
}

bool dlpi_propagation_fits(const dlp_glm *glm)
{
    bool fits = glm->family->evaluate && !glm->xi && glm->data.p > 0;
    for (dlp_index j = 0; fits && !glm->prior.precision && j < glm->data.p; j++)
        fits = glm->prior.df[j] == 0 || glm->prior.df[j] > 2;
    return fits;
}

static dlp_status room_for(dlpi_propagation *e, dlp_error *error)
{
    const dlp_index N = e->g->data.N, p = e->g->data.p, square = dlpi_size(p, p, 0);
    const dlp_index vectors = dlpi_size(3, N, dlpi_size(2, p, 0));
    e->U = dlpi_calloc(dlpi_size(3, square, vectors), sizeof *e->U);
    if (!e->U) return dlpi_no_memory(error, "the posterior of a regression");
    e->C = e->U + square;
    e->work = e->C + square;
    e->h = e->work + square;
    e->mu = e->h + p;
    e->precision = e->mu + p;
    e->shift = e->precision + N;
    e->mode = e->shift + N;
    return DLP_OK;
}

dlp_status dlpi_propagation_alloc(dlpi_propagation *e, dlp_glm *g, dlp_error *error)
{
    *e = (dlpi_propagation){.g = g};
    e->gaussian = g->family->of->support == DLP_SUPPORT_REAL;
    e->student = dlpi_student_sites_any(&g->prior);
    DLP_TRY(room_for(e, error));
    return dlpi_prior_take(&e->prior, &g->prior, g->data.p, error);
}

void dlpi_propagation_free(dlpi_propagation *e)
{
    dlpi_prior_free(&e->prior);
    free(e->U);
    e->U = NULL;
}
