/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior of a regression with many columns for its rows. A scale is summed over: at
 * nodes of tau the coefficients are fitted, beta | tau ~ N(m, C) with log p(y | tau), and
 * the posterior is the mixture of them (as in the nested approximation of Rue, Martino &
 * Chopin, JRSS B 71, 2009). The mode of (beta, tau) would not do: with many columns it lies
 * where the noise is too small, and with as many as there are rows, where there is none.
 */
#include "core/core.h"
#include "glm/mixture.h"
#include "glm/scale_grid.h"
#include "glm/scale_held.h"

#include <math.h>
#include <string.h>

/* A tau costs a fit: so few of them, so far out, that what is left out or between them
   does not show in three digits. */
enum { NODES = 64 };
static const double FAR_OUT = 6, DEEP = 18;
/* Where log p(y | tau) changes by less than this from node to node, twice, towards less
   noise, it has come to its limit: no noise at all, or a Poisson's. Beyond, the numbers of
   a regression without noise would be too far apart to compute with. */
static const double STEADY = 1e-3;
/* What happens at nodes that weigh no more than this is not worth telling. */
static const double OVERLOOKED = 1e-3;

typedef struct wide {
    dlpi_scale_held held;
    dlpi_mixture mixture;
    dlpi_scale_grid grid;
    dlp_outcome outcome[DLPI_SCALE_NODES]; /* of the last fit at each node */
    bool fell_back[DLPI_SCALE_NODES];
    dlpi_watch watch;
    int fits;
} wide;

/* ---- nodes ---- */

/* Of the last fit, which counts even where the caller wants no more of them. */
static void tell(wide *s)
{
    dlpi_watch_tell(&s->watch, ++s->fits, s->held.log_p, 0);
}

/* Node i, with the fit for a tau that may be another: the limit. */
static void evaluate_node(wide *s, dlpi_scale_grid *grid, int i, double tau)
{
    dlpi_scale_held *held = &s->held;
    grid->weight[i] = -INFINITY;
    if (s->watch.stopped) return;
    dlpi_scale_held_fit(held, tau);
    s->outcome[i] = held->outcome;
    s->fell_back[i] = held->fell_back;
    if (isfinite(held->log_p)) {
        grid->weight[i] = held->log_p + dlpi_scale_log_prior(grid, grid->tau[i]);
        dlpi_mixture_add(&s->mixture, held->mu, held->C, grid->tau[i], grid->weight[i]);
    }
    tell(s);
}

static double log_p_at(const dlpi_scale_grid *grid, int i)
{
    return grid->weight[i] - dlpi_scale_log_prior(grid, grid->tau[i]);
}

/* From the most noise to the least, each fit beginning where its neighbour ended. */
static bool evaluate(void *context, dlpi_scale_grid *grid)
{
    wide *s = context;
    const bool is_sd = s->held.given.family->of->support == DLP_SUPPORT_REAL;
    const int first = is_sd ? grid->n - 1 : 0, step = is_sd ? -1 : 1;
    int steady = 0;
    double limit = 0;
    dlpi_mixture_clear(&s->mixture);
    for (int i = first; i >= 0 && i < grid->n; i += step) {
        evaluate_node(s, grid, i, steady < 2 ? grid->tau[i] : limit);
        if (steady == 2 || i == first) continue;
        const double change = log_p_at(grid, i) - log_p_at(grid, i - step);
        steady = fabs(change) < STEADY ? steady + 1 : 0;
        limit = grid->tau[i];
    }
    return !s->watch.stopped;
}

/* ---- the whole ---- */

static dlp_status fail_without(const wide *s, dlp_error *error)
{
    return s->watch.stopped
               ? dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior")
               : dlpi_glm_too_large(error);
}

/* Without a scale there is nothing to sum over. */
static dlp_status fit_once(wide *s, double *mu, double *Sigma, dlp_glm_wide *end,
                           dlp_error *error)
{
    const dlpi_scale_held *held = &s->held;
    const size_t p = (size_t)held->given.n;
    s->held.propagation.tells = true;
    dlpi_scale_held_fit(&s->held, 0);
    if (!isfinite(held->log_p)) return fail_without(s, error);
    memcpy(mu, held->mu, p * sizeof *mu);
    memcpy(Sigma, held->C, p * p * sizeof *Sigma);
    *end = (dlp_glm_wide){.outcome = held->outcome,
                          .nodes = 1,
                          .propagated = held->propagates,
                          .fallbacks = held->fell_back,
                          .evaluations = held->evaluations,
                          .log_evidence = held->log_p};
    return DLP_OK;
}

/* How it went: as it did at the nodes that matter. */
static void conclude(const wide *s, dlp_glm_wide *end)
{
    const dlpi_scale_grid *grid = &s->grid;
    const bool stopped = s->watch.stopped;
    *end = (dlp_glm_wide){.outcome = stopped ? DLP_CANCELLED : DLP_CONVERGED,
                          .propagated = s->held.propagates,
                          .evaluations = s->held.evaluations,
                          .log_evidence = stopped ? s->mixture.top : grid->log_evidence};
    for (int i = 0; !stopped && i < grid->n; i++) {
        if (grid->weight[i] * grid->n / NODES <= OVERLOOKED) continue;
        end->nodes++;
        end->fallbacks += s->fell_back[i];
        if (end->outcome == DLP_CONVERGED) end->outcome = s->outcome[i];
    }
}

static dlp_status sum_over_scale(wide *s, const dlp_glm *glm, double *mu, double *Sigma,
                                 dlp_glm_wide *end, dlp_error *error)
{
    dlpi_scale_grid *grid = &s->grid;
    DLP_TRY(dlpi_mixture_alloc(&s->mixture, glm->n, error));
    dlpi_scale_take_prior(glm, grid);
    grid->n = NODES;
    grid->far_out = FAR_OUT;
    grid->deep = DEEP;
    const bool summed = dlpi_scale_integrate(grid, evaluate, s);
    if (!summed && !(s->watch.stopped && s->mixture.sum > 0))
        return fail_without(s, error);
    conclude(s, end);
    dlpi_mixture_moments(&s->mixture, mu, Sigma);
    return DLP_OK;
}

int dlp_glm_can_fit_wide(const dlp_glm *glm)
{
    const bool one_predictor = glm->family->evaluate && !glm->xi && glm->data.p > 0;
    return one_predictor && (!glm->family->of->scale || dlpi_scale_is_apart(glm));
}

dlp_status dlp_glm_fit_wide(dlp_glm *glm, const dlp_settings *settings, double *mu,
                            double *Sigma, dlp_glm_wide *end, dlp_error *error)
{
    if (!dlp_glm_can_fit_wide(glm))
        return dlp_fail(error, DLP_EINVAL,
                        "only a regression with columns and one linear predictor can be "
                        "fitted as a wide one");
    wide *s = dlpi_calloc(1, sizeof *s);
    if (!s) return dlpi_no_memory(error, "the posterior of a regression");
    const dlp_settings own = dlpi_settings_of(settings);
    s->watch = (dlpi_watch){.call = own.progress, .context = own.context};
    dlpi_watch_begin(&s->watch, "fitting", 0, 0);
    dlp_status status = dlpi_scale_held_alloc(&s->held, glm, &own, &s->watch, error);
    if (status == DLP_OK)
        status = glm->family->of->scale ? sum_over_scale(s, glm, mu, Sigma, end, error)
                                        : fit_once(s, mu, Sigma, end, error);
    dlpi_mixture_free(&s->mixture);
    dlpi_scale_held_free(&s->held);
    free(s);
    return status;
}
