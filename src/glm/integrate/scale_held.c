/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/scale_held.h"

#include "core/core.h"
#include "glm/predict/evidence.h"
#include "math/symmetric/structure.h"

#include <math.h>

/* ---- fits ---- */

/* The engine's fit, starting where its last one ended or, if that leads nowhere, from
   scratch. */
static bool run_engine(dlpi_scale_held *held)
{
    const dlp_result *r = dlp_fit_result(held->fit);
    if (dlpi_listener_stopped(held->listener)) return false;
    bool ok = held->started && dlpi_fit_run_warm(held->fit, &held->warm, NULL) == DLP_OK;
    if (ok) held->evaluations += r->evaluations;
    if (ok && r->outcome == DLP_CONVERGED) return true;
    ok = dlp_fit_run(held->fit, NULL, NULL) == DLP_OK;
    held->evaluations += r->evaluations;
    return ok && r->outcome != DLP_CANCELLED;
}

static void fit_by_engine(dlpi_scale_held *held)
{
    const dlp_result *r = dlp_fit_result(held->fit);
    held->log_p = -INFINITY;
    held->outcome = DLP_DIVERGED;
    if (!run_engine(held)) return;
    held->outcome = r->outcome;
    if (r->outcome != DLP_CONVERGED && r->outcome != DLP_MAX_ITERATIONS)
        return; /* its objective is that of where it gave up */
    dlpi_fit_keep_warm(held->fit, &held->warm);
    held->started = true;
    held->mu = r->mu;
    held->C = held->C_fit;
    held->fell_back |= r->fallbacks > 0;
    dlp_sym_to_dense(r->Sigma, held->C_fit);
    const bool delta = held->fit->method == &dlpi_delta && r->fallbacks == 0;
    held->log_p = r->objective + dlpi_evidence_correction(&held->given, held->mu,
                                                          held->C_fit, delta, held->work);
}

/* The first one starts where the engine ends: starting from the prior alone, many rows
   that each say little would overshoot. */
static bool fit_by_propagation(dlpi_scale_held *held)
{
    dlpi_ep *e = &held->propagation;
    const long before = e->sweeps;
    if (held->given.held_tau <= held->lost) return false;
    const bool near = !e->started && !held->bounds && run_engine(held);
    if (dlpi_listener_stopped(held->listener)) return false;
    held->outcome = dlpi_ep_run(e, near ? dlp_fit_result(held->fit)->mu : NULL);
    held->evaluations += e->sweeps - before;
    held->mu = e->mu;
    held->C = e->C;
    held->log_p = e->log_evidence;
    if (held->outcome != DLP_CONVERGED) return held->outcome == DLP_CANCELLED;
    held->joined = false;
    held->last_tau = held->given.held_tau;
    held->last_log_p = held->log_p;
    return true;
}

static dlp_outcome climb_bound(dlpi_scale_held *held)
{
    const long before = held->bounded.sweeps;
    const dlp_outcome outcome = dlpi_ep_run(&held->bounded, NULL);
    held->evaluations += held->bounded.sweeps - before;
    return outcome == DLP_MAX_ITERATIONS ? DLP_CONVERGED : outcome; /* it is a bound */
}

/* Where propagation ended both are known, and the bound is moved up to the evidence. */
static void join(dlpi_scale_held *held)
{
    const double tau = held->given.held_tau;
    held->joined = true;
    held->bounded.started = false;
    if (isinf(held->last_tau)) return;
    held->given.held_tau = held->last_tau;
    const bool ended = climb_bound(held) == DLP_CONVERGED;
    held->gap = ended ? held->last_log_p - held->bounded.log_evidence : 0;
    held->given.held_tau = tau;
}

/* What propagation has lost it finds no more where there is still less noise. With less than
   a millionth of that, rounding would decide. */
static void fit_by_bound(dlpi_scale_held *held)
{
    const double millionth = 13.8; /* -log 1e-6 */
    const dlpi_ep *e = &held->bounded;
    held->lost = fmax(held->lost, held->given.held_tau);
    held->log_p = -INFINITY;
    held->outcome = DLP_NOT_CONCAVE;
    if (held->given.held_tau < held->last_tau - millionth) return;
    if (!held->joined) join(held);
    held->outcome = climb_bound(held);
    held->mu = e->mu;
    held->C = e->C;
    if (held->outcome == DLP_CONVERGED) held->log_p = e->log_evidence + held->gap;
}

void dlpi_scale_held_fit(dlpi_scale_held *held, double tau)
{
    held->given.held_tau = tau;
    held->fell_back = false;
    if (held->propagates && fit_by_propagation(held)) return;
    held->fell_back = held->propagates;
    if (held->bounds)
        fit_by_bound(held);
    else
        fit_by_engine(held);
    if (!isfinite(held->log_p)) held->log_p = -INFINITY;
}

/* ---- memory ---- */

static dlp_status hold_scale(const dlp_glm *glm, dlp_glm *given, dlp_error *error)
{
    *given = *glm; /* sharing its arrays */
    given->n = glm->data.p;
    given->prior = (dlpi_prior){0};
    return dlpi_prior_take(&given->prior, &glm->prior, given->n, error);
}

static dlp_status room_for(dlpi_scale_held *held, dlp_error *error)
{
    const dlp_index p = held->given.n, square = dlpi_size(p, p, 0);
    const dlp_index vectors = dlpi_size(2, p, dlpi_evidence_room(&held->given));
    held->C_fit = dlpi_calloc(dlpi_size(1, square, vectors), sizeof *held->C_fit);
    if (!held->C_fit) return dlpi_no_memory(error, "the posterior of a regression");
    held->warm.start = held->C_fit + square;
    held->warm.offset = held->warm.start + p;
    held->work = held->warm.offset + p;
    return DLP_OK;
}

static int poll_whole(void *listener, const dlp_progress *of_a_part)
{
    (void)of_a_part;
    return dlpi_listener_poll(listener);
}

dlp_status dlpi_scale_held_alloc(dlpi_scale_held *held, const dlp_glm *glm,
                                 const dlp_settings *settings, dlpi_listener *listener,
                                 dlp_error *error)
{
    dlp_settings own = *settings;
    held->listener = listener;
    own.progress = poll_whole;
    own.context = listener;
    DLP_TRY(hold_scale(glm, &held->given, error));
    DLP_TRY(room_for(held, error));
    const dlp_model model = dlp_glm_model(&held->given);
    DLP_TRY(dlp_fit_alloc(&model, &own, &held->fit, error));
    held->propagates =
        held->fit->method == &dlpi_delta && dlpi_glm_sites_fit(&held->given);
    if (!held->propagates) return DLP_OK;
    DLP_TRY(dlpi_glm_sites_alloc(&held->sites, &held->given, error));
    DLP_TRY(dlpi_ep_alloc(&held->propagation, &held->sites.type, &held->sites,
                          held->given.data.N, held->given.data.p, error));
    held->propagation.listener = listener;
    held->lost = held->last_tau = -INFINITY;
    held->bounds = held->given.family->bumpy;
    if (!held->bounds) return DLP_OK;
    DLP_TRY(dlpi_ep_alloc(&held->bounded, &held->sites.type, &held->sites,
                          held->given.data.N, held->given.data.p, error));
    held->bounded.bounds = true;
    held->bounded.listener = listener;
    return DLP_OK;
}

void dlpi_scale_held_free(dlpi_scale_held *held)
{
    dlpi_ep_free(&held->propagation);
    dlpi_ep_free(&held->bounded);
    dlpi_glm_sites_free(&held->sites);
    dlp_fit_free(held->fit);
    dlpi_prior_free(&held->given.prior);
    free(held->C_fit);
}
