/* SPDX-License-Identifier: BSD-3-Clause */
/* Which values the columns of a question take, and over which rows its answers are
   averaged. */
#include "core/core.h"
#include "core/suggest.h"
#include "core/text.h"
#include "io/number.h"
#include "regression/questions/question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 100000, MOST_COLUMNS = 64 };

/* ---- columns ---- */

static const dlp_column *column_of(const dlpi_question *q, dlp_index j)
{
    return &q->table->column[j];
}

/* Whether an offset() of the formula uses the column. */
static bool in_offset(const dlpi_question *q, dlp_index j)
{
    const dlp_design *d = q->design;
    for (dlp_index i = 0; i < d->n_offset_columns; i++)
        if (d->offset_column[i] == j) return true;
    return false;
}

/* Whether a variable of a term or of a smooth, or an offset, uses the column. */
static bool is_used(const dlpi_question *q, dlp_index j)
{
    const dlp_design *d = q->design;
    if (in_offset(q, j)) return true;
    for (dlp_index v = 0; v < d->n_variables; v++)
        for (dlp_index i = 0; i < d->variable[v].n_columns; i++)
            if (d->variable[v].column[i] == j) return true;
    return false;
}

/* The levels of the column in the fit, or NULL: it has numbers there. */
static const dlp_levels *levels_of(const dlpi_question *q, dlp_index j)
{
    const dlp_terms *terms = q->r->terms;
    const dlp_design *d = q->design;
    for (dlp_index v = 0; v < d->n_variables; v++) {
        const dlp_variable *of = &d->variable[v];
        if (of->factor >= 0 && of->n_columns == 1 && of->column[0] == j)
            return &terms->factor[of->factor];
    }
    for (dlp_index f = 0; f < terms->n_factors; f++)
        if (d->factor_column[f] == j) return &terms->factor[f];
    if (q->s.effects == DLP_EFFECTS_OF_LEVELS && terms->group.variable &&
        !strcmp(terms->group.variable, column_of(q, j)->name))
        return &terms->group;
    return NULL;
}

static dlp_status fail_column(const dlpi_question *q, const char *name, dlp_error *error)
{
    struct dlpi_shown_list list = {.used = 0};
    struct dlpi_suggestion near = dlpi_suggestion_for(name);
    for (dlp_index j = 0; j < q->table->columns; j++) {
        if (!is_used(q, j) && !levels_of(q, j)) continue;
        dlpi_suggestion_consider(&near, column_of(q, j)->name);
        dlpi_shown_list_add(&list, dlpi_show(column_of(q, j)->name));
    }
    if (near.best)
        return dlp_fail(error, DLP_EINVAL,
                        "the fit has no column '%s'; did you mean '%s'?",
                        dlpi_show(name).text, dlpi_show(near.best).text);
    return dlp_fail(error, DLP_EINVAL, "the fit has no column '%s'; it has %s",
                    dlpi_show(name).text, list.text);
}

/* ---- numbers ---- */

typedef struct spread {
    double mean, sd, least, most;
    double typical; /* their geometric mean; NaN unless all are positive */
    bool binary;    /* all are 0 or 1 */
} spread;

/* Over the rows that have everything the fit needs, by their weights. */
static spread spread_of(const dlpi_question *q, dlp_index j)
{
    const dlp_design *d = q->design;
    const double *x = column_of(q, j)->number;
    spread s = {.least = INFINITY, .most = -INFINITY, .binary = true};
    double total = 0, sum = 0, square = 0, logs = 0, first = NAN;
    for (dlp_index i = 0; i < d->N; i++) {
        const double value = x[d->row ? d->row[i] : i], w = d->weight ? d->weight[i] : 1;
        if (isnan(value) || !(w > 0)) continue;
        if (isnan(first)) first = value;
        total += w;
        sum += w * (value - first);
        square += w * (value - first) * (value - first);
        logs += w * (value > 0 ? log(value) : NAN);
        s.least = fmin(s.least, value);
        s.most = fmax(s.most, value);
        s.binary = s.binary && (value == 0 || value == 1);
    }
    s.mean = first + sum / total;
    s.typical = exp(logs / total);
    s.sd = sqrt(fmax(square / total - (sum / total) * (sum / total), 0));
    return s;
}

bool dlpi_question_is_binary(const dlpi_question *q, const dlpi_dimension *d)
{
    if (!d->number || d->stated || levels_of(q, d->column)) return false;
    const spread s = spread_of(q, d->column);
    return s.binary && s.most > s.least;
}

double dlpi_question_range(const dlpi_question *q, dlp_index column)
{
    const spread s = spread_of(q, column);
    return s.most > s.least ? s.most - s.least : fmax(fabs(s.mean), 1);
}

/* ---- values ---- */

static dlp_status give_numbers(dlpi_question *q, dlp_index n, const double *number,
                               dlpi_dimension *out, dlp_error *error)
{
    double *kept = dlpi_pool_take(q->pool, n, sizeof *kept);
    const char **text = dlpi_pool_take(q->pool, n, sizeof *text);
    if (!kept || !text) return dlpi_no_memory(error, "the answers");
    for (dlp_index i = 0; i < n; i++) {
        char shown[64];
        snprintf(shown, sizeof shown, "%.4g", number[i]);
        if (fabs(number[i]) < 1e15 && number[i] == floor(number[i]))
            snprintf(shown, sizeof shown, "%.0f", number[i]);
        kept[i] = number[i];
        text[i] = dlpi_pool_copy(q->pool, shown, strlen(shown));
        if (!text[i]) return dlpi_no_memory(error, "the answers");
    }
    out->n = n;
    out->number = kept;
    out->text = text;
    return DLP_OK;
}

/* A column with such a long tail that evenly spaced points would show little else. */
static bool has_long_tail(const spread *s)
{
    const double long_tail = 30;
    return s->least > 0 && s->most > long_tail * s->typical;
}

static double point_between(const spread *s, bool logarithmic, double share)
{
    return logarithmic ? s->least * pow(s->most / s->least, share)
                       : s->least + (s->most - s->least) * share;
}

static dlp_status spread_numbers(dlpi_question *q, dlp_index points, dlpi_dimension *out,
                                 dlp_error *error)
{
    const spread s = spread_of(q, out->column);
    if (!isfinite(s.least) || !isfinite(s.most))
        return dlp_fail(error, DLP_EINPUT, "the column '%s' has no finite numbers",
                        dlpi_show(column_of(q, out->column)->name).text);
    if (points == 0) return give_numbers(q, 1, &s.mean, out, error);
    if (s.binary && s.most > s.least)
        return give_numbers(q, 2, (double[]){0, 1}, out, error);
    if (points < 0)
        return give_numbers(q, 3, (double[]){s.mean - s.sd, s.mean, s.mean + s.sd}, out,
                            error);
    double *x = dlpi_pool_take(q->pool, points, sizeof *x);
    if (!x) return dlpi_no_memory(error, "the answers");
    out->logarithmic = q->s.log_points && has_long_tail(&s);
    for (dlp_index i = 0; i < points; i++)
        x[i] = point_between(&s, out->logarithmic, (double)i / (double)(points - 1));
    return give_numbers(q, points, x, out, error);
}

static const dlp_question_at *stated(const dlpi_question *q, const char *column)
{
    for (dlp_index i = 0; i < q->s.n_at; i++)
        if (!strcmp(q->s.at[i].column, column)) return &q->s.at[i];
    return NULL;
}

static dlp_status state_numbers(dlpi_question *q, const dlp_question_at *at,
                                dlpi_dimension *out, dlp_error *error)
{
    double *x = dlpi_pool_take(q->pool, at->n, sizeof *x);
    if (!x) return dlpi_no_memory(error, "the answers");
    for (dlp_index i = 0; i < at->n; i++) {
        char *end;
        x[i] = dlpi_number_read(at->value[i], &end);
        if (end == at->value[i] || *end || !isfinite(x[i]))
            return dlp_fail(error, DLP_EINVAL, "'%s' has numbers, and '%s' is not one",
                            dlpi_show(at->column).text, dlpi_show(at->value[i]).text);
    }
    return give_numbers(q, at->n, x, out, error);
}

static dlp_status state_levels(dlpi_question *q, const dlp_question_at *at,
                               const dlp_levels *levels, dlpi_dimension *out,
                               dlp_error *error)
{
    const char **text = dlpi_pool_take(q->pool, at->n, sizeof *text);
    if (!text) return dlpi_no_memory(error, "the answers");
    for (dlp_index i = 0; i < at->n; i++) {
        for (dlp_index l = 0; l < levels->n; l++)
            if (!strcmp(levels->level[l], at->value[i])) text[i] = levels->level[l];
        const char *near = dlpi_suggest(at->value[i], levels->level, levels->n);
        if (!text[i])
            return dlp_fail(error, DLP_EINVAL, "'%s' has no level '%s'; %s '%s'",
                            dlpi_show(at->column).text, dlpi_show(at->value[i]).text,
                            near ? "did you mean" : "its first is",
                            dlpi_show(near ? near : levels->level[0]).text);
    }
    out->n = at->n;
    out->text = text;
    return DLP_OK;
}

/* The levels of factor(x), where x has numbers, are numbers. */
static dlp_status as_column_has_them(dlpi_question *q, dlpi_dimension *d,
                                     dlp_error *error)
{
    if (column_of(q, d->column)->kind != DLP_NUMERIC || d->number) return DLP_OK;
    double *number = dlpi_pool_take(q->pool, d->n, sizeof *number);
    if (!number) return dlpi_no_memory(error, "the answers");
    for (dlp_index i = 0; i < d->n; i++) number[i] = strtod(d->text[i], NULL);
    d->number = number;
    return DLP_OK;
}

static dlp_status take_values(dlpi_question *q, dlp_index points, dlpi_dimension *out,
                              dlp_error *error)
{
    const dlp_column *column = column_of(q, out->column);
    const dlp_levels *levels = levels_of(q, out->column);
    const dlp_question_at *at = stated(q, column->name);
    out->stated = at != NULL;
    out->factor = levels != NULL;
    if (at && at->n < 1)
        return dlp_fail(error, DLP_EINVAL, "say which values '%s' takes",
                        dlpi_show(column->name).text);
    if (levels && at) return state_levels(q, at, levels, out, error);
    if (levels) {
        out->n = levels->n;
        out->text = levels->level;
        return DLP_OK;
    }
    if (column->kind != DLP_NUMERIC)
        return dlp_fail(error, DLP_EINVAL, "the fit has no column '%s'",
                        dlpi_show(column->name).text);
    return at ? state_numbers(q, at, out, error) : spread_numbers(q, points, out, error);
}

dlp_status dlpi_question_dimension(dlpi_question *q, const char *name, dlp_index points,
                                   dlpi_dimension *out, dlp_error *error)
{
    const dlp_index j = dlp_table_find(q->table, name);
    *out = (dlpi_dimension){.column = j};
    if (j < 0 || (!is_used(q, j) && !levels_of(q, j))) return fail_column(q, name, error);
    DLP_TRY(take_values(q, points, out, error));
    return as_column_has_them(q, out, error);
}

/* ---- rows ---- */

static bool is_asked(dlp_index n, const dlpi_dimension *asked, dlp_index column)
{
    for (dlp_index i = 0; i < n; i++)
        if (asked[i].column == column) return true;
    return false;
}

/* A column of N values: those of d at the places `of` (N), or with NULL its first. */
static dlp_status set_column(dlpi_question *q, dlp_index N, const dlpi_dimension *d,
                             const dlp_index *of, dlp_error *error)
{
    dlp_column *out = &q->rows.table.column[d->column];
    const bool numeric = d->number != NULL;
    double *number = numeric ? dlpi_pool_take(&q->scratch, N, sizeof *number) : NULL;
    int32_t *code = numeric ? NULL : dlpi_pool_take(&q->scratch, N, sizeof *code);
    if (!number && !code) return dlpi_no_memory(error, "the grid");
    for (dlp_index i = 0; i < N; i++) {
        const dlp_index at = of ? of[i] : 0;
        if (numeric) number[i] = d->number[at];
        if (code) code[i] = (int32_t)at;
    }
    out->kind = numeric ? DLP_NUMERIC : DLP_CATEGORICAL;
    out->number = number;
    out->code = code;
    out->n_levels = numeric ? 0 : d->n;
    out->level = numeric ? NULL : (char **)d->text; /* not changed by a design */
    out->missing = 0;
    return DLP_OK;
}

static dlp_status copy_columns(dlpi_question *q, dlp_error *error)
{
    const dlp_index columns = q->table->columns;
    q->rows.table = *q->table;
    q->rows.table.column =
        dlpi_pool_take(&q->scratch, columns, sizeof *q->rows.table.column);
    if (!q->rows.table.column) return dlpi_no_memory(error, "the grid");
    memcpy(q->rows.table.column, q->table->column,
           (size_t)columns * sizeof *q->table->column);
    return DLP_OK;
}

/* Each row keeps what the table says, except for columns that are stated. */
static dlp_status take_rows(dlpi_question *q, dlp_index n, const dlpi_dimension *asked,
                            dlp_error *error)
{
    const dlp_design *d = q->design;
    const dlp_index rows = q->table->rows;
    double total = 0;
    q->rows.N = d->N;
    q->rows.keep = dlpi_pool_take(&q->scratch, rows, 1);
    q->rows.share = dlpi_pool_take(&q->scratch, d->N, sizeof *q->rows.share);
    if (!q->rows.keep || !q->rows.share) return dlpi_no_memory(error, "the rows");
    for (dlp_index i = 0; i < d->N; i++) {
        q->rows.keep[d->row ? d->row[i] : i] = 1;
        total += q->rows.share[i] = d->weight ? d->weight[i] : 1;
    }
    for (dlp_index i = 0; i < d->N; i++) q->rows.share[i] /= total;
    for (dlp_index i = 0; i < q->s.n_at; i++) {
        dlpi_dimension at;
        DLP_TRY(dlpi_question_dimension(q, q->s.at[i].column, 0, &at, error));
        if (is_asked(n, asked, at.column)) continue;
        if (at.n > 1)
            return dlp_fail(error, DLP_EINVAL,
                            "'%s' is to have several values; ask for an answer for each "
                            "with 'by', or average over a grid",
                            dlpi_show(q->s.at[i].column).text);
        DLP_TRY(set_column(q, rows, &at, NULL, error));
    }
    return DLP_OK;
}

/* The factors that are not asked about, and columns with several values. */
static dlp_status find_dimensions(dlpi_question *q, dlp_index n,
                                  const dlpi_dimension *asked, dlp_index *count,
                                  dlpi_dimension *out, dlp_error *error)
{
    double points = 1;
    *count = 0;
    for (dlp_index j = 0; j < q->table->columns; j++) {
        const char *name = column_of(q, j)->name;
        if (is_asked(n, asked, j) || !(levels_of(q, j) || stated(q, name))) continue;
        if (*count == MOST_COLUMNS)
            return dlp_fail(error, DLP_EINVAL, "the grid has more than %d factors",
                            MOST_COLUMNS);
        DLP_TRY(dlpi_question_dimension(q, name, 0, &out[*count], error));
        points *= (double)out[(*count)++].n;
    }
    if (points <= MOST_POINTS) return DLP_OK;
    return dlp_fail(
        error, DLP_EINVAL,
        "the grid of all combinations of levels has %.3g points, more than %d; "
        "state the levels of some factors, or average over the rows",
        points, MOST_POINTS);
}

/* Every column of numbers at its mean, every other at its first value. */
static dlp_status set_typical(dlpi_question *q, dlp_index N, dlp_error *error)
{
    for (dlp_index j = 0; j < q->table->columns; j++) {
        const dlp_column *column = column_of(q, j);
        const char *level = column->kind == DLP_CATEGORICAL && column->n_levels > 0
                                ? column->level[0]
                                : NULL;
        const double mean =
            level || column->kind == DLP_CATEGORICAL ? 0 : spread_of(q, j).mean;
        const dlpi_dimension d = {.column = j,
                                  .n = 1,
                                  .text = level ? &level : NULL,
                                  .number = level ? NULL : &mean};
        DLP_TRY(set_column(q, N, &d, NULL, error));
        if (level) q->rows.table.column[j].level = column->level;
    }
    return DLP_OK;
}

static dlp_status fill_grid(dlpi_question *q, dlp_index count, const dlpi_dimension *d,
                            dlp_error *error)
{
    const dlp_index N = q->rows.N;
    dlp_index *at = dlpi_pool_take(&q->scratch, N, sizeof *at), repeat = 1;
    if (!at) return dlpi_no_memory(error, "the grid");
    DLP_TRY(set_typical(q, N, error));
    for (dlp_index k = 0; k < count; k++) {
        for (dlp_index i = 0; i < N; i++) at[i] = i / repeat % d[k].n;
        DLP_TRY(set_column(q, N, &d[k], at, error));
        repeat *= d[k].n;
    }
    return DLP_OK;
}

/* Unless it is asked about, or its columns are stated, an offset is at its mean, as in emmeans. */
static void find_offset(dlpi_question *q, dlp_index n, const dlpi_dimension *asked)
{
    const dlp_design *d = q->design;
    double sum = 0, total = 0;
    for (dlp_index j = 0; j < q->table->columns; j++)
        if (in_offset(q, j) &&
            (is_asked(n, asked, j) || stated(q, column_of(q, j)->name)))
            return;
    for (dlp_index i = 0; i < d->N; i++) {
        const double w = d->weight ? d->weight[i] : 1;
        total += w;
        sum += w * (d->offset ? d->offset[i] : 0);
    }
    q->rows.typical_offset = d->offset != NULL && total > 0;
    q->rows.offset = sum / total;
}

static dlp_status take_grid(dlpi_question *q, dlp_index n, const dlpi_dimension *asked,
                            dlp_error *error)
{
    dlpi_dimension d[MOST_COLUMNS];
    dlp_index count, N = 1;
    DLP_TRY(find_dimensions(q, n, asked, &count, d, error));
    for (dlp_index k = 0; k < count; k++) N *= d[k].n;
    find_offset(q, n, asked);
    q->rows.N = N;
    q->rows.table.rows = N;
    q->rows.share = dlpi_pool_take(&q->scratch, N, sizeof *q->rows.share);
    if (!q->rows.share) return dlpi_no_memory(error, "the grid");
    for (dlp_index i = 0; i < N; i++) q->rows.share[i] = 1 / (double)N;
    return fill_grid(q, count, d, error);
}

dlp_status dlpi_question_rows_make(dlpi_question *q, dlp_index n,
                                   const dlpi_dimension *asked, dlp_error *error)
{
    DLP_TRY(copy_columns(q, error));
    DLP_TRY(q->s.over == DLP_OVER_GRID ? take_grid(q, n, asked, error)
                                       : take_rows(q, n, asked, error));
    q->rows.weight = q->rows.share;
    q->to->answers.averaged = q->rows.N;
    if (q->rows.N == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "no row of the table has all that the fit needs");
    return DLP_OK;
}
