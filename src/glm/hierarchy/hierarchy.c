/* SPDX-License-Identifier: BSD-3-Clause */
/* Related regressions: memory, checks, and variational EM from its start to its end. */
#include "core/core.h"
#include "core/settings.h"
#include "glm/hierarchy/hierarchy_mean.h"
#include "glm/hierarchy/hierarchy_state.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

static const dlp_hierarchy_settings defaults = {.size = sizeof defaults,
                                                .method = "laplace",
                                                .phi0 = 0.01,
                                                .phi1 = 0.01,
                                                .tol = 1e-6,
                                                .max_iter = 500,
                                                .threads = 1};

void dlp_hierarchy_settings_init(dlp_hierarchy_settings *settings, size_t size)
{
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* ---- a run ---- */

/* How much of the objective, relative to 1 plus its size, an Anderson step may lose
   before EM takes it back. Where plain EM ascends, only rounding. Elsewhere EM itself may
   fall on its way, so only a step that leads astray is taken back. */
static const double ROUNDING = 1e-12, DETOUR = 1e-2;

/* mu_0 = 0, Sigma_0 = I */
static void reset(dlp_hierarchy *h)
{
    const dlp_index n = h->n;
    h->result = (dlp_hierarchy_result){.outcome = DLP_NOT_STARTED,
                                       .n = n,
                                       .M = h->M,
                                       .mu0 = h->mu0,
                                       .Sigma0 = h->Sigma0,
                                       .mu0_covariance = h->mu0_covariance,
                                       .trace = h->trace,
                                       .failed = -1};
    memset(h->mu0, 0, dlpi_hierarchy_prior_bytes(h));
    for (dlp_index j = 0; j < n; j++) h->Sigma0[j * n + j] = 1;
    dlpi_hierarchy_factor(h);
    dlpi_shared_scale_reset(&h->scale);
    h->evaluations = h->recorded = 0;
    h->groups.started = false;
    dlpi_anderson_gaussian_reset(&h->anderson);
    dlpi_listener_begin(&h->listener, "fitting", h->settings.max_iter, h->settings.tol);
}

/* Reports the variance of the scale: the same in every group, since they share it. */
static void tell_scale(dlp_hierarchy *h)
{
    const dlp_index n = h->n, last = n * n - 1;
    const double variance = dlpi_shared_scale_variance(&h->scale, &h->groups);
    h->Sigma0[last] = 0;
    h->mu0_covariance[last] = variance;
    for (dlp_index m = 0; m < h->M; m++) h->groups.Sigma[m * n * n + last] = variance;
}

static void go_back(dlp_hierarchy *h)
{
    h->result.outcome = DLP_CANCELLED;
    memcpy(h->mu0, h->before, dlpi_hierarchy_prior_bytes(h));
    dlpi_hierarchy_factor(h);
}

/* Brings q(theta_m) and the objective in line with the last mu_0 and Sigma_0: by one more
   E step or, if the caller has asked to stop, by going back to the mu_0 and Sigma_0 that
   they were computed with. */
static dlp_status settle(dlp_hierarchy *h, dlp_error *error)
{
    dlp_hierarchy_result *r = &h->result;
    if (r->outcome == DLP_CANCELLED && !r->valid)
        return dlp_fail(error, DLP_ECANCELLED,
                        "cancelled before the first iteration was complete");
    if (r->outcome != DLP_CANCELLED) DLP_TRY(dlpi_hierarchy_e_step(h, error));
    if (dlpi_listener_stopped(&h->listener)) {
        go_back(h);
        return DLP_OK;
    }
    const double objective = dlpi_hierarchy_objective(h);
    if (isfinite(objective)) r->objective = objective;
    return DLP_OK;
}

dlp_status dlp_hierarchy_run(dlp_hierarchy *h, dlp_error *error)
{
    reset(h);
    dlpi_em em = {.type = &dlpi_hierarchy_em,
                  .model = h,
                  .listener = &h->listener,
                  .max_iter = h->settings.max_iter,
                  .slack = dlpi_hierarchy_ascends(h) ? ROUNDING : DETOUR,
                  .outcome = DLP_RUNNING};
    const dlp_status status = dlpi_em_run(&em, error);
    h->result.outcome = em.outcome;
    DLP_TRY(status);
    DLP_TRY(settle(h, error));
    double *work = h->U; /* and h->work, right after it */
    dlpi_shared_mean_covariance(h->n, h->M, h->precision, h->groups.Sigma,
                                h->settings.phi1, work, h->mu0_covariance);
    if (dlpi_hierarchy_shares_scale(h)) tell_scale(h);
    return dlpi_shared_scale_check(&h->scale, error);
}

/* ---- memory ---- */

static dlp_status check(const dlp_hierarchy_settings *s, dlp_index n, dlp_error *error)
{
    if (s->nu != 0 && !(s->nu > (double)(n - 1) && isfinite(s->nu)))
        return dlp_fail(
            error, DLP_EINVAL,
            "nu is %g; with %td parameters it must exceed %td, or be 0 for the "
            "default",
            s->nu, n, n - 1);
    if (!(s->phi0 > 0 && s->phi1 > 0 && isfinite(s->phi0) && isfinite(s->phi1)))
        return dlp_fail(error, DLP_EINVAL,
                        "phi0 is %g and phi1 %g; both must be positive", s->phi0,
                        s->phi1);
    return DLP_OK;
}

static dlp_status check_counts(const dlp_hierarchy_settings *s, dlp_index M,
                               dlp_error *error)
{
    if (M < 1) return dlp_fail(error, DLP_EINVAL, "a hierarchy needs at least one group");
    if (!(s->tol > 0) || s->max_iter < 1 || s->max_iter > DLP_MOST_ITERATIONS ||
        s->threads < 1 || s->threads > 1024)
        return dlp_fail(error, DLP_EINVAL,
                        "tol must be positive, max_iter 1 to %d, threads 1 to 1024",
                        DLP_MOST_ITERATIONS);
    return DLP_OK;
}

static dlp_status allocate(dlp_hierarchy *h, dlp_error *error)
{
    const dlp_index n = h->n, square = dlpi_size(n, n, 0);
    h->mu0 = dlpi_calloc(dlpi_size(7, square, dlpi_size(6, n, 0)), sizeof *h->mu0);
    h->trace = dlpi_calloc(h->settings.max_iter, sizeof *h->trace);
    if (!h->mu0 || !h->trace) return dlpi_no_memory(error, "the hierarchy");
    h->Sigma0 = h->mu0 + n;
    h->precision = h->Sigma0 + square;
    h->U = h->precision + square;
    h->work = h->U + square;
    h->vector = h->work + square;
    h->before = h->vector + 2 * n;
    h->plain = h->before + n + square;
    h->mu0_covariance = h->plain + n + square;
    h->aim = h->mu0_covariance + square;
    return dlpi_anderson_gaussian_alloc(&h->anderson, n, error);
}

dlp_status dlp_hierarchy_alloc(const char *family, const char *link, dlp_index M,
                               const dlp_glm_data *groups,
                               const dlp_hierarchy_settings *settings,
                               dlp_hierarchy **hierarchy, dlp_error *error)
{
    dlp_status status;
    *hierarchy = NULL;
    DLP_TRY(dlpi_settings_check(settings, error));
    dlp_hierarchy *h = dlpi_calloc(1, sizeof *h);
    if (!h) return dlpi_no_memory(error, "the hierarchy");
    h->settings = defaults;
    dlpi_settings_merge(&h->settings, sizeof h->settings, settings);
    h->M = M;
    h->listener.call = h->settings.progress;
    h->listener.context = h->settings.context;
    DLP_TRY_OR(failed, check_counts(&h->settings, M, error));
    DLP_TRY_OR(failed, dlpi_groups_alloc(&h->groups, family, link, M, groups,
                                         &h->settings, &h->listener, error));
    h->n = h->groups.n;
    if (h->settings.nu == 0) h->settings.nu = (double)h->groups.fitted + 100;
    DLP_TRY_OR(failed, check(&h->settings, h->groups.fitted, error));
    if (dlpi_hierarchy_shares_scale(h))
        DLP_TRY_OR(failed, dlpi_shared_scale_alloc(&h->scale, &h->groups, error));
    DLP_TRY_OR(failed, allocate(h, error));
    reset(h);
    *hierarchy = h;
    return DLP_OK;
failed:
    dlp_hierarchy_free(h);
    return status;
}

void dlp_hierarchy_free(dlp_hierarchy *h)
{
    if (!h) return;
    dlpi_groups_free(&h->groups);
    dlpi_shared_scale_free(&h->scale);
    free(h->mu0);
    free(h->trace);
    dlpi_anderson_gaussian_free(&h->anderson);
    free(h);
}

const dlp_hierarchy_result *dlp_hierarchy_result_of(const dlp_hierarchy *hierarchy)
{
    return &hierarchy->result;
}

dlp_group_result dlp_hierarchy_group(const dlp_hierarchy *hierarchy, dlp_index m)
{
    const dlpi_hierarchy_groups *groups = &hierarchy->groups;
    const dlp_index n = groups->n;
    const dlpi_hierarchy_group *group = &groups->group[m];
    return (dlp_group_result){
        .outcome = group->outcome,
        .fallbacks = group->fallbacks,
        .objective = group->objective,
        .mu = groups->mu + m * n,
        .Sigma = {.shape = dlp_shape_dense(n), .a = groups->Sigma + m * n * n}};
}
