/* SPDX-License-Identifier: BSD-3-Clause */
/* The factors of q: which nodes share one, and of which family each is. */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"

#include <string.h>

/* ---- what was asked for ---- */

static dlp_status read_way(const char *word, dlpi_way *way, dlp_error *error)
{
    static const char *const name[] = {NULL, "laplace", "delta", "conjugate"};
    for (int i = DLPI_LAPLACE; i <= DLPI_CONJUGATE; i++)
        if (strcmp(word, name[i]) == 0) {
            *way = (dlpi_way)i;
            return DLP_OK;
        }
    return dlp_fail(error, DLP_EINPUT,
                    "'%s' is not a method for a node; choose laplace, delta or conjugate",
                    word);
}

/* Whether a relation defines a cell that has no data. */
static bool is_latent(const dlpi_graph *g, int relation)
{
    for (dlp_index c = 0; c < g->n_cells; c++)
        if (g->definer[c] == relation && g->kind[c] == DLPI_CELL_LATENT) return true;
    return false;
}

static dlp_status read_node(dlpi_meanfield *mf, const dlpi_graph *g, const char *text,
                            dlp_error *error)
{
    const size_t size = strcspn(text, "=");
    dlpi_way way = DLPI_ANY_WAY;
    bool found = false, latent = false;
    if (!text[size])
        return dlp_fail(error, DLP_EINPUT,
                        "'%s' names no method; write, for example, tau=delta", text);
    DLP_TRY(read_way(text + size + 1, &way, error));
    for (int r = 0; r < g->n_relations; r++) {
        const dlpi_relation *relation = g->of[r].relation;
        if (!relation->stochastic || strlen(relation->left->name) != size ||
            memcmp(relation->left->name, text, size) != 0)
            continue;
        mf->way[r] = (uint8_t)way;
        found = true;
        latent |= is_latent(g, r);
    }
    if (found && !latent)
        return dlp_fail(error, DLP_EINPUT, "'%.*s' is observed, so it needs no method",
                        (int)size, text);
    if (found) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT,
        "'%.*s' is not a variable with a distribution: methods are chosen for "
        "whole variables",
        (int)size, text);
}

/* ---- candidates ---- */

/* The family that a cell may have, by its values; DLPI_GAUSSIAN: none. */
static dlpi_q_family family_of(const dlpi_lowering *l, uint8_t domain, dlp_index cell)
{
    const int r = l->graph->definer[cell];
    const bool cut = l->graph->of[r].relation->truncation != DLPI_NOT_TRUNCATED;
    switch ((dlpi_domain)domain) {
    case DLPI_DOMAIN_REAL:
        return l->of[r]->support == DLPI_REAL && !cut ? DLPI_NORMAL : DLPI_GAUSSIAN;
    case DLPI_DOMAIN_ABOVE:
        return l->lower[cell] == 0 && !cut ? DLPI_GAMMA : DLPI_GAUSSIAN;
    case DLPI_DOMAIN_BETWEEN:
        if (l->lower[cell] != 0 || cut) return DLPI_GAUSSIAN;
        return l->upper[cell] == 1  ? DLPI_BETA
               : l->upper[cell] > 0 ? DLPI_SCALE /* not NaN */
                                    : DLPI_GAUSSIAN;
    case DLPI_DOMAIN_SIMPLEX: return DLPI_DIRICHLET;
    case DLPI_DOMAIN_MATRIX: return DLPI_WISHART;
    case DLPI_DOMAIN_DISCRETE: return DLPI_CATEGORICAL;
    default: return DLPI_GAUSSIAN;
    }
}

/* Makes the cells of a relation their own coordinates (`plain`), or restores what they
   were. */
static void set_domains(dlpi_meanfield *mf, dlpi_lowering *l, int relation, bool plain)
{
    for (dlp_index c = 0; c < l->graph->n_cells; c++) {
        const uint8_t was = mf->domain[c];
        if (l->graph->definer[c] != relation || was == DLPI_DOMAIN_CENSORED ||
            was == DLPI_DOMAIN_DISCRETE || was == DLPI_NOT_LATENT ||
            was == DLPI_DOMAIN_REAL)
            continue;
        const bool part = was == DLPI_DOMAIN_DEPENDENT; /* of a node with a family */
        l->domain[c] = plain && (part || family_of(l, was, c) != DLPI_GAUSSIAN)
                           ? DLPI_DOMAIN_PLAIN
                           : was;
    }
}

/* Whether all cells of a relation can have a family: their bounds may differ, if only
   some are truncated. */
static bool has_family(const dlpi_meanfield *mf, const dlpi_lowering *l, int relation)
{
    for (dlp_index c = 0; c < l->graph->n_cells; c++) {
        const uint8_t was = mf->domain[c];
        if (l->graph->definer[c] != relation || was == DLPI_DOMAIN_CENSORED ||
            was == DLPI_DOMAIN_DEPENDENT || was == DLPI_NOT_LATENT)
            continue;
        if (family_of(l, was, c) == DLPI_GAUSSIAN) return false;
    }
    return true;
}

dlp_status dlpi_meanfield_prepare(dlpi_meanfield *mf, dlpi_lowering *l, dlp_error *error)
{
    const dlp_bugs_settings *s = mf->settings;
    const dlpi_graph *g = l->graph;
    mf->domain = dlpi_calloc(g->n_cells, 1);
    mf->way = dlpi_calloc(g->n_relations, 4);
    mf->because = dlpi_calloc(g->n_relations, sizeof *mf->because);
    if (!mf->domain || !mf->way || !mf->because)
        return dlpi_no_memory(error, "the factors of q");
    mf->is_scale = mf->way + g->n_relations;
    mf->gaussian = (bool *)(mf->is_scale + g->n_relations);
    mf->broken = mf->gaussian + g->n_relations;
    memcpy(mf->domain, l->domain, (size_t)g->n_cells);
    for (int i = 0; i < s->n_nodes; i++) DLP_TRY(read_node(mf, g, s->node[i], error));
    for (int r = 0; r < g->n_relations; r++) {
        if (!l->of[r]) continue;
        mf->gaussian[r] = mf->way[r] == DLPI_LAPLACE || mf->way[r] == DLPI_DELTA ||
                          !has_family(mf, l, r);
        mf->because[r] = -1;
        set_domains(mf, l, r, !mf->gaussian[r]);
    }
    memset(l->simplex, 0, (size_t)g->n_relations * sizeof *l->simplex);
    return DLP_OK;
}

/* ---- what is no location ---- */

/* Whether parameter i of a distribution sets the location of its values rather than their
   spread. */
static bool is_location(const dlpi_distribution *d, int i)
{
    return d->location == DLPI_EVERY_PARAMETER || d->location == i;
}

/* Sets discrete cells on which indices depend to their first states. */
static dlp_status lower_parameters(dlpi_meanfield *mf, int relation, dlp_index instance,
                                   dlpi_value *params, dlp_error *error)
{
    dlpi_lowering *l = mf->factors->lowering;
    dlp_index held[16];
    int n = 0;
    for (;;) {
        dlpi_lower_begin(l);
        for (int i = 0; i < n; i++) {
            double low, high;
            DLP_TRY(dlpi_lower_states(l, held[i], &low, &high, error));
            dlpi_lower_assign(l, held[i], low);
        }
        const dlp_status status =
            dlpi_lower_parameters(l, relation, instance, params, error);
        if (status == DLP_OK || l->unknown < 0 || n == 16) return status;
        held[n++] = l->unknown;
    }
}

static dlp_status look_at(dlpi_meanfield *mf, int relation, dlp_index instance,
                          uint8_t *seen, dlp_error *error)
{
    dlpi_lowering *l = mf->factors->lowering;
    dlpi_value params[8];
    DLP_TRY(lower_parameters(mf, relation, instance, params, error));
    const int n = l->graph->of[relation].relation->right->n_args;
    for (int i = 0; i < n; i++)
        for (dlp_index k = 0; k < params[i].n; k++) {
            dlpi_program_draft *draft = &mf->factors->draft;
            DLP_TRY(dlpi_program_make(l->builder, params[i].at[k], draft, error));
            for (int j = 0; j < draft->program.n_inputs; j++)
                if (draft->cell[j] >= 0)
                    seen[l->graph->definer[draft->cell[j]]] |=
                        is_location(l->of[relation], i) ? 1 : 2;
        }
    return DLP_OK;
}

dlp_status dlpi_meanfield_find_scales(dlpi_meanfield *mf, dlp_error *error)
{
    const dlpi_lowering *l = mf->factors->lowering;
    enum { FEW = 3 };
    for (int r = 0; r < l->graph->n_relations; r++)
        for (dlp_index i = 0; l->of[r] && i < l->graph->of[r].n && i < FEW; i++)
            DLP_TRY(look_at(mf, r, i, mf->is_scale, error));
    for (int r = 0; r < l->graph->n_relations; r++)
        mf->is_scale[r] = mf->is_scale[r] == 2;
    return DLP_OK;
}

/* ---- the factors ---- */

static bool in_block(const dlpi_meanfield *mf, const dlpi_node *node, dlp_index cell)
{
    return !mf->scalar && !node->discrete && mf->domain[cell] == DLPI_DOMAIN_REAL &&
           !mf->is_scale[node->relation];
}

static void put_cell(dlpi_meanfield *mf, dlpi_q *q, int32_t at, dlp_index *n_cells,
                     int32_t cell)
{
    mf->cell[(*n_cells)++] = cell;
    mf->q_of[cell] = at;
    mf->place[cell] = q->n++;
}

/* All locations are one Gaussian. */
static dlp_status add_block(dlpi_meanfield *mf, dlp_index *n_cells, dlp_error *error)
{
    const dlpi_factors *f = mf->factors;
    dlpi_q *q = &mf->q[0];
    int named = -1;
    *q = (dlpi_q){.family = DLPI_GAUSSIAN, .block = true, .relation = -1};
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        if (!node->alive || !in_block(mf, node, f->node_cell[node->first])) continue;
        if (q->relation < 0) q->relation = node->relation;
        const dlpi_way way = (dlpi_way)mf->way[node->relation];
        if (way != DLPI_ANY_WAY && q->way != DLPI_ANY_WAY && way != q->way)
            return dlpi_advise(
                error, DLP_REMEDY_SCALAR_FACTORS,
                dlpi_graph_complain(
                    f->lowering->graph,
                    f->lowering->graph->of[node->relation].relation->place, error,
                    "%s shares a Gaussian with %s, and so its method: name one for both, "
                    "or "
                    "give every node a factor of its own",
                    f->lowering->graph->of[node->relation].relation->left->name,
                    f->lowering->graph->of[named].relation->left->name));
        if (way != DLPI_ANY_WAY) {
            q->way = way;
            named = node->relation;
        }
        for (int i = 0; i < node->n; i++)
            put_cell(mf, q, 0, n_cells, f->node_cell[node->first + i]);
    }
    mf->n_q = q->n > 0;
    return DLP_OK;
}

static dlp_status size_family(dlpi_meanfield *mf, dlpi_q *q, dlp_error *error)
{
    double low, high;
    switch (q->family) {
    case DLPI_GAUSSIAN:
    case DLPI_N_FAMILIES: q->n_stats = 0; break;
    case DLPI_NORMAL:
    case DLPI_GAMMA:
    case DLPI_SCALE:
    case DLPI_BETA: q->n_stats = 2; break;
    case DLPI_DIRICHLET: q->n_stats = q->n; break;
    case DLPI_WISHART:
        while (q->size * q->size < q->n) q->size++;
        q->n_stats = q->size * (q->size + 1) / 2 + 1;
        break;
    case DLPI_CATEGORICAL:
        dlpi_lower_begin(mf->factors->lowering);
        DLP_TRY(dlpi_lower_states(mf->factors->lowering, mf->cell[q->first], &low, &high,
                                  error));
        q->low = low;
        q->n_stats = (int32_t)(high - low) + 1;
        break;
    }
    return DLP_OK;
}

/* Makes a node a factor of its own, with all elements of a vector. */
static dlp_status add_node(dlpi_meanfield *mf, const dlpi_node *node, dlp_index *n_cells,
                           dlp_error *error)
{
    const dlpi_factors *f = mf->factors;
    const dlpi_lowering *l = f->lowering;
    const int32_t at = (int32_t)mf->n_q;
    dlpi_q *q = &mf->q[mf->n_q++];
    dlpi_reference of;
    *q = (dlpi_q){.relation = node->relation,
                  .first = *n_cells,
                  .way = (dlpi_way)mf->way[node->relation]};
    DLP_TRY(dlpi_lower_defined(mf->factors->lowering, node->relation, node->instance, &of,
                               error));
    for (dlp_index i = 0; i < of.n; i++)
        if (l->domain[of.cell[i]] != DLPI_DOMAIN_DEPENDENT)
            put_cell(mf, q, at, n_cells, (int32_t)of.cell[i]);
    const dlp_index cell = mf->cell[q->first];
    q->family = mf->gaussian[node->relation] ? DLPI_GAUSSIAN
                                             : family_of(l, mf->domain[cell], cell);
    if (q->family == DLPI_NORMAL && q->n > 1) q->family = DLPI_GAUSSIAN;
    return size_family(mf, q, error);
}

/* A discrete node can only be categorical. */
static dlp_status check_discrete(const dlpi_meanfield *mf, const dlpi_node *node,
                                 dlp_error *error)
{
    const dlpi_relation *r = mf->factors->lowering->graph->of[node->relation].relation;
    const uint8_t way = mf->way[node->relation];
    if (way == DLPI_ANY_WAY || way == DLPI_CONJUGATE) return DLP_OK;
    return dlpi_graph_complain(
        mf->factors->lowering->graph, r->place, error,
        "%s is discrete: it has a table of probabilities; laplace and delta do not apply",
        r->left->name);
}

static dlp_status count_places(dlpi_meanfield *mf, dlp_error *error)
{
    dlp_index stats = 0, coordinates = 0;
    for (dlp_index i = 0; i < mf->n_q; i++) {
        dlpi_q *q = &mf->q[i];
        q->stat = stats;
        stats += q->n_stats;
        q->at = coordinates;
        if (q->family == DLPI_GAUSSIAN) coordinates += q->n;
    }
    if (stats >= INT32_MAX)
        return dlp_fail(error, DLP_EINPUT, "more than 2^31 states of discrete nodes");
    mf->n_stats = stats;
    mf->n_coordinates = coordinates;
    return DLP_OK;
}

dlp_status dlpi_meanfield_number(dlpi_meanfield *mf, dlp_error *error)
{
    const dlpi_factors *f = mf->factors;
    const dlp_index n = f->lowering->graph->n_cells;
    dlp_index n_cells = 0;
    if (!mf->q) {
        mf->q = dlpi_calloc(f->n_nodes + 1, sizeof *mf->q);
        mf->cell = dlpi_calloc(3 * n + 1, sizeof *mf->cell);
        if (!mf->q || !mf->cell) return dlpi_no_memory(error, "the factors of q");
        mf->q_of = mf->cell + n + 1;
        mf->place = mf->q_of + n;
    }
    mf->n_q = 0;
    for (dlp_index c = 0; c < n; c++) mf->q_of[c] = -1;
    DLP_TRY(add_block(mf, &n_cells, error));
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const dlpi_node *node = &f->node[k];
        if (!node->alive || in_block(mf, node, f->node_cell[node->first])) continue;
        if (node->discrete) DLP_TRY(check_discrete(mf, node, error));
        DLP_TRY(add_node(mf, node, &n_cells, error));
    }
    return count_places(mf, error);
}

dlp_status dlpi_meanfield_mend(dlpi_meanfield *mf, bool *changed, dlp_error *error)
{
    dlpi_lowering *l = mf->factors->lowering;
    const dlpi_graph *g = l->graph;
    *changed = false;
    for (int r = 0; r < g->n_relations; r++) {
        if (!mf->broken[r]) continue;
        const dlpi_relation *relation = g->of[r].relation, *by = relation;
        if (mf->because[r] >= 0) by = g->of[mf->because[r]].relation;
        if (mf->way[r] == DLPI_CONJUGATE)
            return dlpi_graph_complain(
                g, relation->place, error,
                "%s is not conjugate: because of line %d, its density given all other "
                "nodes belongs to no known family; use laplace or delta",
                relation->left->name, by->place.line);
        mf->broken[r] = false;
        mf->gaussian[r] = true;
        set_domains(mf, l, r, false);
        *changed = true;
    }
    if (*changed) memset(l->simplex, 0, (size_t)g->n_relations * sizeof *l->simplex);
    return DLP_OK;
}
