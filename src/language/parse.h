/* SPDX-License-Identifier: BSD-3-Clause */
/* From the words of a model to its syntax tree. Internal. */
#ifndef DLPI_BUGS_PARSE_H
#define DLPI_BUGS_PARSE_H

#include "language/source.h"

enum {
    DLPI_MAX_HEIGHT = 1000, /* of an expression's tree: later phases walk it by calls */
    DLPI_MAX_LOOPS = 32     /* around a relation */
};

/* var x, y[N,2]; */
typedef struct dlpi_declaration {
    const dlpi_syntax *variable; /* its indices are the extents */
} dlpi_declaration;

/* The model as it is written. */
typedef struct dlpi_model_syntax {
    int n_declarations;
    dlpi_declaration *declaration;
    int n_relations; /* those of data{}, then those of model{}, as they come in the file */
    dlpi_relation *relation;
    bool has_model;
    int32_t n_nodes; /* syntax nodes: their ids are below it */
} dlpi_model_syntax;

/* Reads a model. Its memory is the pool's of the names. What is wrong is reported, and the
   rest is read: the call fails only without memory. */
dlp_status dlpi_bugs_parse(const dlpi_source *source, dlpi_names *names,
                           dlpi_model_syntax *model, dlpi_diagnostics *found,
                           dlp_error *error);

/* A tree as text, "mu[g[i] + 1]"; cut where it has no room. */
void dlpi_syntax_text(const dlpi_syntax *syntax, char *out, size_t size);

#endif
