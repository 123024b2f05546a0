/* SPDX-License-Identifier: BSD-3-Clause */
/* What a column does to the response: the curve over its values, and slopes or differences. */
#include "core/core.h"
#include "core/text.h"
#include "math/symmetric/structure.h"
#include "regression/questions/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct effects {
    dlpi_question *q;
    dlpi_asked asked;
    bool slopes;      /* numbers have slopes, all else differences */
    dlpi_outcome *at; /* (values) of one combination */
    const char *const *by;
} effects;

/* ---- the curve ---- */

static dlp_status add_curve(effects *e, dlp_error *error)
{
    const dlpi_dimension *of = &e->asked.dimension[0];
    for (dlp_index i = 0; i < of->n; i++) {
        const char *label = dlpi_asked_of(e->q, &e->asked, i);
        if (!label) return dlpi_no_memory(error, "the answers");
        DLP_TRY(
            dlpi_question_outcome(e->q, e->asked.n, e->asked.setting, &e->at[i], error));
        for (dlp_index k = 0; k < dlpi_question_parts(e->q); k++) {
            dlp_answer *out = dlpi_question_value(e->q);
            out->label = label;
            out->by = e->by;
            out->x = of->number ? of->number[i] : NAN;
            DLP_TRY(dlpi_answer_outcome(e->q, &e->at[i], NULL, 1, k, out, error));
        }
    }
    return DLP_OK;
}

/* ---- changes ---- */

static dlp_status add_change(effects *e, const dlpi_outcome *a, const dlpi_outcome *b,
                             double times, const char *label, double x, dlp_error *error)
{
    const char *kept = dlpi_pool_copy(e->q->pool, label, strlen(label));
    if (!kept) return dlpi_no_memory(error, "the answers");
    for (dlp_index k = 0; k < dlpi_question_parts(e->q); k++) {
        dlp_answer *out = dlpi_question_change(e->q);
        out->label = kept;
        out->by = e->by;
        out->x = x;
        DLP_TRY(dlpi_answer_outcome(e->q, a, b, times, k, out, error));
    }
    return DLP_OK;
}

static dlp_status add_differences(effects *e, dlp_error *error)
{
    const dlpi_dimension *of = &e->asked.dimension[0];
    const char *between = e->q->s.exponentiate ? "/" : "-";
    for (dlp_index i = 1; i < of->n; i++) {
        char label[256];
        snprintf(label, sizeof label, "%.100s %s %.100s", of->text[i], between,
                 of->text[0]);
        DLP_TRY(add_change(e, &e->at[i], &e->at[0], 1, label, NAN, error));
    }
    return DLP_OK;
}

/* The shares of rows, each divided by the step from its own value, or from the one stated. */
static double *slope_weights(const effects *e, dlp_index value, double range)
{
    const dlpi_question *q = e->q;
    const dlpi_dimension *of = &e->asked.dimension[0];
    const double *x = q->rows.table.column[of->column].number;
    double *weight = dlpi_pool_take(&e->q->scratch, q->rows.N, sizeof *weight);
    dlp_index k = 0;
    for (dlp_index i = 0; weight && i < q->rows.table.rows; i++) {
        if (q->rows.keep && !q->rows.keep[i]) continue;
        const double at = value >= 0 ? of->number[value] : x[i];
        weight[k] = q->rows.share[k] / dlpi_question_step(at, range);
        k++;
    }
    return weight;
}

/* (h(x + above) - h(x - below)) / (above + below); where a formula has no value on one
   side of x, as log(x) near 0, only the other side is used. */
static dlp_status add_slope(effects *e, dlp_index value, double range, dlp_error *error)
{
    static const double side[][2] = {{1, 1}, {1, 0}, {0, 1}};
    const dlpi_dimension *of = &e->asked.dimension[0];
    dlpi_setting *s = &e->asked.setting[0];
    dlpi_outcome high, low;
    dlp_status status = DLP_EINPUT;
    char label[256] = "slope";
    double width = 0;
    e->q->rows.weight = slope_weights(e, value, range);
    if (!e->q->rows.weight) return dlpi_no_memory(error, "the answers");
    for (int i = 0; i < 3 && dlpi_is_wrong_input(status); i++) {
        *s = (dlpi_setting){of, value, side[i][0], range};
        status = dlpi_question_outcome(e->q, e->asked.n, e->asked.setting, &high, error);
        if (status != DLP_OK) continue;
        *s = (dlpi_setting){of, value, -side[i][1], range};
        status = dlpi_question_outcome(e->q, e->asked.n, e->asked.setting, &low, error);
        width = side[i][0] + side[i][1];
    }
    e->q->rows.weight = e->q->rows.share;
    if (status != DLP_OK) return status;
    if (value >= 0) snprintf(label, sizeof label, "slope at %.100s", of->text[value]);
    return add_change(e, &high, &low, 1 / width, label,
                      value >= 0 ? of->number[value] : NAN, error);
}

static dlp_status add_slopes(effects *e, dlp_error *error)
{
    const dlpi_dimension *of = &e->asked.dimension[0];
    const double range = dlpi_question_range(e->q, of->column);
    if (!of->stated) return add_slope(e, -1, range, error);
    for (dlp_index i = 0; i < of->n; i++) DLP_TRY(add_slope(e, i, range, error));
    return DLP_OK;
}

/* ---- the whole ---- */

static dlp_status answer(effects *e, const char *column, dlp_error *error)
{
    dlpi_question *q = e->q;
    DLP_TRY(dlpi_asked_make(q, column, false, q->s.points, &e->asked, error));
    const dlpi_dimension *of = &e->asked.dimension[0];
    const dlp_index parts = dlpi_question_parts(q), n = e->asked.combinations;
    e->slopes = of->number && !of->factor && !dlpi_question_is_binary(q, of);
    q->to->answers.slopes = e->slopes;
    const dlp_index changes = !e->slopes ? of->n - 1 : of->stated ? of->n : 1;
    e->at = dlpi_pool_take(&q->scratch, of->n, sizeof *e->at);
    if (!e->at) return dlpi_no_memory(error, "the answers");
    DLP_TRY(dlpi_question_room(q, dlpi_size(dlpi_size(n, of->n, 0), parts, 0),
                               dlpi_size(dlpi_size(n, changes, 0), parts, 0), error));
    for (dlp_index c = 0; c < n; c++) {
        e->by = dlpi_asked_by(q, &e->asked, c);
        if (!e->by) return dlpi_no_memory(error, "the answers");
        DLP_TRY(add_curve(e, error));
        DLP_TRY(e->slopes ? add_slopes(e, error) : add_differences(e, error));
    }
    return DLP_OK;
}

dlp_status dlp_regression_effects(const dlp_regression *regression,
                                  const dlp_table *table, const char *column,
                                  const dlp_question_settings *settings,
                                  dlp_answers **answers, dlp_error *error)
{
    dlpi_question q;
    effects e = {.q = &q};
    *answers = NULL;
    if (!table || !column)
        return dlp_fail(error, DLP_EINVAL, "effects need a table and a column");
    dlp_status status = dlpi_question_begin(&q, regression, table, settings, error);
    if (q.s.over == DLP_OVER_DEFAULT) q.s.over = DLP_OVER_ROWS;
    if (status == DLP_OK) status = answer(&e, column, error);
    return dlpi_question_end(&q, status, answers);
}
