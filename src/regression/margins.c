/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/margins.h"

#include "core/core.h"
#include "glm/held_margin.h"
#include "regression/regression.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* Below this sd, in units of the linear predictor or of a logarithm, a margin's skewness does not show. */
static const double NARROW = 0.1;
/* So many operations are a second or two. */
static const double MOST_WORK = 4e9;

static bool is_ordinal(const dlp_glm *glm)
{
    return glm->family->ordinal != NULL;
}

/* Whether so many margins take no more than that, at some 60 evaluations each. */
static bool is_cheap(const dlp_glm *glm, dlp_index margins)
{
    const double n = (double)glm->n, rows = (double)glm->data.N;
    return 60 * (double)margins * (rows * (n * n + 20 * n) + n * n * n) < MOST_WORK;
}

/* Parameter i alone; false: no margin. */
static bool margin_of(dlpi_held *held, dlp_index i, double *a, dlpi_log_curve *curve)
{
    memset(a, 0, (size_t)held->n * sizeof *a);
    a[i] = 1;
    return dlpi_held_margin(held, 0, a, curve);
}

/* No mode: what there is stays. */
static dlp_status begin(dlpi_held *held, dlp_glm *glm, const double *mu, double **a,
                        dlp_error *error)
{
    *a = dlpi_calloc(glm->n, sizeof **a);
    if (!*a) return dlpi_no_memory(error, "the margins");
    return dlpi_held_alloc(held, glm, mu, error);
}

static dlp_status end(dlpi_held *held, double *a, dlp_status status)
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

/* Whether a parameter is one whose margin is to be followed. */
static bool is_skewed(const dlp_glm *glm, bool few, dlp_index i, const double *Sigma)
{
    const bool cut = is_ordinal(glm) && i >= glm->data.p;
    return few || (cut && Sigma[i * (glm->n + 1)] > NARROW * NARROW);
}

dlp_status dlpi_improve_moments(const dlpi_prepared *p, dlp_glm *glm, bool few,
                                double *mu, double *Sigma, dlp_error *error)
{
    const dlp_index n = glm->n;
    dlp_index count = 0;
    double *a = NULL;
    dlpi_held held = {.n = 0};
    dlpi_log_curve curve;
    const bool levels = dlp_family_has_levels(p->family);
    if (!levels || strcmp(p->method, "delta") != 0) return DLP_OK;
    for (dlp_index i = 0; i < n; i++) count += is_skewed(glm, few, i, Sigma);
    if (count == 0 || !is_cheap(glm, count)) return DLP_OK;
    const dlp_status status = begin(&held, glm, mu, &a, error);
    for (dlp_index i = 0; i < n && status == DLP_OK; i++)
        if (is_skewed(glm, few, i, Sigma) && margin_of(&held, i, a, &curve))
            set_moments(n, i, curve.mean, curve.sd, mu, Sigma);
    return end(&held, a, status);
}

/* ---- margins ---- */

static dlp_margin normal_margin(double mean, double sd)
{
    const double half = dlp_normal_quantile(0.975) * sd;
    return (dlp_margin){mean, sd, mean - half, mean, mean + half};
}

/* a of a cut point: c = c' + centre'beta', as basis.c has it. */
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
        margin[i] = normal_margin(mu[i], sqrt(Sigma[i * (n + 1)]));
    if (!dlpi_cut_points(n, J, mu + p, Sigma + p * (n + 1), margin + p))
        return dlpi_no_memory(error, "the cut points");
    if (!is_cheap(glm, J)) return DLP_OK;
    const dlp_status status = begin(&held, glm, at, &a, error);
    for (dlp_index j = 0; j < J && status == DLP_OK; j++) {
        load_cut(basis, n, a);
        if (margin[p + j].sd > NARROW && dlpi_held_margin(&held, j, a, &curve))
            margin[p + j] = dlpi_margin_of_curve(&curve);
    }
    return end(&held, a, status);
}

/* ---- places ---- */

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
    if (!is_ordinal(glm) || !is_cheap(glm, n - glm->data.p)) return DLP_OK;
    const dlp_status status = begin(&held, glm, mu, &a, error);
    for (dlp_index i = glm->data.p; i < n && status == DLP_OK; i++)
        if (is_skewed(glm, false, i, Sigma) && margin_of(&held, i, a, &curve))
            z[i] = normal_place(&curve, drawn[i]);
    return end(&held, a, status);
}
