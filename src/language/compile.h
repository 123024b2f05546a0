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
    dlpi_evaluator e;  /* used by all phases */
    double early;      /* the value of a constant that sizes may need */
    dlp_index *base;   /* (n_relations + 1) number of a relation's first instance */
    uint8_t *used;     /* (n_names) mentioned in data{} or model{} */
    uint8_t *has_left; /* (n_arrays) a relation defines some of it */
} dlpi_compile;

/* Each phase reports what is wrong; it fails only when out of memory. Run them in this
   order, as long as there is no error. */
/* Names: checks that every function and distribution is known and has the right number of
   arguments, and that every variable is defined somewhere. Makes graph->array, and sizes
   the arrays in the data. without_variables: does not check variables (relations are
   missing). */
dlp_status dlpi_compile_names(dlpi_compile *b, bool without_variables, dlp_error *error);
/* Instances and extents, from loops and indices on the left. */
dlp_status dlpi_compile_unroll(dlpi_compile *b, dlp_error *error);
/* Cells: which instance defines each, and its value in the data. */
dlp_status dlpi_compile_define(dlpi_compile *b, dlp_error *error);
/* Finds an order, the values of constants, cycles and undefined nodes. */
dlp_status dlpi_compile_order(dlpi_compile *b, dlp_error *error);
/* Checks values against supports and parameters against their ranges; finds unused
   data. */
dlp_status dlpi_compile_check(dlpi_compile *b, dlp_error *error);

/* To look at an instance takes as long as so many multiplications: for
   dlpi_evaluator_works. */
enum { DLPI_INSTANCE_SEEN = 256 };

/* Reports why an evaluation failed. Returns its status unless the input is to blame. */
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
