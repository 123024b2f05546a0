/* SPDX-License-Identifier: BSD-3-Clause */
/* Responses drawn for the rows of a fit beside those observed: posterior predictive checks. */
#include "regression/look/replicates.h"
#include "core/core.h"
#include "glm/families/draw_response.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "regression/draw/draws.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

enum { REPLICATE_STREAM = 1 << 30 };

typedef struct replicating {
    dlp_replicates out; /* first: it is what clients have */
    struct dlpi_pool pool;
    dlp_look_settings s;
    dlp_prediction *p;
    dlpi_drawing d;
    dlpi_row_effects effects;
    dlpi_replicate_table table;
} replicating;

/* ---- responses ---- */

/* Room for a thread. */
typedef struct drawing_room {
    double *row, *added, *probability, *y;
} drawing_room;

static const double *theta_of(const replicating *w, dlp_index i, dlp_index s)
{
    const dlp_regression_result *r = &w->p->regression->result;
    const dlp_index m = dlpi_is_grouped(r->grouping) ? w->p->design->group[i] : 0;
    return w->d.theta + (m * w->s.draws + s) * r->n;
}

static double draw_row(const replicating *w, const dlpi_family *family, dlp_index i,
                       dlp_index s, const drawing_room *room, dlp_rng *rng)
{
    const dlp_glm_data *d = &w->p->data;
    const dlp_index p = d->p, K = d->levels, n = w->p->regression->result.n;
    const double *theta = theta_of(w, i, s);
    dlpi_load_row(d, i, room->row);
    for (dlp_index j = 0; j < w->effects.D; j++) room->added[j] = 0;
    dlpi_row_effects_add(&w->effects, i, s, room->added);
    if (dlp_family_has_levels(family->of)) {
        dlpi_level_probabilities(family, p, K, theta, room->row, room->added,
                                 room->probability);
        return (double)(dlp_draw_categorical(rng, K, room->probability) + 1);
    }
    const double *offset =
        w->effects.b ? NULL : d->offset; /* it contains the means of effects */
    const double eta = dlpi_dot(p, theta, room->row) + room->added[0] +
                       (offset                 ? offset[i]
                        : w->p->design->offset ? w->p->design->offset[i]
                                               : 0);
    const bool of_trials = family->of->support == DLP_SUPPORT_TRIALS;
    const double trials = of_trials && d->trials ? d->trials[i] : 1;
    const double y =
        dlpi_draw_response(family, eta, n > p ? theta[p] : 0, trials,
                           dlpi_second_scale(family->of, theta, p, d->df), rng);
    if (of_trials && trials == 0) return NAN;
    return of_trials ? y / trials : y;
}

static bool room_alloc(const replicating *w, drawing_room *room)
{
    const dlp_index K = w->p->data.levels + 1;
    room->row = dlpi_calloc(w->p->data.p, sizeof *room->row);
    room->added = dlpi_calloc(K, sizeof *room->added);
    room->probability = dlpi_calloc(K, sizeof *room->probability);
    room->y = dlpi_calloc(w->p->data.N, sizeof *room->y);
    return room->row && room->added && room->probability && room->y;
}

static void room_clear(drawing_room *room)
{
    free(room->row);
    free(room->added);
    free(room->probability);
    free(room->y);
}

/* All responses of draw s, and their numbers. */
static bool replicate(const replicating *w, const dlpi_family *family, dlp_index s)
{
    drawing_room room = {NULL};
    const bool made = room_alloc(w, &room);
    dlp_rng rng = dlp_rng_at(w->s.seed, REPLICATE_STREAM + (uint64_t)s);
    for (dlp_index i = 0; made && i < w->p->data.N; i++)
        room.y[i] = draw_row(w, family, i, s, &room, &rng);
    if (made) dlpi_replicate_table_count(&w->table, room.y, s);
    room_clear(&room);
    return made;
}

static dlp_status replicate_all(replicating *w, dlp_error *error)
{
    const dlp_regression_result *r = &w->p->regression->result;
    const dlpi_family *family = dlpi_family_of(r->family, r->link_kind);
    int failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (dlp_index s = 0; s < w->s.draws; s++) failed |= !replicate(w, family, s);
    return failed ? dlpi_no_memory(error, "the responses") : DLP_OK;
}

/* ---- the whole ---- */

static dlp_status check(const replicating *w, dlp_error *error)
{
    const dlp_glm_data *d = &w->p->data;
    const dlp_family *family = w->p->regression->result.family;
    bool censored = false;
    for (dlp_index i = 0; family->censored && d->trials && i < d->N; i++)
        censored |= d->trials[i] != d->y[i];
    if (!censored) return DLP_OK;
    return dlp_fail(
        error, DLP_EINVAL,
        "some responses are censored, and it is not known when drawn ones would "
        "have been; look at residuals instead");
}

static dlp_status prepare(replicating *w, const dlp_regression *regression,
                          const dlp_table *table, dlp_error *error)
{
    DLP_TRY(dlpi_look_rows(regression, table, &w->s, true, &w->p, error));
    DLP_TRY(check(w, error));
    w->d.of = regression;
    w->d.s = dlp_draws_settings_default();
    w->d.s.n = w->s.draws;
    w->d.s.seed = w->s.seed;
    DLP_TRY(dlpi_draw_theta(&w->d, error));
    DLP_TRY(dlpi_row_effects_make(&w->d, w->p->design, &w->effects, error));
    w->out.dropped = w->p->result.dropped;
    w->out.draws = w->s.draws;
    const dlp_status status =
        dlpi_replicate_table_make(w->p, &w->s, &w->pool, &w->table, error);
    w->out.N = w->table.told;
    return status;
}

static dlp_status run(replicating *w, const dlp_regression *regression,
                      const dlp_table *table, dlp_error *error)
{
    DLP_TRY(prepare(w, regression, table, error));
    DLP_TRY(replicate_all(w, error));
    return dlpi_replicate_table_finish(&w->table, &w->pool, &w->out, error);
}

static void clear_work(replicating *w)
{
    dlpi_pool_free(&w->d.pool);
    free(w->d.theta);
    free(w->d.scale);
    dlpi_replicate_table_clear(&w->table);
    dlp_prediction_free(w->p);
    w->p = NULL;
}

dlp_status dlp_regression_replicate(const dlp_regression *regression,
                                    const dlp_table *table,
                                    const dlp_look_settings *settings,
                                    dlp_replicates **replicates, dlp_error *error)
{
    *replicates = NULL;
    if (!regression || !table)
        return dlp_fail(error, DLP_EINVAL, "replicates need a regression and a table");
    replicating *w = dlpi_calloc(1, sizeof *w);
    if (!w) return dlpi_no_memory(error, "the replicates");
    dlp_status status = dlpi_look_settings(settings, &w->s, error);
    if (status == DLP_OK) status = run(w, regression, table, error);
    clear_work(w);
    if (status == DLP_OK)
        *replicates = &w->out;
    else
        dlp_replicates_free(&w->out);
    return status;
}

void dlp_replicates_free(dlp_replicates *replicates)
{
    replicating *w = (replicating *)(void *)replicates;
    if (!w) return;
    dlpi_pool_free(&w->pool);
    free(w);
}
