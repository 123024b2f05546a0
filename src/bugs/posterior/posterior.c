/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/posterior.h"

#include "bugs/posterior/evaluation_time.h"
#include "bugs/posterior/omitted.h"
#include "bugs/posterior/posterior_run.h"
#include "core/core.h"

#include <math.h>
#include <string.h>

typedef dlpi_posterior_run run;

static dlp_status allocate(run *r, dlp_error *error)
{
    dlpi_posterior *p = r->p;
    const dlp_index m = r->plan->m, wide = r->plan->n + 2 * r->plan->L;
    DLP_TRY(dlpi_choose_kept(r, error));
    p->draw = dlpi_calloc(p->draws * (m + r->n_kept), sizeof *p->draw);
    p->memory = dlpi_calloc(2 * wide, sizeof *p->memory);
    r->center = dlpi_calloc((dlp_index)p->points * (r->n_kept + m) + p->draws * m,
                            sizeof *r->center);
    r->here = dlpi_calloc((2 * r->threads + 1) * wide, sizeof *r->here);
    r->nearest = dlpi_calloc(p->draws, sizeof *r->nearest);
    r->own = dlpi_calloc(p->draws + p->points + 1, sizeof *r->own);
    if (!p->draw || !p->memory || !r->center || !r->here || !r->nearest || !r->own)
        return dlpi_no_memory(error, "the posterior");
    r->own_begin = r->own + p->draws;
    r->point = r->center + p->points * r->n_kept;
    r->psi = r->point + p->points * m;
    p->x_mean = p->memory;
    p->leaf_mean = p->x_mean + r->plan->n;
    p->x_sd = p->x_mean + wide;
    p->leaf_sd = p->x_sd + r->plan->n;
    for (int q = 0; q < p->points && m; q++) {
        dlpi_explore_psi(&p->explore, p->explore.z + q * m, r->point + q * m);
        for (dlp_index k = 0; k < m; k++)
            r->point[q * m + k] = p->center[k] + p->unit[k] * r->point[q * m + k];
    }
    return DLP_OK;
}

static const double *own_psi_of(void *context, const double *explored)
{
    return dlpi_run_psi(context, 0, explored);
}

/* What the Gaussian leaves out of the density of psi: costs a sixth of the fit. */
static dlp_status find_omitted(run *r, dlp_error *error)
{
    enum { FEWEST = 4, MOST = 32 };
    const double share = 0.15;
    const dlp_index m = r->plan->m, n = r->plan->n;
    long evaluations = 0;
    if (m == 0 || n == 0 || r->plan->gaussian || r->p->few) return DLP_OK;
    for (int i = 0; i < r->threads; i++) evaluations += r->work[i].evaluations;
    const double pairs = share * (double)evaluations / (double)(4 * m + 2);
    const dlpi_omitted_settings settings = {.psi_of = own_psi_of,
                                            .context = r,
                                            .pairs = (int)fmax(FEWEST, fmin(pairs, MOST)),
                                            .seed = r->settings->seed};
    double *room = dlpi_calloc(2 * m + n, sizeof *room);
    if (!room) return dlpi_no_memory(error, "the posterior");
    r->p->omitted = dlpi_omitted(&r->work[0], &r->p->explore, &settings, room);
    free(room);
    return DLP_OK;
}

static dlp_status summarise(run *r, dlp_error *error)
{
    const dlp_index m = r->plan->m;
    DLP_TRY(allocate(r, error));
    if (m) dlpi_choose_psi(r);
    if (r->plan->n + r->plan->L > 0) { /* else psi is all there is */
        if (m) DLP_TRY(dlpi_find_nearest(r, error));
        dlpi_list_draws(r);
        dlpi_find_shift(r);
        dlpi_visit_points(r);
        if (!dlpi_run_stopped(r)) DLP_TRY(find_omitted(r, error));
    }
    if (dlpi_run_stopped(r))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled while summarising");
    double *G = dlpi_calloc(r->n_kept * m, sizeof *G);
    if (!G) return dlpi_no_memory(error, "the posterior");
    const dlp_status status = m ? dlpi_regress_centers(r, G, error) : DLP_OK;
    if (status == DLP_OK) dlpi_place_draws(r, G);
    free(G);
    return status;
}

static dlp_status keep_mode(run *r, dlp_error *error)
{
    r->p->memory = dlpi_calloc(r->plan->n, sizeof *r->p->memory);
    if (!r->p->memory) return dlpi_no_memory(error, "the posterior");
    r->p->x_mean = r->p->memory;
    memcpy(r->p->x_mean, r->field.x, (size_t)r->plan->n * sizeof *r->field.x);
    return DLP_OK;
}

static dlp_status find(run *r, const dlpi_groups *groups, dlp_error *error)
{
    const double *start = r->settings->start;
    DLP_TRY(dlpi_field_make(groups, &r->field, error));
    r->field.lanes = r->lanes;
    for (dlp_index k = 0; k < r->plan->n; k++) {
        const int32_t cell = r->plan->x_cell[k];
        r->field.x[k] =
            start && isfinite(start[cell]) ? start[cell] : dlpi_start_apart(cell, 0.02);
    }
    r->work = dlpi_calloc(r->threads, sizeof *r->work);
    r->at = dlpi_calloc((r->threads + 1) * r->plan->m + r->plan->n, sizeof *r->at);
    r->p->center = dlpi_calloc(2 * r->plan->m, sizeof *r->p->center);
    if (!r->work || !r->at || !r->p->center)
        return dlpi_no_memory(error, "the posterior");
    r->p->unit = r->p->center + r->plan->m;
    r->thirds = r->at + (r->threads + 1) * r->plan->m;
    for (int i = 0; i < r->threads; i++) {
        DLP_TRY(dlpi_work_alloc(&r->field, &r->work[i], error));
        r->work[i].listener = r->settings->listener;
    }
    if (r->plan->m)
        DLP_TRY(dlpi_psi_explore(r, error));
    else
        DLP_TRY(dlpi_psi_one_point(r));
    if (dlpi_run_stopped(r))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
    if (r->p->points == 0) return DLP_OK;
    if (r->settings->only_mode) return keep_mode(r, error);
    DLP_TRY(summarise(r, error));
    for (int i = 0; i < r->threads; i++) r->p->evaluations += r->work[i].evaluations;
    return DLP_OK;
}

dlp_status dlpi_posterior_find(const dlpi_groups *groups,
                               const dlpi_posterior_settings *settings, dlpi_posterior *p,
                               dlp_error *error)
{
    dlpi_listener nobody = {0};
    dlpi_posterior_settings own = *settings;
    if (!own.listener) own.listener = &nobody;
    run r = {.plan = groups->plan,
             .settings = &own,
             .p = p,
             .time = dlpi_exploration_time(groups)};
    /* Threads that would wait for each other longer than they work are no use. If there
       are many leaves, threads share the leaves and take one point of psi at a time. */
    const double worth = 2e5, shared = 2e7;
    const int threads =
        settings->threads > 1 && r.plan->cost > worth ? settings->threads : 1;
    const bool share = r.plan->L > 0 && r.plan->cost > shared;
    r.threads = share ? 1 : threads;
    r.lanes = share ? threads : 1;
    *p = (dlpi_posterior){.outcome = DLP_NOT_STARTED,
                          .m = groups->plan->m,
                          .together = groups->plan->m,
                          .n = groups->plan->n,
                          .L = groups->plan->L};
    const dlp_status status = find(&r, groups, error);
    for (int i = 0; r.work && i < r.threads; i++) dlpi_work_free(&r.work[i]);
    free(r.work);
    free(r.center);
    free(r.here);
    free(r.kept);
    free(r.found);
    free(r.found_at);
    free(r.at);
    free(r.nearest);
    free(r.own);
    dlpi_field_clear(&r.field);
    if (status != DLP_OK) dlpi_posterior_clear(p);
    return status;
}

void dlpi_posterior_clear(dlpi_posterior *p)
{
    dlpi_explore_free(&p->explore);
    dlpi_psi_points_free(&p->psi_points);
    for (int i = 0; i < p->n_parts; i++) dlpi_psi_points_free(&p->part[i]);
    free(p->part);
    free(p->first);
    free(p->draw);
    free(p->column);
    free(p->memory);
    free(p->center);
    *p = (dlpi_posterior){0};
}

dlpi_psi_points *dlpi_posterior_points(dlpi_posterior *p, dlp_index i, dlp_index *first)
{
    int k = 0;
    *first = 0;
    if (p->n_parts == 0) return &p->psi_points;
    while (k + 1 < p->n_parts && p->first[k + 1] <= i) k++;
    *first = p->first[k];
    return &p->part[k];
}

static const double *draws_at(const dlpi_posterior *p, dlp_index coordinate)
{
    const dlp_index at = p->column ? p->column[coordinate] : coordinate;
    return at < 0 ? NULL : p->draw + (p->m + at) * p->draws;
}

const double *dlpi_posterior_draws(const dlpi_posterior *p, const dlpi_plan *plan,
                                   dlp_index cell)
{
    const dlp_index at = plan->at[cell];
    switch ((dlpi_role)plan->role[cell]) {
    case DLPI_ROLE_PSI: return p->draw + at * p->draws;
    case DLPI_ROLE_X: return draws_at(p, at);
    case DLPI_ROLE_LEAF: return draws_at(p, p->n + 2 * (dlp_index)plan->leaf[cell] + at);
    case DLPI_ROLE_NONE: break;
    }
    return NULL;
}
