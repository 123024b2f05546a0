/* SPDX-License-Identifier: BSD-3-Clause */
/* q of a model, from its graph to the last sweep. */
#include "bugs/meanfield/meanfield.h"
#include "bugs/choice.h"
#include "core/core.h"

#include <string.h>

/* ---- log p as terms ---- */

static dlp_status one_pass(dlpi_meanfield *mf, bool sample, dlp_error *error)
{
    dlpi_meanfield_forget(mf);
    DLP_TRY(dlpi_program_table_alloc(&mf->table, error));
    free(mf->impossible);
    mf->impossible = dlpi_calloc(mf->n_stats, sizeof *mf->impossible);
    if (!mf->impossible) return dlpi_no_memory(error, "q");
    return dlpi_meanfield_terms(mf, sample, error);
}

/* A few instances of each relation rule out most families that do not fit; the final
   check takes all instances. */
static dlp_status find_terms(dlpi_meanfield *mf, dlp_error *error)
{
    bool sample = true;
    for (;;) {
        bool changed = false;
        DLP_TRY(dlpi_meanfield_number(mf, error));
        DLP_TRY(one_pass(mf, sample, error));
        DLP_TRY(dlpi_meanfield_mend(mf, &changed, error));
        if (!changed && !sample) return DLP_OK;
        if (!changed) sample = false;
    }
}

/* If the user asked for an exact Gaussian, it must be exact. */
static dlp_status check_ways(const dlpi_meanfield *mf, dlp_error *error)
{
    const dlpi_graph *g = mf->factors->lowering->graph;
    for (dlp_index i = 0; i < mf->n_q; i++) {
        const dlpi_q *q = &mf->q[i];
        if (q->family != DLPI_GAUSSIAN || q->way != DLPI_CONJUGATE || q->quadratic)
            continue;
        for (int32_t k = 0; k < q->n; k++) {
            const int r = g->definer[mf->cell[q->first + k]];
            if (mf->way[r] != DLPI_CONJUGATE) continue;
            return dlpi_graph_complain(
                g, g->of[r].relation->place, error,
                "%s is not conjugate: its density%s given the other factors is not "
                "normal; use laplace or delta",
                g->of[r].relation->left->name,
                q->block ? " with the other locations'" : "");
        }
    }
    return DLP_OK;
}

/* ---- the whole ---- */

static bool wants_delta(const dlpi_meanfield *mf)
{
    bool delta = mf->delta;
    for (dlp_index i = 0; i < mf->n_q; i++) delta = delta || mf->q[i].way == DLPI_DELTA;
    return delta;
}

dlp_status dlpi_meanfield_find(dlpi_lowering *lowering, dlpi_factors *factors,
                               const dlp_bugs_settings *settings, dlpi_listener *listener,
                               const double *start, const double *value,
                               dlpi_meanfield *mf, dlp_error *error)
{
    dlpi_bugs_choice choice;
    DLP_TRY(dlpi_bugs_choice_read(settings, &choice, error));
    *mf = (dlpi_meanfield){.factors = factors,
                           .settings = settings,
                           .listener = listener,
                           .start = start,
                           .value = value,
                           .scalar = choice.scalar,
                           .delta = choice.delta};
    DLP_TRY(dlpi_meanfield_prepare(mf, lowering, error));
    DLP_TRY(dlpi_factors_list(lowering, false, factors, error));
    DLP_TRY(dlpi_meanfield_find_scales(mf, error));
    DLP_TRY(find_terms(mf, error));
    mf->order = wants_delta(mf) ? 3 : 2;
    DLP_TRY(dlpi_meanfield_seal(mf, error));
    DLP_TRY(check_ways(mf, error));
    return dlpi_meanfield_ascend(mf, error);
}

/* The means of all factors but the discrete ones. */
static void take_means(const dlpi_meanfield *mf, double *mean, double *sd, double *start,
                       double *value)
{
    for (dlp_index i = 0; i < mf->n_q; i++) {
        const dlpi_q *q = &mf->q[i];
        if (q->family == DLPI_CATEGORICAL) continue;
        if (q->family != DLPI_GAUSSIAN) dlpi_conjugate_moments(mf, q, mean, sd);
        for (int32_t k = 0; k < q->n; k++) {
            const int32_t cell = mf->cell[q->first + k];
            if (q->family == DLPI_GAUSSIAN) start[cell] = mf->mean[q->at + k];
            if (q->family != DLPI_GAUSSIAN || mf->domain[cell] == DLPI_DOMAIN_REAL)
                value[cell] = q->family == DLPI_GAUSSIAN ? start[cell] : mean[k];
        }
    }
}

dlp_status dlpi_meanfield_begin(const dlpi_graph *graph,
                                const dlp_bugs_settings *settings,
                                dlpi_listener *listener, double *start, double *value,
                                dlp_error *error)
{
    enum { ENOUGH = 100 };
    dlp_bugs_settings s = *settings;
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    dlpi_meanfield mf = {0};
    s.factor = s.method = NULL;
    s.n_nodes = 0;
    s.max_iter = ENOUGH;
    s.tol = 1e-3;
    double *room = dlpi_calloc(2 * graph->n_cells, sizeof *room);
    dlp_status status = room ? dlpi_lowering_make(graph, listener, &lowering, error)
                             : dlpi_no_memory(error, "q");
    if (status == DLP_OK)
        status = dlpi_meanfield_find(&lowering, &factors, &s, listener, start, NULL, &mf,
                                     error);
    if (status == DLP_OK && mf.outcome != DLP_NOT_CONCAVE && mf.outcome != DLP_DIVERGED)
        take_means(&mf, room, room + graph->n_cells, start, value);
    dlpi_meanfield_clear(&mf);
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
    free(room);
    return status;
}

static void free_fits(dlpi_meanfield *mf)
{
    for (dlp_index i = 0; mf->q && i < mf->n_q; i++) {
        dlp_fit_free(mf->q[i].fit);
        free(mf->q[i].of);
        dlp_pattern_free(mf->q[i].pattern);
    }
    for (int i = 0; i < 2; i++) {
        dlp_fit_free(mf->one[i]);
        free(mf->of_one[i]);
    }
}

void dlpi_meanfield_clear(dlpi_meanfield *mf)
{
    dlpi_meanfield_forget(mf);
    free_fits(mf);
    void *const memory[] = {mf->q,
                            mf->cell,
                            mf->domain,
                            mf->way,
                            mf->because,
                            mf->row_of,
                            mf->atoms_of,
                            mf->shape,
                            mf->c,
                            mf->begin,
                            mf->use,
                            mf->user_begin,
                            mf->user,
                            mf->expected,
                            mf->natural,
                            mf->impossible,
                            mf->member,
                            mf->mean,
                            mf->q_of_coordinate,
                            mf->root,
                            mf->room,
                            mf->jet,
                            mf->batch,
                            mf->spread,
                            (void *)mf->input,
                            mf->slot,
                            mf->elbo};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) free(memory[i]);
    *mf = (dlpi_meanfield){0};
}
