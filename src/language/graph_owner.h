/* SPDX-License-Identifier: BSD-3-Clause */
/* What a graph keeps for its own functions. Internal to src/language. */
#ifndef DLPI_BUGS_GRAPH_OWNER_H
#define DLPI_BUGS_GRAPH_OWNER_H

#include "language/data.h"
#include "language/evaluate.h"
#include "language/graph.h"
#include "language/parse.h"

typedef struct dlpi_owner {
    struct dlpi_pool pool;
    dlpi_names names;
    dlpi_source source; /* the model's text */
    dlpi_model_syntax syntax;
    int32_t n_names;   /* number of names; none is added after the graph is built */
    int32_t *array_of; /* (n_names) by the number of a name: its array, -1: none */
    const dlpi_number_function **function_of; /* (n_names) NULL: none */
    const dlpi_data_array **datum_of; /* (n_arrays) while the graph is built, else NULL */
} dlpi_owner;

static inline const dlpi_owner *dlpi_owner_of(const dlpi_graph *graph)
{
    return graph->owner;
}

/* The array of a name; NULL: none. */
static inline const dlpi_array *dlpi_find_array(const dlpi_graph *graph, const char *name)
{
    const int32_t i = dlpi_owner_of(graph)->array_of[dlpi_name_number(name)];
    return i >= 0 ? &graph->array[i] : NULL;
}

#endif
