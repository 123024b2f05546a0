/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/start.h"

#include <math.h>
#include <string.h>

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

/* The middle of a prior, as a coordinate; NaN: it is not known, or is where searches begin
   anyway. */
static double middle_of(const dlpi_lowering *l, const dlpi_node *node, uint8_t domain,
                        const double *param)
{
    const dlpi_distribution *d = l->of[node->relation];
    const bool proper = param[0] >= 0.5 && param[1] > 0; /* no spike */
    if (domain == DLPI_DOMAIN_REAL && d->support == DLPI_REAL)
        return param[0] != 0 ? param[0] : NAN;
    if (domain == DLPI_DOMAIN_BETWEEN && proper && strcmp(d->name, "dbeta") == 0)
        return log(param[0] / param[1]);
    if (domain == DLPI_DOMAIN_ABOVE && proper && strcmp(d->name, "dgamma") == 0)
        return log(param[0] / param[1]);
    if (domain == DLPI_DOMAIN_ABOVE && strcmp(d->name, "dlnorm") == 0) return param[0];
    return NAN;
}

void dlpi_start_at_priors(dlpi_factors *f, double *start, bool *any)
{
    dlpi_lowering *l = f->lowering;
    *any = false;
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        const int32_t cell = f->node_cell[node->first];
        const int n_params = l->of[node->relation]->n_params;
        dlpi_value params[8];
        double param[2] = {NAN, NAN};
        if (!node->alive || node->discrete || node->n != 1 || isfinite(start[cell]) ||
            n_params == 0)
            continue;
        dlpi_lower_begin(l);
        if (dlpi_lower_parameters(l, node->relation, node->instance, params, NULL) !=
            DLP_OK)
            continue;
        for (int i = 0; i < 2 && i < n_params; i++)
            if (params[i].n != 1 ||
                !dlpi_is_number(l->builder, params[i].at[0], &param[i]))
                param[i] = NAN;
        const double at = middle_of(l, node, l->domain[cell], param);
        if (!isfinite(at)) continue;
        start[cell] = at;
        *any = true;
    }
}
