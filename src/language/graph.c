/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/graph.h"

#include "language/graph_owner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int dlpi_loop_depth(const dlpi_relation *relation, const char *name)
{
    for (const dlpi_loop *l = relation ? relation->loop : NULL; l; l = l->outer)
        if (l->name == name) return l->depth;
    return -1;
}

static bool contains(const dlpi_array *array, dlp_index cell)
{
    return array->first >= 0 && cell >= array->first && cell - array->first < array->size;
}

const dlpi_array *dlpi_cell_array(const dlpi_graph *graph, dlp_index cell)
{
    int low = 0, high = graph->n_arrays - 1;
    /* Arrays are in the order of their cells. */
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (graph->array[middle].first <= cell)
            low = middle;
        else
            high = middle - 1;
    }
    if (contains(&graph->array[low], cell)) return &graph->array[low];
    /* While sizes are being found, arrays without cells may come in between. */
    for (int i = 0; i < graph->n_arrays; i++)
        if (contains(&graph->array[i], cell)) return &graph->array[i];
    return &graph->array[low];
}

void dlpi_cell_name(const dlpi_graph *graph, dlp_index cell, char *text, size_t size)
{
    const dlpi_array *const array = dlpi_cell_array(graph, cell);
    dlp_index left = cell - array->first;
    size_t used;
    int n = snprintf(text, size, "%s", array->name);
    for (int d = 0; d < array->n_dim; d++) {
        used = n < 0 ? 0 : (size_t)n < size ? (size_t)n : size;
        n += snprintf(text + used, size - used, "%s%lld%s", d ? "," : "[",
                      (long long)(left % array->dim[d]) + 1,
                      d == array->n_dim - 1 ? "]" : "");
        left /= array->dim[d];
    }
}

dlp_status(dlpi_graph_complain)(const dlpi_graph *graph, dlpi_position place,
                                dlp_error *error, const char *format, ...)
{
    char message[800];
    va_list args;
    if (!error) return DLP_EINVAL;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    error->remedy = DLP_REMEDY_NONE;
    dlpi_source_show(&dlpi_owner_of(graph)->source, place, "error", message,
                     error->message, sizeof error->message);
    return DLP_EINVAL;
}

static bool make_room(dlpi_cells *cells, dlp_index n)
{
    if (n <= cells->room) return true;
    dlp_index room = cells->room ? cells->room : 16;
    while (room < n) room *= 2;
    dlp_index *more = realloc(cells->cell, (size_t)room * sizeof *more);
    if (!more) return false;
    cells->cell = more;
    cells->room = room;
    return true;
}

dlp_status dlpi_graph_refer(const dlpi_graph *graph, const dlpi_relation *relation,
                            const int32_t *loop, const dlpi_syntax *variable,
                            const dlpi_known *known, dlpi_cells *scratch,
                            dlpi_reference *reference, dlp_index *unknown,
                            dlp_error *error)
{
    dlpi_evaluator e = {.graph = graph, .relation = relation, .loop = loop};
    dlpi_selection selection;
    e.known = known;
    e.error = error;
    e.unknown = -1;
    dlp_status status = DLP_OK;
    if (!dlpi_select(&e, variable, false, &selection)) {
        status = e.unknown >= 0 ? DLP_EINVAL : e.status;
        if (e.unknown >= 0) {
            char name[80];
            dlpi_cell_name(graph, e.unknown, name, sizeof name);
            status = dlpi_graph_complain(graph, variable->place, error,
                                         "an index of '%s' depends on '%s', which is not "
                                         "known",
                                         variable->name, name);
        }
    } else if (!make_room(scratch, selection.n)) {
        status = dlpi_no_memory(error, "the elements of an array");
    } else {
        dlpi_selection_cells(&e, &selection, scratch->cell);
        reference->array = selection.array;
        reference->n = selection.n;
        reference->n_dim = dlpi_selection_dims(&selection, reference->dim);
        reference->cell = scratch->cell;
    }
    if (unknown) *unknown = status == DLP_OK ? -1 : e.unknown;
    free(e.stack);
    return status;
}

void dlpi_graph_free(dlpi_graph *graph)
{
    if (!graph) return;
    for (int r = 0; graph->of && r < graph->n_relations; r++) free(graph->of[r].loop);
    free(graph->array);
    free(graph->kind);
    free(graph->value);
    free(graph->definer);
    free(graph->instance);
    free(graph->of);
    free(graph->start);
    free(graph->order);
    dlpi_owner *owner = graph->owner;
    if (owner) {
        dlpi_pool_free(&owner->pool);
        free(owner);
    }
    free(graph);
}
