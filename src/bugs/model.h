/* SPDX-License-Identifier: BSD-3-Clause */
/* From a model's text and its data to a graph. Internal. */
#ifndef DLPI_BUGS_MODEL_H
#define DLPI_BUGS_MODEL_H

#include "bugs/graph.h"
#include "bugs/source.h"

/* An array in memory, its first index running fastest; NaN: missing. */
typedef struct dlpi_named_array {
    const char *name;
    int n_dim; /* 0: a scalar */
    const dlp_index *dim;
    const double *value;
} dlpi_named_array;

/* What a model is read from. Zeros are nothing; give a model. */
typedef struct dlpi_bugs_input {
    const char *model_path; /* a file, "-" for standard input; or */
    const char *model_text; /* a text, whose name in messages is */
    const char *model_name; /* this (NULL: "model") */
    int n_data_paths;
    const char *const *data_path; /* R's dump, JSON, CSV; compressed or not */
    const char *data_text;        /* one more, as text; NULL: none */
    const char *data_name;        /* its name, which may tell its format */
    int n_data;
    const dlpi_named_array *data;
    int n_inits_paths;
    const char *const *inits_path; /* as data */
    int n_inits;
    const dlpi_named_array *inits;
    dlp_index limit; /* of elements, and of instances of relations; 0: 2^28 */
} dlpi_bugs_input;

/*
 * Reads a model and its data. What is wrong, and what is doubtful, stands in `found`, which
 * the caller clears; DLP_EINPUT with the first error where there is one, and *graph is NULL.
 */
dlp_status dlpi_bugs_read(const dlpi_bugs_input *input, dlpi_graph **graph,
                          dlpi_diagnostics *found, dlp_error *error);

#endif
