/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which instance defines which cells, and their values in the data. */
#include "language/compile.h"

#include "core/memory.h"

#include <math.h>
#include <stdio.h>

enum { BYTES = 100 }; /* that an element takes at least, in a fit */

static dlp_status make_cells(dlpi_compile *b, dlp_error *error)
{
    dlpi_graph *const g = b->graph;
    const dlp_index n = g->n_cells;
    char what[64];
    snprintf(what, sizeof what, "a model whose variables have %td elements", n);
    DLP_TRY(dlpi_memory_check(BYTES * (double)n, what, "use less data, or shorter loops",
                              error));
    g->kind = dlpi_calloc(n, sizeof *g->kind);
    g->definer = dlpi_calloc(n, sizeof *g->definer);
    g->instance = dlpi_calloc(n, sizeof *g->instance);
    g->start = dlpi_calloc(n, sizeof *g->start);
    b->base = dlpi_pool_take(&b->owner->pool, g->n_relations + 1, sizeof *b->base);
    if (!g->kind || !g->definer || !g->instance || !g->start || !b->base)
        return dlpi_no_memory(error, "the elements of the variables");
    for (int r = 0; r < g->n_relations; r++) b->base[r + 1] = b->base[r] + g->of[r].n;
    for (dlp_index i = 0; i < n; i++) {
        g->definer[i] = -1;
        g->start[i] = NAN;
        g->kind[i] = isnan(g->value[i]) ? DLPI_CELL_NONE : DLPI_CELL_CONSTANT;
    }
    return DLP_OK;
}

/* Where the data give a cell its value. */
static void where(const dlpi_compile *b, dlp_index cell, char *out, size_t size)
{
    const dlpi_array *const a = dlpi_cell_array(b->graph, cell);
    dlpi_datum_where(b->owner->datum_of[a - b->graph->array], cell - a->first, out, size);
}

static void defined_twice(dlpi_compile *b, const dlpi_relation *r, dlp_index cell)
{
    const dlpi_relation *other = b->graph->of[b->graph->definer[cell]].relation;
    char name[100];
    dlpi_cell_name(b->graph, cell, name, sizeof name);
    if (other == r)
        dlpi_report(
            b->found, true, &b->owner->source, r->place,
            "'%s' is defined in more than one iteration of the loop; index it by the "
            "loop's variable",
            name);
    if (other == r) return;
    const bool transform = r->stochastic != other->stochastic;
    dlpi_diagnostic *d = dlpi_report(
        b->found, true, &b->owner->source, r->place,
        "'%s' is defined twice: here and at %d:%d%s", name, other->place.line,
        other->place.column,
        transform ? "; to transform data, as WinBUGS allows, move the '<-' to data { }"
                  : "");
    if (d && transform) d->transformed = r->left->name;
}

/* A deterministic node with data, or a vector that is only partly observed. */
static bool check_data(dlpi_compile *b, const dlpi_relation *r, dlp_index n,
                       const dlp_index *cell)
{
    char name[100], place[260];
    dlp_index with = -1, without = -1;
    for (dlp_index i = 0; i < n; i++) {
        if (isnan(b->graph->value[cell[i]]))
            without = cell[i];
        else
            with = cell[i];
    }
    /* Values computed for loops and sizes are not data. */
    if (n > 0 && !dlpi_cell_array(b->graph, cell[0])->in_data) return true;
    if (with < 0 || (r->stochastic && without < 0)) return true;
    where(b, with, place, sizeof place);
    if (!r->stochastic) {
        dlpi_cell_name(b->graph, with, name, sizeof name);
        dlpi_report(
            b->found, true, &b->owner->source, r->place,
            "'%s' is computed here, but the data give it a value (%s); remove one", name,
            place);
        return false;
    }
    char missing[100];
    dlpi_cell_name(b->graph, without, missing, sizeof missing);
    dlpi_cell_name(b->graph, with, name, sizeof name);
    dlpi_report(b->found, true, &b->owner->source, r->place,
                "%s is observed but %s is missing (%s): a vector with one distribution "
                "must be observed completely or not at all; give the missing value, or "
                "leave the whole vector out of the data",
                name, missing, place);
    return false;
}

/* False: an error was reported, and other instances would only repeat it. */
static bool define(dlpi_compile *b, int relation, dlp_index instance, dlp_index n,
                   const dlp_index *cell)
{
    dlpi_graph *const g = b->graph;
    const dlpi_relation *const r = g->of[relation].relation;
    if (!check_data(b, r, n, cell)) return false;
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index c = cell[i];
        if (g->definer[c] >= 0) {
            defined_twice(b, r, c);
            return false;
        }
        g->definer[c] = relation;
        g->instance[c] = (int32_t)instance;
        if (r->stochastic)
            g->kind[c] = isnan(g->value[c]) ? DLPI_CELL_LATENT : DLPI_CELL_OBSERVED;
        else
            g->kind[c] = DLPI_CELL_COMPUTED;
    }
    return true;
}

static dlp_status define_relation(dlpi_compile *b, int r, dlpi_cells *cells)
{
    const dlpi_instances *const of = &b->graph->of[r];
    for (dlp_index i = 0; i < of->n; i++) {
        dlpi_selection selection;
        dlpi_evaluator *e = dlpi_compile_at(b, r, i);
        if (!dlpi_evaluator_works(e, DLPI_INSTANCE_SEEN)) return e->status;
        if (!dlpi_select(e, of->relation->left, false, &selection)) {
            if (e->unknown < 0) return dlpi_compile_report(b, e->error);
            char name[100];
            dlpi_cell_name(b->graph, e->unknown, name, sizeof name);
            dlpi_report(b->found, true, &b->owner->source, of->relation->place,
                        "an index on the left needs '%s', which is missing in the data",
                        name);
            return DLP_OK;
        }
        if (selection.n > cells->room) {
            free(cells->cell);
            cells->room = selection.n + 16;
            cells->cell = malloc((size_t)cells->room * sizeof *cells->cell);
            if (!cells->cell) {
                cells->room = 0;
                return dlpi_no_memory(e->error, "the elements of a variable");
            }
        }
        dlpi_selection_cells(e, &selection, cells->cell);
        if (!define(b, r, i, selection.n, cells->cell)) return DLP_OK;
    }
    return DLP_OK;
}

dlp_status dlpi_compile_define(dlpi_compile *b, dlp_error *error)
{
    dlpi_cells cells = {0};
    dlp_status status = make_cells(b, error);
    for (int r = 0; r < b->graph->n_relations && status == DLP_OK; r++)
        status = define_relation(b, r, &cells);
    free(cells.cell);
    return status;
}
