/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton's method with the exact Hessian in its structure. Where -H is not positive
 * definite a ridge is added. From a stationary point that is not a maximum, a step along
 * the direction of most positive curvature leads away.
 */
#include "math/dense.h"
#include "optim/optim.h"

#include <math.h>
#include <string.h>

/* In nats. Below the first, Newton's steps converge by themselves. Below the second,
   where rounding allows no more, we have arrived: it is a thousandth of a standard
   deviation. */
static const double NEAR = 1e-2, ARRIVED = 1e-6;

/* The ridge is relative to |H_ii|, bounded away from zero in the units of x. */
static void ridge_scale(dlpi_optim *o)
{
    const double *unit = o->unit;
    double largest = 0;
    dlp_sym_get_diagonal(&o->at.hess, o->scale);
    for (dlp_index i = 0; i < o->n; i++)
        largest = fmax(largest, fabs(o->scale[i]) * unit[i] * unit[i]);
    const double least = largest > 0 ? 1e-6 * largest : 1;
    for (dlp_index i = 0; i < o->n; i++)
        o->scale[i] = fmax(fabs(o->scale[i]), least / unit[i] / unit[i]);
}

double dlpi_optim_factor(dlpi_optim *o)
{
    double ridge = 0;
    for (int tries = 0; tries < 16; tries++) {
        dlp_sym_copy(&o->at.hess, &o->P);
        dlp_sym_negate(&o->P);
        if (ridge > 0) {
            ridge_scale(o);
            for (dlp_index i = 0; i < o->n; i++) o->scale[i] *= ridge;
            dlp_sym_add_diagonal(&o->P, o->scale);
        }
        const dlp_index failed = dlp_cholesky_compute(o->metric, &o->P);
        if (failed < 0) return ridge;
        o->failed = failed;
        ridge = ridge == 0 ? 1e-4 : 8 * ridge;
    }
    return NAN;
}

/* step = stretch P^-1 grad, limited; returns the slope of f along it. */
static double newton_step(dlpi_optim *o, double stretch, double *length)
{
    memcpy(o->step, o->at.grad, (size_t)o->n * sizeof *o->step);
    dlp_cholesky_solve(o->metric, o->step);
    for (dlp_index i = 0; i < o->n; i++) o->step[i] *= stretch;
    *length = dlpi_limit_step(o);
    return dlpi_dot(o->n, o->at.grad, o->step);
}

/*
 * At a saddle the gradient does not show where f rises. Inverse iteration with P finds
 * the direction in which it does; its starting vector shares no symmetry with a model.
 * Takes a step in that direction and returns true if f really rises.
 */
static bool leave_saddle(dlpi_optim *o)
{
    double *v = o->step, curvature = 0;
    for (dlp_index i = 0; i < o->n; i++)
        v[i] = o->unit[i] *
               (fmod(0.6180339887498949 * (double)(i + 1), 1) - 0.4142135623730951);
    for (int k = 0; k < 50 && !(k >= 4 && curvature > 0); k++) {
        for (dlp_index i = 0; i < o->n; i++) v[i] /= o->unit[i] * o->unit[i];
        dlp_cholesky_solve(o->metric, v);
        const double length = dlpi_optim_length(o, v);
        if (!(length > 0) || !isfinite(length)) return false;
        for (dlp_index i = 0; i < o->n; i++) v[i] /= length;
        dlp_sym_multiply(&o->at.hess, v, o->trial.x);
        curvature = dlpi_dot(o->n, v, o->trial.x);
    }
    if (!(curvature > 0)) return false;
    const double slope = dlpi_dot(o->n, v, o->at.grad), before = o->at.f;
    for (dlp_index i = 0; i < o->n && slope < 0; i++) v[i] = -v[i];
    return dlpi_line_search(o, fabs(slope), curvature) > 0 &&
           o->at.f > before + dlpi_rounding(before);
}

/* Moves `at` to the end of the step and evaluates it; `trial` keeps the old point. */
static void take_step(dlpi_optim *o)
{
    const dlpi_point before = o->at;
    for (dlp_index i = 0; i < o->n; i++) o->trial.x[i] = o->at.x[i] + o->step[i];
    o->at = o->trial;
    o->trial = before;
    dlpi_optim_evaluate(o);
}

/* A step of a hundred millionth of a standard deviation changes the Hessian by less than
   that and leaves no slope, so we take it without evaluating f. */
static void take_on_trust(dlpi_optim *o, double slope)
{
    for (dlp_index i = 0; i < o->n; i++) {
        o->at.x[i] += o->step[i];
        o->at.grad[i] = 0;
    }
    o->at.f += 0.5 * slope;
}

/* The last step, without a line search: f can no longer tell the difference. */
static void finish(dlpi_optim *o, double slope)
{
    if (o->trusts && slope <= 1e-16 * (double)o->n) {
        take_on_trust(o, slope);
        return;
    }
    const double least = o->at.f - 100 * dlpi_rounding(o->at.f);
    take_step(o);
    if (!dlpi_optim_finite(o) || o->at.f < least) dlpi_take_back(o);
}

/*
 * Where f is a difference of large terms, rounding hides the rise of a short step, but
 * the gradient still shows it: near the maximum Newton's step squares the slope. Takes
 * the step, if it needs no ridge, when it at least halves the slope.
 */
static bool step_by_slope(dlpi_optim *o, double slope)
{
    double length;
    take_step(o);
    if (dlpi_optim_finite(o) && dlpi_optim_factor(o) == 0 &&
        fabs(newton_step(o, 1, &length)) <= 0.5 * slope)
        return true;
    dlpi_take_back(o);
    return false;
}

dlp_outcome dlpi_newton(dlpi_optim *o, double tol, int max_iter)
{
    double stretch = 1;
    o->with_hess = true;
    for (int it = 0; it < max_iter; it++) {
        if (dlpi_optim_diverged(o)) return DLP_DIVERGED;
        const double ridge = dlpi_optim_factor(o);
        if (isnan(ridge)) return DLP_NOT_CONCAVE;
        if (ridge == 0) stretch = 1;
        double length;
        const double slope = newton_step(o, stretch, &length);
        if (!isfinite(slope)) return DLP_DIVERGED;
        const bool settled = dlpi_settled(o, length, slope, tol);
        const double alpha = settled ? 0 : dlpi_line_search(o, slope, 0);
        if (alpha > 0) {
            if (ridge > 0) stretch = dlpi_stretch(stretch, alpha);
            continue;
        }
        if (!settled && ridge == 0 && slope < NEAR && step_by_slope(o, slope)) continue;
        /* a rise below the rounding of f does not count */
        if (!settled &&
            slope > fmax(1e3 * dlpi_rounding(o->at.f), ARRIVED * (double)o->n))
            return DLP_STALLED;
        if (ridge == 0) {
            if (settled) finish(o, slope);
            return DLP_CONVERGED;
        }
        if (!leave_saddle(o)) return DLP_NOT_CONCAVE;
    }
    return DLP_MAX_ITERATIONS;
}
