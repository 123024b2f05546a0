/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/answer/nodes.h"
#include "core/core.h"

#include <string.h>

static bool is_held(const dlpi_graph *g, dlp_index cell)
{
    for (int i = 0; i < g->n_held; i++)
        if (g->held[i] == cell) return true;
    return false;
}

/* Whether the instance has data and is not the bound of a censored value. */
static dlp_status is_data(dlpi_lowering *l, int relation, dlp_index instance, bool *yes,
                          dlp_error *error)
{
    const dlpi_graph *g = l->graph;
    dlpi_reference of;
    *yes = false;
    if (dlpi_is_censoring(l, relation, instance)) return DLP_OK;
    DLP_TRY(dlpi_lower_defined(l, relation, instance, &of, error));
    *yes = of.n > 0;
    for (dlp_index i = 0; i < of.n; i++)
        *yes =
            *yes && g->kind[of.cell[i]] == DLPI_CELL_OBSERVED && !is_held(g, of.cell[i]);
    return DLP_OK;
}

dlp_status dlpi_deviance_by_draws(dlpi_node_margins *m, double *values, dlp_error *error)
{
    dlpi_lowering *l = m->factors->lowering;
    const dlp_index draws = m->posterior->draws;
    double *own = dlpi_calloc(draws, sizeof *own);
    dlp_status status = own ? DLP_OK : dlpi_no_memory(error, "the deviance");
    memset(values, 0, (size_t)draws * sizeof *values);
    for (int r = 0; r < l->graph->n_relations; r++)
        for (dlp_index k = 0; l->of[r] && k < l->graph->of[r].n && status == DLP_OK;
             k++) {
            bool yes;
            status = is_data(l, r, k, &yes, error);
            if (status == DLP_OK && yes)
                status = dlpi_margins_density(m, r, k, own, error);
            for (dlp_index i = 0; status == DLP_OK && yes && i < draws; i++)
                values[i] -= 2 * own[i];
        }
    free(own);
    return status;
}
