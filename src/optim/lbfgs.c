/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * L-BFGS (Nocedal 1980) for f without a Hessian or, given a metric already close to -H,
 * for f whose Hessian is too expensive: the delta method's objective.
 */
#include "math/dense.h"
#include "optim/optim.h"

#include <math.h>
#include <string.h>

/* Within this many nats of the maximum a full step is a good one. */
static const double NEAR = 1e-2;

/* The newest pairs (s, y): steps and the decreases of the gradient over them. */
typedef struct memory {
    bool with_metric;  /* begin from o->metric, else from the identity */
    int count, newest; /* the ring holds `count` pairs, the last written at `newest` */
    double sy[DLPI_LBFGS_PAIRS];
    double gamma;   /* the scale of the first metric M: s'y / y'M^-1 y of the newest */
    double stretch; /* factor of the next step, above 1 where f is not concave */
} memory;

static void forget(memory *m)
{
    m->count = 0;
    m->stretch = 1;
}

/* o->solved = M^-1 grad, the only use of the metric in an iteration: M^-1 y is its
   decrease. */
static void solve(const dlpi_optim *o, const memory *m)
{
    memcpy(o->solved, o->at.grad, (size_t)o->n * sizeof *o->solved);
    if (!m->with_metric) return;
    if (o->solve) {
        o->solve(o->context, o->solved);
    } else {
        dlp_cholesky_solve(o->metric, o->solved);
    }
}

/* Whether the pair at slot has enough negative curvature to be useful, more than the
   rounding of s'y; sets m->gamma if so. */
static bool is_useful(const dlpi_optim *o, memory *m, int slot)
{
    const dlp_index n = o->n;
    const double *s = o->S + slot * n, *y = o->Y + slot * n;
    double terms = 0;
    m->sy[slot] = dlpi_dot(n, s, y);
    for (dlp_index i = 0; i < n; i++) terms += fabs(s[i] * y[i]);
    if (!(m->sy[slot] > 1e-10 * terms)) return false;
    const double gamma = m->sy[slot] / dlpi_dot(n, y, o->solved_Y + slot * n);
    if (!(gamma > 0 && isfinite(gamma))) return false;
    m->gamma = gamma;
    return true;
}

static void subtract(dlp_index n, const double *x, const double *y, double *difference)
{
#pragma omp simd
    for (dlp_index i = 0; i < n; i++) difference[i] = x[i] - y[i];
}

/* Stores the pair of a step that the line search scaled by alpha. */
static void remember(dlpi_optim *o, memory *m, double alpha)
{
    const dlp_index n = o->n;
    const int slot = m->count ? (m->newest + 1) % DLPI_LBFGS_PAIRS : 0;
    double *s = o->S + slot * n, *y = o->Y + slot * n, *solved_y = o->solved_Y + slot * n;
    /* after a line search, trial is the old point */
    subtract(n, o->at.x, o->trial.x, s);
    subtract(n, o->trial.grad, o->at.grad, y);
    memcpy(solved_y, o->solved, (size_t)n * sizeof *solved_y);
    solve(o, m);
    subtract(n, solved_y, o->solved, solved_y);
    if (is_useful(o, m, slot)) {
        m->newest = slot;
        m->stretch = 1;
        if (m->count < DLPI_LBFGS_PAIRS) m->count++;
    } else {
        m->stretch = dlpi_stretch(m->stretch, alpha);
        if (m->count == DLPI_LBFGS_PAIRS)
            m->count--; /* the oldest pair was
                                                         overwritten */
    }
}

/* The scale of the first metric; without a pair, it makes the first step of length 1. */
static double first_scale(const dlpi_optim *o, const memory *m)
{
    if (m->count) return m->gamma;
    return m->with_metric ? 1 : 1 / fmax(dlpi_norm(o->n, o->at.grad), 1e-300);
}

/* The slot of the k-th newest pair */
static int slot_of(const memory *m, int k)
{
    return (m->newest - k + DLPI_LBFGS_PAIRS) % DLPI_LBFGS_PAIRS;
}

/* y += a x */
static void add_scaled(dlp_index n, double a, const double *x, double *y)
{
#pragma omp simd
    for (dlp_index i = 0; i < n; i++) y[i] += a * x[i];
}

static void scale(dlp_index n, double a, double *x)
{
#pragma omp simd
    for (dlp_index i = 0; i < n; i++) x[i] *= a;
}

/* step = (approximate -H)^-1 grad, by the two-loop recursion: the first loop takes q from
   grad to grad - sum alpha y, and the step with it from M^-1 grad to M^-1 q. */
static void direction(dlpi_optim *o, const memory *m)
{
    const dlp_index n = o->n;
    double alpha[DLPI_LBFGS_PAIRS], *q = o->scale;
    memcpy(q, o->at.grad, (size_t)n * sizeof *q);
    memcpy(o->step, o->solved, (size_t)n * sizeof *o->step);
    for (int k = 0; k < m->count; k++) {
        const int slot = slot_of(m, k);
        alpha[k] = dlpi_dot(n, o->S + slot * n, q) / m->sy[slot];
        add_scaled(n, -alpha[k], o->Y + slot * n, q);
        add_scaled(n, -alpha[k], o->solved_Y + slot * n, o->step);
    }
    scale(n, first_scale(o, m), o->step);
    for (int k = m->count - 1; k >= 0; k--) {
        const int slot = slot_of(m, k);
        const double beta = dlpi_dot(n, o->Y + slot * n, o->step) / m->sy[slot];
        add_scaled(n, alpha[k] - beta, o->S + slot * n, o->step);
    }
    scale(n, m->stretch, o->step);
}

/* Rounding of f can hide the rise of a short step, but the gradient still shows it: takes
   the step if it at least halves the gradient in the metric. */
static bool step_by_slope(dlpi_optim *o, memory *m)
{
    const double before = dlpi_dot(o->n, o->at.grad, o->solved);
    const memory kept = *m;
    if (!m->with_metric || !(before < NEAR) || !dlpi_take_full_step(o)) return false;
    remember(o, m, 1);
    if (dlpi_dot(o->n, o->at.grad, o->solved) <= 0.5 * before) return true;
    dlpi_take_back(o);
    solve(o, m);
    *m = kept;
    if (m->count == DLPI_LBFGS_PAIRS) m->count--; /* the oldest pair was overwritten */
    return false;
}

dlp_outcome dlpi_lbfgs(dlpi_optim *o, bool with_metric, double tol, int max_iter)
{
    memory m = {.with_metric = with_metric, .stretch = 1};
    solve(o, &m);
    for (int it = 0; it < max_iter; it++) {
        if (dlpi_optim_diverged(o)) return DLP_DIVERGED;
        if (dlpi_norm(o->n, o->at.grad) == 0) return DLP_CONVERGED;
        direction(o, &m);
        const double length = dlpi_limit_step(o);
        const double slope = dlpi_dot(o->n, o->at.grad, o->step);
        o->slope = slope;
        if (!isfinite(slope)) return DLP_DIVERGED;
        if (dlpi_settled(o, length, slope, tol)) {
            if (o->in_sds > 0) add_scaled(o->n, 1, o->step, o->at.x);
            return DLP_CONVERGED;
        }
        const double alpha = slope > 0 ? dlpi_line_search(o, slope, 0) : 0;
        if (alpha > 0) {
            remember(o, &m, alpha);
        } else if (step_by_slope(o, &m)) {
            continue;
        } else if (m.count > 0 || m.stretch > 1) {
            forget(&m); /* discard the history that misled the direction, and try once
                           more */
        } else {
            return slope <= 1e3 * dlpi_rounding(o->at.f) ? DLP_CONVERGED : DLP_STALLED;
        }
    }
    return DLP_MAX_ITERATIONS;
}
