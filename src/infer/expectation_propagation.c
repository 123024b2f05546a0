/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/expectation_propagation.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* The moments count as equal within this many sds. */
static const double AGREED = 1e-4;
/* The Gaussians move only this fraction of the way, since full steps in all of them at
   once would overshoot. If that still fails, we take smaller steps, and more of them. */
static const struct {
    double damping;
    int sweeps;
} PACE[] = {{0.8, 60}, {0.3, 200}};
static const double LOG_2_PI = 1.8378770664093454836;

/* ---- the Gaussian posterior ---- */

/* mu, C and the log of the integral of all Gaussians; of bounds only what the prior adds at
   mu, since they add their own part row by row, which leaves all digits where there is
   hardly any noise. */
static bool take_posterior(dlpi_ep *e)
{
    const dlp_index p = e->p;
    memset(e->U, 0, (size_t)(p * p) * sizeof *e->U);
    memset(e->h, 0, (size_t)p * sizeof *e->h);
    double constant = e->type->add_prior(e->model, e->U, e->h);
    memcpy(e->work, e->h, (size_t)p * sizeof *e->h);
    const double of_sites = e->type->add_sites(e->model, e->mu, e->a, e->b, e->U, e->h);
    if (!e->bounds) constant += of_sites;
    memcpy(e->mu, e->h, (size_t)p * sizeof *e->mu);
    if (dlpi_cholesky(p, e->U) >= 0) return false;
    dlpi_cholesky_solve(p, e->U, e->mu);
    const double linear = dlpi_dot(p, e->bounds ? e->work : e->h, e->mu);
    e->log_evidence =
        constant + 0.5 * ((double)p * LOG_2_PI + linear - dlpi_cholesky_log_det(p, e->U));
    dlpi_cholesky_inverse(p, e->U, e->work, e->C);
    return isfinite(e->log_evidence);
}

/* ---- the sites ---- */

/* log of the integral of N(eta; m, v) exp(-a/2 eta^2 + b eta) */
static double log_site_z(double m, double v, double a, double b)
{
    const double together = a + 1 / v, shift = b + m / v;
    return 0.5 * (shift * shift / together - m * m / v - log1p(a * v));
}

/* Updates site n. Its eta is N(eta, c) under the posterior; dividing the site out leaves
   the cavity. */
static bool update_site(dlpi_ep *e, dlp_index n, double eta, double c)
{
    const double weight = e->type->weight(e->model, n), copies = fmax(weight, 1);
    const double a = e->a[n] / copies, b = e->b[n] / copies;
    if (weight == 0) return true;
    if (c == 0) { /* it says nothing about theta */
        e->log_evidence += copies * e->type->log_density(e->model, n, eta);
        return true;
    }
    const double rest = 1 / c - a, m = (eta / c - b) / rest;
    dlpi_tilted t;
    if (!(rest > 0)) return false;
    if (!e->type->tilt(e->model, n, m, 1 / rest, &e->mode[n], &t)) return false;
    e->log_evidence += copies * (t.log_z - log_site_z(m, 1 / rest, a, b));
    e->mismatch = fmax(e->mismatch, fabs(t.mean - eta) / sqrt(t.variance));
    e->mismatch = fmax(e->mismatch, 0.5 * fabs(log(t.variance / c)));
    const double step = e->damping * copies;
    const double least = e->type->widens ? -INFINITY : 0;
    e->a[n] += step * (fmax(1 / t.variance - rest, least) - a);
    e->b[n] += step * (t.mean / t.variance - m * rest - b);
    return true;
}

/* By a lower bound, which is Gaussian already. */
static void update_bound(dlpi_ep *e, dlp_index n, double eta, double c)
{
    const double before = e->a[n];
    if (e->type->weight(e->model, n) == 0) return;
    e->log_evidence += e->type->bound(e->model, n, eta, c, &e->a[n], &e->b[n]);
    e->mismatch = fmax(e->mismatch, 0.5 * fabs(log(e->a[n] / before)));
}

static bool update_sites(dlpi_ep *e)
{
    double eta[DLPI_SITES_TOGETHER], c[DLPI_SITES_TOGETHER];
    dlp_index together;
    for (dlp_index at = 0; at < e->N; at += together) {
        together = e->type->project(e->model, e->mu, e->C, at, eta, c);
        for (dlp_index i = 0; i < together; i++)
            if (e->bounds)
                update_bound(e, at + i, eta[i], c[i]);
            else if (!update_site(e, at + i, eta[i], c[i]))
                return false;
    }
    return true;
}

static void update_prior(dlpi_ep *e)
{
    double mismatch = 0;
    e->log_evidence += e->type->update_prior(e->model, e->mu, e->C, &mismatch);
    e->mismatch = fmax(e->mismatch, mismatch);
}

/* ---- the whole ---- */

static dlp_outcome sweep(dlpi_ep *e)
{
    const dlpi_sites_type *type = e->type;
    const double besides = type->exact ? type->exact(e->model, e->a, e->b) : 0;
    e->mismatch = 0;
    if (!take_posterior(e)) return DLP_NOT_CONCAVE;
    e->log_evidence += besides;
    if (!type->exact && !update_sites(e)) return DLP_NOT_CONCAVE;
    if (type->update_prior) update_prior(e);
    return DLP_RUNNING;
}

/* ---- the loop ---- */

static dlp_outcome run(const dlpi_ep_loop_type *type, void *state, int pace)
{
    const double agreed = type->agreed > 0 ? type->agreed : AGREED;
    const int sweeps = type->most > 0 ? type->most : PACE[pace].sweeps;
    dlp_outcome outcome = DLP_RUNNING;
    for (int i = 0; i < sweeps && outcome == DLP_RUNNING; i++) {
        double mismatch = 0;
        outcome = type->sweep(state, PACE[pace].damping, &mismatch);
        if (outcome != DLP_RUNNING) return outcome;
        if (mismatch <= agreed) return DLP_CONVERGED;
        if (type->stopped(state)) outcome = DLP_CANCELLED;
    }
    return outcome == DLP_RUNNING ? DLP_MAX_ITERATIONS : outcome;
}

static bool is_over(dlp_outcome outcome)
{
    return outcome == DLP_CONVERGED || outcome == DLP_CANCELLED;
}

dlp_outcome dlpi_ep_loop(const dlpi_ep_loop_type *type, void *state, bool started)
{
    const int paces = sizeof PACE / sizeof *PACE;
    dlp_outcome outcome = started ? run(type, state, 0) : DLP_RUNNING;
    for (int pace = 0; pace < paces && !is_over(outcome); pace++) {
        type->start(state);
        outcome = run(type, state, pace);
    }
    return outcome;
}

/* ---- with one predictor per site ---- */

/* theta: roughly where the posterior is; NULL: nothing is known about the sites. */
typedef struct under_way {
    dlpi_ep *e;
    const double *theta;
} under_way;

static void start_over(void *state)
{
    const under_way *u = state;
    dlpi_ep *e = u->e;
    memset(e->a, 0, (size_t)e->N * sizeof *e->a);
    memset(e->b, 0, (size_t)e->N * sizeof *e->b);
    memset(e->mode, 0, (size_t)e->N * sizeof *e->mode);
    memset(e->mu, 0, (size_t)e->p * sizeof *e->mu);
    if (e->bounds)
        e->type->start_bounds(e->model, e->a, e->b);
    else
        e->type->start(e->model, u->theta, e->a, e->b, e->mode);
}

static dlp_outcome sweep_once(void *state, double damping, double *mismatch)
{
    dlpi_ep *e = ((under_way *)state)->e;
    e->damping = damping;
    const dlp_outcome outcome = sweep(e);
    e->sweeps++;
    *mismatch = e->mismatch;
    return outcome;
}

static bool is_stopped(void *state)
{
    const dlpi_ep *e = ((under_way *)state)->e;
    if (!e->listener) return false;
    return e->tells ? dlpi_listener_tell(e->listener, (int)e->sweeps, e->log_evidence,
                                         e->mismatch)
                    : dlpi_listener_poll(e->listener);
}

dlp_outcome dlpi_ep_run(dlpi_ep *e, const double *theta)
{
    static const dlpi_ep_loop_type loop = {
        .start = start_over, .sweep = sweep_once, .stopped = is_stopped};
    under_way u = {e, theta};
    const dlp_outcome outcome = dlpi_ep_loop(&loop, &u, e->started);
    e->started = outcome == DLP_CONVERGED;
    return outcome;
}

dlp_status dlpi_ep_alloc(dlpi_ep *e, const dlpi_sites_type *type, void *model,
                         dlp_index N, dlp_index p, dlp_error *error)
{
    const dlp_index square = dlpi_size(p, p, 0);
    const dlp_index vectors = dlpi_size(3, N, dlpi_size(2, p, 0));
    *e = (dlpi_ep){.type = type, .model = model, .N = N, .p = p};
    e->U = dlpi_calloc(dlpi_size(3, square, vectors), sizeof *e->U);
    if (!e->U) return dlpi_no_memory(error, "expectation propagation");
    e->C = e->U + square;
    e->work = e->C + square;
    e->h = e->work + square;
    e->mu = e->h + p;
    e->a = e->mu + p;
    e->b = e->a + N;
    e->mode = e->b + N;
    return DLP_OK;
}

void dlpi_ep_free(dlpi_ep *e)
{
    free(e->U);
    e->U = NULL;
}
