/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonconjugate variational inference: Figure 1 of the paper (fig:lp-algorithm). */
#include "core/core.h"
#include "infer/infer.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

static void swap_q(dlp_fit *fit)
{
    const dlpi_gaussian q = fit->q;
    fit->q = fit->old;
    fit->old = q;
    fit->result.mu = fit->q.mu;
}

/* The L2 rule of Section 3.4, in the units of theta. It allows for the noise that
   differences add to mu. */
static bool converged(const dlp_fit *fit)
{
    const double blur[] = {1e-5, 1e-7, 0};
    const double tol = fmax(fit->settings.tol, blur[fit->type.derivatives]);
    if (fit->updated == DLPI_UNFINISHED) return false;
    if (fit->updated == DLPI_SETTLED && !fit->type.update_z) return true;
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
    dlpi_update_z(fit);
    return dlpi_monitor(fit);
}

/*
 * The fast route: before lines 5 and 6, mu takes an Anderson step to the estimated fixed
 * point. A step to where the objective is not finite is undone. A merely bad step shows
 * in the next update, and dlpi_anderson_next then discards its history. The objective
 * cannot judge more than that: it is monitored, not maximised, and may fall on the way to
 * Laplace's fixed point.
 */
static double accelerate_and_monitor(dlp_fit *fit)
{
    const size_t bytes = (size_t)fit->model.shape.n * sizeof *fit->q.mu;
    const double before = fit->result.objective, size = 1 + fabs(before);
    dlpi_anderson_measure(&fit->anderson, fit->optim.unit);
    if (dlpi_anderson_next(&fit->anderson, fit->old.mu, fit->q.mu, fit->vector)) {
        memcpy(fit->q.mu, fit->vector, bytes);
        dlpi_mean_moved(fit);
        const double objective = update_z_and_monitor(fit);
        if (objective >= before - 1e-2 * size && objective <= before + size)
            return objective;
        memcpy(fit->q.mu, fit->anderson.g, bytes);
        dlpi_mean_moved(fit);
        dlpi_anderson_reset(&fit->anderson);
    }
    return update_z_and_monitor(fit);
}

/* Writes the trace and decides whether to continue. */
static dlp_outcome conclude(dlp_fit *fit, double objective, double change, bool done)
{
    dlp_result *r = &fit->result;
    const long evaluations = fit->evaluations;
    dlp_trace_row *row = &fit->trace[r->iterations++];
    row->iteration = r->iterations;
    row->evaluations = (int)(evaluations - r->evaluations);
    row->objective = r->objective = objective;
    row->change = change;
    r->evaluations = evaluations;
    r->valid = 1;
    return dlpi_listener_conclude(&fit->listener, r->iterations, objective, change,
                                  done ? DLP_CONVERGED : DLP_RUNNING,
                                  fit->settings.max_iter);
}

/* Whether the caller or the model has ended the run, in the middle of an iteration. */
static dlp_outcome interruption(const dlp_fit *fit)
{
    if (fit->failure != DLP_OK) return DLP_FAILED;
    return dlpi_listener_stopped(&fit->listener) ? DLP_CANCELLED : DLP_RUNNING;
}

/* Lines 5 to 7, given the new q(theta). */
static dlp_outcome update_z_and_conclude(dlp_fit *fit)
{
    const double change = change_of_mean(fit);
    const bool done = converged(fit);
    const bool last = fit->result.iterations + 1 >= fit->settings.max_iter;
    const bool ahead = !done && !last && !fit->settings.plain && fit->type.update_z;
    const double objective =
        ahead ? accelerate_and_monitor(fit) : update_z_and_monitor(fit);
    dlpi_ask_failure(fit);
    if (interruption(fit) != DLP_RUNNING) return interruption(fit);
    const bool far = dlpi_optim_length(&fit->optim, fit->q.mu) > DLPI_FAR;
    return isfinite(objective) && !far ? conclude(fit, objective, change, done)
                                       : DLP_DIVERGED;
}

/* Goes back to the last iteration, whose q was good. */
static void take_back(dlp_fit *fit)
{
    swap_q(fit);
    dlpi_expect_eta(fit);
    dlpi_update_z(fit);
    dlpi_expect_stats(fit);
    if (fit->result.outcome == DLP_NOT_CONCAVE && fit->result.worst < 0)
        fit->result.worst = fit->optim.failed;
    fit->result.evaluations = fit->evaluations;
}

/* Reports the model's failure, or that the caller stopped the run before there was a
   q. */
static dlp_status fail_interrupted(const dlp_fit *fit, dlp_error *error)
{
    const dlp_result *r = &fit->result;
    if (r->outcome != DLP_CANCELLED || r->valid) return fit->failure;
    return dlp_fail(error, DLP_ECANCELLED,
                    "cancelled before the first iteration was complete");
}

dlp_status dlp_fit_step(dlp_fit *fit, dlp_error *error)
{
    dlp_result *r = &fit->result;
    const int before = r->iterations;
    if (r->outcome != DLP_RUNNING) return DLP_OK;
    fit->error = error;

    /* line 3: compute the statistics E_q(z)[t(z)] */
    dlpi_expect_stats(fit);

    /* line 4: update q(theta) by the method; fit->old now holds the previous q */
    swap_q(fit);
    dlpi_optim_measure(&fit->optim);
    r->outcome = fit->method->update_theta(fit);
    if (interruption(fit) != DLP_RUNNING) r->outcome = interruption(fit);

    /* line 5: compute E_q(theta)[eta(theta)]; line 6: update q(z);
       line 7: until convergence */
    if (r->outcome == DLP_RUNNING) r->outcome = update_z_and_conclude(fit);

    if (r->iterations == before) take_back(fit);
    fit->error = NULL;
    return fail_interrupted(fit, error);
}

void dlpi_reset(dlp_fit *fit)
{
    const dlp_index n = fit->model.shape.n;
    fit->result =
        (dlp_result){.outcome = DLP_NOT_STARTED,
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
    dlp_cholesky_compute(fit->q.precision, &fit->q.Sigma);
    fit->q.log_det = 0;
    fit->evaluations = 0;
    fit->offset_is = DLPI_NO_OFFSET;
    fit->failure = DLP_OK;
    dlpi_forget(fit);
    dlpi_anderson_reset(&fit->anderson);
    dlpi_listener_begin(&fit->listener, "fitting", fit->settings.max_iter,
                        fit->settings.tol);
}

static double subsample(void *context, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_fit *fit = context;
    if (dlpi_is_stopped(fit)) return NAN;
    const double f = fit->type.subsample(fit->model.state, theta, grad, hess);
    if (isnan(f)) dlpi_ask_failure(fit);
    return f;
}

/* mu = the maximum of f on the model's subsample, needed only to this precision, or 0. */
static void start_at_subsample(dlp_fit *fit)
{
    const double tol = 1e-2;
    dlpi_optim *o = &fit->optim;
    if (!fit->type.subsample) return;
    memset(o->at.x, 0, (size_t)o->n * sizeof *o->at.x);
    o->f = subsample;
    o->with_hess = true;
    dlpi_optim_evaluate(o);
    if (dlpi_optim_finite(o)) {
        dlpi_optim_measure(o);
        if (dlpi_newton(o, tol, DLPI_INNER_MAX_ITER) == DLP_CONVERGED)
            memcpy(fit->q.mu, o->at.x, (size_t)o->n * sizeof *o->at.x);
    }
    o->f = dlpi_evaluate;
}

/* The objective at q = N(start, I), and q(z) from it; falls back to 0 if the subsample's
   maximum is outside the domain. */
static double begin(dlp_fit *fit, const double *start)
{
    const size_t bytes = (size_t)fit->model.shape.n * sizeof *start;
    if (start)
        memcpy(fit->q.mu, start, bytes);
    else if (!fit->type.start || !fit->type.start(fit->model.state, fit->q.mu))
        start_at_subsample(fit);
    const double objective = update_z_and_monitor(fit);
    if (isfinite(objective) || start || !fit->type.subsample) return objective;
    memset(fit->q.mu, 0, bytes);
    dlpi_mean_moved(fit);
    return update_z_and_monitor(fit);
}

/* Line 1: q(theta) = N(start, I), and q(z) from it. The fit has not started until this
   succeeds, so a failed step changes nothing. */
dlp_status dlp_fit_init(dlp_fit *fit, const double *start, dlp_error *error)
{
    dlp_result *r = &fit->result;
    dlpi_reset(fit);
    if (start && !dlpi_all_finite(fit->model.shape.n, start))
        return dlp_fail(
            error, DLP_EINVAL,
            "the start is not finite; give a finite start for every parameter");
    fit->error = error;
    const double objective = begin(fit, start);
    dlpi_ask_failure(fit);
    fit->error = NULL;
    r->evaluations = fit->evaluations;
    r->outcome = interruption(fit);
    if (r->outcome != DLP_RUNNING) return fail_interrupted(fit, error);
    if (isfinite(objective)) {
        r->objective = objective;
        return DLP_OK;
    }
    r->outcome = DLP_NOT_STARTED;
    return dlp_fail(error, DLP_EINVAL,
                    "model %s: f, its derivatives or the expectations are not finite at "
                    "the start; give a start inside the domain",
                    fit->type.name);
}

int dlp_fit_done(const dlp_fit *fit)
{
    return fit->result.outcome != DLP_RUNNING;
}

dlp_status dlp_fit_run(dlp_fit *fit, const double *start, dlp_error *error)
{
    DLP_TRY(dlp_fit_init(fit, start, error));
    while (!dlp_fit_done(fit)) DLP_TRY(dlp_fit_step(fit, error));
    return DLP_OK;
}
