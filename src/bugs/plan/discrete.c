/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums out discrete cells. The factors of each component become tables of expressions;
 * cells are eliminated one after the other, the one with the smallest table first (on a
 * chain: forward sums). What is left is one expression in the coordinates.
 */
#include "bugs/plan/discrete.h"
#include "core/core.h"

#include <math.h>
#include <string.h>

enum { MOST_ENTRIES = DLPI_MOST_ENTRIES, MOST_CELLS = DLPI_MOST_TABLE_CELLS };
/* About a second. Tables of fewer entries take no more. */
enum { MOST_WORK = 100000000, FEW_ENTRIES = 1024 };

#define WAY_ROUND "; bound counts with T(,m), or fit independent factors"

typedef dlpi_table table;
typedef dlpi_component component;

void dlpi_component_clear(component *c)
{
    for (int i = 0; i < c->n_tables; i++) free(c->tables[i].log_p);
    free(c->tables);
    free(c->cell);
    free(c->low);
    free(c->states);
    free(c->held);
    free(c->gone);
    *c = (component){0};
}

static int index_of(const component *c, dlp_index cell)
{
    for (int i = 0; i < c->n_cells; i++)
        if (c->cell[i] == cell) return i;
    return -1;
}

static dlp_status add_cell(component *c, dlp_index cell, dlp_error *error)
{
    if (index_of(c, cell) >= 0) return DLP_OK;
    if (c->n_cells == c->cells_room) {
        const int room = 2 * c->cells_room + 16;
        int32_t *to = realloc(c->cell, (size_t)room * sizeof *to);
        if (to) c->cell = to;
        double *low = realloc(c->low, (size_t)room * sizeof *low);
        if (low) c->low = low;
        int *states = realloc(c->states, (size_t)room * sizeof *states);
        if (states) c->states = states;
        double *held = realloc(c->held, (size_t)room * sizeof *held);
        if (held) c->held = held;
        bool *gone = realloc(c->gone, (size_t)room * sizeof *gone);
        if (gone) c->gone = gone;
        if (!to || !low || !states || !held || !gone)
            return dlpi_no_memory(error, "discrete nodes");
        c->cells_room = room;
    }
    double low, high;
    DLP_TRY(dlpi_lower_states(c->f->lowering, cell, &low, &high, error));
    if (high - low + 1 > MOST_ENTRIES)
        return dlpi_advise(
            error, DLP_REMEDY_HYPER_FACTOR,
            dlp_fail(error, DLP_EINPUT,
                     "a discrete node with %.0f values: too many to sum over" WAY_ROUND,
                     high - low + 1));
    c->cell[c->n_cells] = (int32_t)cell;
    c->low[c->n_cells] = low;
    c->states[c->n_cells] = (int)(high - low) + 1;
    c->held[c->n_cells] = NAN;
    c->gone[c->n_cells++] = false;
    return DLP_OK;
}

dlp_status dlpi_component_table(component *c, int n, const int *cells, table **out,
                                dlp_error *error)
{
    char name[128];
    if (c->n_tables == c->tables_room) {
        const int room = 2 * c->tables_room + 16;
        table *to = realloc(c->tables, (size_t)room * sizeof *to);
        if (!to) return dlpi_no_memory(error, "discrete nodes");
        c->tables = to;
        c->tables_room = room;
    }
    table t = {.n = n, .size = 1};
    bool large = n > MOST_CELLS;
    for (int i = 0; i < n && !large; i++) {
        t.cell[i] = cells[i];
        t.size *= c->states[cells[i]];
        large = t.size > MOST_ENTRIES;
    }
    if (large) {
        dlpi_cell_name(c->f->lowering->graph, c->cell[cells[0]], name, sizeof name);
        return dlpi_advise(
            error, DLP_REMEDY_HYPER_FACTOR,
            dlp_fail(error, DLP_EINPUT,
                     "%s and the discrete nodes that it is tied to have too "
                     "many joint states to sum over (more than %d)" WAY_ROUND,
                     name, (int)MOST_ENTRIES));
    }
    t.log_p = dlpi_calloc(t.size, sizeof *t.log_p);
    if (!t.log_p) return dlpi_no_memory(error, "discrete nodes");
    c->tables[c->n_tables] = t;
    *out = &c->tables[c->n_tables++];
    return DLP_OK;
}

/* ---- the tables of factors ---- */

static bool is_impossible(const component *c, dlpi_expr e)
{
    double v;
    return dlpi_is_number(c->f->lowering->builder, e, &v) && v == -INFINITY;
}

/* Whether e is `infinity` because a term of a sum is, whatever the other terms are: the
   log density of more successes than trials, for example, also has terms in p. */
static bool has_infinite_term(const dlpi_builder *b, dlpi_expr e, double infinity,
                              int depth)
{
    double v;
    if (dlpi_is_number(b, e, &v)) return v == infinity || isnan(v);
    const dlpi_expr_node *node = dlpi_builder_node(b, e);
    if (depth == 0) return false;
    switch (node->op) {
    case DLPI_OP_LGAMMA: /* at -m, where 1 / gamma is 0 */
        return infinity > 0 && dlpi_is_number(b, node->arg[0], &v) && v <= 0;
    case DLPI_OP_ADD:
        return has_infinite_term(b, node->arg[0], infinity, depth - 1) ||
               has_infinite_term(b, node->arg[1], infinity, depth - 1);
    case DLPI_OP_SUB:
        return has_infinite_term(b, node->arg[0], infinity, depth - 1) ||
               has_infinite_term(b, node->arg[1], -infinity, depth - 1);
    case DLPI_OP_NEG: return has_infinite_term(b, node->arg[0], -infinity, depth - 1);
    default: return false;
    }
}

static double state_of(const component *c, const table *t, dlp_index entry, int i)
{
    for (int k = 0; k < i; k++) entry /= c->states[t->cell[k]];
    return c->low[t->cell[i]] + (double)(entry % c->states[t->cell[i]]);
}

static dlp_status fill_entry(component *c, const dlpi_discrete_factor *d, table *t,
                             dlp_index entry, dlp_error *error)
{
    dlpi_lowering *l = c->f->lowering;
    DLP_TRY(dlpi_lowering_ask(l, error));
    dlpi_lower_forget(l);
    for (int i = 0; i < t->n; i++) {
        const double state = state_of(c, t, entry, i), held = c->held[t->cell[i]];
        if (!isnan(held) && held != state) {
            t->log_p[entry] = dlpi_literal(l->builder, -INFINITY);
            return DLP_OK;
        }
        dlpi_lower_assign(l, c->cell[t->cell[i]], state);
    }
    DLP_TRY(dlpi_lower_density(l, d->relation, d->instance, &t->log_p[entry], error));
    if (has_infinite_term(l->builder, t->log_p[entry], -INFINITY, 8))
        t->log_p[entry] = dlpi_literal(l->builder, -INFINITY);
    return DLP_OK;
}

/* Every state looks at all elements of the parameters: of dinterval there are as many cut
   points as states. (Those of dcat are looked up.) */
static dlp_status check_work(const component *c, const dlpi_discrete_factor *d,
                             const table *t, dlp_error *error)
{
    dlpi_lowering *l = c->f->lowering;
    dlpi_value params[8];
    dlp_index elements = 0;
    if (t->size < FEW_ENTRIES || l->of[d->relation]->support == DLPI_CATEGORY)
        return DLP_OK;
    dlpi_lower_forget(l);
    for (int i = 0; i < t->n; i++)
        dlpi_lower_assign(l, c->cell[t->cell[i]], state_of(c, t, 0, i));
    DLP_TRY(dlpi_lower_parameters(l, d->relation, d->instance, params, error));
    for (int i = 0; i < 8; i++) elements += params[i].n;
    if ((double)t->size * (double)elements <= MOST_WORK) return DLP_OK;
    return dlpi_advise(
        error, DLP_REMEDY_HYPER_FACTOR,
        dlpi_graph_complain(l->graph, l->graph->of[d->relation].relation->place, error,
                            "%td joint states of discrete unknowns, and %td numbers to "
                            "look at in each: too many to sum over" WAY_ROUND,
                            t->size, elements));
}

static dlp_status fill_table(component *c, const dlpi_discrete_factor *d,
                             dlp_error *error)
{
    int cells[MOST_CELLS], n = 0;
    table *t;
    for (int i = 0; i < d->n; i++) {
        const int at = index_of(c, c->f->scope[d->first + i]);
        if (at < 0) continue;
        if (n == MOST_CELLS)
            return dlpi_advise(
                error, DLP_REMEDY_HYPER_FACTOR,
                dlpi_graph_complain(
                    c->f->lowering->graph,
                    c->f->lowering->graph->of[d->relation].relation->place, error,
                    "this depends on more than %d discrete unknowns at once, too many to "
                    "sum over unless no data depend on it" WAY_ROUND,
                    (int)MOST_CELLS));
        cells[n++] = at;
    }
    DLP_TRY(dlpi_component_table(c, n, cells, &t, error));
    DLP_TRY(check_work(c, d, t, error));
    for (dlp_index i = 0; i < t->size; i++) DLP_TRY(fill_entry(c, d, t, i, error));
    return DLP_OK;
}

/* ---- elimination ---- */

bool dlpi_table_has(const table *t, int cell)
{
    for (int i = 0; i < t->n; i++)
        if (t->cell[i] == cell) return true;
    return false;
}

/* The cells of all tables that contain `cell`, which comes first; the size of their joint
   table. */
static double joint(const component *c, int cell, int *cells, int *n)
{
    double size = c->states[cell];
    *n = 0;
    cells[(*n)++] = cell;
    for (int k = 0; k < c->n_tables; k++) {
        const table *t = &c->tables[k];
        if (!t->log_p || !dlpi_table_has(t, cell)) continue;
        for (int i = 0; i < t->n; i++) {
            bool seen = false;
            for (int j = 0; j < *n; j++) seen = seen || cells[j] == t->cell[i];
            if (seen) continue;
            if (*n >= 2 * MOST_CELLS) return INFINITY;
            cells[(*n)++] = t->cell[i];
            size *= c->states[t->cell[i]];
        }
    }
    return size;
}

/* The entry of t that belongs to an entry of the joint table. */
dlp_index dlpi_table_entry(const component *c, const table *t, int n, const int *cells,
                           dlp_index entry)
{
    dlp_index at = 0, stride = 1;
    for (int i = 0; i < t->n; i++) {
        dlp_index e = entry;
        for (int j = 0; j < n && cells[j] != t->cell[i]; j++) e /= c->states[cells[j]];
        at += stride * (e % c->states[t->cell[i]]);
        stride *= c->states[t->cell[i]];
    }
    return at;
}

/* log sum over the first cell's states of the product of all tables that contain it. */
static dlp_status eliminate(component *c, int cell, int n, const int *cells,
                            dlp_error *error)
{
    dlpi_builder *b = c->f->lowering->builder;
    const int n_tables = c->n_tables, states = c->states[cell];
    table *to;
    DLP_TRY(dlpi_component_table(c, n - 1, cells + 1, &to, error));
    for (dlp_index i = 0; i < to->size; i++) {
        dlpi_expr sum = dlpi_literal(b, -INFINITY);
        DLP_TRY(dlpi_lowering_ask(c->f->lowering, error));
        for (int s = 0; s < states; s++) {
            dlpi_expr term = dlpi_literal(b, 0);
            for (int k = 0; k < n_tables && !is_impossible(c, term); k++) {
                const table *t = &c->tables[k];
                if (!t->log_p || !dlpi_table_has(t, cell)) continue;
                const dlpi_expr e =
                    t->log_p[dlpi_table_entry(c, t, n, cells, i * states + s)];
                term = is_impossible(c, e) ? e : dlpi_apply(b, DLPI_OP_ADD, term, e, -1);
            }
            if (is_impossible(c, term)) continue;
            sum = is_impossible(c, sum)
                      ? term
                      : dlpi_apply(b, DLPI_OP_LOG_ADD_EXP, sum, term, -1);
        }
        to->log_p[i] = sum;
    }
    for (int k = 0; k < n_tables; k++)
        if (c->tables[k].log_p && dlpi_table_has(&c->tables[k], cell)) {
            free(c->tables[k].log_p);
            c->tables[k].log_p = NULL;
        }
    c->gone[cell] = true;
    return DLP_OK;
}

void dlpi_component_next(const component *c, int *cells, int *n)
{
    double smallest = INFINITY;
    *n = 0;
    for (int i = 0; i < c->n_cells; i++) {
        int others[2 * MOST_CELLS], count;
        if (c->gone[i]) continue;
        const double size = joint(c, i, others, &count);
        if (*n && !(size < smallest)) continue;
        smallest = size;
        *n = count;
        memcpy(cells, others, sizeof others);
    }
}

static dlp_status sum_component(component *c, dlpi_expr *log_p, dlp_error *error)
{
    dlpi_builder *b = c->f->lowering->builder;
    for (int left = c->n_cells; left > 0; left--) {
        int cells[2 * MOST_CELLS] = {0}, n;
        dlpi_component_next(c, cells, &n);
        DLP_TRY(eliminate(c, cells[0], n, cells, error));
    }
    *log_p = dlpi_literal(b, 0);
    for (int k = 0; k < c->n_tables; k++)
        if (c->tables[k].log_p)
            *log_p = dlpi_apply(b, DLPI_OP_ADD, *log_p, c->tables[k].log_p[0], -1);
    return dlpi_builder_failed(b) ? dlpi_no_memory(error, "discrete nodes") : DLP_OK;
}

/* ---- components ---- */

static int32_t find(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* The first discrete cell of a factor's scope; -1: none. */
static int32_t first_cell(const dlpi_factors *f, const dlpi_discrete_factor *d)
{
    for (int i = 0; i < d->n; i++) {
        const int32_t cell = f->scope[d->first + i];
        if (f->lowering->domain[cell] == DLPI_DOMAIN_DISCRETE) return cell;
    }
    return -1;
}

/* Components as lists of factors: next (n_discrete) chains those of one component, whose
   first is head[root]. */
static dlp_status find_components(dlpi_factors *f, dlp_error *error)
{
    const dlp_index n_cells = f->lowering->graph->n_cells;
    f->component = dlpi_calloc(n_cells, sizeof *f->component);
    f->head = dlpi_calloc(n_cells, sizeof *f->head);
    f->next = dlpi_calloc(f->n_discrete, sizeof *f->next);
    if (!f->component || !f->head || !f->next)
        return dlpi_no_memory(error, "discrete nodes");
    int32_t *parent = f->component;
    for (dlp_index i = 0; i < n_cells; i++) {
        parent[i] = (int32_t)i;
        f->head[i] = -1;
    }
    for (dlp_index k = 0; k < f->n_discrete; k++) {
        const dlpi_discrete_factor *d = &f->discrete[k];
        const int32_t one = first_cell(f, d);
        for (int i = 0; i < d->n && d->alive; i++) {
            const int32_t cell = f->scope[d->first + i];
            if (f->lowering->domain[cell] == DLPI_DOMAIN_DISCRETE)
                parent[find(parent, cell)] = find(parent, one);
        }
    }
    for (dlp_index k = f->n_discrete - 1; k >= 0; k--) {
        const dlpi_discrete_factor *d = &f->discrete[k];
        if (!d->alive) continue;
        const int32_t root = find(parent, first_cell(f, d));
        f->next[k] = f->head[root];
        f->head[root] = (int32_t)k;
    }
    return DLP_OK;
}

static dlp_status list_cells(component *c, int32_t root, dlp_error *error)
{
    const dlpi_factors *f = c->f;
    for (int32_t k = f->head[root]; k >= 0; k = f->next[k]) {
        const dlpi_discrete_factor *d = &f->discrete[k];
        for (int i = 0; i < d->n; i++) {
            const int32_t z = f->scope[d->first + i];
            if (f->lowering->domain[z] == DLPI_DOMAIN_DISCRETE)
                DLP_TRY(add_cell(c, z, error));
        }
    }
    return DLP_OK;
}

static dlp_status fill_tables(component *c, int32_t root, dlp_error *error)
{
    const dlpi_factors *f = c->f;
    for (int32_t k = f->head[root]; k >= 0; k = f->next[k])
        DLP_TRY(fill_table(c, &f->discrete[k], error));
    return DLP_OK;
}

dlp_status dlpi_component_make(dlpi_factors *f, dlp_index cell, component *c,
                               dlp_error *error)
{
    const int32_t root = find(f->component, (int32_t)cell);
    *c = (component){.f = f};
    DLP_TRY(list_cells(c, root, error));
    return fill_tables(c, root, error);
}

/* log p of the component, with `cell` (or -1) held at a state. */
static dlp_status component_density(dlpi_factors *f, int32_t root, dlp_index cell,
                                    double state, dlpi_expr *log_p, dlp_error *error)
{
    component c = {.f = f};
    dlp_status status = list_cells(&c, root, error);
    if (status == DLP_OK && cell >= 0) c.held[index_of(&c, cell)] = state;
    if (status == DLP_OK) status = fill_tables(&c, root, error);
    if (status == DLP_OK) status = sum_component(&c, log_p, error);
    dlpi_component_clear(&c);
    return status;
}

dlp_status dlpi_log_probability(dlpi_factors *f, dlp_index cell, double state,
                                dlpi_expr *log_p, dlp_error *error)
{
    const int32_t root = find(f->component, (int32_t)cell);
    return component_density(f, root, isnan(state) ? -1 : cell, state, log_p, error);
}

/* A relation of the component, one with data if possible. */
static int32_t relation_of(const dlpi_factors *f, dlp_index root)
{
    int32_t relation = f->discrete[f->head[root]].relation;
    for (int32_t k = f->head[root]; k >= 0; k = f->next[k])
        if (f->discrete[k].owner < 0) relation = f->discrete[k].relation;
    return relation;
}

double dlpi_sum_entries(const dlpi_factors *f, int *together)
{
    double sum = 0;
    *together = 0;
    for (dlp_index k = 0; k < f->n_discrete; k++) {
        const dlpi_discrete_factor *d = &f->discrete[k];
        double entries = 1, low, high;
        int n = 0;
        for (int i = 0; i < d->n && d->alive; i++) {
            const int32_t cell = f->scope[d->first + i];
            if (f->lowering->domain[cell] != DLPI_DOMAIN_DISCRETE) continue;
            dlpi_lower_begin(f->lowering);
            if (dlpi_lower_states(f->lowering, cell, &low, &high, NULL) != DLP_OK)
                return 0;
            entries *= high - low + 1;
            n++;
        }
        sum += entries;
        *together = n > *together ? n : *together;
    }
    return sum;
}

dlp_status dlpi_sum_out(dlpi_factors *f, dlp_error *error)
{
    if (f->n_discrete == 0) return DLP_OK;
    DLP_TRY(find_components(f, error));
    const dlp_index n_cells = f->lowering->graph->n_cells;
    for (dlp_index i = 0; i < n_cells; i++) {
        dlpi_expr log_p;
        if (f->head[i] < 0) continue;
        DLP_TRY(dlpi_lowering_ask(f->lowering, error));
        dlpi_lower_begin(f->lowering);
        DLP_TRY(component_density(f, (int32_t)i, -1, 0, &log_p, error));
        double v;
        if (dlpi_is_number(f->lowering->builder, log_p, &v) && v == -INFINITY) {
            char name[128];
            dlpi_cell_name(f->lowering->graph, i, name, sizeof name);
            f->impossible = true;
            return dlp_fail(error, DLP_EINPUT,
                            "the data are impossible for every value of %s", name);
        }
        f->relation = relation_of(f, i);
        DLP_TRY(dlpi_factors_add(f, log_p, -1, error));
    }
    return DLP_OK;
}
