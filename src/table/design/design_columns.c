/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a design, term by term. */
#include "core/memory.h"
#include "table/design/design.h"

#include <stdio.h>
#include <string.h>

/* ---- variables ---- */

dlp_status dlpi_build_values(struct dlpi_build *build,
                             const struct dlpi_expression *expression,
                             struct dlpi_pool *pool, const double **out)
{
    const dlp_design *d = build->design;
    const dlp_index column = dlpi_expression_column(expression);
    if (column >= 0 && !d->row) {
        *out = build->columns.table->column[column].number;
        return DLP_OK;
    }
    double *value = dlpi_pool_take(pool, d->N, sizeof *value);
    if (!value) return dlpi_build_no_memory(build);
    *out = value;
    return dlpi_expression_evaluate_some(expression, d->row, dlpi_rows_from(d->division),
                                         dlpi_rows_to(d->division, d->N), value,
                                         build->error);
}

static dlp_status make_scaled(struct dlpi_build *b, struct dlpi_input *input)
{
    double *value = dlpi_pool_take(b->pool, b->design->N, sizeof *value);
    if (!value) return dlpi_build_no_memory(b);
    DLP_TRY(dlpi_expression_evaluate(&input->expression, b->design->row, b->design->N,
                                     value, b->error));
    for (dlp_index i = 0; i < b->design->N; i++)
        value[i] = (value[i] - input->scaling.centre) / input->scaling.spread;
    input->value = value;
    return dlpi_build_check(b, input->scaling.variable, value);
}

dlp_status dlpi_make_input(struct dlpi_build *build, struct dlpi_input *input)
{
    struct dlpi_build *b = build;
    const dlp_design *d = b->design;
    if (input->value || (input->factor && input->factor->code))
        return DLP_OK; /* terms inside other bars, or outside, have it too */
    if (input->factor && input->factor->levels.n < 2)
        return dlp_fail(
            b->error, DLP_EINPUT,
            "'%s' is '%s' in each of the %td rows used, and a factor needs two "
            "levels; take it out of the formula",
            dlpi_show(input->factor->variable).text,
            dlpi_show(input->factor->levels.level[0]).text, d->N);
    if (input->factor)
        return dlpi_factor_code(b->columns.table, d->row, d->N, d->division, b->pool,
                                input->factor, b->error);
    if (input->basis) {
        input->value = input->basis->value + input->basis_column * d->N;
        return DLP_OK;
    }
    if (input->scaling.variable) return make_scaled(b, input);
    bool made = false;
    DLP_TRY(dlpi_make_power(b, input, &made));
    if (made) return DLP_OK;
    return dlpi_build_values(b, &input->expression, b->pool, &input->value);
}

/* Makes the values of all variables in terms, for the columns and for other users. */
static dlp_status make_inputs(struct dlpi_build *b)
{
    const dlp_index n = b->terms.n_variables; /* those that terms have come first */
    const int32_t **code = dlpi_pool_take(b->pool, n, sizeof *code);
    const double **value = dlpi_pool_take(b->pool, n, sizeof *value);
    if (!code || !value) return dlpi_build_no_memory(b);
    dlp_index at = 0;
    for (dlp_index i = 0; i < b->terms.n_variables; i++) {
        struct dlpi_input *input = &b->input[i];
        if (!input->is_used) continue;
        DLP_TRY(dlpi_make_input(b, input));
        code[at] = input->factor ? input->factor->code : NULL;
        value[at++] = input->factor ? NULL : input->value;
    }
    b->design->code = code;
    b->design->value = value;
    return DLP_OK;
}

/* ---- the columns of a term ---- */

/* A variable's part in a column: numbers, or one level of a factor. */
struct part {
    const struct dlpi_input *input;
    const char *label;
    bool is_full;    /* a column for every level, not for all but the first */
    dlp_index level; /* of this column */
};

static dlp_index first_level(const struct part *part)
{
    return part->is_full ? 0 : 1;
}

static dlp_index count_columns(const struct part *part)
{
    return part->input->factor ? part->input->factor->levels.n - first_level(part) : 1;
}

static void list_parts(const struct dlpi_build *b, const struct dlpi_term *term,
                       const bool *full, struct part *part)
{
    for (dlp_index k = 0; k < term->order; k++) {
        part[k] = (struct part){.input = &b->input[term->variable[k]],
                                .label = b->terms.variable[term->variable[k]].label,
                                .is_full = full[k]};
        part[k].level = first_level(&part[k]);
    }
}

/* Goes on to the next column: the levels of the first factor change fastest. */
static void next_levels(struct part *part, dlp_index order)
{
    for (dlp_index k = 0; k < order; k++) {
        if (!part[k].input->factor) continue;
        if (++part[k].level < part[k].input->factor->levels.n) return;
        part[k].level = first_level(&part[k]);
    }
}

/* NULL without memory. */
static const dlp_index *list_levels(const struct part *part, dlp_index order,
                                    struct dlpi_pool *pool)
{
    dlp_index *level = dlpi_pool_take(pool, order, sizeof *level);
    for (dlp_index k = 0; level && k < order; k++)
        level[k] = part[k].input->factor ? part[k].level : -1;
    return level;
}

static const char *name_column(const struct part *part, dlp_index order,
                               struct dlpi_pool *pool)
{
    struct dlpi_text text = {.pool = pool};
    for (dlp_index k = 0; k < order; k++) {
        const struct dlpi_factor *factor = part[k].input->factor;
        if ((k > 0 && !dlpi_text_add_string(&text, ":")) ||
            !dlpi_text_add_string(&text, part[k].label) ||
            (factor && !dlpi_text_add_string(&text, factor->levels.level[part[k].level])))
            return NULL;
    }
    return text.data;
}

/* x becomes x times the part. */
static void multiply(const struct part *part, dlp_index from, dlp_index n, double *x)
{
    const struct dlpi_input *input = part->input;
    if (!input->factor) {
        for (dlp_index i = from; i < n; i++) x[i] *= input->value[i];
    } else {
        const int32_t *code = input->factor->code, level = (int32_t)part->level;
        for (dlp_index i = from; i < n; i++) x[i] = code[i] == level ? x[i] : 0;
    }
}

static void fill_ones(dlp_index from, dlp_index n, double *x)
{
    for (dlp_index i = from; i < n; i++) x[i] = 1;
}

/* The product of the parts; for a variable by itself, the values that it has already. */
static const double *make_column(struct dlpi_build *b, const struct part *part,
                                 dlp_index order)
{
    const dlp_design *d = b->design;
    const dlp_index from = dlpi_rows_from(d->division),
                    to = dlpi_rows_to(d->division, d->N);
    if (order == 1 && !part->input->factor) return part->input->value;
    double *x = dlpi_pool_take(b->pool, d->N, sizeof *x);
    if (!x) return NULL;
    fill_ones(from, to, x);
    for (dlp_index k = 0; k < order; k++) multiply(&part[k], from, to, x);
    return x;
}

/* ---- the step ---- */

/* The arrays of the design, writable. */
struct columns {
    const double **x;
    const char **name, **term;
    dlp_index *assign;
    const dlp_index **level;
};

/* Counts the columns, term by term, so that a large number is refused before any is made.
 */
static dlp_status count_all(struct dlpi_build *b, bool **full)
{
    dlp_design *d = b->design;
    struct part part[DLPI_MOST_ORDER];
    d->intercept = b->terms.intercept ? 0 : -1;
    d->p = b->terms.intercept;
    d->n_terms = b->terms.n_terms;
    for (dlp_index t = 0; t < d->n_terms; t++) {
        const dlp_index order = b->terms.term[t].order;
        dlp_index n = 1;
        list_parts(b, &b->terms.term[t], full[t], part);
        for (dlp_index k = 0; k < order && n <= DLPI_MOST_COLUMNS; k++)
            n *= count_columns(&part[k]);
        d->p += n;
        if (d->p <= DLPI_MOST_COLUMNS) continue;
        const char *label = dlpi_term_label(&b->terms, &b->terms.term[t], b->scratch);
        if (!label) return dlpi_build_no_memory(b);
        return dlp_fail(b->error, DLP_EINPUT,
                        "the design has more than %d columns from term '%s' on; take out "
                        "factors with many levels, or group by them",
                        DLPI_MOST_COLUMNS, dlpi_show(label).text);
    }
    if (d->p == 0 && b->n_effects == 0)
        return dlp_fail(b->error, DLP_EINPUT,
                        "the formula has neither terms nor an intercept; add a column");
    return DLP_OK;
}

static dlp_status make_intercept(struct dlpi_build *b, const struct columns *out)
{
    const dlp_design *d = b->design;
    double *ones = dlpi_pool_take(b->pool, d->N, sizeof *ones);
    if (!ones) return dlpi_build_no_memory(b);
    fill_ones(dlpi_rows_from(d->division), dlpi_rows_to(d->division, d->N), ones);
    out->x[0] = ones;
    out->name[0] = DLP_INTERCEPT;
    out->assign[0] = -1;
    return DLP_OK;
}

/* Makes the columns of term t from column j on; j moves behind them. */
static dlp_status make_term(struct dlpi_build *b, dlp_index t, const bool *full,
                            const struct columns *out, dlp_index *j)
{
    const struct dlpi_term *term = &b->terms.term[t];
    struct part part[DLPI_MOST_ORDER];
    dlp_index n = 1;
    list_parts(b, term, full, part);
    for (dlp_index k = 0; k < term->order; k++) n *= count_columns(&part[k]);
    for (dlp_index i = 0; i < n; i++, next_levels(part, term->order), ++*j) {
        out->x[*j] = make_column(b, part, term->order);
        out->name[*j] = name_column(part, term->order, b->pool);
        out->level[*j] = list_levels(part, term->order, b->pool);
        out->assign[*j] = t;
        if (!out->x[*j] || !out->name[*j] || !out->level[*j])
            return dlpi_build_no_memory(b);
        if (term->order > 1) DLP_TRY(dlpi_build_check(b, out->name[*j], out->x[*j]));
    }
    out->term[t] = dlpi_term_label(&b->terms, term, b->pool);
    return out->term[t] ? DLP_OK : dlpi_build_no_memory(b);
}

/* NULL without memory. */
static bool **find_coding(const struct dlpi_build *b)
{
    bool *is_factor = dlpi_pool_take(b->scratch, b->terms.n_variables, sizeof *is_factor);
    if (!is_factor) return NULL;
    for (dlp_index i = 0; i < b->terms.n_variables; i++)
        is_factor[i] = b->input[i].factor != NULL;
    return dlpi_full_coding(&b->terms, is_factor, b->scratch);
}

/* Checks the memory that a fit takes: the columns and a dozen matrices over them, or twenty
   if there are few rows, whose methods keep more. Names that were taken for a category make
   a column for each row. */
static dlp_status check_size(const struct dlpi_build *b)
{
    const dlp_design *d = b->design;
    const double N = (double)d->N, p = (double)d->p;
    const double rows = b->pool->spill ? 0 : N * p; /* or on disk, or divided */
    const double bytes = 8 * (rows + (2 * N >= p ? 12 : 20) * p * p);
    const struct dlpi_factor *most = NULL;
    char what[80], remedy[256];
    for (dlp_index i = 0; i < b->terms.n_variables; i++) {
        const struct dlpi_factor *f = b->input[i].factor;
        if (f && (!most || f->levels.n > most->levels.n)) most = f;
    }
    snprintf(what, sizeof what, "a design of %td rows and %td columns", d->N, d->p);
    if (most && 2 * most->levels.n > d->p)
        snprintf(remedy, sizeof remedy,
                 "'%.60s' has %td levels: leave it out, or let it vary, (1 | %.60s)",
                 dlpi_show(most->levels.variable).text, most->levels.n,
                 dlpi_show(most->levels.variable).text);
    else
        snprintf(remedy, sizeof remedy, "use fewer columns or rows");
    return dlpi_memory_check(bytes, what, remedy, b->error);
}

dlp_status dlpi_build_columns(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    dlp_design *d = b->design;
    bool **full = find_coding(b);
    if (!full) return dlpi_build_no_memory(b);
    DLP_TRY(count_all(b, full));
    DLP_TRY(check_size(b));
    DLP_TRY(make_inputs(b));
    const struct columns out = {
        .x = dlpi_pool_take(b->pool, d->p, sizeof *out.x),
        .name = dlpi_pool_take(b->pool, d->p, sizeof *out.name),
        .term = dlpi_pool_take(b->pool, d->n_terms, sizeof *out.term),
        .assign = dlpi_pool_take(b->pool, d->p, sizeof *out.assign),
        .level = dlpi_pool_take(b->pool, d->p, sizeof *out.level),
    };
    if (!out.x || !out.name || !out.term || !out.assign || !out.level)
        return dlpi_build_no_memory(b);
    dlp_index j = b->terms.intercept;
    if (b->terms.intercept) DLP_TRY(make_intercept(b, &out));
    for (dlp_index t = 0; t < d->n_terms; t++)
        DLP_TRY(make_term(b, t, full[t], &out, &j));
    d->x = out.x;
    d->name = out.name;
    d->term = out.term;
    d->assign = out.assign;
    d->level = out.level;
    return DLP_OK;
}
