/* SPDX-License-Identifier: BSD-3-Clause */
/* From a model's text and its data to a graph. Internal. */
#ifndef DLPI_BUGS_MODEL_H
#define DLPI_BUGS_MODEL_H

#include "language/graph.h"
#include "language/source.h"

#include <delaplace/bugs.h>

typedef dlp_bugs_array dlpi_named_array;
/* Its `size` is not looked at. */
typedef dlp_bugs_input dlpi_bugs_input;

/*
 * Reads a model and its data. Errors and warnings go into `found`, which the caller
 * clears. If there is an error: DLP_EINPUT with the first one, and *graph is NULL.
 */
dlp_status dlpi_bugs_read(const dlpi_bugs_input *input, dlpi_graph **graph,
                          dlpi_diagnostics *found, dlp_error *error);

#endif
