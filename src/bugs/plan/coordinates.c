/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/coordinates.h"

#include "core/core.h"
#include "language/evaluate.h"
#include "language/shape.h"

#include <math.h>
#include <string.h>

enum { BEYOND = 100 };

static dlpi_expr unary(dlpi_lowering *l, dlpi_op op, dlpi_expr a)
{
    return dlpi_apply(l->builder, op, a, -1, -1);
}

static dlpi_expr binary(dlpi_lowering *l, dlpi_op op, dlpi_expr a, dlpi_expr b)
{
    return dlpi_apply(l->builder, op, a, b, -1);
}

/* ---- bounds ---- */

static bool is_infinite(const dlpi_lowering *l, dlpi_expr e)
{
    double v;
    return dlpi_is_number(l->builder, e, &v) && isinf(v);
}

static void narrow(dlpi_lowering *l, const dlpi_expr cut[2], dlpi_expr bound[2])
{
    for (int i = 0; i < 2; i++) {
        if (cut[i] < 0 || is_infinite(l, cut[i])) continue;
        bound[i] = is_infinite(l, bound[i])
                       ? cut[i]
                       : binary(l, i ? DLPI_OP_MIN : DLPI_OP_MAX, bound[i], cut[i]);
    }
}

/* The bounds of the distribution, or those of T(,) and of dinterval if narrower. */
static dlp_status lower_bounds(dlpi_lowering *l, dlp_index cell, dlpi_expr bound[2],
                               dlp_error *error)
{
    const int relation = l->graph->definer[cell];
    const dlp_index instance = l->graph->instance[cell];
    const dlpi_distribution *d = l->of[relation];
    dlpi_value params[8] = {{0}};
    dlpi_expr cut[2];
    bound[0] = dlpi_literal(l->builder, -INFINITY);
    bound[1] = dlpi_literal(l->builder, INFINITY);
    if (d->bounds) {
        if (!d->fixed_bounds)
            DLP_TRY(dlpi_lower_parameters(l, relation, instance, params, error));
        d->bounds(l->builder, params, &bound[0], &bound[1]);
    }
    DLP_TRY(dlpi_lower_truncation(l, relation, instance, cut, error));
    narrow(l, cut, bound);
    if (!l->relied_on[cell] || l->censor_relation[cell] < 0) return DLP_OK;
    DLP_TRY(dlpi_lower_censoring(l, cell, cut, error));
    narrow(l, cut, bound);
    return DLP_OK;
}

static dlp_status bounds_of(dlpi_lowering *l, dlp_index cell, dlpi_expr bound[2],
                            dlp_error *error)
{
    if (isnan(l->lower[cell]) || isnan(l->upper[cell]))
        return lower_bounds(l, cell, bound, error);
    bound[0] = dlpi_literal(l->builder, l->lower[cell]);
    bound[1] = dlpi_literal(l->builder, l->upper[cell]);
    return DLP_OK;
}

/* ---- cells by coordinates ---- */

static dlp_status bounded(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    dlpi_expr bound[2], e = dlpi_cell(l->builder, cell);
    DLP_TRY(bounds_of(l, cell, bound, error));
    if (l->domain[cell] == DLPI_DOMAIN_BETWEEN)
        e = binary(l, DLPI_OP_MUL, binary(l, DLPI_OP_SUB, bound[1], bound[0]),
                   unary(l, DLPI_OP_ILOGIT, e));
    else
        e = unary(l, DLPI_OP_EXP, e);
    dlpi_remember(l, cell,
                  l->domain[cell] == DLPI_DOMAIN_BELOW
                      ? binary(l, DLPI_OP_SUB, bound[1], e)
                      : binary(l, DLPI_OP_ADD, bound[0], e));
    return DLP_OK;
}

/* An element of a simplex whose alpha is 0 is 0 itself: it has no coordinate. */
static bool is_zero(const dlpi_lowering *l, dlp_index cell)
{
    return l->upper[cell] == 0;
}

static void simplex(dlpi_lowering *l, const dlpi_reference *of)
{
    dlpi_expr total = dlpi_literal(l->builder, 0);
    for (dlp_index k = 0; k < of->n; k++)
        if (l->domain[of->cell[k]] != DLPI_DOMAIN_DEPENDENT)
            total =
                binary(l, DLPI_OP_LOG_ADD_EXP, total, dlpi_cell(l->builder, of->cell[k]));
    for (dlp_index k = 0; k < of->n; k++) {
        const dlpi_expr u = l->domain[of->cell[k]] != DLPI_DOMAIN_DEPENDENT
                                ? dlpi_cell(l->builder, of->cell[k])
                                : dlpi_literal(l->builder, 0);
        dlpi_remember(l, of->cell[k],
                      is_zero(l, of->cell[k])
                          ? dlpi_literal(l->builder, 0)
                          : unary(l, DLPI_OP_EXP, binary(l, DLPI_OP_SUB, u, total)));
    }
}

/* Of a matrix; a number is one by one. */
static dlp_index rows_of(const dlpi_reference *of)
{
    return of->n_dim == 2 ? of->dim[0] : 1;
}

/* Entry (i, j) of the Cholesky factor L, i >= j. */
static dlpi_expr root(dlpi_lowering *l, const dlpi_reference *of, dlp_index i,
                      dlp_index j)
{
    const dlpi_expr u = dlpi_cell(l->builder, of->cell[i + j * rows_of(of)]);
    return i == j ? unary(l, DLPI_OP_EXP, u) : u;
}

static void matrix(dlpi_lowering *l, const dlpi_reference *of)
{
    const dlp_index d = rows_of(of);
    for (dlp_index j = 0; j < d; j++)
        for (dlp_index i = j; i < d && dlpi_builder_works(l->builder, j); i++) {
            dlpi_expr sum = dlpi_literal(l->builder, 0);
            for (dlp_index k = 0; k <= j; k++)
                sum =
                    binary(l, DLPI_OP_ADD, sum,
                           binary(l, DLPI_OP_MUL, root(l, of, i, k), root(l, of, j, k)));
            dlpi_remember(l, of->cell[i + j * d], sum);
            dlpi_remember(l, of->cell[j + i * d], sum);
        }
}

/* Cells that are their own coordinates, noting that they are positive or add up to 1. */
static void plain(dlpi_lowering *l, dlp_index cell, const dlpi_reference *of)
{
    const dlpi_support support = l->of[l->graph->definer[cell]]->support;
    const dlp_index d = rows_of(of);
    if (support == DLPI_SIMPLEX)
        for (dlp_index k = 0; k < of->n; k++)
            dlpi_remember(l, of->cell[k],
                          dlpi_simplex_cell(l->builder, of->cell[k], of->cell[0], of->n));
    else if (support == DLPI_POSITIVE_DEFINITE)
        for (dlp_index j = 0; j < d; j++)
            for (dlp_index i = j; i < d; i++) {
                const dlpi_expr e = dlpi_cell(l->builder, of->cell[i + j * d]);
                dlpi_remember(l, of->cell[i + j * d], e);
                dlpi_remember(l, of->cell[j + i * d], e);
            }
    else
        dlpi_remember(l, cell,
                      l->lower[cell] >= 0 ? dlpi_positive_cell(l->builder, cell)
                                          : dlpi_cell(l->builder, cell));
}

dlp_status dlpi_coordinates_of(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    dlpi_reference of;
    switch ((dlpi_domain)l->domain[cell]) {
    case DLPI_DOMAIN_ABOVE:
    case DLPI_DOMAIN_BELOW:
    case DLPI_DOMAIN_BETWEEN: return bounded(l, cell, error);
    case DLPI_DOMAIN_PLAIN:
    case DLPI_DOMAIN_SIMPLEX:
    case DLPI_DOMAIN_MATRIX:
    case DLPI_DOMAIN_DEPENDENT:
        DLP_TRY(dlpi_lower_defined(l, l->graph->definer[cell], l->graph->instance[cell],
                                   &of, error));
        if (l->domain[cell] == DLPI_DOMAIN_PLAIN)
            plain(l, cell, &of);
        else if (l->of[l->graph->definer[cell]]->support == DLPI_SIMPLEX)
            simplex(l, &of);
        else
            matrix(l, &of);
        return DLP_OK;
    case DLPI_DOMAIN_CENSORED: {
        char name[128];
        if (l->may_rely) {
            l->relied_on[cell] = l->found_relied_on = true;
            break;
        }
        dlpi_cell_name(l->graph, cell, name, sizeof name);
        return dlpi_graph_complain(
            l->graph, l->graph->of[l->graph->definer[cell]].relation->place, error,
            "%s is known only up to an interval (dinterval, dround), and other nodes "
            "depend on its value: a fit by factors cannot do that",
            name);
    }
    case DLPI_NOT_LATENT:
    case DLPI_DOMAIN_REAL:
    case DLPI_DOMAIN_DISCRETE: break;
    }
    dlpi_remember(l, cell, dlpi_cell(l->builder, cell));
    return DLP_OK;
}

/* ---- Jacobians ---- */

static dlpi_expr log_of(dlpi_lowering *l, dlp_index cell)
{
    return unary(l, DLPI_OP_LOG, l->memo[cell]);
}

/* (b - a) s (1 - s) with s the inverse logit of the coordinate */
static dlp_status between(dlpi_lowering *l, dlp_index cell, dlpi_expr *log_p,
                          dlp_error *error)
{
    const dlpi_expr u = dlpi_cell(l->builder, cell);
    dlpi_expr bound[2];
    DLP_TRY(bounds_of(l, cell, bound, error));
    const dlpi_expr width = binary(l, DLPI_OP_SUB, bound[1], bound[0]);
    *log_p = binary(l, DLPI_OP_ADD, *log_p, unary(l, DLPI_OP_LOG, width));
    *log_p = binary(l, DLPI_OP_SUB, *log_p, unary(l, DLPI_OP_LOG1P_EXP, u));
    *log_p = binary(l, DLPI_OP_SUB, *log_p,
                    unary(l, DLPI_OP_LOG1P_EXP, unary(l, DLPI_OP_NEG, u)));
    return DLP_OK;
}

dlp_status dlpi_add_jacobian(dlpi_lowering *l, dlp_index cell, dlpi_expr *log_p,
                             dlp_error *error)
{
    dlpi_reference of;
    DLP_TRY(dlpi_lower_defined(l, l->graph->definer[cell], l->graph->instance[cell], &of,
                               error));
    uint8_t domain = l->domain[cell]; /* for a simplex: of its first nonzero element */
    for (dlp_index k = 1; k < of.n && is_zero(l, of.cell[k - 1]); k++)
        domain = l->domain[of.cell[k]];
    if (domain == DLPI_DOMAIN_ABOVE || domain == DLPI_DOMAIN_BELOW)
        *log_p = binary(l, DLPI_OP_ADD, *log_p, dlpi_cell(l->builder, cell));
    if (domain == DLPI_DOMAIN_BETWEEN) return between(l, cell, log_p, error);
    if (domain != DLPI_DOMAIN_SIMPLEX && domain != DLPI_DOMAIN_MATRIX) return DLP_OK;
    if (domain == DLPI_DOMAIN_SIMPLEX) {
        for (dlp_index k = 0; k < of.n; k++)
            if (!is_zero(l, of.cell[k]))
                *log_p = binary(l, DLPI_OP_ADD, *log_p, log_of(l, of.cell[k]));
        return DLP_OK;
    }
    /* 2^d prod_i L_ii^(d - i + 2), i from 1; the coordinate is log L_ii */
    const dlp_index d = rows_of(&of);
    *log_p = binary(l, DLPI_OP_ADD, *log_p, dlpi_literal(l->builder, (double)d * log(2)));
    for (dlp_index i = 0; i < d; i++)
        *log_p =
            binary(l, DLPI_OP_ADD, *log_p,
                   binary(l, DLPI_OP_MUL, dlpi_literal(l->builder, (double)(d - i + 1)),
                          dlpi_cell(l->builder, of.cell[i + i * d])));
    return DLP_OK;
}

/* ---- which domain ---- */

static dlp_status set_scalar(dlpi_lowering *l, dlp_index cell, dlp_error *error)
{
    const int relation = l->graph->definer[cell];
    const dlpi_distribution *d = l->of[relation];
    dlpi_expr bound[2];
    l->lower[cell] = -INFINITY;
    l->upper[cell] = INFINITY;
    l->domain[cell] = DLPI_DOMAIN_REAL;
    if (d->support == DLPI_REAL && !l->relied_on[cell] &&
        l->graph->of[relation].relation->truncation == DLPI_NOT_TRUNCATED)
        return DLP_OK;
    dlpi_lower_begin(l);
    l->stamp[cell] = 0;
    DLP_TRY(lower_bounds(l, cell, bound, error));
    double v;
    l->lower[cell] = dlpi_is_number(l->builder, bound[0], &v) ? v : NAN;
    l->upper[cell] = dlpi_is_number(l->builder, bound[1], &v) ? v : NAN;
    const bool below = isinf(l->lower[cell]), above = isinf(l->upper[cell]);
    l->domain[cell] = below && above ? DLPI_DOMAIN_REAL
                      : below        ? DLPI_DOMAIN_BELOW
                      : above        ? DLPI_DOMAIN_ABOVE
                                     : DLPI_DOMAIN_BETWEEN;
    if (l->lower[cell] >= l->upper[cell])
        return dlpi_graph_complain(l->graph, l->graph->of[relation].relation->place,
                                   error, "nothing lies between the bounds %g and %g",
                                   l->lower[cell], l->upper[cell]);
    return DLP_OK;
}

static dlp_status set_matrix(dlpi_lowering *l, int relation, const dlpi_reference *of,
                             dlp_error *error)
{
    const dlp_index d = rows_of(of);
    const dlpi_relation *r = l->graph->of[relation].relation;
    if (d * d != of->n)
        return dlpi_graph_complain(l->graph, r->place, error,
                                   "the left-hand side of %s must be a square matrix",
                                   r->right->name);
    for (dlp_index j = 0; j < d; j++)
        for (dlp_index i = 0; i < d; i++)
            l->domain[of->cell[i + j * d]] =
                i >= j ? DLPI_DOMAIN_MATRIX : DLPI_DOMAIN_DEPENDENT;
    return DLP_OK;
}

/* All elements that are not 0, except the last of them, are coordinates. */
static void set_simplex(dlpi_lowering *l, int relation, dlp_index instance,
                        const dlpi_reference *of)
{
    dlpi_value params[8];
    dlp_index last = of->n - 1;
    double v;
    for (dlp_index i = 0; i < of->n; i++) {
        l->domain[of->cell[i]] = DLPI_DOMAIN_SIMPLEX;
        l->lower[of->cell[i]] = 0;
        l->upper[of->cell[i]] = 1;
    }
    dlpi_lower_begin(l);
    const dlp_index n = of->n;
    dlpi_reference again;
    const bool known =
        dlpi_lower_parameters(l, relation, instance, params, NULL) == DLP_OK &&
        params[0].n == n;
    if (dlpi_lower_defined(l, relation, instance, &again, NULL) != DLP_OK) return;
    for (dlp_index i = 0; known && i < n; i++)
        if (dlpi_is_number(l->builder, params[0].at[i], &v) && v == 0) {
            l->domain[again.cell[i]] = DLPI_DOMAIN_DEPENDENT;
            l->upper[again.cell[i]] = 0;
        }
    while (last > 0 && is_zero(l, again.cell[last])) last--;
    l->domain[again.cell[last]] = DLPI_DOMAIN_DEPENDENT;
}

static dlp_status set_domain(dlpi_lowering *l, int relation, dlp_index instance,
                             dlp_error *error)
{
    dlpi_reference of;
    DLP_TRY(dlpi_lower_defined(l, relation, instance, &of, error));
    if (l->graph->kind[of.cell[0]] != DLPI_CELL_LATENT ||
        l->domain[of.cell[0]] == DLPI_DOMAIN_CENSORED)
        return DLP_OK;
    switch (l->of[relation]->support) {
    case DLPI_REAL:
    case DLPI_INTERVAL: return set_scalar(l, of.cell[0], error);
    case DLPI_BINARY:
    case DLPI_CATEGORY:
    case DLPI_COUNT: l->domain[of.cell[0]] = DLPI_DOMAIN_DISCRETE; return DLP_OK;
    case DLPI_REAL_VECTOR:
        for (dlp_index i = 0; i < of.n; i++) l->domain[of.cell[i]] = DLPI_DOMAIN_REAL;
        return DLP_OK;
    case DLPI_SIMPLEX: set_simplex(l, relation, instance, &of); return DLP_OK;
    case DLPI_POSITIVE_DEFINITE: return set_matrix(l, relation, &of, error);
    case DLPI_COUNT_VECTOR: /* drawn if no data depend on it, else refused later */
        for (dlp_index i = 0; i < of.n; i++) l->domain[of.cell[i]] = DLPI_DOMAIN_DISCRETE;
        return DLP_OK;
    }
    return DLP_OK;
}

/* Whether a relation states the bounds between which its first argument, a variable,
   lies. */
static bool may_censor(const dlpi_lowering *l, int relation)
{
    const dlpi_distribution *d = l->of[relation];
    const dlpi_syntax *right = l->graph->of[relation].relation->right;
    return d && d->censor && right->n_args == 2 &&
           right->arg[0]->kind == DLPI_SYNTAX_VARIABLE;
}

/* The latent cells that a dinterval or dround with data censors. */
static dlp_status find_censored(dlpi_lowering *l, int relation, dlp_error *error)
{
    const dlpi_instances *of = &l->graph->of[relation];
    const dlpi_relation *r = of->relation;
    if (!may_censor(l, relation)) return DLP_OK;
    for (dlp_index i = 0; i < of->n; i++) {
        dlpi_reference ref;
        DLP_TRY(dlpi_lower_defined(l, relation, i, &ref, error));
        if (l->graph->kind[ref.cell[0]] != DLPI_CELL_OBSERVED) continue;
        DLP_TRY(dlpi_graph_refer(l->graph, r, of->loop + i * r->n_loops, r->right->arg[0],
                                 NULL, &l->cells, &ref, NULL, error));
        const dlp_index cell = ref.cell[0];
        if (ref.n != 1 || l->graph->kind[cell] != DLPI_CELL_LATENT) continue;
        l->domain[cell] = DLPI_DOMAIN_CENSORED;
        l->censor[cell] = (int32_t)i;
        l->censor_relation[cell] = relation;
    }
    return DLP_OK;
}

bool dlpi_is_censoring(dlpi_lowering *l, int relation, dlp_index instance)
{
    const dlpi_instances *of = &l->graph->of[relation];
    const dlpi_relation *r = of->relation;
    dlpi_reference ref;
    return may_censor(l, relation) &&
           dlpi_graph_refer(l->graph, r, of->loop + instance * r->n_loops,
                            r->right->arg[0], NULL, &l->cells, &ref, NULL,
                            NULL) == DLP_OK &&
           ref.n == 1 &&
           (l->domain[ref.cell[0]] == DLPI_DOMAIN_CENSORED || l->relied_on[ref.cell[0]]);
}

/* I(,) on an element of data that is missing: WinBUGS's way to say that it is
   censored. */
static dlp_status find_unknown_data(dlpi_lowering *l, int relation, dlp_error *error)
{
    const dlpi_instances *of = &l->graph->of[relation];
    if (of->relation->truncation != DLPI_TRUNCATED_I) return DLP_OK;
    for (dlp_index i = 0; i < of->n; i++) {
        dlpi_reference ref;
        DLP_TRY(dlpi_lower_defined(l, relation, i, &ref, error));
        if (ref.n != 1 || l->graph->kind[ref.cell[0]] != DLPI_CELL_LATENT ||
            !ref.array->in_data)
            continue;
        l->domain[ref.cell[0]] = DLPI_DOMAIN_CENSORED;
        l->censor_relation[ref.cell[0]] = -1;
    }
    return DLP_OK;
}

/* ---- the whole ---- */

static dlp_status allocate(dlpi_lowering *l, dlp_error *error)
{
    const dlp_index n = l->graph->n_cells;
    l->of = dlpi_calloc(l->graph->n_relations, sizeof *l->of);
    l->room =
        dlpi_calloc(n, 2 * sizeof(double) + 4 * sizeof(int32_t) + 1 + 2 * sizeof(bool));
    l->simplex = dlpi_calloc(l->graph->n_relations, sizeof *l->simplex);
    if (!l->of || !l->room || !l->simplex)
        return dlpi_no_memory(error, "the nodes of the model");
    l->lower = l->room;
    l->upper = l->lower + n;
    l->censor = (int32_t *)(void *)(l->upper + n); /* (n) each, in one allocation */
    l->censor_relation = l->censor + n;
    l->memo = l->censor_relation + n;
    l->stamp = (uint32_t *)(l->memo + n);
    l->domain = (uint8_t *)(l->stamp + n);
    l->relied_on = (bool *)(l->domain + n);
    l->open = l->relied_on + n;
    l->stopped_at = -1;
    return dlpi_builder_alloc(&l->builder, error);
}

static dlp_status find_distributions(dlpi_lowering *l, dlp_error *error)
{
    for (int r = 0; r < l->graph->n_relations; r++) {
        const dlpi_relation *relation = l->graph->of[r].relation;
        if (!relation->stochastic) continue;
        l->of[r] = dlpi_distribution_find(relation->right->name);
        if (!l->of[r])
            return dlpi_graph_complain(l->graph, relation->right->place, error,
                                       "unknown distribution '%s'",
                                       relation->right->name);
    }
    return DLP_OK;
}

static bool stop(void *listener)
{
    return dlpi_listener_poll_inside(listener);
}

dlp_status dlpi_lowering_make(const dlpi_graph *graph, dlpi_listener *listener,
                              dlpi_lowering *l, dlp_error *error)
{
    *l = (dlpi_lowering){.graph = graph, .listener = listener, .unknown = -1};
    DLP_TRY(allocate(l, error));
    if (listener) dlpi_builder_watch(l->builder, stop, listener);
    dlpi_lower_begin(l);
    DLP_TRY(find_distributions(l, error));
    for (int r = 0; r < graph->n_relations; r++)
        if (l->of[r]) {
            DLP_TRY(find_censored(l, r, error));
            DLP_TRY(find_unknown_data(l, r, error));
        }
    for (int r = 0; r < graph->n_relations; r++)
        for (dlp_index i = 0; l->of[r] && i < graph->of[r].n; i++) {
            DLP_TRY(dlpi_lowering_ask(l, error));
            DLP_TRY(set_domain(l, r, i, error));
        }
    return DLP_OK;
}

dlp_status dlpi_lowering_free_relied_on(dlpi_lowering *l, dlp_error *error)
{
    for (dlp_index c = 0; c < l->graph->n_cells; c++)
        if (l->relied_on[c]) DLP_TRY(set_scalar(l, c, error));
    l->found_relied_on = false;
    return DLP_OK;
}

void dlpi_lowering_clear(dlpi_lowering *l)
{
    dlpi_builder_free(l->builder);
    free((void *)l->of);
    free(l->room);
    free(l->simplex);
    free(l->cells.cell);
    free(l->waiting.cell);
    *l = (dlpi_lowering){0};
}

/* ---- states ---- */

/* The largest count in the data. */
static double largest_count(const dlpi_lowering *l)
{
    const dlpi_graph *g = l->graph;
    double most = 0;
    for (dlp_index c = 0; c < g->n_cells; c++)
        if (g->kind[c] == DLPI_CELL_OBSERVED && g->definer[c] >= 0 &&
            l->of[g->definer[c]] && l->of[g->definer[c]]->support == DLPI_COUNT)
            most = fmax(most, g->value[c]);
    return most;
}

/* If there is no bound: as far beyond the data as is usual for abundances. */
static double usual_bound(double largest)
{
    return largest + fmax(BEYOND, 2 * largest);
}

/* Needs only the number of probabilities: their values may depend on another discrete
   node. */
static bool count_categories(const dlpi_lowering *l, dlp_index cell, double *n)
{
    const dlpi_instances *of = &l->graph->of[l->graph->definer[cell]];
    const dlpi_relation *r = of->relation;
    dlpi_evaluator e = {.graph = l->graph,
                        .relation = r,
                        .loop =
                            of->loop + (dlp_index)l->graph->instance[cell] * r->n_loops,
                        .unknown = -1};
    dlpi_shape shape;
    const bool known =
        r->right->n_args > 0 && dlpi_shape_of(&e, r->right->arg[0], &shape);
    if (known) *n = (double)shape.n;
    free(e.stack);
    return known;
}

dlp_status dlpi_lowering_ask(const dlpi_lowering *l, dlp_error *error)
{
    if (!l->listener || !dlpi_listener_poll_inside(l->listener)) return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
}

/* The largest value of a bound that depends on other discrete cells, as in dbin(p, N);
   infinite: unknown. */
static double largest_of(dlpi_lowering *l, dlpi_expr e)
{
    enum { DEEPEST = 200 };
    const dlpi_expr_node node = *dlpi_builder_node(l->builder, e);
    double v[2] = {INFINITY, INFINITY}, first;
    if (dlpi_is_number(l->builder, e, &v[0]) || l->bound_depth > DEEPEST) return v[0];
    l->bound_depth++;
    if (node.op == DLPI_OP_CELL && l->domain[node.cell] == DLPI_DOMAIN_DISCRETE) {
        if (dlpi_lower_states(l, node.cell, &first, &v[0], NULL) != DLP_OK)
            v[0] = INFINITY;
    } else if (node.op == DLPI_OP_ADD || node.op == DLPI_OP_MIN) {
        for (int i = 0; i < 2; i++) v[i] = largest_of(l, node.arg[i]);
        v[0] = node.op == DLPI_OP_ADD ? v[0] + v[1] : fmin(v[0], v[1]);
    }
    l->bound_depth--;
    return v[0];
}

/* The first and the last whole number that its bounds allow; infinite: the last is not
   known. */
static dlp_status bounds_of_count(dlpi_lowering *l, dlp_index cell, double *first,
                                  double *last, dlp_error *error)
{
    dlpi_expr bound[2];
    DLP_TRY(lower_bounds(l, cell, bound, error));
    if (!dlpi_is_number(l->builder, bound[0], first) || !(*first > 0)) *first = 0;
    *first = ceil(*first);
    if (dlpi_is_number(l->builder, bound[1], last) && *last == INFINITY)
        *last = usual_bound(fmax(*first, largest_count(l)));
    else
        *last = floor(largest_of(l, bound[1]));
    return DLP_OK;
}

dlp_status dlpi_lower_states(dlpi_lowering *l, dlp_index cell, double *first,
                             double *last, dlp_error *error)
{
    const int relation = l->graph->definer[cell];
    const dlpi_distribution *d = l->of[relation];
    const dlpi_relation *r = l->graph->of[relation].relation;
    dlpi_value params[8];
    char name[128];
    *first = 0;
    *last = 1;
    dlpi_cell_name(l->graph, cell, name, sizeof name);
    if (d->support == DLPI_BINARY) return DLP_OK;
    if (d->support == DLPI_CATEGORY) {
        *first = 1;
        if (count_categories(l, cell, last)) return DLP_OK;
        DLP_TRY(
            dlpi_lower_parameters(l, relation, l->graph->instance[cell], params, error));
        *last = (double)params[0].n;
        return DLP_OK;
    }
    if (d->support == DLPI_COUNT) {
        DLP_TRY(bounds_of_count(l, cell, first, last, error));
        if (*last < *first)
            return dlpi_graph_complain(
                l->graph, r->place, error,
                "%s has no possible value: its bounds leave no whole number", name);
        if (isfinite(*last)) return DLP_OK;
    }
    return dlpi_graph_complain(
        l->graph, r->place, error,
        "%s is discrete and has no known bound, so its values cannot be summed over; add "
        "T(,m), with a number m that it almost never exceeds",
        name);
}

bool dlpi_is_cut_off(dlpi_lowering *l, dlp_index cell)
{
    dlpi_expr bound[2];
    double last;
    dlpi_lower_begin(l);
    return l->of[l->graph->definer[cell]]->support == DLPI_COUNT &&
           lower_bounds(l, cell, bound, NULL) == DLP_OK &&
           dlpi_is_number(l->builder, bound[1], &last) && last == INFINITY;
}
