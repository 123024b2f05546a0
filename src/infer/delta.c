/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Delta-method variational inference, Section 3.2.
 *
 * The objective with Sigma = -H(mu)^-1 put in, f(mu) - 1/2 log|-H(mu)|, is unbounded
 * where -H can become singular (erratum E10). So the update holds Sigma, as the paper
 * does, and where it ends at a point at which -H is not positive definite the iteration
 * falls back to Laplace's update and is counted.
 */
#include "infer/infer.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

/* f(mu) + 1/2 Tr{hess f(mu) Sigma}: eq:lb-II as a function of mu, Sigma = old.Sigma. */
static double delta_objective(void *context, const double *mu, double *grad,
                              dlp_sym *hess)
{
    dlp_fit *fit = context;
    (void)hess; /* would need fourth derivatives; L-BFGS does without */
    double value = dlpi_evaluate(fit, mu, grad, &fit->hess);
    if (!isfinite(value)) return value;
    value += 0.5 * dlp_sym_trace(&fit->hess, &fit->old.Sigma);
    if (grad) {
        double *trace_grad = fit->vector;
        dlpi_trace_grad(fit, mu, &fit->old.Sigma, trace_grad);
        for (dlp_index i = 0; i < fit->model.shape.n; i++) grad[i] += 0.5 * trace_grad[i];
    }
    return value;
}

/* mu = argmax of eq:lb-II, from the old mean, in the metric of -H there. */
static dlp_outcome maximise_over_mu(dlp_fit *fit)
{
    dlpi_optim *f = &fit->optim, *o = &fit->delta;
    o->f = delta_objective;
    o->context = fit;
    o->with_hess = false;
    if (isnan(dlpi_optim_factor(f))) return DLP_NOT_CONCAVE;
    dlp_factor *spare = o->metric;
    o->metric = f->metric;
    f->metric = spare;
    memcpy(o->at.x, fit->old.mu, (size_t)o->n * sizeof *o->at.x);
    dlpi_optim_evaluate(o);
    if (!dlpi_optim_finite(o)) return DLP_DIVERGED;
    /* finer than the loop's rule, or a change too small for L-BFGS would end the fit */
    const double tol = fmin(1e-3 * DLPI_INNER_TOL, 1e-2 * fit->settings.tol);
    return dlpi_lbfgs(o, true, tol, DLPI_INNER_MAX_ITER);
}

static dlp_outcome update_theta_delta(dlp_fit *fit)
{
    dlpi_optim *f = &fit->optim;
    const dlp_outcome outcome = maximise_over_mu(fit);
    const bool exact =
        (fit->result.differenced & 3) == 0; /* differences may stall at the end */
    if (outcome == DLP_STALLED && exact) return DLP_STALLED;
    fit->at_maximum = outcome != DLP_MAX_ITERATIONS;
    if (outcome != DLP_NOT_CONCAVE && outcome != DLP_DIVERGED) {
        /* Sigma = -hess f(mu)^-1 */
        memcpy(f->at.x, fit->delta.at.x, (size_t)f->n * sizeof *f->at.x);
        f->with_hess = true;
        dlpi_optim_evaluate(f);
        if (dlpi_optim_finite(f) && dlpi_set_q(fit) == DLP_RUNNING) return DLP_RUNNING;
        memcpy(f->at.x, fit->old.mu, (size_t)f->n * sizeof *f->at.x);
        dlpi_optim_evaluate(f);
    }
    fit->result.fallbacks++;
    return dlpi_laplace.update_theta(fit);
}

const dlpi_method dlpi_delta = {
    .name = "delta",
    .update_theta = update_theta_delta,
};
