/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the mode of dlpi_explore's density by gradients: BFGS until it is close, then
 * the Hessian by differences of the gradient, a few of which replace many of the
 * density, and a Newton step, whose gradient is that of the density itself.
 */
#include "core/core.h"
#include "infer/bfgs.h"
#include "infer/explore.h"
#include "math/dense.h"

#include <omp.h>
#include <string.h>

enum { MOST_ITERATIONS = 60, MOST_CUTS = 6, MOST_HESSIANS = 4 };
static const double NEAR = 0.02;    /* below this gain of a step, switch to Newton's
                                       method */
static const double SETTLED = 2e-3; /* below this gain, skip the step */
static const double AGAIN = 0.1;    /* above this gain, recompute the Hessian
                                       afterwards */
static const double EXACTLY = 1e-5; /* both, if the mode is the answer */
static const double FARTHEST = 2;   /* longest step in a coordinate of psi */
static const double HALF = 0.5;     /* step of differences, in sds */

typedef struct ascent {
    double f;
    bool is_away;                       /* worker 0 is not at the mode */
    double *g, *last_g, *step, *at, *y; /* (m) */
    double *B;                          /* (m, m) the inverse of minus the Hessian */
    double *apart;                      /* (m) */
    double *psi, *G;                    /* (2 m, m) */
    double *value;                      /* (2 m) */
} ascent;

static bool is_finite(dlp_index n, const double *x)
{
    return dlpi_all_finite(n, x);
}

/* ---- BFGS ---- */

static void reset(const dlpi_explore *e, ascent *a)
{
    memset(a->B, 0, (size_t)(e->m * e->m) * sizeof *a->B);
    for (dlp_index i = 0; i < e->m; i++)
        a->B[i * (e->m + 1)] = 1 / fmax(e->stiff[i], 0.05);
}

static void update(const dlpi_explore *e, ascent *a)
{
    const dlp_index m = e->m;
    for (dlp_index i = 0; i < m; i++) a->y[i] = a->last_g[i] - a->g[i];
    if (!(dlpi_dot(m, a->step, a->y) > 1e-10)) {
        /* the density curves upwards along the step: allow a longer one */
        for (dlp_index i = 0; i < m * m; i++) a->B[i] *= 4;
        return;
    }
    dlpi_bfgs_update(m, a->step, a->y, a->B, a->at);
}

/* Shortens an implausibly long step; returns the gain it promises. */
static double shorten(const dlpi_explore *e, ascent *a)
{
    double longest = 0;
    for (dlp_index i = 0; i < e->m; i++) longest = fmax(longest, fabs(a->step[i]));
    if (longest > FARTHEST)
        for (dlp_index i = 0; i < e->m; i++) a->step[i] *= FARTHEST / longest;
    return 0.5 * dlpi_dot(e->m, a->step, a->g);
}

/* Moves to mode + step, or part of the way; false if no point on it is better. */
static bool advance(dlpi_explore *e, ascent *a)
{
    const dlp_index m = e->m;
    double by = 1;
    for (int cut = 0; cut < MOST_CUTS; cut++, by /= 4) {
        double f;
        for (dlp_index i = 0; i < m; i++) a->at[i] = e->mode[i] + by * a->step[i];
        dlpi_explore_evaluate(e, 1, a->at, &f);
        if (!(f > a->f)) continue;
        for (dlp_index i = 0; i < m; i++) a->step[i] *= by;
        memcpy(e->mode, a->at, (size_t)m * sizeof *a->at);
        e->begin_at(e->context, e->mode);
        a->f = f;
        return true;
    }
    a->is_away = true;
    return false;
}

/* A step from the curvature known so far. */
static void aim(const dlpi_explore *e, ascent *a)
{
    const dlp_index m = e->m;
    double *U = a->G;
    if (e->information && e->information(e->context, 0, e->mode, false, U) &&
        dlpi_cholesky(m, U) < 0) {
        memcpy(a->step, a->g, (size_t)m * sizeof *a->step);
        dlpi_cholesky_solve(m, U, a->step);
    } else {
        dlpi_symmetric_multiply(m, a->B, a->g, a->step);
    }
}

static bool climb(dlpi_explore *e, ascent *a)
{
    const dlp_index m = e->m;
    reset(e, a);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        if (e->stopped(e->context)) return true;
        aim(e, a);
        if (!(shorten(e, a) > NEAR)) return true;
        if (!advance(e, a)) return true;
        memcpy(a->last_g, a->g, (size_t)m * sizeof *a->g);
        if (!e->gradient(e->context, 0, e->mode, a->g) || !is_finite(m, a->g))
            return false;
        update(e, a);
    }
    return true;
}

/* ---- Newton ---- */

/* Density and gradient at the i-th place beside the mode; false if they are unknown. */
static bool look_aside(dlpi_explore *e, ascent *a, dlp_index i)
{
    const dlp_index m = e->m;
    const int worker = omp_get_thread_num();
    double *psi = a->psi + i * m;
    memcpy(psi, e->mode, (size_t)m * sizeof *psi);
    psi[i / 2] += i % 2 ? a->apart[i / 2] : -a->apart[i / 2];
    if (e->stopped(e->context)) return false;
    if (i % 2 && e->begin_opposite) e->begin_opposite(e->context, worker, (int)i);
    a->value[i] = e->log_density(e->context, worker, psi);
    if (e->note_axis &&
        isfinite(a->value[i])) /* first, since a gradient by differences moves the
                                  worker */
        e->note_axis(e->context, worker, (int)i, a->apart[i / 2]);
    return isfinite(a->value[i]) && e->gradient(e->context, worker, psi, a->G + i * m) &&
           is_finite(m, a->G + i * m);
}

/* Minus the Hessian at the mode into e->root, by differences of gradients; and g, by
   differences of the density. */
static bool expand(dlpi_explore *e, ascent *a)
{
    const dlp_index m = e->m;
    bool known = true;
    e->evaluations += 2 * (long)m;
    for (dlp_index i = 0; i < m; i++)
        a->apart[i] = fmin(fmax(HALF * sqrt(fabs(a->B[i * (m + 1)])), 1e-3), 0.25);
#pragma omp parallel for schedule(dynamic, 1) num_threads(e->threads) reduction(&& : known)
    for (dlp_index i = 0; i < m; i++)
        known = look_aside(e, a, 2 * i) && look_aside(e, a, 2 * i + 1) && known;
    for (dlp_index i = 0; known && i < m; i++) {
        a->g[i] = (a->value[2 * i + 1] - a->value[2 * i]) / (2 * a->apart[i]);
        for (dlp_index j = 0; j < m; j++)
            e->root[i * m + j] =
                (a->G[2 * i * m + j] - a->G[(2 * i + 1) * m + j]) / (2 * a->apart[i]);
    }
    for (dlp_index i = 0; known && i < m; i++)
        for (dlp_index j = 0; j < i; j++)
            e->root[i * m + j] = e->root[j * m + i] =
                0.5 * (e->root[i * m + j] + e->root[j * m + i]);
    return known;
}

/* step = H^-1 g; B the inverse. */
static bool solve(const dlpi_explore *e, ascent *a)
{
    const dlp_index m = e->m;
    double *U = a->G, *work = U + m * m; /* the gradients are no longer needed */
    memcpy(U, e->root, (size_t)(m * m) * sizeof *U);
    if (dlpi_cholesky(m, U) >= 0) return false;
    memcpy(a->step, a->g, (size_t)m * sizeof *a->step);
    dlpi_cholesky_solve(m, U, a->step);
    dlpi_cholesky_inverse(m, U, work, a->B);
    return true;
}

/* After a Newton step that promised this gain. */
static bool has_settled(const dlpi_explore *e, double gain)
{
    return gain < (e->only_mode ? EXACTLY : AGAIN);
}

/* Whether a Newton step is worth it. */
static bool is_worth(const dlpi_explore *e, double gain)
{
    return gain > (e->only_mode ? EXACTLY : SETTLED);
}

static bool polish(dlpi_explore *e, ascent *a)
{
    for (int i = 0; i < MOST_HESSIANS; i++) {
        if (!expand(e, a) || !solve(e, a)) return false;
        const double gain = shorten(e, a);
        if (!is_worth(e, gain) || !advance(e, a)) return true;
        if (has_settled(e, gain)) return true;
    }
    return false;
}

/* The same with a Hessian that needs no differences. *known: there is one. */
static bool polish_by_information(dlpi_explore *e, ascent *a, bool *known)
{
    for (int i = 0; i < MOST_HESSIANS; i++) {
        if (a->is_away) dlpi_explore_evaluate(e, 1, e->mode, &a->f);
        if (i > 0 || a->is_away)
            *known = e->gradient(e->context, 0, e->mode, a->g) && is_finite(e->m, a->g);
        *known = *known && e->information(e->context, 0, e->mode, true, e->root);
        if (!*known || !solve(e, a)) return false;
        const double gain = shorten(e, a);
        if (!is_worth(e, gain) || !advance(e, a)) return true;
        if (has_settled(e, gain)) return true;
    }
    return false;
}

dlp_status dlpi_explore_ascend(dlpi_explore *e, double *f, bool *found, dlp_error *error)
{
    const dlp_index m = e->m;
    double *work = dlpi_calloc(m * (5 * m + 8), sizeof *work);
    if (!work) return dlpi_no_memory(error, "the search of a mode");
    ascent a = {.g = work,
                .last_g = work + m,
                .step = work + 2 * m,
                .at = work + 3 * m,
                .y = work + 4 * m,
                .apart = work + 5 * m,
                .value = work + 6 * m,
                .B = work + 8 * m,
                .psi = work + 8 * m + m * m,
                .G = work + 8 * m + 3 * m * m};
    dlpi_explore_evaluate(e, 1, e->mode, &a.f);
    *found = isfinite(a.f);
    if (*found) e->begin_at(e->context, e->mode);
    *found = *found && e->gradient(e->context, 0, e->mode, a.g) && is_finite(m, a.g) &&
             climb(e, &a);
    bool known = *found && e->information;
    e->is_informed = known && polish_by_information(e, &a, &known);
    *found = *found && (e->is_informed || polish(e, &a));
    *f = a.f;
    free(work);
    return DLP_OK;
}
