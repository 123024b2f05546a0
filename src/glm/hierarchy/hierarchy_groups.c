/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/hierarchy/hierarchy_groups.h"

#include "comm/division.h"
#include "core/core.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* ---- the caller ---- */

/* The progress function of every worker's fit. */
static int poll(void *listener, const dlp_progress *of_a_group)
{
    (void)of_a_group;
    return dlpi_listener_poll_inside(listener);
}

/* ---- fits ---- */

/* From here on the worker's regression and its fit are those of group m. */
static void set_group(const dlpi_hierarchy_groups *groups, dlpi_group_worker *w,
                      dlp_index m)
{
    w->glm->data = groups->data[m];
    w->glm->held_tau = groups->tau;
    w->fit->model.n_eta = dlp_glm_model(w->glm).n_eta;
}

static dlpi_warm_start warm_start_of(const dlpi_hierarchy_groups *groups, dlp_index m)
{
    const dlp_index at = m * groups->n;
    return (dlpi_warm_start){groups->start + at, groups->offset + at,
                             groups->group[m].has_offset};
}

/* The first `fitted` rows and columns of A (n, n). */
static void take_corner(const dlpi_hierarchy_groups *groups, const double *A, double *S)
{
    const dlp_index q = groups->fitted;
    for (dlp_index j = 0; j < q; j++)
        memcpy(S + j * q, A + j * groups->n, (size_t)q * sizeof *S);
}

void dlpi_groups_covariance(const dlpi_hierarchy_groups *groups, dlp_index m, double *S)
{
    take_corner(groups, groups->Sigma + m * groups->n * groups->n, S);
}

/* Takes q(theta_m), and where the next fit is to start, out of the workspace. A shared
   scale is not part of it. */
static void keep(dlpi_hierarchy_groups *groups, const dlp_fit *fit, dlp_index m)
{
    const dlp_index n = groups->n, q = groups->fitted;
    const dlp_result *r = dlp_fit_result(fit);
    double *mu = groups->mu + m * n, *Sigma = groups->Sigma + m * n * n;
    dlpi_warm_start warm = warm_start_of(groups, m);
    dlpi_fit_keep_warm(fit, &warm);
    groups->group[m] = (dlpi_hierarchy_group){.objective = r->objective,
                                              .evaluations = r->evaluations,
                                              .outcome = r->outcome,
                                              .fallbacks = r->fallbacks,
                                              .has_offset = warm.has_offset};
    memcpy(mu, r->mu, (size_t)q * sizeof *r->mu);
    if (q < n) mu[q] = groups->tau;
    const double *block = dlp_sym_block(r->Sigma, 0);
    for (dlp_index j = 0; j < q; j++)
        memcpy(Sigma + j * n, block + j * q, (size_t)q * sizeof *Sigma);
}

static void fit_group(dlpi_hierarchy_groups *groups, dlpi_group_worker *w, dlp_index m)
{
    const dlpi_warm_start warm = warm_start_of(groups, m);
    if (poll(groups->listener, NULL)) return;
    set_group(groups, w, m);
    const dlp_status status = groups->started ? dlpi_fit_run_warm(w->fit, &warm, NULL)
                                              : dlp_fit_run(w->fit, NULL, NULL);
    if (dlp_fit_result(w->fit)->outcome == DLP_CANCELLED) return;
    keep(groups, w->fit, m);
    groups->group[m].failed = status != DLP_OK;
}

/* ---- processes ---- */

static dlp_status divide(dlpi_hierarchy_groups *groups, dlpi_comm *comm, dlp_error *error)
{
    const dlp_index M = groups->M;
    groups->comm = comm;
    groups->begin = dlpi_calloc(comm->size + 1, sizeof *groups->begin);
    dlp_index *rows = dlpi_calloc(M, sizeof *rows);
    if (groups->begin && rows) {
        for (dlp_index m = 0; m < M; m++) rows[m] = groups->data[m].N;
        dlpi_divide_groups(M, rows, comm->size, groups->begin);
        groups->from = groups->begin[comm->rank];
        groups->to = groups->begin[comm->rank + 1];
    }
    free(rows);
    if (groups->begin && rows) return DLP_OK;
    return dlpi_no_memory(error, "the groups of a hierarchy");
}

dlp_status dlpi_groups_share(const dlpi_hierarchy_groups *groups, void *of, size_t each,
                             dlp_error *error)
{
    dlpi_comm *comm = groups->comm;
    for (int r = 0; comm && r < comm->size; r++) {
        const dlp_index first = groups->begin[r], count = groups->begin[r + 1] - first;
        DLP_TRY(comm->ops->share(comm, r, count * (dlp_index)each,
                                 (char *)of + (size_t)first * each, error));
    }
    return DLP_OK;
}

/* Sends to all processes what each found for its groups. */
static dlp_status share_all(dlpi_hierarchy_groups *groups, dlp_error *error)
{
    const dlp_index n = groups->n;
    struct {
        void *of;
        size_t each;
    } kept[] = {{groups->group, sizeof *groups->group},
                {groups->mu, (size_t)n * sizeof *groups->mu},
                {groups->start, (size_t)n * sizeof *groups->start},
                {groups->offset, (size_t)n * sizeof *groups->offset},
                {groups->Sigma, (size_t)(n * n) * sizeof *groups->Sigma}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        DLP_TRY(dlpi_groups_share(groups, kept[i].of, kept[i].each, error));
    return DLP_OK;
}

/* ---- all of them ---- */

dlp_status dlpi_groups_fit(dlpi_hierarchy_groups *groups, const double *mu0,
                           const double *precision, double log_det, dlp_index *failed,
                           dlp_error *error)
{
    take_corner(groups, precision, groups->sub);
    for (int t = 0; t < groups->threads; t++)
        dlpi_prior_share(&groups->worker[t].glm->prior, mu0, groups->sub, log_det);
#pragma omp parallel for schedule(dynamic) num_threads(groups->threads + !groups->threads)
    for (dlp_index m = groups->from; m < groups->to; m++)
        fit_group(groups, &groups->worker[omp_get_thread_num()], m);
    DLP_TRY(share_all(groups, error));
    groups->started = true;
    *failed = -1;
    for (dlp_index m = groups->M - 1; m >= 0; m--)
        if (groups->group[m].failed) *failed = m;
    return DLP_OK;
}

/* ---- memory ---- */

/* Whether group m has the same shape as the first one, and valid numbers. */
static dlp_status check_group(const dlpi_family *family, const dlp_glm_data *data,
                              dlp_index m, dlp_error *error)
{
    dlp_error why = {0};
    if (data[m].p != data[0].p || data[m].levels != data[0].levels)
        return dlp_fail(error, DLP_EINVAL,
                        "group %td must have the same columns and levels as group 1",
                        m + 1);
    dlp_status status = dlpi_glm_check_x(&data[m], &why);
    if (status == DLP_OK) status = dlpi_glm_check_y(family, &data[m], &why);
    if (status == DLP_OK) return DLP_OK;
    return dlpi_advise(error, why.remedy,
                       dlp_fail(error, status, "group %td: %s", m + 1, why.message));
}

/* From here on tau is not a parameter of the regression. */
static dlp_status hold_scale(dlp_glm *glm, dlp_error *error)
{
    dlpi_prior all = glm->prior;
    glm->n = glm->data.p;
    glm->prior = (dlpi_prior){0};
    const dlp_status status = dlpi_prior_take(&glm->prior, &all, glm->n, error);
    dlpi_prior_free(&all);
    return status;
}

/* With room for the largest group of this process, so that it serves all of them. */
static dlp_status make_worker(const dlpi_hierarchy_groups *groups, const char *family,
                              const char *link, const dlp_hierarchy_settings *s,
                              dlpi_group_worker *w, dlp_error *error)
{
    const dlp_glm_prior replaced = dlp_glm_prior_default();
    const dlp_glm_data *largest = &groups->data[groups->from];
    const bool bound = dlpi_is_jaakkola_jordan(s->method);
    for (dlp_index m = groups->from; m < groups->to; m++)
        if (groups->data[m].N > largest->N) largest = &groups->data[m];
    DLP_TRY(dlp_glm_alloc(family, link, largest, &replaced, &w->glm, error));
    if (groups->fitted < groups->n) DLP_TRY(hold_scale(w->glm, error));
    DLP_TRY(dlpi_prior_make_full(&w->glm->prior, error));
    if (bound) DLP_TRY(dlp_glm_use_jaakkola_jordan(w->glm, error));
    dlp_settings settings = dlp_settings_default();
    settings.method = bound ? "laplace" : s->method;
    settings.tol = fmin(settings.tol, 1e-2 * s->tol);
    settings.progress = s->progress ? poll : NULL;
    settings.context = groups->listener;
    const dlp_model model = dlp_glm_model(w->glm);
    return dlp_fit_alloc(&model, &settings, &w->fit, error);
}

/* Which groups this process fits; others may have wrong data in theirs. */
static dlp_status take_groups(dlpi_hierarchy_groups *groups, const dlpi_family *family,
                              const dlp_hierarchy_settings *settings, dlp_error *error)
{
    dlp_status status = DLP_OK;
    groups->to = groups->M;
    if (settings->processes)
        DLP_TRY(divide(groups, dlpi_processes_comm(settings->processes), error));
    for (dlp_index m = groups->from; m < groups->to && status == DLP_OK; m++)
        status = check_group(family, groups->data, m, error);
    return groups->comm ? groups->comm->ops->agree(groups->comm, status, error) : status;
}

static dlp_status allocate(dlpi_hierarchy_groups *groups, dlp_error *error)
{
    const dlp_index M = groups->M, n = groups->n;
    groups->group = dlpi_calloc(M, sizeof *groups->group);
    groups->worker = dlpi_calloc(groups->threads, sizeof *groups->worker);
    groups->mu =
        dlpi_calloc(dlpi_size(M, dlpi_size(n, n, dlpi_size(3, n, 0)), dlpi_size(n, n, 0)),
                    sizeof *groups->mu);
    if (!groups->group || !groups->worker || !groups->mu)
        return dlpi_no_memory(error, "the groups of a hierarchy");
    groups->start = groups->mu + M * n;
    groups->offset = groups->start + M * n;
    groups->Sigma = groups->offset + M * n;
    groups->sub = groups->Sigma + M * n * n;
    for (dlp_index m = 0; m < M; m++) groups->group[m].outcome = DLP_NOT_STARTED;
    return DLP_OK;
}

dlp_status dlpi_groups_alloc(dlpi_hierarchy_groups *groups, const char *family,
                             const char *link, dlp_index M, const dlp_glm_data *data,
                             const dlp_hierarchy_settings *settings,
                             dlpi_listener *listener, dlp_error *error)
{
    const dlpi_family *found = dlpi_family_named(family, link, error);
    if (!found) return DLP_EINVAL;
    groups->M = M;
    groups->data = data;
    groups->listener = listener;
    DLP_TRY(take_groups(groups, found, settings, error));
    groups->n = found->parameters(data->p, data->levels);
    groups->fitted =
        settings->shared_scale && found->of->scale ? groups->n - 1 : groups->n;
    if (groups->fitted < 1)
        return dlp_fail(error, DLP_EINVAL, "there is nothing to estimate: no columns");
    const dlp_index own = groups->to - groups->from;
    groups->threads = settings->threads < own ? settings->threads : (int)own;
    DLP_TRY(allocate(groups, error));
    for (int t = 0; t < groups->threads; t++)
        DLP_TRY(make_worker(groups, family, link, settings, &groups->worker[t], error));
    return DLP_OK;
}

void dlpi_groups_free(dlpi_hierarchy_groups *groups)
{
    for (int t = 0; groups->worker && t < groups->threads; t++) {
        dlp_fit_free(groups->worker[t].fit);
        dlp_glm_free(groups->worker[t].glm);
    }
    free(groups->worker);
    free(groups->group);
    free(groups->mu);
    free(groups->begin);
    *groups = (dlpi_hierarchy_groups){0};
}
