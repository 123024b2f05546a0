/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases from a syntax tree to a graph. Internal to src/language. */
#ifndef DLPI_BUGS_COMPILE_H
#define DLPI_BUGS_COMPILE_H

#include "language/graph_owner.h"

typedef struct dlpi_compile {
    dlpi_graph *graph;
    dlpi_owner *owner;
    dlpi_data *data;
    dlpi_diagnostics *found;
    bool in_data;      /* this is the graph of data{} */
    dlp_index limit;   /* of cells, and of instances */
    dlpi_evaluator e;  /* of all phases */
    double early;      /* the value of a constant that sizes may need */
    dlp_index *base;   /* (n_relations + 1) numbers of a relation's first instance */
    uint8_t *used;     /* (n_names) something mentions it; of both blocks */
    uint8_t *has_left; /* (n_arrays) a relation defines some of it */
} dlpi_compile;

/* Each reports what is wrong; those that fail have no memory. Run in this order, as long as
   there is no error. */
/* Names: every function and distribution is known and has as many arguments as it takes,
   every variable is defined somewhere. Makes graph->array, and sizes those in the data.
   without_variables: says nothing of variables (relations are missing). */
dlp_status dlpi_compile_names(dlpi_compile *b, bool without_variables, dlp_error *error);
/* Instances and extents, from loops and indices on the left. */
dlp_status dlpi_compile_unroll(dlpi_compile *b, dlp_error *error);
/* Cells: who defines them, what the data say of them. */
dlp_status dlpi_compile_define(dlpi_compile *b, dlp_error *error);
/* An order, the values of constants; cycles and undefined nodes are found. */
dlp_status dlpi_compile_order(dlpi_compile *b, dlp_error *error);
/* Values against supports, parameters against what they may be, data not used. */
dlp_status dlpi_compile_check(dlpi_compile *b, dlp_error *error);

/* Reports what an evaluation failed for. Returns its status if that is not the input's. */
dlp_status dlpi_compile_report(dlpi_compile *b, dlp_error *error);
/* The evaluator, set to an instance. */
static inline dlpi_evaluator *dlpi_compile_at(dlpi_compile *b, int relation,
                                              dlp_index instance)
{
    const dlpi_instances *of = &b->graph->of[relation];
    b->e.relation = of->relation;
    b->e.loop = of->loop + instance * of->relation->n_loops;
    b->e.used = 0;
    return &b->e;
}

#endif
