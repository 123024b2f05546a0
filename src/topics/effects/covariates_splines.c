/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/effects/covariates_splines.h"

#include "core/core.h"
#include "math/distinct.h"
#include "table/design/basis.h"
#include "table/formula/formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a spline, as in stm, and the fewest that a cubic one has. */
enum { MOST_DF = 10, LEAST_DF = 3 };

/* The table, and which of its rows count. */
typedef struct source {
    const dlp_table *table;
    const unsigned char *keep; /* (rows) non-zero: counts; NULL: all do */
} source;

/* Whether bs(x, df) has distinct knots between the ends of x (n, sorted): with many equal
   values, as years of a growing archive are, quantiles coincide. */
static bool has_distinct_knots(dlp_index n, const double *x, int df)
{
    const int knots = df - LEAST_DF;
    double before = x[0];
    for (int k = 0; k < knots; k++) {
        const double knot = dlpi_sorted_quantile(x, n, (k + 1) / (knots + 1.0));
        if (!(knot > before)) return false;
        before = knot;
    }
    return before < x[n - 1];
}

/* How many columns the spline of x (n) has; sorts x. */
static int choose_df(dlp_index n, double *x)
{
    double *copy = dlpi_calloc(n + 1, sizeof *copy);
    if (!copy) return -1;
    memcpy(copy, x, (size_t)n * sizeof *copy);
    const dlp_index values = dlpi_distinct(n, copy);
    free(copy);
    qsort(x, (size_t)n, sizeof *x, dlpi_ascending);
    int df = values > MOST_DF ? MOST_DF : values > 0 ? (int)values - 1 : 0;
    while (df > LEAST_DF && !has_distinct_knots(n, x, df)) df--;
    return df;
}

/* The same of a column; MOST_DF where x is no column of numbers. */
static dlp_status find_df(const source *from, const struct dlpi_node *x, int *df,
                          dlp_error *error)
{
    const dlp_table *table = from->table;
    const dlp_index j = x->kind == DLPI_NODE_NAME ? dlp_table_find(table, x->name) : -1;
    const dlp_column *column = j >= 0 ? &table->column[j] : NULL;
    *df = MOST_DF;
    if (!column || column->kind != DLP_NUMERIC) return DLP_OK;
    double *value = dlpi_calloc(table->rows, sizeof *value);
    if (!value) return dlpi_no_memory(error, "the covariates");
    dlp_index n = 0;
    for (dlp_index i = 0; i < table->rows; i++)
        if ((!from->keep || from->keep[i]) && !isnan(column->number[i]))
            value[n++] = column->number[i];
    *df = choose_df(n, value);
    free(value);
    return *df < 0 ? dlpi_no_memory(error, "the covariates") : DLP_OK;
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

static bool make_spline(dlp_formula *f, struct dlpi_node *s, int df)
{
    const size_t at = s->at, end = s->end;
    const bool cubic = df > LEAST_DF;
    if (s->first->next) {
        s->function = dlpi_function_find("bs");
        return note_options(f, s);
    }
    if (df < 2) {
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
    return node->kind == DLPI_NODE_CALL && node->function->basis == DLP_BASIS_TP;
}

static dlp_status make_splines(dlp_formula *f, struct dlpi_node *node, const source *from,
                               dlp_error *error)
{
    for (struct dlpi_node *part = node->first; part; part = part->next) {
        int df;
        if (!is_smooth(part)) {
            DLP_TRY(make_splines(f, part, from, error));
            continue;
        }
        DLP_TRY(find_df(from, part->first, &df, error));
        if (!make_spline(f, part, df)) return dlpi_no_memory(error, "the covariates");
    }
    return DLP_OK;
}

dlp_status dlpi_covariates_splines(dlp_formula *formula, const dlp_table *table,
                                   const unsigned char *keep, dlp_error *error)
{
    const source from = {.table = table, .keep = keep};
    return make_splines(formula, formula->terms, &from, error);
}
