/* SPDX-License-Identifier: BSD-3-Clause */
/* Powers of a variable that lies far from 0. For a year x, the columns 1, x, x^2 and x^3
   are nearly collinear: only their last digits differ. Those of x - 2010 are not. */
#include "table/design/design.h"

#include <string.h>

enum { MOST_POWER = 64 };

static const struct dlpi_node *inside_parentheses(const struct dlpi_node *node)
{
    while (node->kind == DLPI_NODE_PAREN) node = node->first;
    return node;
}

int dlpi_power_of(const struct dlpi_node *node, const struct dlpi_node **name)
{
    *name = node;
    if (node->kind == DLPI_NODE_NAME) return 1;
    if (node->kind != DLPI_NODE_CALL || node->function->role != DLPI_ROLE_AS_IS) return 0;
    const struct dlpi_node *power = inside_parentheses(node->first);
    if (power->kind != DLPI_NODE_POWER) return 0;
    const struct dlpi_node *exponent = inside_parentheses(power->first->next);
    *name = inside_parentheses(power->first);
    if ((*name)->kind != DLPI_NODE_NAME || exponent->kind != DLPI_NODE_NUMBER) return 0;
    for (int k = 1; k <= MOST_POWER; k++)
        if (exponent->number == k) return k;
    return 0;
}

static const dlp_centre *find_centre(const struct dlpi_build *b, const char *name)
{
    const dlp_index n = b->fitted ? b->fitted->n_centres : b->options.n_centres;
    const dlp_centre *centre = b->fitted ? b->fitted->centre : b->options.centre;
    for (dlp_index i = 0; i < n; i++)
        if (!strcmp(centre[i].variable, name)) return &centre[i];
    return NULL;
}

dlp_status dlpi_make_power(struct dlpi_build *build, struct dlpi_input *input, bool *made)
{
    const dlp_design *d = build->design;
    const struct dlpi_node *name;
    const int power = dlpi_power_of(input->variable->node, &name);
    const dlp_centre *centre = power > 0 ? find_centre(build, name->name) : NULL;
    if (!centre) return DLP_OK;
    const dlp_index at = dlpi_name_index_find_text(&build->columns.names, name->name);
    const double *x = build->columns.table->column[at].number;
    double *value = dlpi_pool_take(build->pool, d->N, sizeof *value);
    if (!value) return dlpi_build_no_memory(build);
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++) {
        const double off = x[d->row ? d->row[i] : i] - centre->centre;
        value[i] = off;
        for (int k = 1; k < power; k++) value[i] *= off;
    }
    input->value = value;
    *made = true;
    return dlpi_build_check(build, input->variable->label, value);
}
