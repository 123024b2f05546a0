/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows of a table a design uses: those that miss nothing. */
#include "table/design/design.h"

#include <float.h>
#include <math.h>

enum row_state { USED = 0, MISSING, UNSEEN, SKIPPED };

dlp_status dlpi_fail_infinite(const dlp_column *column, dlp_index row, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "column '%s' is %s in row %td (counted from 1); numbers must be "
                    "finite, or missing",
                    dlpi_show(column->name).text,
                    column->number[row] > 0 ? "infinite" : "minus infinite", row + 1);
}

/* ---- rows that do not count ---- */

/* Returns how many rows count. */
static dlp_index mark_skipped(const struct dlpi_build *b, unsigned char *state)
{
    const dlp_index rows = b->columns.table->rows;
    dlp_index left = rows;
    for (dlp_index i = 0; b->options.keep && i < rows; i++) {
        if (b->options.keep[i]) continue;
        state[i] = SKIPPED;
        left--;
    }
    return left;
}

/* ---- missing values ---- */

static bool is_all_finite(const double *x, dlp_index n)
{
    int strange = 0;
    for (dlp_index i = 0; i < n; i++) strange |= !(fabs(x[i]) <= DBL_MAX);
    return !strange;
}

/* Marks those of rows from..to-1 that miss a column's value; counts them, and notes the
   first. */
static dlp_status mark_missing(const dlp_column *column, dlp_index from, dlp_index to,
                               unsigned char *state, dlp_index *count, dlp_index *first,
                               dlp_error *error)
{
    *count = 0;
    if (column->kind == DLP_NUMERIC && is_all_finite(column->number + from, to - from))
        return DLP_OK;
    for (dlp_index i = from; i < to; i++) {
        if (state[i] == SKIPPED) continue;
        if (column->kind == DLP_NUMERIC && isinf(column->number[i]))
            return dlpi_fail_infinite(column, i, error);
        if (column->kind == DLP_NUMERIC ? isnan(column->number[i])
                                        : column->code[i] < 0) {
            if ((*count)++ == 0) *first = i;
            state[i] = MISSING;
        }
    }
    return DLP_OK;
}

static void tell_problem(const struct dlpi_build *b, dlp_design_problem_kind kind,
                         dlp_index column, dlp_index row)
{
    if (b->options.problem)
        *b->options.problem =
            (dlp_design_problem){.kind = kind, .column = column, .row = row};
}

/* What to do about it, unless the program has advice of its own. */
static const char *advice(const struct dlpi_build *b, const char *usual)
{
    return b->options.problem ? "" : usual;
}

static dlp_status fail_missing(const struct dlpi_build *b, dlp_index column,
                               dlp_index count, dlp_index rows, dlp_index first)
{
    tell_problem(b, DLP_PROBLEM_MISSING, column, first);
    return dlp_fail(
        b->error, DLP_EINPUT,
        "column '%s' lacks %td of %td values, the first in row %td (counted from 1)%s",
        dlpi_show(b->columns.table->column[column].name).text, count, rows, first + 1,
        advice(b, "; fill them in, or leave such rows out"));
}

/* The same for the rows of all processes. */
static dlp_status mark_column(struct dlpi_build *b, const dlp_column *column,
                              unsigned char *state, dlp_index *count, dlp_index *first)
{
    const dlp_table *table = b->columns.table;
    dlpi_division *d = table->division;
    *first = table->rows;
    DLP_TRY(dlpi_build_agree(b, mark_missing(column, dlpi_rows_from(d),
                                             dlpi_rows_to(d, table->rows), state, count,
                                             first, b->error)));
    *count = dlpi_division_count(d, *count);
    *first = (dlp_index)-dlpi_division_most(d, -(double)*first);
    return dlpi_division_check(d, b->error);
}

/* rows: how many count. *worst is the column that misses most, or -1. */
static dlp_status mark_all_missing(struct dlpi_build *b, dlp_index rows,
                                   unsigned char *state, dlp_index *worst)
{
    const dlp_table *table = b->columns.table;
    dlp_index most = 0;
    *worst = -1;
    dlp_index *missing = dlpi_pool_take(b->pool, table->columns, sizeof *missing);
    if (!missing) return dlpi_build_no_memory(b);
    b->design->missing = missing;
    for (dlp_index j = 0; j < table->columns; j++) {
        const dlp_column *column = &table->column[j];
        dlp_index count, first = 0;
        if (!b->columns.used[j]) continue;
        DLP_TRY(mark_column(b, column, state, &count, &first));
        missing[j] = count;
        if (count > 0 && b->options.missing_is_error)
            return fail_missing(b, j, count, rows, first);
        if (count > most) {
            most = count;
            *worst = j;
        }
    }
    return DLP_OK;
}

/* ---- levels that the fit did not see ---- */

static bool has_unseen(const struct dlpi_factor *factor)
{
    for (dlp_index i = 0; i < factor->n_found; i++)
        if (factor->level_of[i] < 0) return true;
    return false;
}

static dlp_status fail_unseen(const struct dlpi_build *b,
                              const struct dlpi_factor *factor, dlp_index row)
{
    tell_problem(b,
                 factor->is_group ? DLP_PROBLEM_UNSEEN_GROUP : DLP_PROBLEM_UNSEEN_LEVEL,
                 factor->column, row);
    return dlp_fail(b->error, DLP_EINPUT,
                    "level '%s' of '%s' in row %td (counted from 1) was not seen in the "
                    "fit%s",
                    dlpi_show(factor->found[factor->found_code[row]]).text,
                    dlpi_show(factor->variable).text, row + 1,
                    advice(b, "; leave such rows out, or fit again with them"));
}

static dlp_status mark_unseen(const struct dlpi_build *b,
                              const struct dlpi_factor *factor, unsigned char *state)
{
    const dlp_index rows = b->columns.table->rows;
    if (factor->unseen == DLP_UNSEEN_POPULATION || !has_unseen(factor)) return DLP_OK;
    for (dlp_index i = 0; i < rows; i++) {
        if (state[i] != USED || factor->level_of[factor->found_code[i]] >= 0) continue;
        if (factor->unseen == DLP_UNSEEN_ERROR) return fail_unseen(b, factor, i);
        state[i] = UNSEEN;
    }
    return DLP_OK;
}

/* ---- the rows that are left ---- */

static dlp_status fail_empty(const struct dlpi_build *b, dlp_index rows, dlp_index worst)
{
    const dlp_table *table = b->columns.table;
    if (worst < 0)
        return dlp_fail(b->error, DLP_EINPUT,
                        rows == 0 ? "the table has no rows"
                                  : "no row is left: each has a level that was not "
                                    "seen in the fit");
    return dlp_fail(b->error, DLP_EINPUT,
                    "no row is left: each of the %td lacks a value, most often of column "
                    "'%s'; take such columns out of the formula",
                    rows, dlpi_show(table->column[worst].name).text);
}

/* The chunks of the rows used are those of the table's rows, so that each process keeps
   what it has. */
static dlp_status divide_rows(struct dlpi_build *b, const unsigned char *state)
{
    const dlp_table *table = b->columns.table;
    dlpi_division *whole = NULL;
    const dlpi_division *of = table->division;
    if (!of && dlpi_row_chunks(table->rows) == 1) return DLP_OK;
    if (!of) of = whole = dlpi_division_new(table->rows, NULL);
    if (!of) return dlpi_build_no_memory(b);
    const dlp_status status =
        dlpi_division_keep(of, state, &b->design->division, b->error);
    dlpi_division_free(whole);
    return status;
}

static dlp_status list_rows(struct dlpi_build *b, const unsigned char *state)
{
    dlp_design *d = b->design;
    const dlp_table *table = b->columns.table;
    dlpi_division *all = table->division;
    const dlp_index from = dlpi_rows_from(all), to = dlpi_rows_to(all, table->rows);
    for (dlp_index i = from; i < to; i++) {
        d->N += state[i] == USED;
        d->dropped += state[i] == MISSING;
        d->unseen += state[i] == UNSEEN;
    }
    d->N = dlpi_division_count(all, d->N);
    d->dropped = dlpi_division_count(all, d->dropped);
    DLP_TRY(dlpi_division_check(all, b->error));
    DLP_TRY(divide_rows(b, state));
    if (d->N == table->rows) return DLP_OK;
    dlp_index *row = dlpi_pool_take(b->pool, d->N, sizeof *row);
    dlp_index n = dlpi_rows_from(d->division);
    if (!row) return dlpi_build_no_memory(b);
    for (dlp_index i = from; i < to; i++)
        if (state[i] == USED) row[n++] = i;
    d->row = row;
    return DLP_OK;
}

/* Whether the variable comes from a '.' in the formula. */
static bool is_from_dot(const struct dlpi_build *b, const struct dlpi_node *node)
{
    return node->kind == DLPI_NODE_NAME && node->name[0] != '.' &&
           b->formula->text[node->at] == '.';
}

/* Texts that differ in every row are names, as R's write.csv puts them in front; '.'
   would make a coefficient of each. */
static dlp_status check_row_names(const struct dlpi_build *b)
{
    const dlp_index few = 8; /* with so few rows, nothing can be said */
    for (dlp_index i = 0; i < b->labels.n && b->design->N > few; i++) {
        const struct dlpi_factor *factor = b->labelled[i]->factor;
        if (!factor || factor->levels.n < b->design->N) continue;
        if (!is_from_dot(b, b->labelled[i]->variable->node)) continue;
        const struct dlpi_shown shown = dlpi_show(factor->variable);
        return dlp_fail(
            b->error, DLP_EINPUT,
            "column '%s' has a different value in every row, as names have; leave it "
            "out: '. - %s'",
            shown.text, shown.text);
    }
    return DLP_OK;
}

/* Checks that the graph has the regions of all rows. */
static dlp_status check_regions(const struct dlpi_build *b, const struct dlpi_factor *f)
{
    const dlp_design *d = b->design;
    for (dlp_index i = 0; i < d->N; i++) {
        const dlp_index row = d->row ? d->row[i] : i;
        if (f->level_of[f->found_code[row]] >= 0) continue;
        return dlp_fail(b->error, DLP_EINPUT,
                        "'%s' of row %td (counted from 1) is not among the %td regions "
                        "whose neighbours are given; add a line for it",
                        dlpi_show(f->found[f->found_code[row]]).text, row + 1,
                        f->levels.n);
    }
    return DLP_OK;
}

dlp_status dlpi_build_rows(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    const dlp_index rows = b->columns.table->rows;
    unsigned char *state = dlpi_pool_take(b->scratch, rows, sizeof *state);
    dlp_index worst;
    if (!state) return dlpi_build_no_memory(b);
    const dlp_index left = mark_skipped(b, state);
    DLP_TRY(mark_all_missing(b, left, state, &worst));
    for (dlp_index k = 0; k < b->n_factors && b->fitted; k++)
        DLP_TRY(mark_unseen(b, b->factor[k], state));
    DLP_TRY(list_rows(b, state));
    if (b->design->N == 0) return fail_empty(b, left, worst);
    for (dlp_index k = 0; k < b->n_factors && !b->fitted; k++)
        if (b->factor[k]->of_graph) DLP_TRY(check_regions(b, b->factor[k]));
    for (dlp_index k = 0; k < b->n_factors && !b->fitted; k++)
        if (!b->factor[k]->of_graph)
            DLP_TRY(dlpi_factor_use(b->design->row, b->design->N, b->design->division,
                                    b->scratch, b->factor[k], b->error));
    return b->fitted ? DLP_OK : check_row_names(b);
}
