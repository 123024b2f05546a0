/* SPDX-License-Identifier: BSD-3-Clause */
/* What a handle of a model holds. Internal. */
#ifndef DLPI_BUGS_H
#define DLPI_BUGS_H

#include <delaplace/bugs.h>

#include "bugs/model.h"
#include "bugs/nodes.h"
#include "core/pool.h"

struct dlp_bugs {
    dlpi_graph *graph;
    dlpi_diagnostics found;
    dlp_bugs_result result;
    bool fitted;
    /* of the result */
    dlp_bugs_node *node;
    dlp_bugs_plan *plan;
    double *draw;
    struct dlpi_pool names;
    const char *model_name;
};

/* The cells to summarise: those of the monitors, or by default; *cells (*n) is to be freed. */
dlp_status dlpi_monitored(const dlpi_graph *graph, const dlp_bugs_settings *settings,
                          dlp_index **cells, dlp_index *n, dlp_index *left_out,
                          dlp_error *error);

/* plan (at most n_relations) from what was decided; returns how many lines. */
int dlpi_explain(const dlpi_factors *factors, const dlpi_plan *plan,
                 dlp_bugs_plan *lines);

#endif
