/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior of a regression with many columns for its rows: the scale is integrated
 * out (infer/nested.h). The mode of (beta, tau) would not do: with many columns it lies
 * where the noise is too small, and with as many columns as rows, where there is no noise
 * at all.
 */
#include "core/core.h"
#include "core/settings.h"
#include "glm/integrate/scale_held.h"
#include "glm/integrate/scale_prior.h"
#include "infer/nested.h"

#include <math.h>
#include <string.h>

typedef struct wide {
    dlpi_scale_held held;
    dlpi_nested nested;
    dlpi_listener listener;
} wide;

static dlp_status fail_without(const wide *s, dlp_error *error)
{
    return dlpi_listener_stopped(&s->listener)
               ? dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior")
               : dlpi_glm_too_large(error);
}

/* Without a scale there is nothing to integrate over. */
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

static dlpi_nested_fit fit_at(void *model, double tau)
{
    dlpi_scale_held *held = &((wide *)model)->held;
    dlpi_scale_held_fit(held, tau);
    return (dlpi_nested_fit){.mu = held->mu,
                             .C = held->C,
                             .log_p = held->log_p,
                             .outcome = held->outcome,
                             .fell_back = held->fell_back};
}

static dlp_status integrate(wide *s, const dlp_glm *glm, double *mu, double *Sigma,
                            dlp_glm_wide *end, dlp_error *error)
{
    dlpi_nested *nested = &s->nested;
    DLP_TRY(dlpi_nested_alloc(nested, glm->n, error));
    nested->fit_at = fit_at;
    nested->model = s;
    nested->listener = &s->listener;
    nested->downwards = glm->family->of->scale_kind == DLP_SCALE_NOISE;
    dlpi_scale_prior(glm, &nested->mean, &nested->sd);
    if (!dlpi_nested_run(nested, mu, Sigma)) return fail_without(s, error);
    *end = (dlp_glm_wide){.outcome = nested->outcome,
                          .nodes = nested->nodes,
                          .propagated = s->held.propagates,
                          .fallbacks = nested->fallbacks,
                          .evaluations = s->held.evaluations,
                          .log_evidence = nested->log_evidence};
    return DLP_OK;
}

int dlp_glm_can_fit_wide(const dlp_glm *glm)
{
    const bool one_predictor =
        glm->family->evaluate && !glm->xi && glm->data.p > 0 && !glm->family->positive;
    return one_predictor && (!glm->family->of->scale || dlpi_scale_is_apart(glm));
}

dlp_status dlp_glm_fit_wide(dlp_glm *glm, const dlp_settings *settings, double *mu,
                            double *Sigma, dlp_glm_wide *end, dlp_error *error)
{
    if (!dlp_glm_can_fit_wide(glm))
        return dlp_fail(error, DLP_EINVAL,
                        "only a regression with columns and one linear predictor can be "
                        "fitted as a wide one");
    DLP_TRY(dlpi_settings_check(settings, error));
    wide *s = dlpi_calloc(1, sizeof *s);
    if (!s) return dlpi_no_memory(error, "the posterior of a regression");
    const dlp_settings own = dlpi_settings_of(settings);
    s->listener = (dlpi_listener){.call = own.progress, .context = own.context};
    dlpi_listener_begin(&s->listener, "fitting", 0, 0);
    dlp_status status = dlpi_scale_held_alloc(&s->held, glm, &own, &s->listener, error);
    if (status == DLP_OK)
        status = glm->family->of->scale ? integrate(s, glm, mu, Sigma, end, error)
                                        : fit_once(s, mu, Sigma, end, error);
    dlpi_nested_free(&s->nested);
    dlpi_scale_held_free(&s->held);
    free(s);
    return status;
}
