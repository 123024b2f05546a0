/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/start.h"

#include <math.h>

void dlpi_start_given(const dlpi_lowering *l, double *start)
{
    const dlpi_graph *g = l->graph;
    for (dlp_index c = 0; c < g->n_cells; c++) {
        const double v = g->start ? g->start[c] : NAN;
        const double low = l->lower[c], high = l->upper[c];
        start[c] = NAN;
        if (!isfinite(v)) continue;
        switch ((dlpi_domain)l->domain[c]) {
        case DLPI_DOMAIN_REAL: start[c] = v; break;
        case DLPI_DOMAIN_ABOVE: start[c] = log(v - low); break;
        case DLPI_DOMAIN_BELOW: start[c] = log(high - v); break;
        case DLPI_DOMAIN_BETWEEN: start[c] = log((v - low) / (high - v)); break;
        default: break;
        }
    }
}

void dlpi_start_at_priors(dlpi_factors *f, double *start, bool *any)
{
    dlpi_lowering *l = f->lowering;
    *any = false;
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        const int32_t cell = f->node_cell[node->first];
        dlpi_value params[8];
        double location;
        if (!node->alive || node->discrete || node->n != 1 || isfinite(start[cell]) ||
            l->domain[cell] != DLPI_DOMAIN_REAL ||
            l->of[node->relation]->support != DLPI_REAL ||
            l->of[node->relation]->n_params == 0)
            continue;
        dlpi_lower_begin(l);
        if (dlpi_lower_parameters(l, node->relation, node->instance, params, NULL) !=
                DLP_OK ||
            params[0].n != 1 || !dlpi_is_number(l->builder, params[0].at[0], &location) ||
            !isfinite(location) || location == 0)
            continue;
        start[cell] = location;
        *any = true;
    }
}
