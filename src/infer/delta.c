/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Delta-method variational inference, Section 3.2: q(theta) = N(mu, Sigma) maximises
 *
 *     f(mu) + 1/2 Tr{hess f(mu) Sigma} + 1/2 log|Sigma|                       (eq:lb-II)
 *
 * The paper's update holds Sigma while mu moves, then sets Sigma = -hess f(mu)^-1.
 * Repeated, it ends at a maximum of the objective with that Sigma put in,
 *
 *     f(mu) - 1/2 log|-hess f(mu)|.
 *
 * Without z we can maximise this directly, starting from Laplace's mean. It has no upper
 * bound where -hess f can become singular (erratum E10), so mu must stay where -hess f
 * is positive definite, near Laplace's mean, and with a similar width. If that fails,
 * the iteration falls back to Laplace's update, and the fallback is counted.
 */
#include "infer/infer.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* We accept a delta q(theta) up to this many Laplace sds from Laplace's mean, as a root
   of the mean square over all directions, and up to this many times as wide in any.
   Beyond that the objective is climbing towards a singular -H. Both are measured in
   Laplace's metric, so that the choice of coordinates does not decide. */
static const double BELIEVED_AWAY = 3, BELIEVED_WIDER = 2;
/* As a reference and a starting point, Laplace's mean needs no more precision than this:
   the Newton step that follows squares the error. */
static const double LAPLACE_TOL = 1e-3;
/* In sds, of the last step; the gradient of many rows has rounding of its own. */
static const double FINEST = 1e-10;
/* An optimisation that stalls this close to its maximum, in nats, has converged. */
static const double ARRIVED = 1e-6;

/* The term that an objective adds to f(mu), given hess f(mu). Also adds the term's
   gradient where it is wanted. */
typedef double addition(dlp_fit *fit, const double *mu, const dlp_sym *hess,
                        double *grad);

/* Adds 1/2 of the gradient of Tr{hess f(mu) Sigma}. */
static void add_half_trace_grad(dlp_fit *fit, const double *mu, const dlp_sym *Sigma,
                                double *grad)
{
    double *trace_grad = fit->vector;
    dlpi_trace_grad(fit, mu, Sigma, trace_grad);
    for (dlp_index i = 0; i < fit->model.shape.n; i++) grad[i] += 0.5 * trace_grad[i];
}

/* f plus an added term. hess receives the Hessian of f alone, since Sigma is made from
   it. */
static double evaluate(dlp_fit *fit, addition *add, const double *mu, double *grad,
                       dlp_sym *hess)
{
    dlp_sym *H = hess ? hess : &fit->hess;
    const double f = dlpi_evaluate(fit, mu, grad, H);
    return isfinite(f) ? f + add(fit, mu, H, grad) : f;
}

/* eq:lb-II as a function of mu, with Sigma = old.Sigma held. */
static double add_given_sigma(dlp_fit *fit, const double *mu, const dlp_sym *hess,
                              double *grad)
{
    if (grad) add_half_trace_grad(fit, mu, &fit->old.Sigma, grad);
    return 0.5 * dlp_sym_trace(hess, &fit->old.Sigma);
}

static double objective_given_sigma(void *fit, const double *mu, double *grad,
                                    dlp_sym *hess)
{
    return evaluate(fit, add_given_sigma, mu, grad, hess);
}

/* f's optimiser is still at Laplace's mean, with the Hessian there. */
static bool near_laplace(const dlp_fit *fit, const double *mu)
{
    const dlp_index n = fit->model.shape.n;
    double *off = fit->vector, *curved = off + n;
    for (dlp_index i = 0; i < n; i++) off[i] = mu[i] - fit->laplace[i];
    dlp_sym_multiply(&fit->optim.at.hess, off, curved);
    return -dlpi_dot(n, off, curved) <= BELIEVED_AWAY * BELIEVED_AWAY * (double)n;
}

/* -1/2 log|-hess f(mu)|; with it the gradient is that of eq:lb-II at Sigma(mu). */
static double add_profiled(dlp_fit *fit, const double *mu, const dlp_sym *hess,
                           double *grad)
{
    dlpi_gaussian *q = &fit->q;
    dlp_sym *minus_hess = &fit->delta.P;
    dlp_sym_copy(hess, minus_hess);
    dlp_sym_negate(minus_hess);
    if (fit->settings.diagonal) dlp_sym_keep_diagonal(minus_hess);
    if (dlp_cholesky_compute(q->precision, minus_hess) >= 0) return -INFINITY;
    if (grad) {
        dlp_cholesky_inverse(q->precision, &q->Sigma);
        add_half_trace_grad(fit, mu, &q->Sigma, grad);
    }
    return -0.5 * dlp_cholesky_log_det(q->precision);
}

static double objective_profiled(void *context, const double *mu, double *grad,
                                 dlp_sym *hess)
{
    dlp_fit *fit = context;
    return near_laplace(fit, mu) ? evaluate(fit, add_profiled, mu, grad, hess)
                                 : -INFINITY;
}

/* The delta method's optimiser starts at the end point of f's, with -H there as its
   metric. */
static bool begin_at_f(dlp_fit *fit, dlp_function *objective, addition *add)
{
    const dlpi_optim *f = &fit->optim;
    dlpi_optim *o = &fit->delta;
    o->f = objective;
    o->with_hess = true;
    if (isnan(dlpi_optim_factor(&fit->optim))) return false;
    dlp_cholesky *spare = o->metric;
    o->metric = f->metric;
    fit->optim.metric = spare;
    memcpy(o->at.x, f->at.x, (size_t)o->n * sizeof *o->at.x);
    memcpy(o->at.grad, f->at.grad, (size_t)o->n * sizeof *o->at.grad);
    dlp_sym_copy(&f->at.hess, &o->at.hess);
    o->at.f = f->at.f + add(fit, o->at.x, &o->at.hess, o->at.grad);
    return dlpi_optim_finite(o);
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

/* The paper's update: mu with Sigma held, then Sigma. If it runs out of iterations, the
   next update continues from there. */
static dlp_outcome alternate(dlp_fit *fit)
{
    /* finer than the loop's rule, since a change too small for L-BFGS would otherwise end
       the fit; but not finer than rounding */
    const double tol = fmax(fmin(1e-3 * DLPI_INNER_TOL, 1e-2 * fit->settings.tol), 1e-12);
    const dlp_outcome outcome =
        begin_at_f(fit, objective_given_sigma, add_given_sigma)
            ? dlpi_lbfgs(&fit->delta, true, tol, DLPI_INNER_MAX_ITER)
            : DLP_DIVERGED;
    fit->updated = outcome == DLP_MAX_ITERATIONS ? DLPI_UNFINISHED : DLPI_MOVED;
    if ((arrived(fit, outcome) || outcome == DLP_MAX_ITERATIONS) &&
        set_q_at(fit, fit->delta.at.x) == DLP_RUNNING)
        return DLP_RUNNING;
    fit->result.fallbacks++;
    set_q_at(fit, fit->old.mu); /* f at this point again, for Laplace to start from */
    return dlpi_laplace.update_theta(fit);
}

/* Whether most Sigma^-1 - (-H) is positive definite, so that every direction is narrower.
   Sums of matrices of low rank are not tried. */
static bool is_narrower(dlp_fit *fit, const dlp_sym *H, double most)
{
    dlp_sym *P = &fit->delta.P;
    const dlp_index size = dlpi_value_size(&H->shape);
    if (H->shape.structure == DLP_LOW_RANK) return false;
    for (dlp_index i = 0; i < size; i++) P->a[i] = most * fit->hess.a[i] + H->a[i];
    return dlp_cholesky_compute(fit->delta.metric, P) < 0;
}

/* The widest direction, which power iteration finds from that in which the mean moved. */
static double find_widest(dlp_fit *fit, const dlp_sym *H)
{
    enum { STEPS = 20 };
    const dlp_index n = fit->model.shape.n;
    double *v = fit->vector, *curved = v + n, *own = v + 2 * n, widest = 0;
    for (dlp_index i = 0; i < n; i++) v[i] = fit->q.mu[i] - fit->laplace[i];
    for (int k = 0; k < STEPS; k++) {
        dlp_sym_multiply(H, v, curved);
        dlp_sym_multiply(&fit->hess, v, own);
        const double size = dlpi_dot(n, v, own);
        if (!(size > 0)) break;
        widest = -dlpi_dot(n, v, curved) / size;
        for (dlp_index i = 0; i < n; i++) v[i] = -curved[i] / sqrt(size);
        dlp_cholesky_solve(fit->q.precision, v);
    }
    return widest;
}

/* Whether no direction is much wider, nor their mean. The delta method's optimiser now has
   Laplace's Hessian H, and q is the result: v'(-H)v / v'Sigma^-1 v. */
static bool about_as_wide_as_laplace(dlp_fit *fit)
{
    const double most = BELIEVED_WIDER * BELIEVED_WIDER;
    dlp_sym *H = &fit->delta.at.hess;
    if (fit->settings.diagonal) dlp_sym_keep_diagonal(H);
    return is_narrower(fit, H, most) ||
           (find_widest(fit, H) <= most &&
            -dlp_sym_trace(H, &fit->q.Sigma) <= most * (double)fit->model.shape.n);
}

/* Starts at the same offset from Laplace's mean as the end of the last run, if that
   helps. */
static void begin_as_last_time(dlp_fit *fit)
{
    dlpi_optim *o = &fit->delta;
    const double *offset = fit->offset, height = o->at.f;
    for (dlp_index i = 0; i < o->n; i++) o->trial.x[i] = o->at.x[i] + offset[i];
    const dlpi_point mode = o->at;
    o->at = o->trial;
    o->trial = mode;
    dlpi_optim_evaluate(o);
    if (dlpi_optim_finite(o) && o->at.f >= height) return;
    o->trial = o->at;
    o->at = mode;
}

/* mu = argmax of the profiled objective; false where it was not found. */
static bool maximise_profiled(dlp_fit *fit)
{
    dlpi_optim *o = &fit->delta;
    if (!begin_at_f(fit, objective_profiled, add_profiled)) return false;
    if (fit->offset_is == DLPI_LAST_RUNS) begin_as_last_time(fit);
    const double tol = fmax(fit->settings.tol, 1e-12);
    o->in_sds = fit->result.differenced ? 0 : fmax(tol, FINEST);
    return arrived(fit, dlpi_lbfgs(o, true, tol, DLPI_INNER_MAX_ITER));
}

/* q at the maximum, where the Hessian of f is already known: the optimisers swap theirs.
   The gradient there is unknown, but the fit ends here and does not need it. */
static bool set_q_at_maximum(dlp_fit *fit)
{
    dlpi_optim *o = &fit->delta;
    dlpi_point *at = &fit->optim.at;
    const dlp_sym laplace = at->hess;
    memcpy(at->x, o->at.x, (size_t)o->n * sizeof *at->x);
    at->hess = o->at.hess;
    o->at.hess = laplace;
    if (dlpi_set_q(fit) != DLP_RUNNING) return false;
    at->f = o->at.f - 0.5 * fit->q.log_det;
    return true;
}

/* Remembers how far from Laplace's mean this run ended, for the next run. */
static void keep_offset(dlp_fit *fit)
{
    for (dlp_index i = 0; i < fit->model.shape.n; i++)
        fit->offset[i] = fit->q.mu[i] - fit->laplace[i];
    fit->offset_is = DLPI_THIS_RUNS;
}

/* The same maximum in one go, from Laplace's mean. */
static dlp_outcome climb(dlp_fit *fit)
{
    const dlp_outcome laplace = dlpi_update_theta_laplace(fit, LAPLACE_TOL);
    if (laplace != DLP_RUNNING || fit->updated != DLPI_SETTLED) return laplace;
    memcpy(fit->laplace, fit->q.mu, (size_t)fit->model.shape.n * sizeof *fit->laplace);
    if (maximise_profiled(fit) && set_q_at_maximum(fit) &&
        about_as_wide_as_laplace(fit)) {
        keep_offset(fit);
        return DLP_RUNNING;
    }
    fit->result.fallbacks++;
    const dlp_outcome again = set_q_at(fit, fit->laplace);
    return again == DLP_RUNNING ? dlpi_laplace.update_theta(fit) : again;
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
