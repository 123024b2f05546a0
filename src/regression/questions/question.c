/* SPDX-License-Identifier: BSD-3-Clause */
/* A question: its settings, the posterior that answers it, draws of it, room for
   answers. */
#include "regression/questions/question.h"

#include "core/core.h"
#include "core/settings.h"
#include "glm/predict/predict.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "regression/check/importance.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 4096, LEAST_DRAWS = 256, MOST_LEVELS = 32 };
static const double MOST_NUMBERS = 2e7; /* in all draws together */
static const double LEVEL = DLP_INTERVAL_LEVEL;

void dlp_question_settings_init(dlp_question_settings *settings, size_t size)
{
    const dlp_question_settings defaults = {.size = sizeof defaults,
                                            .effects = DLP_EFFECTS_OF_NONE,
                                            .points = 9,
                                            .n_intervals = 1,
                                            .interval_level = &LEVEL,
                                            .draws = DRAWS,
                                            .seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* ---- settings ---- */

static dlp_status check_levels(const dlp_question_settings *s, dlp_error *error)
{
    if (s->n_intervals < 1 || s->n_intervals > MOST_LEVELS)
        return dlp_fail(error, DLP_EINVAL,
                        "%td levels of intervals are asked for; there "
                        "must be 1 to %d",
                        s->n_intervals, MOST_LEVELS);
    for (dlp_index i = 0; i < s->n_intervals; i++)
        if (!(s->interval_level[i] > 0 && s->interval_level[i] < 1))
            return dlp_fail(error, DLP_EINVAL,
                            "the level %g of an interval must lie between 0 and 1",
                            s->interval_level[i]);
    return DLP_OK;
}

static dlp_status check(const dlpi_question *q, dlp_error *error)
{
    const dlp_question_settings *s = &q->s;
    if (!q->r->estimated)
        return dlp_fail(
            error, DLP_EINPUT,
            "the fit estimated nothing, so there is nothing to ask; fit again, "
            "by another method");
    if (s->draws < LEAST_DRAWS || s->draws > 1000000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td draws are asked for; there must be %d to 1,000,000",
                        s->draws, LEAST_DRAWS);
    if (s->points < 2 || s->points > 10000)
        return dlp_fail(error, DLP_EINVAL,
                        "%td points are asked for; there must be 2 to 10,000", s->points);
    if (s->effects == DLP_EFFECTS_OF_LEVELS && q->r->grouping == DLP_MIXED)
        return dlp_fail(error, DLP_EINVAL,
                        "questions about a mixed model concern a group in the middle, or "
                        "averages over new groups; for groups of the fit see 'glm "
                        "predict'");
    if (s->effects == DLP_EFFECTS_OF_NEW && q->D > 1)
        return dlp_fail(error, DLP_EINVAL,
                        "averages over new groups are not possible for multinomial "
                        "regressions; ask about a group in the middle");
    return check_levels(s, error);
}

/* ---- the posterior ---- */

/* Groups with parameters of their own are blocks; their mean is one as well. */
static void find_posterior(dlpi_question *q)
{
    const dlp_regression_result *r = q->r;
    dlpi_question_posterior *p = &q->post;
    if (!dlpi_is_grouped(r->grouping)) {
        if (r->grouping != DLP_MIXED) q->s.effects = DLP_EFFECTS_OF_NONE;
        *p = (dlpi_question_posterior){.B = 1, .mu = r->mu, .Sigma = r->Sigma};
    } else if (!r->mu0 || q->s.effects == DLP_EFFECTS_OF_LEVELS) {
        q->s.effects = DLP_EFFECTS_OF_LEVELS;
        *p = (dlpi_question_posterior){.B = r->M, .mu = r->mu, .Sigma = r->Sigma};
    } else {
        *p = (dlpi_question_posterior){.B = 1, .mu = r->mu0, .Sigma = r->mu0_covariance};
        if (q->s.effects == DLP_EFFECTS_OF_NEW) p->spread = r->Sigma0;
    }
    p->n = r->n;
    const double numbers = (double)p->B * (double)p->n;
    p->S = q->s.draws;
    if (numbers * (double)p->S > MOST_NUMBERS) p->S = (dlp_index)(MOST_NUMBERS / numbers);
    if (p->S < LEAST_DRAWS) p->S = LEAST_DRAWS;
    p->S -= p->S % 2;
}

/*
 * Given mu_0 and Sigma_0 the mean of q(theta_m) moves with mu_0 by Sigma_m Sigma_0^-1. A
 * scale that the groups share does not vary between them, and is left out.
 */
static dlp_status find_pull(dlpi_question *q, dlp_error *error)
{
    const dlp_regression_result *r = q->r;
    const dlp_index n = r->n, p = r->shared_scale ? n - 1 : n, M = r->M;
    if (!r->mu0 || q->s.effects != DLP_EFFECTS_OF_LEVELS) return DLP_OK;
    double *U = dlpi_pool_take(&q->scratch, p * p, sizeof *U),
           *pull = dlpi_pool_take(&q->scratch, dlpi_size(M, n * n, 0), sizeof *pull),
           *row = dlpi_pool_take(&q->scratch, p, sizeof *row);
    if (!U || !pull || !row) return dlpi_no_memory(error, "the groups");
    for (dlp_index i = 0; i < p; i++)
        memcpy(U + i * p, r->Sigma0 + i * n, (size_t)p * sizeof *U);
    if (dlpi_cholesky(p, U) >= 0)
        return dlp_fail(error, DLP_EINPUT,
                        "groups do not differ enough for an average over them; ask about "
                        "a group in the middle");
    for (dlp_index m = 0; m < M; m++)
        for (dlp_index i = 0; i < p; i++) {
            memcpy(row, r->Sigma + (m * n + i) * n, (size_t)p * sizeof *row);
            dlpi_cholesky_solve(p, U, row);
            memcpy(pull + (m * n + i) * n, row, (size_t)p * sizeof *row);
        }
    q->post.pull = pull;
    q->post.shared = r->mu0_covariance;
    return DLP_OK;
}

/* Draws of mu_0, with which all groups move: z (S, n) in rows, kept after those of the
   blocks. */
static void move_blocks(dlpi_question_posterior *p, const double *rows, double *L,
                        double *move)
{
    const dlp_index n = p->n, S = p->S;
    memcpy(L, p->shared, (size_t)(n * n) * sizeof *L);
    dlpi_root(n, L);
    for (dlp_index s = 0; s < S; s++) {
        for (dlp_index i = 0; i < n; i++) {
            p->z[(p->B * n + i) * S + s] = rows[s * n + i];
            move[i] = dlpi_dot(i + 1, L + i * n, rows + s * n);
        }
        for (dlp_index b = 0; b < p->B; b++)
            for (dlp_index i = 0; i < n; i++)
                p->theta[(b * S + s) * n + i] +=
                    dlpi_dot(n, p->pull + (b * n + i) * n, move);
    }
}

/* theta = mu + L z, Sigma = LL'; z is drawn as (S, n) and becomes (n, S). */
static void draw_block(dlpi_question_posterior *p, dlp_index b, const double *rows)
{
    const dlp_index n = p->n, S = p->S;
    double *L = p->root + b * n * n;
    memcpy(L, p->Sigma + b * n * n, (size_t)(n * n) * sizeof *L);
    dlpi_root(n, L);
    for (dlp_index s = 0; s < S; s++) {
        const double *z = rows + s * n;
        double *theta = p->theta + (b * S + s) * n;
        for (dlp_index i = 0; i < n; i++) {
            p->z[(b * n + i) * S + s] = z[i];
            theta[i] = p->mu[b * n + i];
            for (dlp_index j = 0; j <= i; j++) theta[i] += L[i * n + j] * z[j];
        }
    }
}

dlp_status dlpi_question_draw(dlpi_question *q, dlp_error *error)
{
    dlpi_question_posterior *p = &q->post;
    if (p->z) return DLP_OK;
    const dlp_index n = p->n, B = p->B, S = p->S,
                    all = dlpi_size(dlpi_size(B + 1, n, 0), S, 0);
    double *rows = dlpi_calloc(dlpi_size(S, n, S), sizeof *rows);
    p->z = dlpi_pool_take(&q->scratch, all, sizeof *p->z);
    p->theta = dlpi_pool_take(&q->scratch, all, sizeof *p->theta);
    p->root = dlpi_pool_take(&q->scratch, dlpi_size(B + 1, dlpi_size(n, n, 0), n),
                             sizeof *p->root);
    if (!rows || !p->z || !p->theta || !p->root) {
        free(rows);
        p->z = NULL;
        return dlpi_no_memory(error, "the draws");
    }
    for (dlp_index b = 0; b < B + (p->pull ? 1 : 0); b++) {
        /* each block has a seed of its own, far from those that users choose */
        const unsigned long seed = q->s.seed + ((unsigned long)b << 32);
        dlpi_draw_cells(S, n, seed, rows, (dlp_index *)(void *)(rows + S * n));
        if (b < B)
            draw_block(p, b, rows);
        else
            move_blocks(p, rows, p->root + B * n * n, p->root + (B + 1) * n * n);
    }
    free(rows);
    return DLP_OK;
}

/* ---- room ---- */

static dlp_status make_room(dlpi_question *q, dlp_index n, const dlp_answer **out,
                            dlp_error *error)
{
    const dlp_index L = q->s.n_intervals;
    dlp_answer *answer = dlpi_pool_take(q->pool, n, sizeof *answer);
    double *bound = dlpi_pool_take(q->pool, dlpi_size(n, 2 * L, 0), sizeof *bound);
    if (!answer || !bound) return dlpi_no_memory(error, "the answers");
    for (dlp_index i = 0; i < n; i++)
        answer[i] = (dlp_answer){.label = "",
                                 .x = NAN,
                                 .lower = bound + 2 * i * L,
                                 .upper = bound + (2 * i + 1) * L};
    *out = answer;
    return DLP_OK;
}

dlp_status dlpi_question_room(dlpi_question *q, dlp_index values, dlp_index changes,
                              dlp_error *error)
{
    DLP_TRY(make_room(q, values, &q->to->answers.value, error));
    return make_room(q, changes, &q->to->answers.change, error);
}

dlp_answer *dlpi_question_value(dlpi_question *q)
{
    dlp_answers *a = &q->to->answers;
    return (dlp_answer *)&a->value[a->n_values++];
}

dlp_answer *dlpi_question_change(dlpi_question *q)
{
    dlp_answers *a = &q->to->answers;
    return (dlp_answer *)&a->change[a->n_changes++];
}

/* ---- begin and end ---- */

static dlp_status keep_levels(dlpi_question *q, dlp_error *error)
{
    double *level = dlpi_pool_take(q->pool, q->s.n_intervals, sizeof *level);
    if (!level) return dlpi_no_memory(error, "the answers");
    memcpy(level, q->s.interval_level, (size_t)q->s.n_intervals * sizeof *level);
    q->to->answers.interval_level = q->s.interval_level = level;
    q->to->answers.n_intervals = q->s.n_intervals;
    return DLP_OK;
}

/* The table itself: which rows have everything that the fit needs. */
static dlp_status build(dlpi_question *q, dlp_error *error)
{
    dlp_design_options options = dlp_design_options_default();
    const dlp_regression_result *r = q->r;
    options.skip_response = 1;
    options.problem = q->s.problem;
    options.unseen_group = DLP_UNSEEN_POPULATION;
    if (q->s.effects == DLP_EFFECTS_OF_LEVELS) options.unseen_group = DLP_UNSEEN_ERROR;
    options.skip_groupings = r->grouping == DLP_MIXED;
    if (r->weights && dlp_table_find(q->table, r->weights) >= 0)
        options.weight = r->weights;
    const dlp_status status =
        dlp_design_rebuild(r->terms, q->table, &options, &q->design, error);
    DLP_TRY(dlpi_in_table(q->table, status, error));
    q->to->answers.rows = q->design->N;
    q->to->answers.dropped = q->design->dropped;
    return DLP_OK;
}

dlp_status dlpi_question_begin(dlpi_question *q, const dlp_regression *of,
                               const dlp_table *table, const dlp_question_settings *s,
                               dlp_error *error)
{
    *q = (dlpi_question){.of = of, .table = table, .s = dlp_question_settings_default()};
    if (!of) return dlp_fail(error, DLP_EINVAL, "a question needs a regression");
    DLP_TRY(dlpi_settings_take(&q->s, sizeof q->s, s, error));
    q->to = dlpi_calloc(1, sizeof *q->to);
    if (!q->to) return dlpi_no_memory(error, "the answers");
    q->pool = &q->to->pool;
    q->r = &of->result;
    q->family = dlpi_family_of(q->r->family, q->r->link_kind);
    q->D = dlpi_predictors(q->r);
    DLP_TRY(check(q, error));
    if (q->s.exponentiate) q->s.on = DLP_ON_LINK;
    find_posterior(q);
    DLP_TRY(find_pull(q, error));
    q->K = dlp_family_has_levels(q->r->family) ? q->r->terms->response.n : 1;
    q->linear = q->s.on == DLP_ON_LINK || (q->K == 1 && q->family->linear);
    DLP_TRY(keep_levels(q, error));
    return table ? build(q, error) : DLP_OK;
}

dlp_status dlpi_question_end(dlpi_question *q, dlp_status status, dlp_answers **answers)
{
    dlp_design_free(q->design);
    dlpi_pool_free(&q->scratch);
    if (status == DLP_OK) {
        dlp_answers *a = &q->to->answers;
        a->on = q->s.on;
        a->over = q->s.over;
        a->effects = q->s.effects;
        a->exponentiated = q->s.exponentiate;
        *answers = a;
        return DLP_OK;
    }
    if (q->to) dlp_answers_free(&q->to->answers);
    return status;
}

void dlp_answers_free(dlp_answers *answers)
{
    struct dlpi_answering *to = (struct dlpi_answering *)(void *)answers;
    if (!to) return;
    dlpi_pool_free(&to->pool);
    free(to);
}
