/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws of the expected responses of rows, and of new responses. */
#include "core/core.h"
#include "glm/families/draw_response.h"
#include "glm/predict/predict.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "regression/draw/draws.h"
#include "regression/predict/prediction.h"

#include <math.h>
#include <stdio.h>

enum { NAME = 1024, FIRST_ROW = 1 << 29 };

typedef struct rows_drawn {
    dlpi_drawing *d;
    const dlpi_family *family;
    dlp_design *design;
    double *code;
    dlp_glm_data data;
    double *row;         /* (p) */
    double *probability; /* (K) */
    dlpi_drawing random; /* for a mixed model: the effects of levels */
    dlpi_row_effects effects;
    double *added; /* (D) what they add to a row */
} rows_drawn;

static dlp_status build(rows_drawn *w, dlp_error *error)
{
    const dlp_regression_result *r = &w->d->of->result;
    const bool trials =
        w->d->s.what == DLP_DRAW_RESPONSES && r->family->support == DLP_SUPPORT_TRIALS;
    dlp_design_options options = dlp_design_options_default();
    dlp_index skipped;
    options.skip_response = !trials;
    options.problem = w->d->s.problem;
    dlp_status status =
        dlp_design_rebuild(r->terms, w->d->s.table, &options, &w->design, error);
    if (status == DLP_OK && trials) status = dlpi_check_response(r, w->design, error);
    DLP_TRY(dlpi_in_table(w->d->s.table, status, error));
    DLP_TRY(dlpi_design_data(w->design, NULL, r->family, &w->data, &w->code, &skipped,
                             error));
    w->data.df = r->df;
    DLP_TRY(dlpi_check_columns(r, w->design, w->data.p, skipped, error));
    w->family = dlpi_family_of(r->family, r->link_kind);
    w->row = dlpi_calloc(w->data.p, sizeof *w->row);
    w->probability = dlpi_calloc(r->terms->response.n + 1, sizeof *w->probability);
    w->added = dlpi_calloc(r->terms->response.n + 1, sizeof *w->added);
    if (!w->row || !w->probability || !w->added)
        return dlpi_no_memory(error, "the draws");
    w->random = (dlpi_drawing){.of = w->d->of, .s = w->d->s, .theta = w->d->theta};
    w->random.scale = w->d->scale;
    return dlpi_row_effects_make(&w->random, w->design, &w->effects, error);
}

/* What random effects add to row i in draw k. */
static const double *added_to(const rows_drawn *w, dlp_index i, dlp_index k)
{
    for (dlp_index j = 0; j < w->effects.D; j++) w->added[j] = 0;
    dlpi_row_effects_add(&w->effects, i, k, w->added);
    return w->added;
}

static const double *theta_of(const rows_drawn *w, dlp_index i, dlp_index k)
{
    const dlp_index n = w->d->of->result.n;
    const dlp_index m =
        dlpi_is_grouped(w->d->of->result.grouping) ? w->design->group[i] : 0;
    return w->d->theta + (m * w->d->s.n + k) * n;
}

static double *new_column(const rows_drawn *w, const char *what, dlp_index i,
                          const char *level)
{
    const dlp_index row = (w->design->row ? w->design->row[i] : i) + 1;
    char name[NAME];
    if (level)
        snprintf(name, sizeof name, "%s[%td,%s]", what, row, level);
    else
        snprintf(name, sizeof name, "%s[%td]", what, row);
    return dlpi_drawing_column(w->d, name);
}

/* ---- a row ---- */

static bool draw_single(const rows_drawn *w, dlp_index i, dlp_rng *rng)
{
    const bool responses = w->d->s.what == DLP_DRAW_RESPONSES;
    const dlp_index p = w->data.p, n = w->d->of->result.n;
    const double offset = w->data.offset ? w->data.offset[i] : 0;
    const double trials = w->data.trials ? w->data.trials[i] : 1;
    double *value = new_column(w, responses ? "y" : "mean", i, NULL);
    for (dlp_index k = 0; value && k < w->d->s.n; k++) {
        const double *theta = theta_of(w, i, k);
        const double eta = offset + dlpi_dot(p, theta, w->row) + *added_to(w, i, k);
        const double second = dlpi_second_scale(w->family->of, theta, p, w->data.df);
        value[k] = responses
                       ? dlpi_draw_response(w->family, eta, n > p ? theta[p] : 0, trials,
                                            second, rng)
                       : dlpi_family_mean(w->family, eta, n > p ? theta[p] : 0, second);
    }
    return value != NULL;
}

/* The number of the level, from 1. */
static double draw_level(dlp_index K, const double *probability, dlp_rng *rng)
{
    return (double)(dlp_draw_categorical(rng, K, probability) + 1);
}

static bool draw_levels(const rows_drawn *w, dlp_index i, dlp_rng *rng)
{
    const dlp_levels *levels = &w->d->of->result.terms->response;
    const dlp_index K = levels->n, N = w->d->s.n;
    const bool responses = w->d->s.what == DLP_DRAW_RESPONSES;
    double *value = NULL;
    bool made = true;
    for (dlp_index j = 0; made && j < (responses ? 1 : K); j++) {
        double *column =
            new_column(w, responses ? "y" : "p", i, responses ? NULL : levels->level[j]);
        if (j == 0) value = column;
        made = column != NULL;
    }
    for (dlp_index k = 0; made && k < N; k++) {
        dlpi_level_probabilities(w->family, w->data.p, K, theta_of(w, i, k), w->row,
                                 added_to(w, i, k), w->probability);
        if (responses) value[k] = draw_level(K, w->probability, rng);
        for (dlp_index j = 0; !responses && j < K; j++)
            value[j * N + k] = w->probability[j];
    }
    return made;
}

/* ---- the whole ---- */

static dlp_status draw_all(rows_drawn *w, dlp_error *error)
{
    const dlp_family *family = w->d->of->result.family;
    const bool levels = dlp_family_has_levels(family);
    const bool several = levels && w->d->s.what == DLP_DRAW_MEANS;
    const dlp_index K = w->d->of->result.terms->response.n;
    DLP_TRY(dlpi_drawing_room(w->d, dlpi_size(w->data.N, several ? K : 1, 0), error));
    for (dlp_index i = 0; i < w->data.N; i++) {
        dlp_rng rng = dlp_rng_at(w->d->s.seed, FIRST_ROW + (uint64_t)i);
        DLP_TRY(dlpi_drawing_tell(w->d, "rows", i, w->data.N, error));
        dlpi_load_row(&w->data, i, w->row);
        if (!(levels ? draw_levels(w, i, &rng) : draw_single(w, i, &rng)))
            return dlpi_no_memory(error, "the draws");
    }
    return DLP_OK;
}

dlp_status dlpi_draw_rows(dlpi_drawing *d, dlp_error *error)
{
    rows_drawn w = {.d = d};
    dlp_status status = build(&w, error);
    if (status == DLP_OK) status = draw_all(&w, error);
    dlp_design_free(w.design);
    dlpi_rows_free(w.code);
    free(w.row);
    free(w.probability);
    free(w.added);
    dlpi_pool_free(&w.random.pool);
    return status;
}
