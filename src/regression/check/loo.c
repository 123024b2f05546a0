/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each row left out by importance weights. The draws of the posterior have weights w_s; those
 * of the posterior without row n are w_s / p(y_n | theta_s), smoothed once more, and
 *
 *   elpd_n = log sum_s w_ns p(y_n | theta_s) / sum_s w_ns.
 */
#include "core/core.h"
#include "glm/predict/at_draws.h"
#include "regression/check/mixed_scores.h"
#include "regression/look/look.h"
#include "regression/predict/scores.h"

#include <math.h>
#include <stdlib.h>

static const double LEAST = -1e300;

/* What rows add to the sums, in the order of the target's groups. */
typedef struct rows_found {
    double *elpd, *k;            /* (N) left out */
    double *seen;                /* (N) log E[p(y_n | theta)] */
    double *mean_log, *variance; /* (N) of log p(y_n | theta) */
} rows_found;

typedef struct work {
    dlp_comparison_settings s;
    dlpi_target target;
    int threads;
    double *mu, *Sigma;
    rows_found found;
    double *memory;
} work;

/* ---- one row ---- */

/* Mean and variance of l (S) by the weights. */
static void moments(dlp_index S, const double *weight, const double *l, double *mean,
                    double *variance)
{
    double first = 0, second = 0;
    for (dlp_index s = 0; s < S; s++) first += weight[s] * l[s];
    for (dlp_index s = 0; s < S; s++)
        second += weight[s] * (l[s] - first) * (l[s] - first);
    *mean = first;
    *variance = second;
}

/* l (S), its numbers stride apart; a (2, S) is room. */
static dlp_status score_row(const dlpi_sample *sample, const double *weight,
                            const double *l, dlp_index stride, double *a, dlp_index i,
                            const rows_found *out)
{
    const dlp_index S = sample->S;
    const double *w = sample->log_weight;
    double *own = a + S;
    struct dlpi_psis psis;
    for (dlp_index s = 0; s < S; s++) {
        own[s] = fmax(l[s * stride], LEAST); /* infinite weights are not numbers */
        a[s] = w[s] + own[s];
    }
    out->seen[i] = dlpi_log_sum_exp(S, a);
    moments(S, weight, own, &out->mean_log[i], &out->variance[i]);
    for (dlp_index s = 0; s < S; s++) a[s] = w[s] - own[s];
    if (dlpi_psis(a, (size_t)S, &psis) != DLP_OK) return DLP_ENOMEM;
    for (dlp_index s = 0; s < S; s++) a[s] += own[s];
    out->elpd[i] = dlpi_log_sum_exp(S, a);
    out->k[i] = psis.k;
    return DLP_OK;
}

/* ---- the rows of a group ---- */

typedef struct part {
    const dlp_glm *glm;
    const dlpi_sample *sample;
    const double *weight; /* (S) */
    dlp_index first;      /* where its rows begin among all */
    const rows_found *out;
} part;

static dlp_status score_tile(const part *p, dlp_index at)
{
    const dlp_index S = p->sample->S;
    dlpi_draws_room room = {0};
    double *l = dlpi_calloc(S, DLPI_TILE * sizeof *l);
    double *a = dlpi_calloc(S, 2 * sizeof *a);
    dlp_status status = l && a ? dlpi_draws_room_alloc(p->glm, &room, NULL) : DLP_ENOMEM;
    const dlp_index n =
        status == DLP_OK ? dlpi_rows_at_draws(p->glm, &room, at, S, p->sample->theta, l)
                         : 0;
    for (dlp_index i = 0; status == DLP_OK && i < n; i++)
        status = score_row(p->sample, p->weight, l + i, DLPI_TILE, a, p->first + at + i,
                           p->out);
    dlpi_draws_room_clear(&room);
    free(l);
    free(a);
    return status;
}

static dlp_status score_rows(const part *p, int threads, dlp_error *error)
{
    int failed = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads) reduction(| : failed)
    for (dlp_index at = 0; at < p->glm->data.N; at += DLPI_TILE)
        failed |= score_tile(p, at) != DLP_OK;
    return failed ? dlpi_no_memory(error, "the rows") : DLP_OK;
}

static dlp_status score_group(work *w, dlp_index m, dlp_scores *scores, dlp_error *error)
{
    const dlp_glm_data rows = dlpi_rows_of_group(&w->target.rows, m);
    dlpi_sample sample = {0};
    dlp_glm *glm = NULL;
    DLP_TRY(dlpi_target_glm(&w->target, &rows, &glm, error));
    dlpi_target_posterior(&w->target, m, w->mu, w->Sigma);
    dlp_status status = dlpi_sample_make(glm, w->mu, w->Sigma, w->s.draws, w->s.seed,
                                         w->threads, &sample, error);
    if (status == DLP_OK) {
        const part p = {glm, &sample, sample.log_q, w->target.rows.begin[m], &w->found};
        /* q's weights are no longer needed */
        for (dlp_index s = 0; s < sample.S; s++)
            sample.log_q[s] = exp(sample.log_weight[s]);
        scores->posterior_k = fmax(scores->posterior_k, sample.psis.k);
        scores->log_evidence.value +=
            sample.log_evidence + w->target.precise.log_jacobian;
        scores->log_evidence.se = hypot(scores->log_evidence.se, sample.log_evidence_se);
        status = score_rows(&p, w->threads, error);
    }
    dlpi_sample_clear(&sample);
    dlp_glm_free(glm);
    return status;
}

/* ---- a mixed model ---- */

static dlp_status score_mixed(work *w, dlp_scores *scores, dlp_error *error)
{
    const rows_found *f = &w->found;
    const dlpi_mixed_scores to = {.elpd = f->elpd,
                                  .k = f->k,
                                  .seen = f->seen,
                                  .mean_log = f->mean_log,
                                  .variance = f->variance};
    return dlpi_score_mixed(&w->target, &w->s, w->threads, NULL, 0, &to, scores, error);
}

/* ---- the whole ---- */

static dlp_status make_room(work *w, dlp_error *error)
{
    const dlp_index n = w->target.of->result.n, N = w->target.data.N;
    w->mu = dlpi_calloc(n, sizeof *w->mu);
    w->Sigma = dlpi_calloc(n, (size_t)n * sizeof *w->Sigma);
    w->memory = dlpi_calloc(N, 7 * sizeof *w->memory);
    if (!w->mu || !w->Sigma || !w->memory) return dlpi_no_memory(error, "the rows");
    w->found = (rows_found){.elpd = w->memory,
                            .k = w->memory + N,
                            .seen = w->memory + 2 * N,
                            .mean_log = w->memory + 3 * N,
                            .variance = w->memory + 4 * N};
    return DLP_OK;
}

/* From the order of the groups to that of the table; two numbers of each row follow
   them. */
static void put_back(const work *w, dlp_scores *scores)
{
    const dlp_index N = scores->N, *order = w->target.rows.order;
    const rows_found *f = &w->found;
    double *more = w->memory + 5 * N, *waic = w->memory + 6 * N;
    double *elpd = (double *)scores->elpd, *k = (double *)scores->k;
    for (dlp_index i = 0; i < N; i++) {
        const dlp_index row = order ? order[i] : i;
        const double unit = dlpi_log_unit(w->target.design->precision, row);
        f->elpd[i] += unit;
        f->seen[i] += unit;
        elpd[row] = f->elpd[i];
        k[row] = f->k[i];
        more[row] = f->seen[i] - f->elpd[i];
    }
    dlpi_scores_finish(scores);
    scores->parameters = dlpi_score_sum(scores, more);
    for (dlp_index i = 0; i < N; i++) {
        const dlp_index row = order ? order[i] : i;
        more[row] = f->variance[i];
        waic[row] = f->seen[i] - f->variance[i];
        scores->waic_doubtful += f->variance[i] > 0.4;
    }
    scores->waic_parameters = dlpi_score_sum(scores, more);
    scores->waic_elpd = dlpi_score_sum(scores, waic);
}

/* ---- without draws ---- */

/* These have no posterior for which draws could be weighted: rows are taken out of the
   fit's own, as for residuals. */
static bool without_draws(const dlp_regression_result *r)
{
    return r->grouping == DLP_HIERARCHICAL ||
           (r->grouping == DLP_MIXED && dlpi_predictors(r) > 1);
}

static dlp_status leave_out(work *w, const dlp_prediction *p, dlp_error *error)
{
    const dlp_index N = p->data.N;
    double *shares = dlpi_calloc(N, 3 * sizeof *shares);
    bool *kept = dlpi_calloc(N, sizeof *kept);
    const dlpi_left_out out = {.below = shares,
                               .up_to = shares ? shares + N : NULL,
                               .leverage = shares ? shares + 2 * N : NULL,
                               .elpd = w->found.elpd,
                               .seen = w->found.seen,
                               .k = w->found.k,
                               .kept = kept};
    const dlp_status status = shares && kept ? dlpi_left_out_groups(p, false, &out, error)
                                             : dlpi_no_memory(error, "the rows");
    for (dlp_index i = 0; status == DLP_OK && i < N; i++) {
        if (kept[i]) w->found.k[i] = INFINITY;
        w->found.variance[i] = NAN;
    }
    free(shares);
    free(kept);
    return status;
}

static dlp_status score_without_draws(const dlp_regression *r, const dlp_table *table,
                                      work *w, dlp_scores **scores, dlp_error *error)
{
    dlp_look_settings look = dlp_look_settings_default();
    dlp_prediction *p = NULL;
    look.problem = w->s.problem;
    DLP_TRY(dlpi_look_rows(r, table, &look, false, &p, error));
    const dlpi_target rows = {
        .of = r, .table = table, .design = p->design, .data = p->data};
    w->target = rows;
    w->target.rows.order = p->rows.order;
    dlp_status status = make_room(w, error);
    if (status == DLP_OK) status = dlpi_scores_alloc(&w->target, scores, error);
    if (status == DLP_OK) status = leave_out(w, p, error);
    if (status == DLP_OK) {
        put_back(w, *scores);
        (*scores)->log_evidence = (dlp_score_sum){r->result.objective, NAN};
        (*scores)->without_draws = 1;
    }
    w->target = (dlpi_target){0}; /* the prediction owns it */
    dlp_prediction_free(p);
    return status;
}

static dlp_status run(const dlp_regression *r, const dlp_table *table, work *w,
                      dlp_scores **scores, dlp_error *error)
{
    if (without_draws(&r->result)) return score_without_draws(r, table, w, scores, error);
    DLP_TRY(dlpi_target_make(r, table, false, false, w->s.problem, &w->target, error));
    w->threads =
        dlpi_threads_for_draws(w->s.threads, w->s.draws, r->result.rows, r->result.p);
    DLP_TRY(make_room(w, error));
    DLP_TRY(dlpi_scores_alloc(&w->target, scores, error));
    (*scores)->log_evidence = (dlp_score_sum){0, 0};
    const bool mixed = r->result.grouping == DLP_MIXED;
    if (mixed) DLP_TRY(score_mixed(w, *scores, error));
    for (dlp_index m = 0; m < r->result.M && !mixed; m++) {
        DLP_TRY(dlpi_comparison_tell(&w->s, "leaving out rows", "groups", m, r->result.M,
                                     error));
        DLP_TRY(score_group(w, m, *scores, error));
    }
    put_back(w, *scores);
    return DLP_OK;
}

dlp_status dlp_regression_loo(const dlp_regression *regression, const dlp_table *table,
                              const dlp_comparison_settings *settings,
                              dlp_scores **scores, dlp_error *error)
{
    work w = {.threads = 1};
    *scores = NULL;
    DLP_TRY(dlpi_comparison_begin(regression, table, settings, &w.s, error));
    const dlp_status status = run(regression, table, &w, scores, error);
    dlpi_target_clear(&w.target);
    free(w.mu);
    free(w.Sigma);
    free(w.memory);
    return dlpi_comparison_end(status, scores);
}
