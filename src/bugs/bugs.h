/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a dlp_bugs. Internal. */
#ifndef DLPI_BUGS_H
#define DLPI_BUGS_H

#include "bugs/answer/nodes.h"
#include "core/pool.h"
#include "language/model.h"

struct dlp_bugs {
    dlpi_graph *graph; /* NULL: there are errors */
    dlpi_diagnostics found;
    /* The result of the last fit. */
    bool fitted;
    bool impossible; /* it failed: no state of a discrete node allows the data */
    dlp_bugs_result result;
    dlp_bugs_node *node;
    dlp_bugs_plan *plan;
    double *draw;
    double *objective;
    struct dlpi_pool names;
};

/* fit.c. Forgets the last fit. */
void dlpi_bugs_clear_result(dlp_bugs *bugs);

/* The cells to summarise: the monitored ones, or a default; the caller frees *cells
   (*n). */
dlp_status dlpi_monitored(const dlpi_graph *graph, const dlp_bugs_settings *settings,
                          dlp_index **cells, dlp_index *n, dlp_index *left_out,
                          dlp_error *error);

/* wanted (n_cells): marks all that the n cells depend on. */
dlp_status dlpi_wanted(dlpi_factors *factors, dlp_index n, const dlp_index *cells,
                       bool *wanted, dlp_error *error);

/* Writes the plan as text (at most n_relations lines); returns the number of lines. */
int dlpi_explain(const dlpi_factors *factors, const dlpi_plan *plan,
                 dlp_bugs_plan *lines);

#endif
