/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/start.h"

#include "core/core.h"

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

/* The middle of a prior, as a coordinate; NaN: unknown, or where searches begin
   anyway. */
static double middle_of(const dlpi_lowering *l, const dlpi_node *node, uint8_t domain,
                        const double *param)
{
    const dlpi_distribution *d = l->of[node->relation];
    const dlpi_domain own = d->end > 0 ? DLPI_DOMAIN_BETWEEN : DLPI_DOMAIN_ABOVE;
    if (domain == DLPI_DOMAIN_REAL && d->centred) return param[0] != 0 ? param[0] : NAN;
    if (d->middle && domain == own) return d->middle(param);
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

/* ---- priors that depend on other unknowns ---- */

/* The value of an expression with unknowns at their start, or at 0; NaN: out of
   memory. */
static double value_at(dlpi_builder *builder, dlpi_expr e, const double *start)
{
    dlpi_program_draft d = {0};
    double value = NAN;
    if (dlpi_program_make(builder, e, &d, NULL) == DLP_OK) {
        const int n = d.program.n_inputs;
        int *slot = dlpi_calloc(n + 1, sizeof *slot);
        const double **input = dlpi_calloc(n + 1, sizeof *input);
        for (int i = 0; slot && input && i < n; i++) {
            const double at = d.cell[i] < 0 ? d.value[i] : start[d.cell[i]];
            d.value[i] = isfinite(at) ? at : 0;
            input[i] = &d.value[i];
            slot[i] = -1;
        }
        double *room =
            slot ? dlpi_calloc((dlp_index)dlpi_program_room(&d.program, 0, 0, slot),
                               sizeof *room)
                 : NULL;
        if (room && input)
            dlpi_program_run(&d.program, 1, input, 0, NULL, 0, &value, room);
        free(room);
        free((void *)input);
        free(slot);
    }
    dlpi_program_draft_free(&d);
    return value;
}

/* Real unknowns begin at the location of their prior, in the order of the text. */
static void start_along(dlpi_factors *f, double *start)
{
    dlpi_lowering *l = f->lowering;
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        const int32_t cell = f->node_cell[node->first];
        const dlpi_distribution *d = l->of[node->relation];
        dlpi_value params[8];
        if (!node->alive || node->discrete || node->n != 1 || isfinite(start[cell]) ||
            d->n_params == 0 || d->support != DLPI_REAL ||
            l->domain[cell] != DLPI_DOMAIN_REAL)
            continue;
        dlpi_lower_begin(l);
        if (dlpi_lower_parameters(l, node->relation, node->instance, params, NULL) ==
                DLP_OK &&
            params[0].n == 1)
            start[cell] = value_at(l->builder, params[0].at[0], start);
    }
}

/* ---- data ---- */

/* The unknown that is the location of y, or whose exponential is; -1: none. *at is the
   start at which the location is y. */
static dlp_index located_by(const dlpi_lowering *l, dlpi_expr location, double y,
                            double *at)
{
    const dlpi_expr_node *e = dlpi_builder_node(l->builder, location);
    *at = y;
    if (e->op == DLPI_OP_EXP) {
        e = dlpi_builder_node(l->builder, e->arg[0]);
        *at = log(fmax(y, 0.5));
    }
    return e->op == DLPI_OP_CELL ? e->cell : -1;
}

static void start_by_instance(dlpi_lowering *l, int relation, dlp_index instance,
                              double *start)
{
    const dlpi_graph *g = l->graph;
    dlpi_reference of;
    dlpi_value params[8];
    double at;
    dlpi_lower_begin(l);
    if (dlpi_lower_defined(l, relation, instance, &of, NULL) != DLP_OK || of.n != 1 ||
        g->kind[of.cell[0]] != DLPI_CELL_OBSERVED)
        return;
    const double y = g->value[of.cell[0]];
    if (dlpi_lower_parameters(l, relation, instance, params, NULL) != DLP_OK ||
        params[0].n != 1)
        return;
    const dlp_index cell = located_by(l, params[0].at[0], y, &at);
    if (cell >= 0 && isfinite(at)) start[cell] = at;
}

void dlpi_start_at_data(dlpi_factors *f, double *start)
{
    dlpi_lowering *l = f->lowering;
    bool any;
    for (dlp_index c = 0; c < l->graph->n_cells; c++) start[c] = NAN;
    for (int r = 0; r < l->graph->n_relations; r++) {
        const dlpi_distribution *d = l->of[r];
        if (!d || !d->centred) continue;
        for (dlp_index k = 0; k < l->graph->of[r].n; k++)
            start_by_instance(l, r, k, start);
    }
    dlpi_start_at_priors(f, start, &any);
    start_along(f, start);
}
