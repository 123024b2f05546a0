/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonconjugate variational inference: Figure 1 of the paper (fig:lp-algorithm). */
#include "core/core.h"
#include "infer/infer.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

void dlpi_expect_stats(dlp_fit *fit)
{
    if (!fit->model.type->update_z || fit->stats_current) return;
    fit->model.type->expect_stats(fit->model.state);
    fit->stats_current = true;
}

/* q(z) from E[eta(theta)]   (eq:q-z-exact2) */
static void update_z(dlp_fit *fit)
{
    if (!fit->model.type->update_z) return;
    fit->model.type->update_z(fit->model.state, fit->e_eta);
    fit->stats_current = false;
    fit->at_is_current = false;
}

dlp_outcome dlpi_set_q(dlp_fit *fit)
{
    const dlpi_optim *o = &fit->optim;
    dlpi_gaussian *q = &fit->q;
    memcpy(q->mu, o->at.x, (size_t)o->n * sizeof *q->mu);
    dlp_sym_copy(&o->at.hess, &fit->hess);
    dlp_sym_negate(&fit->hess);
    if (fit->settings.diagonal) dlp_sym_keep_diagonal(&fit->hess);
    const dlp_index failed = dlp_factor_compute(q->precision, &fit->hess);
    fit->result.worst = failed;
    if (failed >= 0) return DLP_NOT_CONCAVE;
    dlp_factor_inverse(q->precision, &q->Sigma);
    q->log_det = -dlp_factor_log_det(q->precision);
    fit->at_is_current = true;
    return DLP_RUNNING;
}

static void swap_q(dlp_fit *fit)
{
    const dlpi_gaussian q = fit->q;
    fit->q = fit->old;
    fit->old = q;
    fit->result.mu = fit->q.mu;
}

/* The L2 rule of Section 3.4, in the units of theta. Differences blur mu, and the rule
   knows. */
static bool converged(const dlp_fit *fit)
{
    const double blur[] = {1e-5, 1e-7, 0};
    const double tol = fmax(fit->settings.tol, blur[fit->model.type->derivatives]);
    if (!fit->at_maximum) return false;
    if (fit->settled && !fit->model.type->update_z) return true;
    for (dlp_index i = 0; i < fit->model.shape.n; i++)
        fit->vector[i] = fit->q.mu[i] - fit->old.mu[i];
    return dlpi_optim_length(&fit->optim, fit->vector) <=
           tol * (1 + dlpi_optim_length(&fit->optim, fit->q.mu));
}

/* ||mu - mu_old||_2 */
static double change_of_mean(const dlp_fit *fit)
{
    for (dlp_index i = 0; i < fit->model.shape.n; i++)
        fit->vector[i] = fit->q.mu[i] - fit->old.mu[i];
    return dlpi_norm(fit->model.shape.n, fit->vector);
}

/* Lines 5 and 6, and the objective there; NAN where an expectation is not finite. */
static double update_z_and_monitor(dlp_fit *fit)
{
    dlpi_expect_eta(fit);
    if (!dlpi_all_finite(fit->model.n_eta, fit->e_eta)) return NAN;
    update_z(fit);
    return dlpi_monitor(fit);
}

/*
 * The fast route: before lines 5 and 6, mu leaps to where the fixed point seems to be. A
 * leap into the void is taken back; one that only leads astray shows in the next update,
 * and dlpi_anderson_next forgets. The objective cannot be the judge of more: it is
 * watched, not maximised, and may fall on the way to Laplace's fixed point.
 */
static double leap_and_monitor(dlp_fit *fit)
{
    const size_t bytes = (size_t)fit->model.shape.n * sizeof *fit->q.mu;
    const double before = fit->result.objective, size = 1 + fabs(before);
    dlpi_anderson_measure(&fit->anderson, fit->optim.unit);
    if (dlpi_anderson_next(&fit->anderson, fit->old.mu, fit->q.mu, fit->vector)) {
        memcpy(fit->q.mu, fit->vector, bytes);
        fit->at_is_current = false;
        const double objective = update_z_and_monitor(fit);
        if (objective >= before - 1e-2 * size && objective <= before + size)
            return objective;
        memcpy(fit->q.mu, fit->anderson.g, bytes);
        fit->at_is_current = false;
        dlpi_anderson_reset(&fit->anderson);
    }
    return update_z_and_monitor(fit);
}

/* Writes the trace, and decides whether to go on. */
static dlp_outcome conclude(dlp_fit *fit, double objective, double change, bool done)
{
    dlp_result *r = &fit->result;
    const dlp_settings *s = &fit->settings;
    const long evaluations = fit->evaluations;
    dlp_trace_row *row = &fit->trace[r->iterations++];
    row->iteration = r->iterations;
    row->evaluations = (int)(evaluations - r->evaluations);
    row->objective = r->objective = objective;
    row->change = change;
    r->evaluations = evaluations;
    const bool stop = s->progress && s->progress(s->context, row) != 0;
    if (done) return DLP_CONVERGED;
    if (stop) return DLP_CANCELLED;
    return r->iterations < s->max_iter ? DLP_RUNNING : DLP_MAX_ITERATIONS;
}

/* Lines 5 to 7, given the new q(theta). */
static dlp_outcome update_z_and_conclude(dlp_fit *fit)
{
    const double change = change_of_mean(fit);
    const bool done = converged(fit);
    const bool last = fit->result.iterations + 1 >= fit->settings.max_iter;
    const bool leap = !done && !last && !fit->settings.plain && fit->model.type->update_z;
    const double objective = leap ? leap_and_monitor(fit) : update_z_and_monitor(fit);
    const bool far = dlpi_optim_length(&fit->optim, fit->q.mu) > DLPI_FAR;
    return isfinite(objective) && !far ? conclude(fit, objective, change, done)
                                       : DLP_DIVERGED;
}

static bool failed(dlp_outcome outcome)
{
    return outcome == DLP_NOT_CONCAVE || outcome == DLP_DIVERGED ||
           outcome == DLP_STALLED;
}

/* Back to the last iteration, whose q was good. */
static void take_back(dlp_fit *fit)
{
    swap_q(fit);
    dlpi_expect_eta(fit);
    update_z(fit);
    dlpi_expect_stats(fit);
    if (fit->result.outcome == DLP_NOT_CONCAVE && fit->result.worst < 0)
        fit->result.worst = fit->optim.failed;
    fit->result.evaluations = fit->evaluations;
}

void dlp_fit_step(dlp_fit *fit)
{
    dlp_result *r = &fit->result;
    if (r->outcome != DLP_RUNNING) return;

    /* line 3: compute the statistics E_q(z)[t(z)] */
    dlpi_expect_stats(fit);

    /* line 4: update q(theta) by the method; the q so far is fit->old from here on */
    swap_q(fit);
    dlpi_optim_measure(&fit->optim);
    fit->at_maximum = true;
    fit->settled = false;
    r->outcome = fit->method->update_theta(fit);

    /* line 5: compute E_q(theta)[eta(theta)]; line 6: update q(z);
       line 7: until convergence */
    if (r->outcome == DLP_RUNNING) r->outcome = update_z_and_conclude(fit);

    if (failed(r->outcome)) take_back(fit);
}

void dlpi_reset(dlp_fit *fit)
{
    const dlp_index n = fit->model.shape.n;
    fit->result =
        (dlp_result){.outcome = DLP_DIVERGED,
                     .objective = -INFINITY,
                     .n = n,
                     .mu = fit->q.mu,
                     .Sigma = &fit->q.Sigma,
                     .trace = fit->trace,
                     .worst = -1,
                     .differenced = dlpi_differenced(&fit->model, fit->method,
                                                     fit->settings.taylor_eta != 0)};
    for (dlp_index i = 0; i < n; i++) {
        fit->q.mu[i] = 0;
        fit->shrink[i] = 1;
    }
    dlp_sym_set_identity(&fit->q.Sigma);
    dlp_factor_compute(fit->q.precision, &fit->q.Sigma);
    fit->q.log_det = 0;
    fit->evaluations = 0;
    fit->at_is_current = fit->stats_current = false;
    fit->climbed = fit->warm = false;
    dlpi_anderson_reset(&fit->anderson);
}

static double sketch(void *context, const double *theta, double *grad, dlp_sym *hess)
{
    const dlp_fit *fit = context;
    return fit->model.type->sketch(fit->model.state, theta, grad, hess);
}

/* mu = the maximum of the model's sketch of f, or 0. The sketch is no more exact than
   this. */
static void start_at_sketch(dlp_fit *fit)
{
    const double tol = 1e-2;
    dlpi_optim *o = &fit->optim;
    if (!fit->model.type->sketch) return;
    memset(o->at.x, 0, (size_t)o->n * sizeof *o->at.x);
    o->f = sketch;
    o->with_hess = true;
    dlpi_optim_evaluate(o);
    if (dlpi_optim_finite(o)) {
        dlpi_optim_measure(o);
        if (dlpi_newton(o, tol, DLPI_INNER_MAX_ITER) == DLP_CONVERGED)
            memcpy(fit->q.mu, o->at.x, (size_t)o->n * sizeof *o->at.x);
    }
    o->f = dlpi_evaluate;
}

/* Line 1: q(theta) = N(start, I), and q(z) from it. Until that has succeeded the fit has
   ended, so that a step changes nothing. */
dlp_status dlp_fit_init(dlp_fit *fit, const double *start, dlp_error *error)
{
    const dlp_index n = fit->model.shape.n;
    dlpi_reset(fit);
    if (start && !dlpi_all_finite(n, start))
        return dlp_fail(
            error, DLP_EINVAL,
            "the start is not finite; give a finite start for every parameter");
    if (start)
        memcpy(fit->q.mu, start, (size_t)n * sizeof *start);
    else
        start_at_sketch(fit);
    double objective = update_z_and_monitor(fit);
    if (!isfinite(objective) && !start && fit->model.type->sketch) {
        memset(fit->q.mu, 0, (size_t)n * sizeof *fit->q.mu);
        fit->at_is_current = false;
        objective = update_z_and_monitor(fit);
    }
    fit->result.evaluations = fit->evaluations;
    if (!isfinite(objective))
        return dlp_fail(
            error, DLP_EINVAL,
            "model %s: f, its derivatives or the expectations are not finite at "
            "the start; give a start inside the domain",
            fit->model.type->name);
    fit->result.objective = objective;
    fit->result.outcome = DLP_RUNNING;
    return DLP_OK;
}

int dlp_fit_done(const dlp_fit *fit)
{
    return fit->result.outcome != DLP_RUNNING;
}

dlp_status dlp_fit_run(dlp_fit *fit, const double *start, dlp_error *error)
{
    DLP_TRY(dlp_fit_init(fit, start, error));
    while (!dlp_fit_done(fit)) dlp_fit_step(fit);
    return DLP_OK;
}

void dlpi_fit_leave(const dlp_fit *fit, dlpi_trail *trail)
{
    const dlp_index n = fit->model.shape.n;
    const size_t bytes = (size_t)n * sizeof *trail->start;
    trail->climbed = fit->climbed;
    memcpy(trail->start, fit->climbed ? fit->laplace : fit->q.mu, bytes);
    if (fit->climbed) memcpy(trail->away, fit->laplace + 2 * n, bytes);
}

dlp_status dlpi_fit_rerun(dlp_fit *fit, const dlpi_trail *trail, dlp_error *error)
{
    const dlp_index n = fit->model.shape.n;
    DLP_TRY(dlp_fit_init(fit, trail->start, error));
    fit->warm = trail->climbed;
    if (fit->warm)
        memcpy(fit->laplace + 2 * n, trail->away, (size_t)n * sizeof *trail->away);
    while (!dlp_fit_done(fit)) dlp_fit_step(fit);
    return DLP_OK;
}
