/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/nested.h"

#include "bugs/plan/coordinates.h"
#include "core/core.h"

enum {
    LONG = 64,           /* instructions: shorter densities are left alone */
    FEW = 12,            /* cells: derivatives by many at once are expensive */
    MOST_NODES = 2000000 /* of expressions, which are kept for the whole relation */
};

typedef struct nested_row {
    dlp_index instance;
    dlpi_expr log_p;
    double size; /* instructions */
    int n;       /* its cells, in order */
    dlp_index cell[FEW];
} nested_row;

typedef struct nesting {
    dlpi_factors *f;
    int relation;
    dlp_index n;
    nested_row *row;
} nesting;

/* Whether the value of an instance is data, and not a limit of what is censored. */
static bool is_data(const nesting *x, dlp_index instance)
{
    dlpi_lowering *l = x->f->lowering;
    dlpi_reference of;
    return dlpi_lower_defined(l, x->relation, instance, &of, NULL) == DLP_OK &&
           l->graph->kind[of.cell[0]] == DLPI_CELL_OBSERVED &&
           !dlpi_is_censoring(l, x->relation, instance);
}

/* The density of an instance, as the draft's program; false: it needs the state of a
   discrete unknown, or has an error, which is found again where densities are added one by
   one. */
static bool lower_row(const nesting *x, dlp_index instance, dlpi_expr *log_p)
{
    dlpi_factors *f = x->f;
    dlpi_lowering *l = f->lowering;
    if (dlpi_lower_density(l, x->relation, instance, log_p, NULL) != DLP_OK ||
        dlpi_program_make(l->builder, *log_p, &f->draft, NULL) != DLP_OK)
        return false;
    for (int i = 0; i < f->draft.program.n_inputs; i++)
        if (f->draft.cell[i] >= 0 && l->domain[f->draft.cell[i]] == DLPI_DOMAIN_DISCRETE)
            return false;
    return true;
}

/* Whether densities become longer from the first to the last or the one in the middle. */
static bool do_grow(const nesting *x, dlp_index instances)
{
    const dlp_index at[] = {0, instances / 2, instances - 1};
    int size[3] = {0};
    for (int i = 0; i < 3; i++) {
        dlpi_expr log_p;
        dlpi_lower_begin(x->f->lowering);
        if (!lower_row(x, at[i], &log_p)) return false;
        size[i] = x->f->draft.program.n;
    }
    const int longest = size[1] > size[2] ? size[1] : size[2];
    return longest >= LONG && longest >= 2 * size[0];
}

static int compare_cells(const void *a, const void *b)
{
    const dlp_index x = *(const dlp_index *)a, y = *(const dlp_index *)b;
    return (x > y) - (x < y);
}

/* Notes the draft unless it depends on many cells or on none. */
static void note_row(nesting *x, dlp_index instance, dlpi_expr log_p)
{
    const dlpi_program_draft *draft = &x->f->draft;
    nested_row row = {
        .instance = instance, .log_p = log_p, .size = (double)draft->program.n};
    for (int i = 0; i < draft->program.n_inputs; i++) {
        if (draft->cell[i] < 0) continue;
        if (row.n == FEW) return;
        row.cell[row.n++] = draft->cell[i];
    }
    if (row.n == 0) return;
    qsort(row.cell, (size_t)row.n, sizeof *row.cell, compare_cells);
    x->row[x->n++] = row;
}

/* Lowers all instances into one graph of expressions; *done false: they do not belong
   together, or would take too much memory. */
static dlp_status lower_all(nesting *x, dlp_index instances, bool *done, dlp_error *error)
{
    dlpi_lowering *l = x->f->lowering;
    *done = false;
    dlpi_lower_begin(l);
    for (dlp_index i = 0; i < instances; i++) {
        dlpi_expr log_p;
        DLP_TRY(dlpi_lowering_ask(l, error));
        if (!is_data(x, i)) continue;
        if (!lower_row(x, i, &log_p) || dlpi_builder_size(l->builder) > MOST_NODES)
            return DLP_OK;
        note_row(x, i, log_p);
    }
    *done = true;
    return DLP_OK;
}

/* By cells, then by instance. */
static int compare_rows(const void *a, const void *b)
{
    const nested_row *x = a, *y = b;
    if (x->n != y->n) return x->n < y->n ? -1 : 1;
    for (int i = 0; i < x->n; i++)
        if (x->cell[i] != y->cell[i]) return x->cell[i] < y->cell[i] ? -1 : 1;
    return (x->instance > y->instance) - (x->instance < y->instance);
}

static bool have_same_cells(const nested_row *a, const nested_row *b)
{
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (a->cell[i] != b->cell[i]) return false;
    return true;
}

/* Adds rows `first` to `last` as one factor if that is at most half as long. */
static dlp_status join(const nesting *x, dlp_index first, dlp_index last, bool *joined,
                       dlp_error *error)
{
    dlpi_factors *f = x->f;
    dlpi_builder *b = f->lowering->builder;
    dlpi_expr sum = x->row[first].log_p;
    double apart = x->row[first].size;
    for (dlp_index i = first + 1; i < last; i++) {
        sum = dlpi_apply2(b, DLPI_OP_ADD, sum, x->row[i].log_p);
        apart += x->row[i].size;
    }
    DLP_TRY(dlpi_program_make(b, sum, &f->draft, error));
    if (2 * (double)f->draft.program.n > apart) return DLP_OK;
    for (dlp_index i = first; i < last; i++) joined[x->row[i].instance] = true;
    return dlpi_factors_add(f, sum, -1, error);
}

static dlp_status join_groups(const nesting *x, bool *joined, dlp_error *error)
{
    qsort(x->row, (size_t)x->n, sizeof *x->row, compare_rows);
    for (dlp_index i = 0, first = 0; i < x->n; i++) {
        if (i + 1 < x->n && have_same_cells(&x->row[first], &x->row[i + 1])) continue;
        if (i > first) DLP_TRY(join(x, first, i + 1, joined, error));
        first = i + 1;
    }
    return DLP_OK;
}

dlp_status dlpi_join_nested(dlpi_factors *f, int relation, bool *joined, dlp_error *error)
{
    enum { FEWEST = 8 };
    const dlp_index n = f->lowering->graph->of[relation].n;
    nesting x = {.f = f, .relation = relation};
    bool done = false;
    if (n < FEWEST || !do_grow(&x, n)) return DLP_OK;
    x.row = dlpi_calloc(n, sizeof *x.row);
    if (!x.row) return dlpi_no_memory(error, "the factors of the model");
    f->relation = relation;
    dlp_status status = lower_all(&x, n, &done, error);
    if (status == DLP_OK && done) status = join_groups(&x, joined, error);
    free(x.row);
    return status;
}
