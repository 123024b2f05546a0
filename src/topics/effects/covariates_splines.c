/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/effects/covariates_splines.h"

#include "core/core.h"
#include "math/distinct.h"
#include "table/formula/formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a spline, as in stm, and the fewest that a cubic one has. */
enum { MOST_DF = 10, LEAST_DF = 3 };

/* How many values a column has; MOST_DF + 1: x is not a column of numbers. */
static dlp_status count_values(const dlp_table *table, const struct dlpi_node *x,
                               dlp_index *found, dlp_error *error)
{
    const dlp_index j = x->kind == DLPI_NODE_NAME ? dlp_table_find(table, x->name) : -1;
    const dlp_column *column = j >= 0 ? &table->column[j] : NULL;
    *found = MOST_DF + 1;
    if (!column || column->kind != DLP_NUMERIC) return DLP_OK;
    double *value = dlpi_calloc(table->rows, sizeof *value);
    if (!value) return dlpi_no_memory(error, "the covariates");
    dlp_index n = 0;
    for (dlp_index i = 0; i < table->rows; i++)
        if (!isnan(column->number[i])) value[n++] = column->number[i];
    *found = dlpi_distinct(n, value);
    free(value);
    return DLP_OK;
}

/* ---- one call ---- */

/* s(x) becomes x. */
static void unwrap(struct dlpi_node *s)
{
    struct dlpi_node *next = s->next;
    const char op = s->op;
    *s = *s->first;
    s->next = next;
    s->op = op;
}

/* Adds df = number to bs(x), or number to poly(x). */
static bool add_number(dlp_formula *f, struct dlpi_node *call, int number, bool named)
{
    struct dlpi_node *value = dlpi_pool_take(&f->pool, 1, sizeof *value);
    struct dlpi_node *option = dlpi_pool_take(&f->pool, 1, sizeof *option);
    if (!value || !option) return false;
    *value = (struct dlpi_node){
        .kind = DLPI_NODE_NUMBER, .at = call->at, .number = (double)number};
    *option = (struct dlpi_node){
        .kind = DLPI_NODE_OPTION, .at = call->at, .name = "df", .first = value};
    call->first->next = named ? option : value;
    return true;
}

/* For s(x, ...): "bs(x, ...)" as it was typed. */
static bool note_options(dlp_formula *f, const struct dlpi_node *call)
{
    struct dlpi_text text = {.pool = &f->pool};
    const size_t from = call->first->at;
    return dlpi_text_add_string(&text, "bs(") &&
           dlpi_text_add(&text, f->text + from, call->end - from) &&
           dlpi_formula_edit(f, call->at, call->end, text.data);
}

static bool make_spline(dlp_formula *f, struct dlpi_node *s, dlp_index values)
{
    const int df = values - 1 < MOST_DF ? (int)(values - 1) : MOST_DF;
    const size_t at = s->at, end = s->end;
    const bool cubic = df > LEAST_DF;
    if (s->first->next) {
        s->function = dlpi_function_find("bs");
        return note_options(f, s);
    }
    if (values < LEAST_DF) {
        unwrap(s);
    } else {
        s->function = dlpi_function_find(cubic ? "bs" : "poly");
        if (!add_number(f, s, df, cubic)) return false;
    }
    const char *label = dlpi_label(s, &f->pool);
    return label && dlpi_formula_edit(f, at, end, label);
}

/* ---- the whole ---- */

static bool is_smooth(const struct dlpi_node *node)
{
    return node->kind == DLPI_NODE_CALL && !strcmp(node->function->name, "s");
}

static dlp_status make_splines(dlp_formula *f, struct dlpi_node *node,
                               const dlp_table *table, dlp_error *error)
{
    for (struct dlpi_node *part = node->first; part; part = part->next) {
        dlp_index values;
        if (!is_smooth(part)) {
            DLP_TRY(make_splines(f, part, table, error));
            continue;
        }
        DLP_TRY(count_values(table, part->first, &values, error));
        if (!make_spline(f, part, values)) return dlpi_no_memory(error, "the covariates");
    }
    return DLP_OK;
}

dlp_status dlpi_covariates_splines(dlp_formula *formula, const dlp_table *table,
                                   dlp_error *error)
{
    return make_splines(formula, formula->terms, table, error);
}
