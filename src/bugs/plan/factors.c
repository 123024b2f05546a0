/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/factors.h"

#include "bugs/plan/nested.h"
#include "bugs/plan/split.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

/* ---- templates ---- */

static void clear_template(dlpi_template *t)
{
    for (int i = 0; t->data && i < t->n_data; i++) free(t->data[i]);
    for (int i = 0; t->cell && i < t->n_cells; i++) free(t->cell[i]);
    free((void *)t->data);
    free((void *)t->cell);
    free(t->column);
    free(t->owner);
}

static dlp_status grow(dlpi_template *t, dlp_error *error)
{
    if (t->n < t->room) return DLP_OK;
    const dlp_index room = 2 * t->room + 8;
    bool failed = false;
    for (int i = 0; i < t->n_data; i++) {
        double *to = realloc(t->data[i], (size_t)room * sizeof *to);
        if (to) t->data[i] = to;
        failed = failed || !to;
    }
    for (int i = 0; i < t->n_cells; i++) {
        int32_t *to = realloc(t->cell[i], (size_t)room * sizeof *to);
        if (to) t->cell[i] = to;
        failed = failed || !to;
    }
    int32_t *owner = realloc(t->owner, (size_t)room * sizeof *owner);
    if (owner) t->owner = owner;
    if (failed || !owner) return dlpi_no_memory(error, "the factors of the model");
    t->room = room;
    return DLP_OK;
}

static dlp_status add_template(dlpi_factors *f, int32_t number, dlp_error *error)
{
    if (f->n_templates == f->templates_room) {
        const int room = 2 * f->templates_room + 16;
        dlpi_template *to = realloc(f->of, (size_t)room * sizeof *to);
        if (!to) return dlpi_no_memory(error, "the factors of the model");
        f->of = to;
        f->templates_room = room;
    }
    dlpi_template *t = &f->of[f->n_templates++];
    *t = (dlpi_template){.relation = f->relation};
    t->program = dlpi_program_table_at(f->table, number);
    const int n = t->program->n_inputs;
    t->column = dlpi_calloc(n, sizeof *t->column);
    t->data = dlpi_calloc(n, sizeof *t->data);
    t->cell = dlpi_calloc(n, sizeof *t->cell);
    if (!t->column || !t->data || !t->cell)
        return dlpi_no_memory(error, "the factors of the model");
    for (int i = 0; i < n; i++)
        t->column[i] = f->draft.cell[i] >= 0 ? ~t->n_cells++ : t->n_data++;
    return DLP_OK;
}

/* The template of the draft's program. */
static dlp_status find_template(dlpi_factors *f, int32_t *at, dlp_error *error)
{
    DLP_TRY(dlpi_program_table_find(f->table, &f->draft, at, error));
    return *at == f->n_templates ? add_template(f, *at, error) : DLP_OK;
}

static dlp_status add_row(dlpi_factors *f, int at, int32_t owner, dlp_error *error)
{
    dlpi_template *t = &f->of[at];
    DLP_TRY(grow(t, error));
    for (int i = 0; i < t->program->n_inputs; i++) {
        const int column = t->column[i];
        if (column >= 0)
            t->data[column][t->n] = f->draft.value[i];
        else
            t->cell[~column][t->n] = (int32_t)f->draft.cell[i];
    }
    t->owner[t->n++] = owner;
    return DLP_OK;
}

/* No discrete cell may be left: a factor's cells must not depend on a state. */
static dlp_status check_inputs(const dlpi_factors *f, dlp_error *error)
{
    char name[128];
    for (int i = 0; i < f->draft.program.n_inputs; i++) {
        const dlp_index cell = f->draft.cell[i];
        if (cell < 0 || f->lowering->domain[cell] != DLPI_DOMAIN_DISCRETE) continue;
        dlpi_cell_name(f->lowering->graph, cell, name, sizeof name);
        return dlp_fail(error, DLP_EINPUT,
                        "whether %s matters depends on the value of another discrete "
                        "node: that is not supported",
                        name);
    }
    return DLP_OK;
}

dlp_status dlpi_factors_add(dlpi_factors *f, dlpi_expr root, int32_t owner,
                            dlp_error *error)
{
    int32_t at;
    DLP_TRY(dlpi_program_make(f->lowering->builder, root, &f->draft, error));
    DLP_TRY(check_inputs(f, error));
    DLP_TRY(find_template(f, &at, error));
    if (owner >= 0) {
        f->node[owner].at_template = at;
        f->node[owner].at_row = (int32_t)f->of[at].n;
    }
    return add_row(f, at, owner, error);
}

static int count_cells(const dlpi_program_draft *draft)
{
    int n = 0;
    for (int i = 0; i < draft->program.n_inputs; i++) n += draft->cell[i] >= 0;
    return n;
}

/* Whether the terms are cheap enough apart: all of a Gaussian process's would need the
   same decomposition of its matrix. */
static dlp_status are_cheap(dlpi_factors *f, const dlpi_terms *terms, bool *cheap,
                            dlp_error *error)
{
    const double most = 4 * (double)f->draft.program.n + 1000;
    double size = 0;
    for (dlp_index i = 0; i < terms->n && size <= most; i++) {
        DLP_TRY(dlpi_program_make(f->lowering->builder, terms->of[i], &f->draft, error));
        size += f->draft.program.n;
    }
    *cheap = size <= most;
    return DLP_OK;
}

/* The draft's expression as one factor or, if it has many cells and is a sum of terms
   with few, as one a term: derivatives by many at once are expensive. */
static dlp_status add_terms(dlpi_factors *f, dlpi_expr root, int32_t owner,
                            dlp_error *error)
{
    enum { MANY = 24 };
    dlpi_terms terms = {0};
    bool cheap = false;
    dlp_status status = DLP_OK;
    if (count_cells(&f->draft) > MANY)
        status = dlpi_terms_of(f->lowering->builder, root, &terms, error);
    if (status == DLP_OK && terms.n > 1) status = are_cheap(f, &terms, &cheap, error);
    if (owner >= 0 && cheap) f->node[owner].split = true;
    for (dlp_index i = 0; cheap && i < terms.n && status == DLP_OK; i++)
        status = dlpi_factors_add(f, terms.of[i], owner, error);
    free(terms.of);
    if (status != DLP_OK || cheap) return status;
    return dlpi_factors_add(f, root, owner, error);
}

/* ---- nodes ---- */

static dlp_status count_nodes(const dlpi_lowering *l, dlp_index *nodes, dlp_index *cells,
                              dlp_error *error)
{
    const dlpi_graph *g = l->graph;
    *nodes = *cells = 0;
    for (dlp_index c = 0; c < g->n_cells; c++) *cells += g->kind[c] == DLPI_CELL_LATENT;
    *nodes = *cells; /* at most */
    if (*cells >= INT32_MAX)
        return dlp_fail(error, DLP_EINPUT, "more than 2^31 unknowns");
    return DLP_OK;
}

static dlp_status add_node(dlpi_factors *f, int relation, dlp_index instance,
                           dlp_index *n_cells, dlp_error *error)
{
    dlpi_lowering *l = f->lowering;
    dlpi_reference of;
    DLP_TRY(dlpi_lower_defined(l, relation, instance, &of, error));
    if (l->graph->kind[of.cell[0]] != DLPI_CELL_LATENT ||
        l->domain[of.cell[0]] == DLPI_DOMAIN_CENSORED)
        return DLP_OK;
    dlpi_node *node = &f->node[f->n_nodes];
    *node = (dlpi_node){.relation = relation,
                        .instance = (int32_t)instance,
                        .first = (int32_t)*n_cells,
                        .at_template = -1,
                        .at_row = -1,
                        .discrete = l->domain[of.cell[0]] == DLPI_DOMAIN_DISCRETE,
                        .alive = true};
    for (dlp_index i = 0; i < of.n; i++) {
        if (l->domain[of.cell[i]] == DLPI_DOMAIN_DEPENDENT) continue;
        f->node_cell[(*n_cells)++] = (int32_t)of.cell[i];
        f->node_of[of.cell[i]] = (int32_t)f->n_nodes;
        node->n++;
    }
    if (node->n == 0) return DLP_OK; /* a simplex with one element that is not 0 */
    f->n_nodes++;
    return DLP_OK;
}

static dlp_status find_nodes(dlpi_factors *f, dlp_error *error)
{
    const dlpi_graph *g = f->lowering->graph;
    dlp_index nodes, cells, n_cells = 0;
    DLP_TRY(count_nodes(f->lowering, &nodes, &cells, error));
    f->node = dlpi_calloc(nodes, sizeof *f->node);
    f->node_cell = dlpi_calloc(cells, sizeof *f->node_cell);
    f->node_of = dlpi_calloc(g->n_cells, sizeof *f->node_of);
    if (!f->node || !f->node_cell || !f->node_of)
        return dlpi_no_memory(error, "the nodes of the model");
    for (dlp_index c = 0; c < g->n_cells; c++) f->node_of[c] = -1;
    for (int r = 0; r < g->n_relations; r++)
        for (dlp_index i = 0; f->lowering->of[r] && i < g->of[r].n; i++)
            DLP_TRY(add_node(f, r, i, &n_cells, error));
    return DLP_OK;
}

/* ---- factors ---- */

static dlp_status put_scope(dlpi_factors *f, dlp_index cell, dlp_error *error)
{
    if (f->n_scope == f->scope_room) {
        const dlp_index room = 2 * f->scope_room + 64;
        int32_t *to = realloc(f->scope, (size_t)room * sizeof *to);
        if (!to) return dlpi_no_memory(error, "the factors of the model");
        f->scope = to;
        f->scope_room = room;
    }
    f->scope[f->n_scope++] = (int32_t)cell;
    return DLP_OK;
}

static bool in_scope(const dlpi_factors *f, dlp_index from, dlp_index cell)
{
    for (dlp_index i = from; i < f->n_scope; i++)
        if (f->scope[i] == cell) return true;
    return false;
}

/* Adds the cells of the draft that are not in the scope yet. */
static dlp_status put_inputs(dlpi_factors *f, dlp_index first, dlp_error *error)
{
    for (int i = 0; i < f->draft.program.n_inputs; i++)
        if (f->draft.cell[i] >= 0 && !in_scope(f, first, f->draft.cell[i]))
            DLP_TRY(put_scope(f, f->draft.cell[i], error));
    return DLP_OK;
}

static dlp_status add_discrete(dlpi_factors *f, int relation, dlp_index instance,
                               int32_t owner, dlp_index first, dlp_error *error)
{
    DLP_TRY(put_inputs(f, first, error));
    if (f->n_discrete == f->discrete_room) {
        const dlp_index room = 2 * f->discrete_room + 64;
        dlpi_discrete_factor *to = realloc(f->discrete, (size_t)room * sizeof *to);
        if (!to) return dlpi_no_memory(error, "the factors of the model");
        f->discrete = to;
        f->discrete_room = room;
    }
    f->discrete[f->n_discrete++] =
        (dlpi_discrete_factor){.relation = relation,
                               .instance = (int32_t)instance,
                               .owner = owner,
                               .first = (int32_t)first,
                               .n = (int32_t)(f->n_scope - first),
                               .alive = true};
    return DLP_OK;
}

/* The density with the discrete cells on which indices depend at their first state; adds
   these cells to the scope. */
static dlp_status lower_somehow(dlpi_factors *f, int relation, dlp_index instance,
                                dlp_index first, dlpi_expr *root, dlp_error *error)
{
    dlpi_lowering *l = f->lowering;
    for (;;) {
        dlpi_lower_begin(l);
        for (dlp_index i = first; i < f->n_scope; i++) {
            double low, high;
            DLP_TRY(dlpi_lower_states(l, f->scope[i], &low, &high, error));
            dlpi_lower_assign(l, f->scope[i], low);
        }
        const dlp_status status = dlpi_lower_density(l, relation, instance, root, error);
        if (status == DLP_OK || l->unknown < 0 || in_scope(f, first, l->unknown))
            return status;
        DLP_TRY(put_scope(f, l->unknown, error));
    }
}

/* The cells of a factor may depend on the states of the cells used in indices, which are
   in the scope from `first` to `last`: tries all these states. If there are too many
   joint states to sum over, the model will be refused anyway. */
static dlp_status widen_scope(dlpi_factors *f, int relation, dlp_index instance,
                              dlp_index first, dlp_index last, dlp_error *error)
{
    enum { MOST_STATES = 65536 };
    dlpi_lowering *l = f->lowering;
    double total = 1;
    for (double entry = 0; entry < total && entry < MOST_STATES; entry++) {
        double rest = entry, low, high;
        dlpi_expr root;
        dlpi_lower_begin(l);
        total = 1;
        for (dlp_index i = first; i < last; i++) {
            DLP_TRY(dlpi_lower_states(l, f->scope[i], &low, &high, error));
            const double states = high - low + 1;
            dlpi_lower_assign(l, f->scope[i], low + fmod(rest, states));
            rest = floor(rest / states);
            total *= states;
        }
        const dlp_status status = dlpi_lower_density(l, relation, instance, &root, error);
        if (status != DLP_OK && l->unknown >= 0) {
            DLP_TRY(put_scope(f, l->unknown, error));
            continue; /* its own states are tried when it is summed over */
        }
        DLP_TRY(status);
        DLP_TRY(dlpi_program_make(l->builder, root, &f->draft, error));
        DLP_TRY(put_inputs(f, first, error));
    }
    return DLP_OK;
}

static dlp_status add_factor(dlpi_factors *f, int relation, dlp_index instance,
                             dlp_error *error)
{
    dlpi_lowering *l = f->lowering;
    const dlp_index first = f->n_scope;
    dlpi_reference of;
    dlpi_expr root;
    DLP_TRY(dlpi_lowering_ask(l, error));
    DLP_TRY(dlpi_lower_defined(l, relation, instance, &of, error));
    const int32_t owner = f->node_of[of.cell[0]];
    if (l->graph->kind[of.cell[0]] == DLPI_CELL_OBSERVED &&
        dlpi_is_censoring(l, relation, instance))
        return DLP_OK; /* part of the factor of what it censors */
    DLP_TRY(lower_somehow(f, relation, instance, first, &root, error));
    DLP_TRY(dlpi_program_make(l->builder, root, &f->draft, error));
    bool discrete = f->n_scope > first;
    for (int i = 0; i < f->draft.program.n_inputs; i++)
        discrete = discrete || (f->draft.cell[i] >= 0 &&
                                l->domain[f->draft.cell[i]] == DLPI_DOMAIN_DISCRETE);
    if (discrete) {
        const dlp_index last = f->n_scope;
        if (last > first) DLP_TRY(widen_scope(f, relation, instance, first, last, error));
        return add_discrete(f, relation, instance, owner, first, error);
    }
    f->relation = relation;
    return add_terms(f, root, owner, error);
}

/* All factors of a relation; join: those that are nested in each other become one. */
static dlp_status add_relation(dlpi_factors *f, int relation, bool join, dlp_error *error)
{
    const dlp_index n = f->lowering->graph->of[relation].n;
    bool *joined = dlpi_calloc(n, sizeof *joined);
    if (!joined) return dlpi_no_memory(error, "the factors of the model");
    dlp_status status = join ? dlpi_join_nested(f, relation, joined, error) : DLP_OK;
    for (dlp_index i = 0; i < n && status == DLP_OK; i++)
        if (!joined[i]) status = add_factor(f, relation, i, error);
    free(joined);
    return status;
}

/* ---- pruning ---- */

typedef struct pruning {
    dlpi_factors *f;
    int32_t *children; /* (n_nodes) */
    int32_t *queue;
    dlp_index n;
    dlp_index *seen; /* (n_nodes) the last row or discrete factor that counted it */
    dlp_index now;
} pruning;

/* A cell of a row or discrete factor: adds `by` to the number of children of its node,
   unless that is the owner or has been counted, and queues it if that becomes 0. */
static void count(pruning *p, int32_t owner, int32_t cell, int by)
{
    const int32_t node = p->f->node_of[cell];
    if (node < 0 || node == owner || p->seen[node] == p->now) return;
    p->seen[node] = p->now;
    p->children[node] += by;
    if (by < 0 && p->children[node] == 0) p->queue[p->n++] = node;
}

static void count_row(pruning *p, const dlpi_template *t, dlp_index row, int by)
{
    p->now++;
    for (int i = 0; i < t->n_cells; i++) count(p, t->owner[row], t->cell[i][row], by);
}

static void count_discrete(pruning *p, const dlpi_discrete_factor *d, int by)
{
    p->now++;
    for (int i = 0; i < d->n; i++) count(p, d->owner, p->f->scope[d->first + i], by);
}

static void kill(pruning *p, int32_t k)
{
    dlpi_factors *f = p->f;
    dlpi_node *node = &f->node[k];
    node->alive = false;
    for (int i = 0; node->split && i < f->n_templates; i++)
        for (dlp_index r = 0; r < f->of[i].n; r++)
            if (f->of[i].owner[r] == k) count_row(p, &f->of[i], r, -1);
    if (node->split) return;
    if (node->at_template >= 0) {
        count_row(p, &f->of[node->at_template], node->at_row, -1);
        return;
    }
    for (dlp_index i = 0; i < f->n_discrete; i++) {
        dlpi_discrete_factor *d = &f->discrete[i];
        if (d->owner != k) continue;
        d->alive = false;
        count_discrete(p, d, -1);
    }
}

static void remove_dead_rows(dlpi_factors *f)
{
    for (int k = 0; k < f->n_templates; k++) {
        dlpi_template *t = &f->of[k];
        dlp_index n = 0;
        for (dlp_index i = 0; i < t->n; i++) {
            const int32_t owner = t->owner[i];
            if (owner >= 0 && !f->node[owner].alive) continue;
            for (int c = 0; c < t->n_data; c++) t->data[c][n] = t->data[c][i];
            for (int c = 0; c < t->n_cells; c++) t->cell[c][n] = t->cell[c][i];
            if (owner >= 0) f->node[owner].at_row = (int32_t)n;
            t->owner[n++] = owner;
        }
        t->n = n;
    }
}

/* Removes nodes on which no data depend: they carry no information about the others. */
static dlp_status prune(dlpi_factors *f, dlp_error *error)
{
    pruning p = {.f = f};
    p.children = dlpi_calloc(2 * f->n_nodes + 1, sizeof *p.children);
    p.seen = dlpi_calloc(f->n_nodes, sizeof *p.seen);
    if (!p.children || !p.seen) {
        free(p.children);
        free(p.seen);
        return dlpi_no_memory(error, "the nodes of the model");
    }
    p.queue = p.children + f->n_nodes;
    for (int k = 0; k < f->n_templates; k++)
        for (dlp_index i = 0; i < f->of[k].n; i++) count_row(&p, &f->of[k], i, 1);
    for (dlp_index i = 0; i < f->n_discrete; i++) count_discrete(&p, &f->discrete[i], 1);
    for (dlp_index k = 0; k < f->n_nodes; k++)
        if (p.children[k] == 0) p.queue[p.n++] = (int32_t)k;
    for (dlp_index i = 0; i < p.n; i++) kill(&p, p.queue[i]);
    remove_dead_rows(f);
    free(p.children);
    free(p.seen);
    return DLP_OK;
}

/* ---- jumps ---- */

/* An instruction that is discontinuous in a coordinate; -1: there is none. *bends: one
   has a kink. */
static int jump_of(const dlpi_program *p, bool *active, bool *bends)
{
    for (int i = 0; i < p->n; i++) {
        const dlpi_instruction *at = &p->code[i];
        active[i] = at->op == DLPI_OP_CELL;
        if (at->op == DLPI_OP_CELL || at->op == DLPI_OP_DATA) continue;
        for (int a = 0; a < dlpi_op_arity((dlpi_op)at->op); a++)
            active[i] = active[i] || active[at->arg[a]];
        const bool kink = at->op == DLPI_OP_ABS || at->op == DLPI_OP_MAX ||
                          at->op == DLPI_OP_MIN ||
                          (at->op == DLPI_OP_IFELSE && !active[at->arg[0]]);
        *bends = *bends || (active[i] && kink);
        if (active[i] && !kink && !dlpi_op_is_smooth((dlpi_op)at->op)) return i;
    }
    return -1;
}

/* A cell that the instruction depends on, in the first row; there is at least one. */
static dlp_index cell_within(const dlpi_template *t, const bool *active, int i)
{
    const dlpi_instruction *code = t->program->code;
    while (code[i].op != DLPI_OP_CELL) {
        int a = 0;
        while (!active[code[i].arg[a]]) a++;
        i = code[i].arg[a];
    }
    return t->cell[~t->column[code[i].arg[0]]][0];
}

static dlp_status refuse_jump(const dlpi_factors *f, const dlpi_template *t,
                              dlp_index cell, dlpi_op op, dlp_error *error)
{
    const dlpi_graph *graph = f->lowering->graph;
    const int32_t owner = t->owner[0];
    const dlpi_relation *r =
        graph->of[owner >= 0 ? f->node[owner].relation : t->relation].relation;
    char name[128];
    dlpi_cell_name(graph, cell, name, sizeof name);
    const dlpi_distribution *d =
        f->lowering->of[owner >= 0 ? f->node[owner].relation : t->relation];
    if (d && d->jump) return dlpi_graph_complain(graph, r->place, error, d->jump, name);
    return dlpi_graph_complain(
        graph, r->place, error,
        "the density jumps as '%s' changes, because it enters %s(): give it a discrete "
        "prior; or, if a line bends there, write max(0, x) instead of x * step(x) or "
        "ifelse(); or use a smooth function, such as ilogit",
        name, dlpi_op_name(op));
}

/* Checks what is left once nodes without data below them are gone: those may jump. */
static dlp_status check_smooth(dlpi_factors *f, dlp_error *error)
{
    for (int k = 0; k < f->n_templates; k++) {
        const dlpi_template *t = &f->of[k];
        if (t->n == 0) continue;
        bool *active = dlpi_calloc(t->program->n, sizeof *active);
        if (!active) return dlpi_no_memory(error, "the factors of the model");
        const int jump = jump_of(t->program, active, &f->bends);
        const dlp_index cell = jump < 0 ? -1 : cell_within(t, active, jump);
        free(active);
        if (jump >= 0)
            return refuse_jump(f, t, cell, (dlpi_op)t->program->code[jump].op, error);
    }
    return DLP_OK;
}

dlp_status dlpi_factors_list(dlpi_lowering *lowering, bool join, dlpi_factors *f,
                             dlp_error *error)
{
    const dlpi_graph *g = lowering->graph;
    *f = (dlpi_factors){.lowering = lowering};
    DLP_TRY(dlpi_program_table_alloc(&f->table, error));
    DLP_TRY(find_nodes(f, error));
    for (int r = 0; r < g->n_relations; r++)
        if (lowering->of[r]) DLP_TRY(add_relation(f, r, join, error));
    DLP_TRY(prune(f, error));
    return check_smooth(f, error);
}

dlp_status dlpi_factors_sum(dlpi_factors *f, dlp_error *error)
{
    DLP_TRY(dlpi_sum_out(f, error));
    return f->n_discrete > 0 ? check_smooth(f, error) : DLP_OK;
}

dlp_status dlpi_factors_make(dlpi_lowering *lowering, dlpi_factors *f, dlp_error *error)
{
    DLP_TRY(dlpi_factors_list(lowering, true, f, error));
    return dlpi_factors_sum(f, error);
}

void dlpi_factors_clear(dlpi_factors *f)
{
    for (int i = 0; i < f->n_templates; i++) clear_template(&f->of[i]);
    free(f->of);
    free(f->node);
    free(f->node_cell);
    free(f->node_of);
    free(f->discrete);
    free(f->scope);
    free(f->component);
    free(f->head);
    free(f->next);
    dlpi_program_table_free(f->table);
    dlpi_program_draft_free(&f->draft);
    *f = (dlpi_factors){0};
}
