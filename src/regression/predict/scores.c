/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/predict/scores.h"

#include "core/core.h"
#include "core/settings.h"
#include "infer/listener.h"

#include <math.h>
#include <string.h>

void dlp_comparison_settings_init(dlp_comparison_settings *settings, size_t size)
{
    const dlp_comparison_settings defaults = {
        .size = sizeof defaults, .draws = 10000, .seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

dlp_status dlpi_comparison_end(dlp_status status, dlp_scores **scores)
{
    if (status == DLP_OK) return DLP_OK;
    dlp_scores_free(*scores);
    *scores = NULL;
    return status;
}

dlp_status dlpi_comparison_begin(const dlp_regression *regression, const dlp_table *table,
                                 const dlp_comparison_settings *given,
                                 dlp_comparison_settings *full, dlp_error *error)
{
    if (!regression || !table)
        return dlp_fail(error, DLP_EINVAL,
                        "a comparison needs a regression and its table");
    *full = dlp_comparison_settings_default();
    DLP_TRY(dlpi_settings_take(full, sizeof *full, given, error));
    if (full->draws < 100 || full->draws > 10000000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td draws are asked for; there must be 100 to 10,000,000",
                        full->draws);
    return DLP_OK;
}

dlp_status dlpi_comparison_tell(const dlp_comparison_settings *s, const char *phase,
                                const char *unit, dlp_index done, dlp_index total,
                                dlp_error *error)
{
    const dlp_progress now = dlpi_progress_count(phase, unit, done, total);
    if (!s->progress || !s->progress(s->context, &now)) return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "%s", dlp_status_string(DLP_ECANCELLED));
}

double dlpi_log_sum_exp(dlp_index S, const double *a)
{
    double most = -INFINITY, sum = 0;
    for (dlp_index s = 0; s < S; s++) most = fmax(most, a[s]);
    if (most == -INFINITY) return most;
    for (dlp_index s = 0; s < S; s++) sum += exp(a[s] - most);
    return most + log(sum);
}

/* ---- memory ---- */

/* The result first: it is what clients have. */
typedef struct owner {
    dlp_scores scores;
    double *elpd, *k, *weight;
    dlp_index *row;
    char *response;
} owner;

void dlp_scores_free(dlp_scores *scores)
{
    owner *o = (owner *)(void *)scores;
    if (!o) return;
    free(o->elpd);
    free(o->k);
    free(o->weight);
    free(o->row);
    free(o->response);
    free(o);
}

static bool keep(const dlpi_target *t, owner *o)
{
    const dlp_index N = t->data.N;
    const char *name = t->of->result.terms->response.variable;
    o->elpd = dlpi_calloc(N, sizeof *o->elpd);
    o->k = dlpi_calloc(N, sizeof *o->k);
    o->response = strdup(name);
    if (t->data.weight) o->weight = dlpi_calloc(N, sizeof *o->weight);
    if (t->design->row) o->row = dlpi_calloc(N, sizeof *o->row);
    if (!o->elpd || !o->k || !o->response || (t->data.weight && !o->weight) ||
        (t->design->row && !o->row))
        return false;
    if (t->data.weight) memcpy(o->weight, t->data.weight, (size_t)N * sizeof *o->weight);
    if (t->design->row) memcpy(o->row, t->design->row, (size_t)N * sizeof *o->row);
    return true;
}

dlp_status dlpi_scores_alloc(const dlpi_target *t, dlp_scores **scores, dlp_error *error)
{
    const dlp_score_sum unknown = {NAN, NAN};
    owner *o = dlpi_calloc(1, sizeof *o);
    *scores = NULL;
    if (!o || !keep(t, o)) {
        dlp_scores_free(o ? &o->scores : NULL);
        return dlpi_no_memory(error, "the rows");
    }
    o->scores = (dlp_scores){.N = t->data.N,
                             .row = o->row,
                             .weight = o->weight,
                             .elpd = o->elpd,
                             .k = o->k,
                             .parameters = unknown,
                             .waic_elpd = unknown,
                             .waic_parameters = unknown,
                             .log_evidence = unknown,
                             .posterior_k = -INFINITY,
                             .response = o->response};
    *scores = &o->scores;
    return DLP_OK;
}

/* ---- sums ---- */

static double weight_of(const dlp_scores *s, dlp_index i)
{
    return s->weight ? s->weight[i] : 1;
}

/* The sum of value, or of value - less, where that is not NULL. A row of weight w counts
   as w rows. */
static dlp_score_sum sum_of(const dlp_scores *s, const double *value, const double *less)
{
    double total = 0, sum = 0, squares = 0;
    for (dlp_index i = 0; i < s->N; i++) {
        total += weight_of(s, i);
        const double here = value[i] - (less ? less[i] : 0);
        if (weight_of(s, i) > 0) sum += weight_of(s, i) * here;
    }
    for (dlp_index i = 0; i < s->N; i++) {
        const double off = value[i] - (less ? less[i] : 0) - sum / total;
        if (weight_of(s, i) > 0) squares += weight_of(s, i) * off * off;
    }
    return (dlp_score_sum){sum, total > 1 ? sqrt(squares * total / (total - 1)) : NAN};
}

dlp_score_sum dlpi_score_sum(const dlp_scores *s, const double *value)
{
    return sum_of(s, value, NULL);
}

void dlpi_scores_finish(dlp_scores *s)
{
    double total = 0;
    for (dlp_index i = 0; i < s->N; i++) total += weight_of(s, i);
    s->elpd_sum = dlpi_score_sum(s, s->elpd);
    s->elpd_per_row = s->elpd_sum.value / total;
    s->doubtful = 0;
    for (dlp_index i = 0; i < s->N; i++)
        s->doubtful += weight_of(s, i) > 0 && !(s->k[i] <= DLP_TAIL_K_FAIR);
}

/* ---- two of them ---- */

static dlp_index row_of(const dlp_scores *s, dlp_index i)
{
    return s->row ? s->row[i] : i;
}

int dlpi_scores_comparable(const dlp_scores *a, const dlp_scores *b)
{
    bool same = a->N == b->N && !strcmp(a->response, b->response);
    for (dlp_index i = 0; same && i < a->N; i++)
        same = row_of(a, i) == row_of(b, i) && weight_of(a, i) == weight_of(b, i);
    return same;
}

/* Puts i before those among the first n that it is better than. */
static void put(const dlp_scores *const *scores, dlp_index i, dlp_index n,
                dlp_index *order)
{
    dlp_index at = n;
    for (; at > 0; at--) {
        const dlp_scores *before = scores[order[at - 1]];
        if (!(before->elpd_sum.value < scores[i]->elpd_sum.value)) break;
        order[at] = order[at - 1];
    }
    order[at] = i;
}

dlp_index dlp_scores_rank(dlp_index n, const dlp_scores *const *scores, dlp_index *order)
{
    dlp_index comparable = 0, last = n;
    for (dlp_index i = 0; i < n; i++)
        if (dlpi_scores_comparable(scores[i], scores[0]))
            put(scores, i, comparable++, order);
    for (dlp_index i = n; i-- > 0;)
        if (!dlpi_scores_comparable(scores[i], scores[0])) order[--last] = i;
    return comparable;
}

dlp_score_sum dlp_scores_difference(const dlp_scores *a, const dlp_scores *b)
{
    return sum_of(a, a->elpd, b->elpd);
}

int dlp_scores_tell_apart(dlp_score_sum difference)
{
    return !(fabs(difference.value) < 2 * difference.se);
}
