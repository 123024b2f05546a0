/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/margins.h"

#include "core/core.h"
#include "glm/integrate/held_margin.h"
#include "glm/integrate/two_scales.h"
#include "regression/regression.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* Below this sd, in units of the linear predictor or of a logarithm, a margin's skewness
   does not show. */
static const double NARROW = 0.1;
/* This many operations take a second or two. */
static const double MOST_WORK = 4e9;
enum { SCALES = 2 };

static bool is_ordinal(const dlp_glm *glm)
{
    return glm->family->ordinal != NULL;
}

/* A margin takes some 60 evaluations. */
static bool is_little_work(dlp_index rows, dlp_index parameters, dlp_index margins)
{
    const double n = (double)parameters, N = (double)rows;
    return 60 * (double)margins * (N * (n * n + 20 * n) + n * n * n) < MOST_WORK;
}

static bool is_cheap(const dlp_glm *glm, dlp_index margins)
{
    return is_little_work(glm->data.N, glm->n, margins);
}

dlp_index dlpi_unfollowed_cuts(const dlp_regression_result *r, double *widest)
{
    const dlp_index J = r->family->support == DLP_SUPPORT_ORDERED ? r->n - r->p : 0,
                    fits = dlp_regression_is_grouped(r) ? r->M : 1;
    dlp_index found = 0;
    *widest = 0;
    if (r->grouping == DLP_MIXED || (fits == 1 && is_little_work(r->rows, r->n, J)))
        return 0;
    for (dlp_index m = 0; m < fits; m++)
        for (dlp_index i = r->n - J + 1; J > 1 && i < r->n; i++) {
            const double sd = sqrt(r->Sigma[(m * r->n + i) * r->n + i]);
            found += sd > NARROW;
            *widest = fmax(*widest, sd);
        }
    return found;
}

/* The margin of parameter i; false: there is none. */
static bool margin_of(dlpi_held *held, dlp_index i, double *a, dlpi_log_curve *curve)
{
    memset(a, 0, (size_t)held->n * sizeof *a);
    a[i] = 1;
    return dlpi_held_margin(held, 0, a, curve);
}

/* No mode: the margins stay as they are. */
static dlp_status begin(dlpi_held *held, dlp_glm *glm, const double *mu, double **a,
                        dlp_error *error)
{
    *a = dlpi_calloc(glm->n, sizeof **a);
    if (!*a) return dlpi_no_memory(error, "the margins");
    return dlpi_held_alloc(held, glm, mu, error);
}

static dlp_status finish(dlpi_held *held, double *a, dlp_status status)
{
    dlpi_held_free(held);
    free(a);
    return status == DLP_EINPUT ? DLP_OK : status;
}

/* ---- moments ---- */

static void set_moments(dlp_index n, dlp_index i, double mean, double sd, double *mu,
                        double *Sigma)
{
    const double by = sd / sqrt(Sigma[i * (n + 1)]);
    mu[i] = mean;
    for (dlp_index k = 0; k < n; k++) {
        Sigma[i * n + k] *= by;
        Sigma[k * n + i] *= by;
    }
}

/* Makes the margin of parameter i N(mean, sd^2) and leaves the others, given it,
   unchanged. */
static void set_margin(dlp_index n, dlp_index i, double mean, double sd, double *mu,
                       double *Sigma)
{
    const double was = Sigma[i * (n + 1)], more = sd * sd / was - 1, off = mean - mu[i];
    for (dlp_index k = 0; k < n; k++)
        for (dlp_index l = 0; l < n; l++)
            if (k != i && l != i)
                Sigma[k * n + l] += more * Sigma[k * n + i] * Sigma[i * n + l] / was;
    for (dlp_index k = 0; k < n; k++) mu[k] += off * Sigma[k * n + i] / was;
    for (dlp_index k = 0; k < n; k++) {
        Sigma[k * n + i] *= 1 + more;
        if (k != i) Sigma[i * n + k] = Sigma[k * n + i];
    }
}

/* Whether a parameter's margin should be followed. */
static bool is_skewed(const dlp_glm *glm, dlp_index i, const double *Sigma)
{
    return i >= glm->data.p && Sigma[i * (glm->n + 1)] > NARROW * NARROW;
}

/* By a grid over both margins. */
static bool set_by_grid(const dlpi_held *held, const dlpi_log_curve *curve, double tol,
                        double *mu, double *Sigma, double *objective)
{
    dlp_settings settings = dlp_settings_default();
    settings.method = dlpi_engine_method(DLP_METHOD_DELTA);
    settings.tol = tol;
    return dlpi_two_scales_are_cheap(held->glm) &&
           dlpi_integrate_two_scales(held->glm, &settings, curve, mu, Sigma, objective,
                                     NULL) == DLP_OK;
}

/* For two scales that are hard to tell apart, with many rows: one after the other, and
   again, since each moves the other. */
static bool set_scales(dlpi_held *held, double tol, double *a, double *mu, double *Sigma,
                       double *objective)
{
    enum { TIMES = 20 };
    const dlp_index n = held->n, p = n - SCALES;
    dlpi_log_curve curve[SCALES];
    for (dlp_index k = 0; k < SCALES; k++)
        if (!margin_of(held, p + k, a, &curve[k])) return false;
    if (set_by_grid(held, curve, tol, mu, Sigma, objective)) return true;
    for (int t = 0; t < TIMES * SCALES; t++)
        set_margin(n, p + t % SCALES, curve[t % SCALES].mean, curve[t % SCALES].sd, mu,
                   Sigma);
    return true;
}

/* From the mode, if the delta method had no solution. */
static void improve_scales(dlpi_held *held, double tol, double *a, double *mu,
                           double *Sigma, dlpi_solution *end)
{
    const dlp_index n = held->n;
    double *work = dlpi_calloc(n, (size_t)n * sizeof *work);
    if (!work) return; /* the moments stay as they are */
    if (end->fallbacks > 0) {
        memcpy(mu, held->mode, (size_t)n * sizeof *mu);
        dlpi_cholesky_inverse(n, held->P, work, Sigma);
    }
    if (set_scales(held, tol, a, mu, Sigma, &end->objective)) end->fallbacks = 0;
    free(work);
}

static void set_cuts(dlpi_held *held, double *a, double *mu, double *Sigma)
{
    dlpi_log_curve curve;
    for (dlp_index i = held->glm->data.p; i < held->n; i++)
        if (is_skewed(held->glm, i, Sigma) && margin_of(held, i, a, &curve))
            set_moments(held->n, i, curve.mean, curve.sd, mu, Sigma);
}

dlp_status dlpi_improve_moments(const dlpi_prepared *p, dlp_glm *glm, double *mu,
                                double *Sigma, dlpi_solution *end, dlp_error *error)
{
    dlp_index count = 0;
    double *a = NULL;
    dlpi_held held = {.n = 0};
    const bool scales = glm->family->of->second != NULL;
    if ((!is_ordinal(glm) && !scales) || p->method != DLP_METHOD_DELTA) return DLP_OK;
    for (dlp_index i = 0; i < glm->n; i++) count += is_skewed(glm, i, Sigma);
    if (count == 0 || !is_cheap(glm, count)) return DLP_OK;
    const dlp_status status = begin(&held, glm, mu, &a, error);
    if (status == DLP_OK && scales) improve_scales(&held, p->tol, a, mu, Sigma, end);
    if (status == DLP_OK && !scales) set_cuts(&held, a, mu, Sigma);
    return finish(&held, a, status);
}

/* ---- margins ---- */

dlp_margin dlpi_normal_margin(double mean, double sd)
{
    const double half = dlp_normal_quantile(0.975) * sd;
    return (dlp_margin){mean, sd, mean - half, mean, mean + half};
}

/* a for a cut point: c = c' + centre'beta', as in basis.c. */
static void load_cut(const dlpi_basis *basis, dlp_index n, double *a)
{
    memset(a, 0, (size_t)n * sizeof *a);
    for (dlp_index j = 0; basis->cut && j < basis->p; j++) a[j] = basis->centre[j];
    a[basis->p] = 1;
}

dlp_status dlpi_cut_margins_by_rows(const dlpi_basis *basis, dlp_glm *glm,
                                    const double *at, const double *mu,
                                    const double *Sigma, dlp_margin *margin,
                                    dlp_error *error)
{
    const dlp_index n = glm->n, p = glm->data.p, J = n - p;
    double *a = NULL;
    dlpi_held held = {.n = 0};
    dlpi_log_curve curve;
    for (dlp_index i = 0; i < p; i++)
        margin[i] = dlpi_normal_margin(mu[i], sqrt(Sigma[i * (n + 1)]));
    if (!dlpi_cut_points(n, J, mu + p, Sigma + p * (n + 1), margin + p))
        return dlpi_no_memory(error, "the cut points");
    if (!is_cheap(glm, J)) return DLP_OK;
    const dlp_status status = begin(&held, glm, at, &a, error);
    for (dlp_index j = 0; j < J && status == DLP_OK; j++) {
        load_cut(basis, n, a);
        if (margin[p + j].sd > NARROW && dlpi_held_margin(&held, j, a, &curve))
            margin[p + j] = dlpi_margin_of_curve(&curve);
    }
    return finish(&held, a, status);
}

dlp_status dlpi_scale_margins(dlp_glm *glm, const double *mu, const double *Sigma,
                              dlp_margin *margin, dlp_error *error)
{
    const dlp_index n = glm->n, p = glm->data.p;
    double *a = NULL;
    dlpi_held held = {.n = 0};
    dlpi_log_curve curve;
    const dlp_status status = begin(&held, glm, mu, &a, error);
    for (dlp_index i = 0; i < n; i++) {
        const double sd = sqrt(Sigma[i * (n + 1)]), end = dlp_normal_quantile(0.975);
        const double mean = exp(mu[i] + 0.5 * sd * sd);
        margin[i] =
            i < p ? dlpi_normal_margin(mu[i], sd)
                  : (dlp_margin){mean, mean * sqrt(expm1(sd * sd)), exp(mu[i] - end * sd),
                                 exp(mu[i]), exp(mu[i] + end * sd)};
        if (i < p || status != DLP_OK || !is_cheap(glm, 2) ||
            !margin_of(&held, i, a, &curve))
            continue;
        margin[i] = (dlp_margin){.lower = exp(dlpi_log_curve_quantile(&curve, 0.025)),
                                 .median = exp(dlpi_log_curve_quantile(&curve, 0.5)),
                                 .upper = exp(dlpi_log_curve_quantile(&curve, 0.975))};
        dlpi_log_curve_exp(&curve, &margin[i].mean, &margin[i].sd);
    }
    return finish(&held, a, status);
}

/* ---- positions ---- */

static double normal_place(const dlpi_log_curve *curve, double x)
{
    const double least = 1e-9, below = dlpi_log_curve_below(curve, x);
    return dlp_normal_quantile(fmin(fmax(below, least), 1 - least));
}

dlp_status dlpi_places_in_margins(dlp_glm *glm, const double *mu, const double *Sigma,
                                  const double *drawn, double *z, dlp_error *error)
{
    const dlp_index n = glm->n;
    double *a = NULL;
    dlpi_held held = {.n = 0};
    dlpi_log_curve curve;
    for (dlp_index i = 0; i < n; i++)
        z[i] = (drawn[i] - mu[i]) / sqrt(Sigma[i * (n + 1)]);
    const bool skewed = is_ordinal(glm) || glm->family->of->second;
    if (!skewed || !is_cheap(glm, n - glm->data.p)) return DLP_OK;
    const dlp_status status = begin(&held, glm, mu, &a, error);
    for (dlp_index i = glm->data.p; i < n && status == DLP_OK; i++)
        if (is_skewed(glm, i, Sigma) && margin_of(&held, i, a, &curve))
            z[i] = normal_place(&curve, drawn[i]);
    return finish(&held, a, status);
}
