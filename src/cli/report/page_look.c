/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report shows about a regression and its rows: effects of columns, residuals, and
   simulated responses. Parts that are not available for a fit are left out. */
#include "cli/glm/look.h"
#include "cli/json.h"
#include "cli/report/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EFFECTS = 24, MOST_DOTS = 1200 };

/* ---- effects ---- */

/* The answers for one level of the response, `step` apart. */
typedef struct series {
    const dlp_answer *first;
    dlp_index step;
} series;

static const dlp_answer *answer_at(const void *of, dlp_index i)
{
    const series *s = of;
    return s->first + i * s->step;
}

static json_t *x_at(const void *of, dlp_index i)
{
    return dlpi_json_real(answer_at(of, i)->x);
}

static json_t *label_at(const void *of, dlp_index i)
{
    return dlpi_json_text(answer_at(of, i)->label);
}

static json_t *mean_at(const void *of, dlp_index i)
{
    return dlpi_json_real(answer_at(of, i)->mean);
}

static json_t *lower_at(const void *of, dlp_index i)
{
    return dlpi_json_real(answer_at(of, i)->lower[0]);
}

static json_t *upper_at(const void *of, dlp_index i)
{
    return dlpi_json_real(answer_at(of, i)->upper[0]);
}

static json_t *series_json(const dlp_answers *a, dlp_index k, dlp_index parts)
{
    const series s = {a->value + k, parts};
    const dlp_index n = a->n_values / parts;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o}", "category",
        s.first->category ? dlpi_json_text(s.first->category) : json_null(), "x",
        dlpi_json_list(n, x_at, &s), "label", dlpi_json_list(n, label_at, &s), "mean",
        dlpi_json_list(n, mean_at, &s), "lower", dlpi_json_list(n, lower_at, &s), "upper",
        dlpi_json_list(n, upper_at, &s));
}

/* Rows to draw beside a curve, taken evenly from the table; null for responses with
   levels. */
static json_t *dots_json(const dlp_regression *fit, const dlp_table *table,
                         const dlp_residuals *r, const char *column)
{
    const dlp_index j = dlp_table_find(table, column), step = r->N / MOST_DOTS + 1;
    const bool levels = dlp_family_has_levels(dlp_regression_result_of(fit)->family);
    if (levels || j < 0 || table->column[j].kind != DLP_NUMERIC) return json_null();
    double *x = calloc((size_t)(2 * (r->N / step + 1)), sizeof *x);
    if (!x) return NULL;
    double *y = x + r->N / step + 1;
    dlp_index n = 0;
    for (dlp_index i = 0; i < r->N; i += step) {
        x[n] = table->column[j].number[r->row ? r->row[i] : i];
        y[n] = r->response[i];
        n += isfinite(x[n]) && isfinite(y[n]);
    }
    json_t *dots = json_pack("[o, o]", cli_page_reals(n, x), cli_page_reals(n, y));
    free(x);
    return dots;
}

static json_t *effect_json(const dlp_regression *fit, const dlp_table *table,
                           const dlp_residuals *r, const dlp_answers *a)
{
    dlp_index parts = 1;
    while (parts < a->n_values && a->value[parts].category &&
           a->value[parts].label == a->value[0].label)
        parts++;
    json_t *list = json_array();
    for (dlp_index k = 0; k < parts && list; k++)
        if (json_array_append_new(list, series_json(a, k, parts)) != 0) {
            json_decref(list);
            return NULL;
        }
    return json_pack("{s:o, s:b, s:b, s:o, s:o}", "name", dlpi_json_text(a->of),
                     "numeric", a->numeric, "log", a->logarithmic, "series", list, "dots",
                     dots_json(fit, table, r, a->of));
}

/* The effect of a column; *answers is NULL for a group, and for a column that only
   identifies rows. */
static dlp_status ask(const dlp_regression *fit, const dlp_table *table, const char *name,
                      dlp_answers **answers)
{
    const dlp_question_settings settings = dlp_question_settings_curve();
    *answers = NULL;
    const dlp_status status =
        dlp_regression_effects(fit, table, name, &settings, answers, NULL);
    return status == DLP_ENOMEM ? status : DLP_OK;
}

/* Adds the effect of a column, if the fit has one; false when out of memory. */
static bool add_effect(const dlp_regression *fit, const dlp_table *table,
                       const dlp_residuals *r, const char *name, json_t *list)
{
    dlp_answers *answers;
    if (ask(fit, table, name, &answers) != DLP_OK) return false;
    const bool good =
        !answers || answers->n_values <= 1 ||
        json_array_append_new(list, effect_json(fit, table, r, answers)) == 0;
    dlp_answers_free(answers);
    return good;
}

/* The effects of all columns that have one. */
static json_t *effects_json(const dlp_regression *fit, const dlp_table *table,
                            const dlp_residuals *r)
{
    json_t *list = json_array();
    for (dlp_index k = 0; list && k < r->n_by && k <= MOST_EFFECTS; k++)
        if (!r->by[k].is_fitted && !add_effect(fit, table, r, r->by[k].name, list)) {
            json_decref(list);
            return NULL;
        }
    return list;
}

/* ---- residuals ---- */

typedef struct picked {
    const double *from;
    dlp_index step;
} picked;

static json_t *picked_at(const void *of, dlp_index i)
{
    const picked *p = of;
    return dlpi_json_real(p->from[i * p->step]);
}

/* Takes only every n-th row. */
static json_t *picked_json(const dlp_residuals *r, const double *from)
{
    const picked p = {from, r->N / MOST_DOTS + 1};
    if (!from) return json_null();
    return dlpi_json_list((r->N - 1) / p.step + 1, picked_at, &p);
}

static json_t *row_at(const void *of, dlp_index i)
{
    const dlp_residuals *r = of;
    const dlp_index at = i * (r->N / MOST_DOTS + 1);
    return json_integer((json_int_t)(r->row ? r->row[at] : at) + 1);
}

static json_t *residuals_json(const dlp_residuals *r)
{
    const dlp_index shown = (r->N - 1) / (r->N / MOST_DOTS + 1) + 1;
    return json_pack(
        "{s:I, s:b, s:b, s:b, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:o, s:o, s:o, s:o, "
        "s:o, s:o, "
        "s:o}",
        "rows", (json_int_t)r->N, "left_out", r->left_out, "discrete", r->discrete,
        "uniform", r->uniform, "mean", dlpi_json_real(r->mean), "sd",
        dlpi_json_real(r->sd), "ks", dlpi_json_real(r->ks), "ks_p",
        dlpi_json_real(r->ks_p), "beyond", (json_int_t)r->beyond, "beyond_expected",
        dlpi_json_real(r->beyond_expected), "unsure", (json_int_t)r->unsure, "row",
        dlpi_json_list(shown, row_at, r), "fitted", picked_json(r, r->fitted), "residual",
        picked_json(r, r->residual), "expected", picked_json(r, r->expected), "leverage",
        picked_json(r, r->leverage), "k", picked_json(r, r->k), "by",
        cli_look_by_json(r->by, r->n_by, false));
}

static json_t *replicates_json(const dlp_regression *fit, const dlp_table *table)
{
    dlp_replicates *r;
    const dlp_status status = dlp_regression_replicate(fit, table, NULL, &r, NULL);
    if (status != DLP_OK) return status == DLP_ENOMEM ? NULL : json_null();
    json_t *root = cli_json_with(cli_ppc_json(r), "whole", json_boolean(r->whole));
    dlp_replicates_free(r);
    return root;
}

json_t *cli_page_look(const dlp_regression *fit, const dlp_table *table)
{
    dlp_residuals *r;
    const dlp_status status = dlp_regression_best_residuals(fit, table, NULL, &r, NULL);
    if (status != DLP_OK) return status == DLP_ENOMEM ? NULL : json_null();
    json_t *root =
        json_pack("{s:o, s:o, s:o}", "effects", effects_json(fit, table, r), "residuals",
                  residuals_json(r), "replicates", replicates_json(fit, table));
    dlp_residuals_free(r);
    return root;
}
