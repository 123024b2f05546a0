/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimated marginal means: the linear predictor averaged over a grid, then taken to the
 * scale of the response. eta is normal and the response monotone in it, so quantiles of
 * eta carry over to the response. Means and sds are integrals over eta. Differences of
 * two means are computed from draws, and so are means that depend on scales, too.
 */
#include "core/core.h"
#include "core/text.h"
#include "glm/predict/predict.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "regression/questions/question.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct means {
    dlpi_question *q;
    dlpi_asked asked;
    bool back;        /* eta is averaged, and then taken to the response */
    dlpi_outcome *at; /* (values) of one combination */
    double *draw;     /* (values + 1, S) taken back, and room for an answer */
    const char **label;
    const char *const *by;
} means;

/* ---- one mean ---- */

static void order(double *a, double *b)
{
    const double low = fmin(*a, *b), high = fmax(*a, *b);
    *a = low;
    *b = high;
}

/* m(eta), eta ~ N(mean, sd^2) */
static void take_back(const dlpi_question *q, double mean, double sd, double spread,
                      dlp_answer *out)
{
    double *lower = (double *)out->lower, *upper = (double *)out->upper;
    const dlpi_scales scales = dlpi_question_scales(q, q->post.mu);
    double sum = 0, square = 0;
    out->median = dlpi_question_response(q, mean, scales, spread);
    for (int k = 0; k < DLPI_NODES; k++) {
        const double off =
            dlpi_question_response(q, mean + sd * dlpi_node(k), scales, spread) -
            out->median;
        sum += dlpi_node_weight(k) * off;
        square += dlpi_node_weight(k) * off * off;
    }
    out->mean = out->median + sum;
    out->sd = sqrt(fmax(square - sum * sum, 0));
    out->above = out->median > 0;
    for (dlp_index i = 0; i < q->s.n_intervals; i++) {
        const double half = sd * dlp_normal_quantile(0.5 + 0.5 * q->s.interval_level[i]);
        lower[i] = dlpi_question_response(q, mean - half, scales, spread);
        upper[i] = dlpi_question_response(q, mean + half, scales, spread);
        order(&lower[i], &upper[i]);
    }
}

/* The response at each draw, of one mean. */
static dlp_status draw_back(means *m, dlp_index i, dlp_error *error)
{
    dlpi_question *q = m->q;
    DLP_TRY(dlpi_question_draw(q, error));
    const dlpi_question_posterior *p = &q->post;
    const dlp_index S = p->S, n = p->n;
    if (!m->draw)
        m->draw = dlpi_pool_take(
            &q->scratch, dlpi_size(m->asked.of_combinations + 1, S, 0), sizeof *m->draw);
    if (!m->draw) return dlpi_no_memory(error, "the answers");
    for (dlp_index s = 0; s < S; s++) {
        double eta = m->at[i].constant[0];
        for (dlp_index b = 0; b < p->B; b++)
            eta += dlpi_dot(n, m->at[i].a + b * n, p->theta + (b * S + s) * n);
        m->draw[i * S + s] = dlpi_question_response(
            q, eta, dlpi_question_scales(q, p->theta + s * n), m->at[i].spread);
    }
    return DLP_OK;
}

/* Draws i, or less those of j unless it is below 0. */
static dlp_status answer_back(means *m, dlp_index i, dlp_index j, dlp_answer *out,
                              dlp_error *error)
{
    const dlp_index S = m->q->post.S;
    double *h = m->draw + m->asked.of_combinations * S;
    for (dlp_index s = 0; s < S; s++)
        h[s] = m->draw[i * S + s] - (j < 0 ? 0 : m->draw[j * S + s]);
    return dlpi_answer_draws(m->q, h, out, error);
}

static dlp_status add_back(means *m, dlp_index i, dlp_answer *out, dlp_error *error)
{
    double mean, variance;
    if (dlpi_question_has_scales(m->q)) {
        DLP_TRY(draw_back(m, i, error));
        return answer_back(m, i, -1, out, error);
    }
    dlpi_linear_moments(m->q, m->at[i].a, &mean, &variance);
    take_back(m->q, mean + m->at[i].constant[0], sqrt(fmax(variance, 0)), m->at[i].spread,
              out);
    return DLP_OK;
}

static dlp_status add_means(means *m, dlp_error *error)
{
    dlpi_question *q = m->q;
    const dlpi_dimension *of = &m->asked.dimension[0];
    for (dlp_index i = 0; i < m->asked.of_combinations; i++) {
        m->label[i] = dlpi_asked_of(q, &m->asked, i);
        if (!m->label[i]) return dlpi_no_memory(error, "the answers");
        DLP_TRY(dlpi_question_outcome(q, m->asked.n, m->asked.setting, &m->at[i], error));
        for (dlp_index k = 0; k < dlpi_question_parts(q); k++) {
            dlp_answer *out = dlpi_question_value(q);
            out->label = m->label[i];
            out->by = m->by;
            if (q->to->answers.numeric) out->x = of->number[i];
            DLP_TRY(m->back ? add_back(m, i, out, error)
                            : dlpi_answer_outcome(q, &m->at[i], NULL, 1, k, out, error));
        }
    }
    return DLP_OK;
}

/* ---- pairs ---- */

static const char *pair_label(const means *m, dlp_index i, dlp_index j)
{
    struct dlpi_text text = {.pool = m->q->pool};
    return dlpi_text_add_string(&text, m->label[i]) &&
                   dlpi_text_add_string(&text, m->q->s.exponentiate ? " / " : " - ") &&
                   dlpi_text_add_string(&text, m->label[j])
               ? text.data
               : NULL;
}

static dlp_status add_pair(means *m, dlp_index i, dlp_index j, dlp_error *error)
{
    dlpi_question *q = m->q;
    const char *label = pair_label(m, i, j);
    if (!label) return dlpi_no_memory(error, "the answers");
    for (dlp_index k = 0; k < dlpi_question_parts(q); k++) {
        dlp_answer *out = dlpi_question_change(q);
        out->label = label;
        out->by = m->by;
        DLP_TRY(m->back ? answer_back(m, i, j, out, error)
                        : dlpi_answer_outcome(q, &m->at[i], &m->at[j], 1, k, out, error));
    }
    return DLP_OK;
}

static dlp_status add_pairs(means *m, dlp_error *error)
{
    for (dlp_index i = 0; m->back && i < m->asked.of_combinations; i++)
        DLP_TRY(draw_back(m, i, error));
    for (dlp_index i = 0; i < m->asked.of_combinations; i++)
        for (dlp_index j = i + 1; j < m->asked.of_combinations; j++)
            DLP_TRY(add_pair(m, i, j, error));
    return DLP_OK;
}

/* ---- the whole ---- */

/* Averages over rows, and those of responses with levels, are taken on the response. */
static bool goes_back(dlpi_question *q)
{
    if (q->linear || q->K > 1 || q->s.over != DLP_OVER_GRID) return false;
    q->linear = true;
    return true;
}

static dlp_status answer(means *m, const char *columns, dlp_error *error)
{
    dlpi_question *q = m->q;
    DLP_TRY(dlpi_asked_make(q, columns, true, 0, &m->asked, error));
    const dlp_index n = m->asked.of_combinations, by = m->asked.combinations,
                    parts = dlpi_question_parts(q),
                    pairs = q->s.pairs ? n * (n - 1) / 2 : 0;
    if (n > 1000)
        return dlp_fail(error, DLP_EINVAL,
                        "there are %td combinations, more than 1000; ask about fewer "
                        "columns, or state some of their levels",
                        n);
    m->at = dlpi_pool_take(&q->scratch, n, sizeof *m->at);
    m->label = dlpi_pool_take(q->pool, n, sizeof *m->label);
    if (!m->at || !m->label) return dlpi_no_memory(error, "the answers");
    DLP_TRY(dlpi_question_room(q, dlpi_size(dlpi_size(n, by, 0), parts, 0),
                               dlpi_size(dlpi_size(pairs, by, 0), parts, 0), error));
    for (dlp_index c = 0; c < by; c++) {
        m->by = dlpi_asked_by(q, &m->asked, c);
        if (!m->by) return dlpi_no_memory(error, "the answers");
        DLP_TRY(add_means(m, error));
        if (pairs > 0) DLP_TRY(add_pairs(m, error));
    }
    return DLP_OK;
}

dlp_status dlp_regression_means(const dlp_regression *regression, const dlp_table *table,
                                const char *columns,
                                const dlp_question_settings *settings,
                                dlp_answers **answers, dlp_error *error)
{
    dlpi_question q;
    means m = {.q = &q};
    *answers = NULL;
    if (!table || !columns)
        return dlp_fail(error, DLP_EINVAL, "means need a table and a column");
    dlp_status status = dlpi_question_begin(&q, regression, table, settings, error);
    if (q.s.over == DLP_OVER_DEFAULT) q.s.over = DLP_OVER_GRID;
    m.back = status == DLP_OK && goes_back(&q);
    if (status == DLP_OK) status = answer(&m, columns, error);
    return dlpi_question_end(&q, status, answers);
}
