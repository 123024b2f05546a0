/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model with its data, unrolled: every element of every variable is a cell, with the
 * relation that defines it and, where it is known, its value. Internal.
 *
 * Relations stay as written; an instance of a relation is a row of loop values.
 */
#ifndef DLPI_BUGS_GRAPH_H
#define DLPI_BUGS_GRAPH_H

#include "density/expression.h"
#include "language/syntax.h"

typedef struct dlpi_array {
    const char *name; /* interned */
    int n_dim;        /* 0: a scalar */
    dlp_index dim[DLPI_MAX_DIM];
    dlp_index size;
    dlp_index
        first;    /* its elements are the cells first to first + size - 1, the first index
                         running fastest, as in R */
    bool in_data; /* it is in the data */
} dlpi_array;

typedef enum dlpi_cell_kind {
    DLPI_CELL_NONE,     /* nothing defines it, and it has no value */
    DLPI_CELL_CONSTANT, /* data without a relation, or computed from them: value */
    DLPI_CELL_COMPUTED, /* deterministic, but depends on cells that are not constant */
    DLPI_CELL_OBSERVED, /* stochastic, with data: has a value */
    DLPI_CELL_LATENT    /* stochastic, without */
} dlpi_cell_kind;

typedef struct dlpi_instances {
    const dlpi_relation *relation;
    dlp_index n;
    int32_t *loop; /* (n, n_loops) values of the loop variables, outermost first */
} dlpi_instances;

typedef struct dlpi_graph {
    int n_arrays;
    dlpi_array *array;
    dlp_index n_cells;
    uint8_t *kind;         /* (n_cells) dlpi_cell_kind */
    double *value;         /* (n_cells) NaN where it is not known */
    int32_t *definer;      /* (n_cells) the relation that defines it, -1: none */
    int32_t *instance;     /* (n_cells) which of its instances */
    int n_relations;       /* those of model{}, in the order of the file */
    dlpi_instances *of;    /* (n_relations) */
    double *start;         /* (n_cells) from inits; NaN: none */
    int n_held;            /* while states are being tried: this many cells */
    const dlp_index *held; /*     have values that are not data */
    /* An order in which every instance comes after all that its right-hand side refers
       to: pairs (relation, instance), including stochastic ones. */
    dlp_index n_order;
    int32_t *order; /* (n_order, 2) */
    void *owner;    /* arena, names, sources: graph.c's own */
} dlpi_graph;

/* What a variable in an expression refers to. */
typedef struct dlpi_reference {
    const dlpi_array *array;
    int n_dim; /* of the result; indices that are single numbers are dropped */
    dlp_index dim[DLPI_MAX_DIM];
    dlp_index n;     /* elements */
    dlp_index *cell; /* (n) in the order of R; room is the caller's scratch */
} dlpi_reference;

/* Supplies the value of a cell when an index is resolved; NaN: unknown. NULL: the graph's
   own values. A caller that gives a discrete cell a value makes it known this way. */
typedef struct dlpi_known {
    double (*value)(void *context, dlp_index cell);
    void *context;
} dlpi_known;

/* scratch grows as needed and belongs to the caller (free it with free). */
typedef struct dlpi_cells {
    dlp_index *cell;
    dlp_index room;
} dlpi_cells;

/* Resolves `variable` for an instance with these loop values; the cells are in scratch.
   DLP_EINVAL with a message and its place: an index is out of range, or unknown. In the
   latter case *unknown (unless NULL) is a cell on which it depends, otherwise -1. */
dlp_status dlpi_graph_refer(const dlpi_graph *graph, const dlpi_relation *relation,
                            const int32_t *loop, const dlpi_syntax *variable,
                            const dlpi_known *known, dlpi_cells *scratch,
                            dlpi_reference *reference, dlp_index *unknown,
                            dlp_error *error);

/* The depth of the relation's loop whose variable has this name, or -1. */
int dlpi_loop_depth(const dlpi_relation *relation, const char *name);

/* "beta[2,1]", as JAGS writes it. */
void dlpi_cell_name(const dlpi_graph *graph, dlp_index cell, char *text, size_t size);
const dlpi_array *dlpi_cell_array(const dlpi_graph *graph, dlp_index cell);

void dlpi_graph_free(dlpi_graph *graph); /* NULL is fine */

/* file:line:column: error: message, the line, and a caret; into error. */
dlp_status dlpi_graph_complain(const dlpi_graph *graph, dlpi_position place,
                               dlp_error *error, const char *format, ...);
#ifdef __clang_analyzer__ /* as of dlp_fail in core.h */
#define dlpi_graph_complain(...) ((void)(dlpi_graph_complain)(__VA_ARGS__), DLP_EINVAL)
#endif

#endif
