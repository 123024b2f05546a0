/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Delta-method variational inference, Section 3.2: q(theta) = N(mu, Sigma) maximises
 *
 *     f(mu) + 1/2 Tr{hess f(mu) Sigma} + 1/2 log|Sigma|                       (eq:lb-II)
 *
 * The paper's update holds Sigma while mu moves, then sets Sigma = -hess f(mu)^-1.
 * Repeated, it ends at a maximum of the objective with that Sigma put in,
 *
 *     f(mu) - 1/2 log|-hess f(mu)|,
 *
 * which without z can be climbed at once, from Laplace's mean. It has no upper bound
 * where -hess f can become singular (erratum E10), so mu must stay where it is positive
 * definite, and there near Laplace's mean and about as wide; where that fails the
 * iteration falls back to Laplace's update and is counted.
 */
#include "infer/infer.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

/* A delta q(theta) is believed this far from Laplace's mean, in Laplace's sds, and up to
   this many times as wide: beyond, the objective is climbing towards a singular -H. */
static const double BELIEVED_AWAY = 3, BELIEVED_WIDER = 2;
/* An optimisation that stalls this near to its end, in nats, has arrived. */
static const double ARRIVED = 1e-6;

/* Adds 1/2 of the gradient of Tr{hess f(mu) Sigma}. */
static void add_half_trace_grad(dlp_fit *fit, const double *mu, const dlp_sym *Sigma,
                                double *grad)
{
    double *trace_grad = fit->vector;
    dlpi_trace_grad(fit, mu, Sigma, trace_grad);
    for (dlp_index i = 0; i < fit->model.shape.n; i++) grad[i] += 0.5 * trace_grad[i];
}

/* eq:lb-II as a function of mu, with Sigma = old.Sigma held. */
static double objective_given_sigma(void *context, const double *mu, double *grad,
                                    dlp_sym *hess)
{
    dlp_fit *fit = context;
    (void)hess; /* would need fourth derivatives; L-BFGS does without */
    double value = dlpi_evaluate(fit, mu, grad, &fit->hess);
    if (!isfinite(value)) return value;
    value += 0.5 * dlp_sym_trace(&fit->hess, &fit->old.Sigma);
    if (grad) add_half_trace_grad(fit, mu, &fit->old.Sigma, grad);
    return value;
}

static bool near_laplace(const dlp_fit *fit, const double *mu)
{
    const dlp_index n = fit->model.shape.n;
    const double *mode = fit->laplace, *sd = mode + n;
    for (dlp_index i = 0; i < n; i++)
        if (!(fabs(mu[i] - mode[i]) <= BELIEVED_AWAY * sd[i])) return false;
    return true;
}

/* f(mu) - 1/2 log|-hess f(mu)|; its gradient is that of eq:lb-II at Sigma(mu). */
static double objective_profiled(void *context, const double *mu, double *grad,
                                 dlp_sym *hess)
{
    dlp_fit *fit = context;
    dlpi_gaussian *q = &fit->q;
    (void)hess;
    if (!near_laplace(fit, mu)) return -INFINITY;
    const double value = dlpi_evaluate(fit, mu, grad, &fit->hess);
    if (!isfinite(value)) return value;
    dlp_sym_negate(&fit->hess);
    if (fit->settings.diagonal) dlp_sym_keep_diagonal(&fit->hess);
    if (dlp_factor_compute(q->precision, &fit->hess) >= 0) return -INFINITY;
    if (grad) {
        dlp_factor_inverse(q->precision, &q->Sigma);
        add_half_trace_grad(fit, mu, &q->Sigma, grad);
    }
    return value - 0.5 * dlp_factor_log_det(q->precision);
}

/* Maximises `objective` over mu from optim.at, by L-BFGS in the metric of -H there. */
static dlp_outcome maximise_over_mu(dlp_fit *fit, dlp_function *objective)
{
    dlpi_optim *f = &fit->optim, *o = &fit->delta;
    o->f = objective;
    o->with_hess = false;
    if (isnan(dlpi_optim_factor(f))) return DLP_NOT_CONCAVE;
    dlp_factor *spare = o->metric;
    o->metric = f->metric;
    f->metric = spare;
    memcpy(o->at.x, f->at.x, (size_t)o->n * sizeof *o->at.x);
    dlpi_optim_evaluate(o);
    if (!dlpi_optim_finite(o)) return DLP_DIVERGED;
    /* finer than the loop's rule, or a change too small for L-BFGS would end the fit; but
       not finer than rounding */
    const double tol = fmax(fmin(1e-3 * DLPI_INNER_TOL, 1e-2 * fit->settings.tol), 1e-12);
    return dlpi_lbfgs(o, true, tol, DLPI_INNER_MAX_ITER);
}

/* q = N(mu, -hess f(mu)^-1) */
static dlp_outcome set_q_at(dlp_fit *fit, const double *mu)
{
    dlpi_optim *f = &fit->optim;
    memcpy(f->at.x, mu, (size_t)f->n * sizeof *f->at.x);
    f->with_hess = true;
    dlpi_optim_evaluate(f);
    return dlpi_optim_finite(f) ? dlpi_set_q(fit) : DLP_DIVERGED;
}

static bool arrived(const dlp_fit *fit, dlp_outcome outcome)
{
    return outcome == DLP_CONVERGED ||
           (outcome == DLP_STALLED && fit->delta.slope <= ARRIVED);
}

/* The paper's update: mu with Sigma held, then Sigma. Where it runs out of iterations the
   next update goes on. */
static dlp_outcome alternate(dlp_fit *fit)
{
    const dlp_outcome outcome = maximise_over_mu(fit, objective_given_sigma);
    fit->at_maximum = outcome != DLP_MAX_ITERATIONS;
    if ((arrived(fit, outcome) || outcome == DLP_MAX_ITERATIONS) &&
        set_q_at(fit, fit->delta.at.x) == DLP_RUNNING)
        return DLP_RUNNING;
    fit->result.fallbacks++;
    set_q_at(fit, fit->old.mu); /* f there again, for Laplace to start from */
    return dlpi_laplace.update_theta(fit);
}

static bool about_as_wide_as_laplace(const dlp_fit *fit)
{
    const dlp_index n = fit->model.shape.n;
    const double *laplace_sd = fit->laplace + n;
    double *sd = fit->vector;
    dlp_fit_sd(fit, sd);
    for (dlp_index i = 0; i < n; i++)
        if (!(sd[i] <= BELIEVED_WIDER * laplace_sd[i])) return false;
    return true;
}

/* The same end at once, from Laplace's mean. */
static dlp_outcome climb(dlp_fit *fit)
{
    const dlp_index n = fit->model.shape.n;
    const dlp_outcome laplace = dlpi_laplace.update_theta(fit);
    if (laplace != DLP_RUNNING || !fit->settled) return laplace;
    memcpy(fit->laplace, fit->q.mu, (size_t)n * sizeof *fit->laplace);
    dlp_fit_sd(fit, fit->laplace + n);
    if (arrived(fit, maximise_over_mu(fit, objective_profiled)) &&
        set_q_at(fit, fit->delta.at.x) == DLP_RUNNING && about_as_wide_as_laplace(fit))
        return DLP_RUNNING;
    fit->result.fallbacks++;
    return set_q_at(fit, fit->laplace);
}

static dlp_outcome update_theta_delta(dlp_fit *fit)
{
    const bool at_once = !fit->model.type->update_z && !fit->settings.plain;
    return at_once ? climb(fit) : alternate(fit);
}

const dlpi_method dlpi_delta = {
    .name = "delta",
    .update_theta = update_theta_delta,
};
