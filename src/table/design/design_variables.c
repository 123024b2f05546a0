/* SPDX-License-Identifier: BSD-3-Clause */
/* What the terms of a design are made of: variables, and the table's columns in them. */
#include "table/design/design.h"

#include <string.h>

void dlpi_list_columns(const struct dlpi_build *b, const struct dlpi_node *node,
                       dlp_index *column, dlp_index *n)
{
    if (node->kind == DLPI_NODE_NAME) {
        if (column) column[*n] = dlpi_name_index_find_text(&b->columns.names, node->name);
        ++*n;
    }
    for (const struct dlpi_node *part = node->first; part; part = part->next)
        dlpi_list_columns(b, part, column, n);
}

static bool is_function(const struct dlpi_node *node)
{
    return node->kind == DLPI_NODE_CALL && node->function->role != DLPI_ROLE_FACTOR;
}

/* Describes variable i of the expansion; `factors` come before it. */
static bool describe(const struct dlpi_build *b, dlp_index i, dlp_index factors,
                     dlp_variable *variable)
{
    const struct dlpi_variable *v = &b->terms.variable[i];
    const bool is_factor = b->input[i].factor != NULL;
    const struct dlpi_node *name;
    *variable = (dlp_variable){.is_function = is_function(v->node), .factor = -1};
    if (!is_factor && !v->whole) variable->power = dlpi_power_of(v->node, &name);
    if (is_factor)
        variable->factor =
            b->fitted ? dlpi_name_index_find_text(&b->fitted_factors, v->label) : factors;
    dlpi_list_columns(b, v->node, NULL, &variable->n_columns);
    dlp_index *column = dlpi_pool_take(b->pool, variable->n_columns, sizeof *column);
    dlp_index listed = 0;
    variable->label = dlpi_pool_copy(b->pool, v->label, strlen(v->label));
    variable->column = column;
    if (column) dlpi_list_columns(b, v->node, column, &listed);
    return column && variable->label;
}

/* Lists those that a term has; number[i] is the new number of variable i. */
static bool list_variables(struct dlpi_build *b, dlp_index *number)
{
    dlp_design *d = b->design;
    const dlp_index n = b->terms.n_variables;
    dlp_variable *variable = dlpi_pool_take(b->pool, n, sizeof *variable);
    dlp_index factors = 0;
    if (!variable) return false;
    for (dlp_index i = 0; i < n; i++) {
        if (!b->input[i].is_used) continue;
        number[i] = d->n_variables++;
        if (!describe(b, i, factors, &variable[number[i]])) return false;
        factors += b->input[i].factor != NULL;
    }
    d->variable = variable;
    return true;
}

static bool list_terms(struct dlpi_build *b, const dlp_index *number)
{
    const struct dlpi_expansion *x = &b->terms;
    dlp_index total = 0, n = 0;
    for (dlp_index t = 0; t < x->n_terms; t++) total += x->term[t].order;
    dlp_index *begin = dlpi_pool_take(b->pool, x->n_terms + 1, sizeof *begin);
    dlp_index *variable = dlpi_pool_take(b->pool, total, sizeof *variable);
    if (!begin || !variable) return false;
    for (dlp_index t = 0; t < x->n_terms; t++) {
        begin[t] = n;
        for (dlp_index k = 0; k < x->term[t].order; k++)
            variable[n++] = number[x->term[t].variable[k]];
    }
    begin[x->n_terms] = n;
    b->design->term_begin = begin;
    b->design->term_variable = variable;
    return true;
}

/* The columns of offsets. */
static bool list_offsets(struct dlpi_build *b)
{
    dlp_design *d = b->design;
    dlp_index room = 0;
    for (dlp_index i = 0; i < b->n_offsets; i++)
        dlpi_list_columns(b, b->terms.offset[i], NULL, &room);
    dlp_index *column = dlpi_pool_take(b->pool, room, sizeof *column);
    for (dlp_index i = 0; column && i < b->n_offsets; i++)
        dlpi_list_columns(b, b->terms.offset[i], column, &d->n_offset_columns);
    d->offset_column = column;
    return column != NULL;
}

/* The columns of factors, in the order of the terms that are kept. */
static bool list_factors(struct dlpi_build *b)
{
    const dlp_index n = b->fitted ? b->fitted->n_factors : b->labels.n;
    dlp_index *column = dlpi_pool_take(b->pool, n, sizeof *column), at = 0;
    for (dlp_index i = 0; column && i < n; i++) column[i] = -1;
    for (dlp_index i = 0; column && i < b->labels.n; i++) {
        const struct dlpi_input *input = b->labelled[i];
        if (!input->factor) continue;
        const dlp_index f = b->fitted ? dlpi_name_index_find_text(&b->fitted_factors,
                                                                  input->variable->label)
                                      : at++;
        if (f >= 0 && dlpi_factor_name(input->variable->node))
            column[f] = input->factor->column;
    }
    b->design->factor_column = column;
    return column != NULL;
}

dlp_status dlpi_build_variables(struct dlpi_build *build)
{
    struct dlpi_build *b = build;
    dlp_index *number = dlpi_pool_take(b->scratch, b->terms.n_variables, sizeof *number);
    if (!number || !list_variables(b, number) || !list_terms(b, number) ||
        !list_offsets(b) || !list_factors(b))
        return dlpi_build_no_memory(b);
    return DLP_OK;
}
