/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan in words: how the unknowns of each relation are treated, and why. */
#include "bugs/bugs.h"

static const char *const FACTOR[] = {
    [DLPI_ROLE_NONE] = "prediction",
    [DLPI_ROLE_PSI] = "points",
    [DLPI_ROLE_X] = "gaussian",
    [DLPI_ROLE_LEAF] = "quadrature",
};

static const char *const REASON[] = {
    [DLPI_NO_REASON] = "no data depend on it: drawn after the fit",
    [DLPI_SCALE_OF_UNKNOWNS] = "a scale or shape of other unknowns: integrated over",
    [DLPI_PARAMETER_OF_DATA] =
        "one of a few parameters of the data that are not locations: integrated over",
    [DLPI_FEW_UNKNOWNS] = "one of only a few unknowns in the model: integrated over",
    [DLPI_LOCATION] = "a location",
    [DLPI_TOO_MANY_PARAMETERS] =
        "not a location, but one of too many to integrate over by points",
    [DLPI_SEPARATE] =
        "independent of the others of its kind given the rest: integrated out one by one",
};

int dlpi_explain(const dlpi_factors *f, const dlpi_plan *plan, dlp_bugs_plan *lines)
{
    const dlpi_graph *g = f->lowering->graph;
    int n = 0, last = -1;
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        const int32_t cell = f->node_cell[node->first];
        const dlpi_relation *r = g->of[node->relation].relation;
        if (node->relation == last) {
            lines[n - 1].unknown++;
            continue;
        }
        last = node->relation;
        lines[n++] = (dlp_bugs_plan){
            .name = r->left->name,
            .line = r->place.line,
            .unknown = 1,
            .summed = node->alive && node->discrete,
            .how = !node->alive     ? FACTOR[DLPI_ROLE_NONE]
                   : node->discrete ? "sum"
                   : plan           ? FACTOR[plan->role[cell]]
                                    : "",
            .reason = !node->alive     ? REASON[DLPI_NO_REASON]
                      : node->discrete ? "discrete: exact, a sum over its values"
                      : plan           ? REASON[plan->reason[cell]]
                                       : "",
        };
    }
    return n;
}
