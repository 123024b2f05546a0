/* SPDX-License-Identifier: BSD-3-Clause */
/* log p, instance by instance; of those with discrete nodes, state by state. */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"

#include <math.h>
#include <string.h>

enum { MOST_STATES = 65536, MOST_DISCRETE = 16 };

typedef struct states {
    int n;
    int32_t q[MOST_DISCRETE];
} states;

/* A state that is impossible whatever the rest is. A joint state of two nodes that is
   impossible cannot be expressed with independent factors. */
static dlp_status forbid(dlpi_meanfield *mf, int relation, const states *s,
                         const int32_t *indicator, dlp_error *error)
{
    if (s->n == 1) {
        if (mf->impossible) mf->impossible[indicator[0]] = true;
        return DLP_OK;
    }
    const dlpi_graph *g = mf->factors->lowering->graph;
    return dlpi_advise(
        error, DLP_REMEDY_HYPER_INTEGRATE,
        dlpi_graph_complain(g, g->of[relation].relation->place, error,
                            "some values of discrete nodes exclude each other here, so "
                            "the nodes cannot be "
                            "independent factors; fit the model without factors"));
}

/* log p is a number that is not finite, or becomes so: a term of a sum is -INFINITY. */
static bool is_impossible(const dlpi_builder *b, dlpi_expr e, double infinity, int depth)
{
    double v;
    if (dlpi_is_number(b, e, &v)) return v == infinity || isnan(v);
    const dlpi_expr_node *node = dlpi_builder_node(b, e);
    if (depth == 0) return false;
    switch (node->op) {
    case DLPI_OP_ADD:
        return is_impossible(b, node->arg[0], infinity, depth - 1) ||
               is_impossible(b, node->arg[1], infinity, depth - 1);
    case DLPI_OP_SUB:
        return is_impossible(b, node->arg[0], infinity, depth - 1) ||
               is_impossible(b, node->arg[1], -infinity, depth - 1);
    case DLPI_OP_NEG: return is_impossible(b, node->arg[0], -infinity, depth - 1);
    default: return false;
    }
}

static dlp_status add_state(dlpi_meanfield *mf, const dlpi_discrete_factor *d,
                            const states *s, const int32_t *indicator, dlp_error *error)
{
    dlpi_lowering *l = mf->factors->lowering;
    dlpi_expr e;
    dlpi_lower_begin(l);
    for (int i = 0; i < s->n; i++) {
        const dlpi_q *q = &mf->q[s->q[i]];
        dlpi_lower_assign(l, mf->cell[q->first],
                          q->low + (double)(indicator[i] - q->stat));
    }
    DLP_TRY(dlpi_lower_density(l, d->relation, d->instance, &e, error));
    if (is_impossible(l->builder, e, -INFINITY, 8))
        return forbid(mf, d->relation, s, indicator, error);
    return dlpi_meanfield_expand(mf, d->relation, e, s->n, indicator, error);
}

static dlp_status add_discrete(dlpi_meanfield *mf, const dlpi_discrete_factor *d,
                               dlp_error *error)
{
    const dlpi_factors *f = mf->factors;
    const dlpi_relation *r = f->lowering->graph->of[d->relation].relation;
    states s = {0};
    double total = 1;
    for (int i = 0; i < d->n; i++) {
        const int32_t q = mf->q_of[f->scope[d->first + i]];
        if (q < 0 || mf->q[q].family != DLPI_CATEGORICAL) continue;
        total *= mf->q[q].n_stats;
        if (s.n == MOST_DISCRETE || total > MOST_STATES)
            return dlpi_graph_complain(f->lowering->graph, r->place, error,
                                       "this depends on too many discrete nodes at once "
                                       "(more than %d joint states)",
                                       (int)MOST_STATES);
        s.q[s.n++] = q;
    }
    for (dlp_index entry = 0; entry < (dlp_index)total; entry++) {
        int32_t indicator[MOST_DISCRETE];
        dlp_index rest = entry;
        for (int i = 0; i < s.n; i++) {
            const dlpi_q *q = &mf->q[s.q[i]];
            indicator[i] = (int32_t)(q->stat + rest % q->n_stats);
            rest /= q->n_stats;
        }
        DLP_TRY(add_state(mf, d, &s, indicator, error));
    }
    return DLP_OK;
}

static dlp_status add_instance(dlpi_meanfield *mf, int relation, dlp_index instance,
                               dlp_error *error)
{
    dlpi_lowering *l = mf->factors->lowering;
    dlpi_reference of;
    dlpi_expr e;
    DLP_TRY(dlpi_lower_defined(l, relation, instance, &of, error));
    const dlp_index cell = of.cell[0];
    const int32_t node = mf->factors->node_of[cell];
    if (node >= 0 && !mf->factors->node[node].alive) return DLP_OK;
    if (l->graph->kind[cell] == DLPI_CELL_OBSERVED &&
        dlpi_is_censoring(l, relation, instance))
        return DLP_OK;
    dlpi_lower_begin(l);
    DLP_TRY(dlpi_lower_density(l, relation, instance, &e, error));
    return dlpi_meanfield_expand(mf, relation, e, 0, NULL, error);
}

/* (relation, instance) of factors with discrete nodes, in the order of the list. */
static bool is_discrete(const dlpi_factors *f, dlp_index *next, int relation,
                        dlp_index instance)
{
    if (*next < f->n_discrete && f->discrete[*next].relation == relation &&
        f->discrete[*next].instance == instance) {
        ++*next;
        return true;
    }
    return false;
}

dlp_status dlpi_meanfield_terms(dlpi_meanfield *mf, bool sample, dlp_error *error)
{
    enum { FEW = 2 };
    const dlpi_factors *f = mf->factors;
    const dlpi_lowering *l = f->lowering;
    dlp_index next = 0;
    for (int r = 0; r < l->graph->n_relations; r++)
        for (dlp_index i = 0; l->of[r] && i < l->graph->of[r].n; i++) {
            const bool discrete = is_discrete(f, &next, r, i);
            if (sample && i >= FEW && i + 1 < l->graph->of[r].n) continue;
            if (!discrete)
                DLP_TRY(add_instance(mf, r, i, error));
            else if (f->discrete[next - 1].alive)
                DLP_TRY(add_discrete(mf, &f->discrete[next - 1], error));
        }
    return DLP_OK;
}
