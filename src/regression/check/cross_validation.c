/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows predicted by fits of the others, a fold of them at a time. */
#include "core/core.h"
#include "glm/predict/at_draws.h"
#include "math/distinct.h"
#include "math/shuffle.h"
#include "regression/check/mixed_scores.h"
#include "regression/check/refit_folds.h"
#include "regression/look/look.h"
#include "regression/predict/scores.h"

#include <delaplace/random.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_FOLDS = 10, FOLD_STREAM = 1 << 20 };

/* Some rows of a regression, copied. */
typedef struct rows_of {
    dlp_glm_data data;
    dlp_index *index; /* (data.N) which they are */
    double *numbers;
    const double **x;
} rows_of;

typedef struct work {
    dlp_comparison_settings s;
    dlpi_target target;
    int threads;
    dlp_index *fold; /* (N) */
    dlp_index groups;
    double *mu, *Sigma;
} work;

/* ---- folds ---- */

static dlp_index table_row(const work *w, dlp_index i)
{
    return w->target.design->row ? w->target.design->row[i] : i;
}

/* The group of each row as a number, and how many there are. */
static dlp_status number_groups(work *w, const dlp_column *by, dlp_index *group,
                                dlp_index *count, dlp_error *error)
{
    const dlp_index N = w->target.data.N;
    double *value = dlpi_calloc(2 * N, sizeof *value), *sorted = value ? value + N : NULL;
    if (!value) return dlpi_no_memory(error, "the groups");
    bool missing = false;
    for (dlp_index i = 0; i < N; i++) {
        const dlp_index row = table_row(w, i);
        value[i] = by->kind == DLP_NUMERIC ? by->number[row] : by->code[row];
        missing |= isnan(value[i]) || (by->kind != DLP_NUMERIC && value[i] < 0);
        sorted[i] = value[i];
    }
    if (missing) {
        free(value);
        return dlp_fail(error, DLP_EINPUT,
                        "the column '%.80s', by which rows are left out, has missing "
                        "values; fill them in, or drop such rows",
                        by->name);
    }
    qsort(sorted, (size_t)N, sizeof *sorted, dlpi_ascending);
    *count = 0;
    for (dlp_index i = 0; i < N; i++)
        if (i == 0 || sorted[i] != sorted[*count - 1]) sorted[(*count)++] = sorted[i];
    for (dlp_index i = 0; i < N; i++)
        group[i] = (const double *)bsearch(&value[i], sorted, (size_t)*count,
                                           sizeof *sorted, dlpi_ascending) -
                   sorted;
    free(value);
    return DLP_OK;
}

static dlp_status find_groups(work *w, dlp_index *group, dlp_index *count,
                              dlp_error *error)
{
    const dlp_table *table = w->target.table;
    const dlp_index j = w->s.by ? dlp_table_find(table, w->s.by) : -1;
    *count = w->target.data.N;
    for (dlp_index i = 0; i < *count; i++) group[i] = i;
    if (!w->s.by) return DLP_OK;
    if (j < 0)
        return dlpi_in_table(table,
                             dlp_fail(error, DLP_EINPUT,
                                      "there is no column '%.80s' to leave out by",
                                      w->s.by),
                             error);
    DLP_TRY(number_groups(w, &table->column[j], group, count, error));
    w->groups = *count;
    return DLP_OK;
}

static dlp_status deal(work *w, dlp_index *group, dlp_error *error)
{
    dlp_index count;
    DLP_TRY(find_groups(w, group, &count, error));
    if (w->s.by && count < 2)
        return dlp_fail(
            error, DLP_EINVAL,
            "the column '%.80s' is the same in all rows: there is no group to leave out",
            w->s.by);
    const dlp_index usual = w->s.by || count < USUAL_FOLDS ? count : USUAL_FOLDS;
    if (w->s.folds == 0) w->s.folds = usual;
    if (w->s.folds < 2 || w->s.folds > count)
        return dlp_fail(error, DLP_EINVAL,
                        "%td folds are asked for; there must be 2 to %td, as many as "
                        "there are %s",
                        w->s.folds, count, w->s.by ? "groups" : "rows");
    dlp_index *order = dlpi_calloc(count, sizeof *order);
    if (!order) return dlpi_no_memory(error, "the folds");
    dlp_rng rng = dlp_rng_at(w->s.seed, FOLD_STREAM);
    dlpi_shuffle(count, &rng, order);
    /* a group is in the fold of its place in the shuffled order */
    for (dlp_index i = 0; i < w->target.data.N; i++)
        w->fold[i] = order[group[i]] % w->s.folds;
    free(order);
    return DLP_OK;
}

static dlp_status make_folds(work *w, dlp_error *error)
{
    dlp_index *group = dlpi_calloc(w->target.data.N, sizeof *group);
    const dlp_status status =
        group ? deal(w, group, error) : dlpi_no_memory(error, "the folds");
    free(group);
    return status;
}

/* ---- rows ---- */

static void clear_rows(rows_of *rows)
{
    free(rows->index);
    free(rows->numbers);
    free(rows->x);
    *rows = (rows_of){.index = NULL};
}

static const double *take(const rows_of *rows, const double *from, double **to)
{
    if (!from) return NULL;
    double *out = *to;
    for (dlp_index i = 0; i < rows->data.N; i++) out[i] = from[rows->index[i]];
    *to += rows->data.N;
    return out;
}

/* The rows of a fold, or all others. */
static dlp_status take_rows(const work *w, dlp_index fold, bool others, rows_of *rows,
                            dlp_error *error)
{
    const dlp_glm_data *all = &w->target.data;
    dlp_index n = 0;
    for (dlp_index i = 0; i < all->N; i++) n += (w->fold[i] == fold) != others;
    rows->index = dlpi_calloc(n, sizeof *rows->index);
    rows->numbers = dlpi_calloc(all->p + 4, (size_t)n * sizeof *rows->numbers);
    rows->x = dlpi_calloc(all->p, sizeof *rows->x);
    if (!rows->index || !rows->numbers || !rows->x)
        return dlpi_no_memory(error, "the rows of a fold");
    rows->data = *all;
    rows->data.N = 0;
    for (dlp_index i = 0; i < all->N; i++)
        if ((w->fold[i] == fold) != others) rows->index[rows->data.N++] = i;
    double *to = rows->numbers;
    for (dlp_index j = 0; j < all->p; j++) rows->x[j] = take(rows, all->x[j], &to);
    rows->data.x = rows->x;
    rows->data.y = take(rows, all->y, &to);
    rows->data.trials = take(rows, all->trials, &to);
    rows->data.offset = take(rows, all->offset, &to);
    rows->data.weight = take(rows, all->weight, &to);
    return DLP_OK;
}

/* ---- a fold ---- */

static dlp_status sample_others(work *w, const rows_of *rows, dlpi_sample *sample,
                                dlp_error *error)
{
    dlp_glm *glm = NULL;
    DLP_TRY(dlpi_target_glm(&w->target, &rows->data, &glm, error));
    dlp_status status = dlpi_refit(&w->target, &rows->data, glm, w->mu, w->Sigma, error);
    if (status == DLP_OK)
        status = dlpi_sample_make(glm, w->mu, w->Sigma, w->s.draws, w->s.seed, w->threads,
                                  sample, error);
    dlp_glm_free(glm);
    return status;
}

static dlp_status score_rows(work *w, const rows_of *rows, const dlpi_sample *sample,
                             dlp_scores *scores, dlp_error *error)
{
    const dlp_index S = sample->S;
    double *elpd = (double *)scores->elpd, *k = (double *)scores->k;
    double *l = dlpi_calloc(S, (DLPI_TILE + 1) * sizeof *l);
    double *a = l ? l + S * DLPI_TILE : NULL;
    dlpi_draws_room room = {0};
    dlp_glm *glm = NULL;
    dlp_status status = l ? DLP_OK : dlpi_no_memory(error, "the rows");
    if (status == DLP_OK) status = dlpi_target_glm(&w->target, &rows->data, &glm, error);
    if (status == DLP_OK) status = dlpi_draws_room_alloc(glm, &room, error);
    for (dlp_index at = 0; status == DLP_OK && at < rows->data.N; at += DLPI_TILE) {
        const dlp_index n = dlpi_rows_at_draws(glm, &room, at, S, sample->theta, l);
        for (dlp_index i = 0; i < n; i++) {
            for (dlp_index s = 0; s < S; s++)
                a[s] = sample->log_weight[s] + l[s * DLPI_TILE + i];
            elpd[rows->index[at + i]] =
                dlpi_log_sum_exp(S, a) +
                dlpi_log_unit(w->target.design->precision, rows->index[at + i]);
            k[rows->index[at + i]] = sample->psis.k;
        }
    }
    dlpi_draws_room_clear(&room);
    dlp_glm_free(glm);
    free(l);
    return status;
}

static dlp_status run_fold(work *w, dlp_index fold, dlp_scores *scores, dlp_error *error)
{
    rows_of others = {.index = NULL}, own = {.index = NULL};
    dlpi_sample sample = {0};
    dlp_status status = take_rows(w, fold, true, &others, error);
    if (status == DLP_OK) status = take_rows(w, fold, false, &own, error);
    if (status == DLP_OK) status = sample_others(w, &others, &sample, error);
    if (status == DLP_OK) status = score_rows(w, &own, &sample, scores, error);
    if (status == DLP_OK) scores->posterior_k = fmax(scores->posterior_k, sample.psis.k);
    dlpi_sample_clear(&sample);
    clear_rows(&others);
    clear_rows(&own);
    return status;
}

/* ---- a mixed model ---- */

static dlp_status run_mixed(work *w, dlp_scores *scores, dlp_error *error)
{
    const dlpi_mixed_scores to = {.elpd = (double *)scores->elpd,
                                  .k = (double *)scores->k};
    return dlpi_score_mixed(&w->target, &w->s, w->threads, w->fold, w->s.folds, &to,
                            scores, error);
}

/* ---- a model that is fitted by its formula ---- */

static bool by_formula(const dlp_regression_result *r)
{
    return r->grouping == DLP_HIERARCHICAL ||
           (r->grouping == DLP_MIXED && dlp_family_has_levels(r->family));
}

static dlp_status run_refits(const dlp_regression *r, const dlp_table *table, work *w,
                             dlp_scores **scores, dlp_error *error)
{
    dlp_look_settings look = dlp_look_settings_default();
    dlp_prediction *p = NULL;
    look.problem = w->s.problem;
    DLP_TRY(dlpi_look_rows(r, table, &look, false, &p, error));
    w->target =
        (dlpi_target){.of = r, .table = table, .design = p->design, .data = p->data};
    w->fold = dlpi_calloc(p->data.N, sizeof *w->fold);
    dlp_status status = w->fold ? DLP_OK : dlpi_no_memory(error, "the folds");
    if (status == DLP_OK) status = make_folds(w, error);
    if (status == DLP_OK) status = dlpi_scores_alloc(&w->target, scores, error);
    if (status == DLP_OK)
        status =
            dlpi_score_refits(&w->target, &w->s, w->fold, w->s.folds, *scores, error);
    if (status == DLP_OK) {
        (*scores)->folds = w->s.folds;
        (*scores)->groups = w->groups;
        (*scores)->without_draws = 1;
        dlpi_scores_finish(*scores);
    }
    w->target = (dlpi_target){0}; /* the prediction owns it */
    dlp_prediction_free(p);
    return status;
}

/* ---- the whole ---- */

static dlp_status run(const dlp_regression *r, const dlp_table *table, work *w,
                      dlp_scores **scores, dlp_error *error)
{
    const dlp_index n = r->result.n;
    if (r->result.grouping == DLP_SEPARATE)
        return dlp_fail(error, DLP_EINVAL,
                        "cross-validation does not work for separate groups; fit a "
                        "single group, or use 'compare', which leaves out each row");
    if (by_formula(&r->result)) return run_refits(r, table, w, scores, error);
    DLP_TRY(dlpi_target_make(r, table, false, false, w->s.problem, &w->target, error));
    w->threads =
        dlpi_threads_for_draws(w->s.threads, w->s.draws, r->result.rows, r->result.p);
    w->fold = dlpi_calloc(w->target.data.N, sizeof *w->fold);
    w->mu = dlpi_calloc(n, sizeof *w->mu);
    w->Sigma = dlpi_calloc(n, (size_t)n * sizeof *w->Sigma);
    if (!w->fold || !w->mu || !w->Sigma) return dlpi_no_memory(error, "the folds");
    DLP_TRY(make_folds(w, error));
    DLP_TRY(dlpi_scores_alloc(&w->target, scores, error));
    (*scores)->folds = w->s.folds;
    (*scores)->groups = w->groups;
    const bool mixed = r->result.grouping == DLP_MIXED;
    if (mixed) DLP_TRY(run_mixed(w, *scores, error));
    for (dlp_index fold = 0; fold < w->s.folds && !mixed; fold++) {
        DLP_TRY(dlpi_comparison_tell(&w->s, "cross-validating", "folds", fold, w->s.folds,
                                     error));
        DLP_TRY(run_fold(w, fold, *scores, error));
    }
    dlpi_scores_finish(*scores);
    return DLP_OK;
}

dlp_status dlp_regression_cross_validate(const dlp_regression *regression,
                                         const dlp_table *table,
                                         const dlp_comparison_settings *settings,
                                         dlp_scores **scores, dlp_error *error)
{
    work w = {.threads = 1};
    *scores = NULL;
    DLP_TRY(dlpi_comparison_begin(regression, table, settings, &w.s, error));
    const dlp_status status = run(regression, table, &w, scores, error);
    dlpi_target_clear(&w.target);
    free(w.fold);
    free(w.mu);
    free(w.Sigma);
    return dlpi_comparison_end(status, scores);
}
