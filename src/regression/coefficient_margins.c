/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/coefficient_margins.h"

#include "core/core.h"
#include "glm/integrate/held_margin.h"
#include "math/dense.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A skewness of g moves the ends of an interval by 0.47 g sds; below this, by a twentieth
   of an sd. */
static const double LITTLE = 0.1;
/* Beyond this the third derivative at the mode says too little about the tails. */
static const double MUCH = 1;
/* This many operations take about a tenth of a second: to find skewed margins, and to
   follow them. */
static const double MOST_LOOK = 1e8, MOST_FOLLOW = 4e8;

typedef struct work {
    const dlpi_fitted_rows *of;
    dlpi_held held;
    dlp_index n, coefficients;
    double *T;                           /* (n, n) theta of the columns is T theta' */
    double *P;                           /* (n, n) the factor of -hess f at the mode */
    double *a, *s, *theta, *g, *at_mode; /* (n) */
} work;

static dlp_status alloc(work *w, dlp_error *error)
{
    const dlp_index n = w->n;
    w->T = dlpi_calloc(2 * n + 5, (size_t)n * sizeof *w->T);
    if (!w->T) return dlpi_no_memory(error, "the margins");
    w->P = w->T + n * n;
    w->a = w->P + n * n;
    w->s = w->a + n;
    w->theta = w->s + n;
    w->g = w->theta + n;
    w->at_mode = w->g + n;
    return dlpi_held_alloc(&w->held, w->of->glm, w->of->at, error);
}

/* Column k of T is how much theta changes when theta' changes from 0 to e_k. */
static void find_change(work *w)
{
    const dlp_index n = w->n;
    double *zero = w->g, *unit = w->s;
    memset(zero, 0, (size_t)n * sizeof *zero);
    dlpi_basis_mean(w->of->basis, zero);
    for (dlp_index k = 0; k < n; k++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[k] = 1;
        dlpi_basis_mean(w->of->basis, unit);
        for (dlp_index i = 0; i < n; i++) w->T[i * n + k] = unit[i] - zero[i];
    }
}

static void find_gradient(work *w, double by)
{
    const dlp_model model = dlp_glm_model(w->of->glm);
    memcpy(w->theta, w->held.mode, (size_t)w->n * sizeof *w->theta);
    dlpi_axpy(w->n, by, w->s, w->theta);
    (void)model.type->f(model.state, w->theta, w->g, NULL);
}

/*
 * To first order the margin of a'theta has the skewness f'''(s, s, s), with s = P^-1 a
 * of length 1 in P: the third derivative along the line of modes, by differences of the
 * slope.
 */
static double skewness_along(work *w)
{
    const double h = 0.5; /* sds */
    const dlp_index n = w->n;
    memcpy(w->s, w->a, (size_t)n * sizeof *w->s);
    dlpi_cholesky_solve(n, w->P, w->s);
    const double sd = sqrt(dlpi_dot(n, w->a, w->s));
    for (dlp_index k = 0; k < n; k++) w->s[k] /= sd;
    double second = -2 * dlpi_dot(n, w->at_mode, w->s);
    find_gradient(w, h);
    second += dlpi_dot(n, w->g, w->s);
    find_gradient(w, -h);
    second += dlpi_dot(n, w->g, w->s);
    return second / (h * h);
}

/* The quantiles of Cornish and Fisher, for the given mean and sd. */
static void bend(double skewness, dlp_margin *m)
{
    const double z = dlp_normal_quantile(0.975),
                 third = fmin(fmax(skewness, -MUCH), MUCH) / 6;
    m->lower = m->mean + m->sd * (-z + third * (z * z - 1));
    m->median = m->mean - m->sd * third;
    m->upper = m->mean + m->sd * (z + third * (z * z - 1));
}

/* With hardly more rows than parameters, propagation gives a margin's location and width
   more accurately, but not its shape. */
static void follow(const dlp_margin *found, bool shape_alone, dlp_margin *m)
{
    const double by = shape_alone ? m->sd / found->sd : 1,
                 from = shape_alone ? m->mean - by * found->mean : 0;
    m->lower = from + by * found->lower;
    m->median = from + by * found->median;
    m->upper = from + by * found->upper;
}

/* A scale is fitted by its logarithm, and its margin is reported as the scale itself. */
static void set_margin(work *w, dlp_index i, double skewness, bool affordable,
                       dlp_margin *m)
{
    const bool scale = i >= w->coefficients,
               few = w->of->propagated && w->of->glm->data.N < 2 * w->n;
    const double mean = w->of->mu[i], sd = sqrt(w->of->Sigma[i * (w->n + 1)]);
    dlp_margin of = {.mean = mean, .sd = sd};
    dlpi_log_curve curve;
    if (affordable && dlpi_held_margin(&w->held, 0, w->a, &curve)) {
        const dlp_margin found = dlpi_margin_of_curve(&curve);
        follow(&found, few, &of);
    } else {
        bend(skewness, &of);
    }
    m->lower = scale ? exp(of.lower) : of.lower;
    m->median = scale ? exp(of.median) : of.median;
    m->upper = scale ? exp(of.upper) : of.upper;
}

/* The number of parameters to check: cut points and two scales have margins of their
   own. */
static dlp_index count_parameters(const dlp_glm *glm)
{
    const dlp_family *family = glm->family->of;
    const bool one = family->scale && !family->second;
    if (family->support == DLP_SUPPORT_LEVELS)
        return glm->data.p * (glm->data.levels - 1);
    return glm->data.p + one;
}

static dlp_index set_margins(work *w, dlp_margin *margin)
{
    const dlp_glm *glm = w->of->glm;
    const double n = (double)w->n, N = (double)glm->data.N,
                 each = 60 * (N * (n * n + 20 * n) + n * n * n);
    const dlp_index parameters = count_parameters(glm);
    dlp_index count = 0;
    w->coefficients = glm->family->of->scale ? glm->data.p : parameters;
    find_change(w);
    memcpy(w->P, w->held.P, (size_t)(w->n * w->n) * sizeof *w->P);
    memset(w->s, 0, (size_t)w->n * sizeof *w->s);
    find_gradient(w, 0);
    memcpy(w->at_mode, w->g, (size_t)w->n * sizeof *w->g);
    for (dlp_index i = 0; i < parameters; i++) {
        memcpy(w->a, w->T + i * w->n, (size_t)w->n * sizeof *w->a);
        const double skewness = skewness_along(w);
        if (!(fabs(skewness) > LITTLE) || !isfinite(skewness)) continue;
        count++;
        set_margin(w, i, skewness, (double)count * each < MOST_FOLLOW, &margin[i]);
    }
    return count;
}

dlp_status dlpi_coefficient_margins(const dlpi_fitted_rows *of, dlp_margin *margin,
                                    dlp_index *skewed, dlp_error *error)
{
    work w = {.of = of, .n = of->glm->n};
    const double n = (double)w.n;
    *skewed = 0;
    if (2 * n * n * ((double)of->glm->data.N + n) > MOST_LOOK) return DLP_OK;
    const dlp_status status = alloc(&w, error);
    if (status == DLP_OK) *skewed = set_margins(&w, margin);
    dlpi_held_free(&w.held);
    free(w.T);
    return status == DLP_EINPUT ? DLP_OK : status; /* without a mode the margins stay as
                                                      they are */
}
