/* SPDX-License-Identifier: BSD-3-Clause */
/* From the words of a model to its syntax tree. Internal. */
#ifndef DLPI_BUGS_PARSE_H
#define DLPI_BUGS_PARSE_H

#include "language/source.h"

enum {
    DLPI_MAX_HEIGHT = 1000, /* of an expression's tree: later phases recurse into it */
    DLPI_MAX_LOOPS = 32     /* around a relation */
};

/* var x, y[N,2]; */
typedef struct dlpi_declaration {
    const dlpi_syntax *variable; /* its indices are the extents */
} dlpi_declaration;

/* The model as written. */
typedef struct dlpi_model_syntax {
    int n_declarations;
    dlpi_declaration *declaration;
    int n_relations; /* those of data{}, then those of model{}, as they come in the file */
    dlpi_relation *relation;
    bool has_model;
    dlpi_position bare_range; /* the first 1:n-1 without brackets; line 0: none */
    int32_t n_nodes;          /* syntax nodes: their ids are below it */
} dlpi_model_syntax;

/* Reads a model into the memory pool of the names. Reports errors and reads on: the call
   fails only when out of memory. loose_ranges: 1:n-1 is 1:(n-1), as in WinBUGS. */
dlp_status dlpi_bugs_parse(const dlpi_source *source, bool loose_ranges,
                           dlpi_names *names, dlpi_model_syntax *model,
                           dlpi_diagnostics *found, dlp_error *error);

/* A tree as text, "mu[g[i] + 1]"; cut off if it does not fit. */
void dlpi_syntax_text(const dlpi_syntax *syntax, char *out, size_t size);

#endif
