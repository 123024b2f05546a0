/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/plan.h"

#include "bugs/plan/slots.h"
#include "core/core.h"

#include <math.h>
#include <string.h>

enum {
    FEWEST_LEAVES = 4,
    LEAF_SIZE = 2,    /* coordinates that a leaf may have */
    MOST_BY_GRID = 5, /* psi, if their points form a grid */
    MOST_PSI = 12     /* psi at all */
};

typedef struct planning {
    const dlpi_factors *f;
    dlpi_plan *plan;
    int32_t *parent;      /* (n_cells) of leaves: union-find */
    int32_t *size;        /* (n_cells) coordinates of a component, at its root */
    uint8_t *scale;       /* (n_cells) 1: scale of unknowns, 2: parameter of data */
    bool *spread;         /* (n_cells) scale of an unknown that is no leaf */
    int *order;           /* (n_relations) */
    bool whole;           /* all may become psi */
    const int32_t *label; /* (n_cells) which part of the model; NULL: there is only one */
    int part;
} planning;

static bool is_mine(const planning *p, int32_t cell)
{
    return !p->label || p->label[cell] == p->part;
}

static bool is_my_node(const planning *p, const dlpi_node *node)
{
    return node->alive && !node->discrete && is_mine(p, p->f->node_cell[node->first]);
}

static bool is_my_row(const planning *p, const dlpi_template *t, dlp_index row)
{
    return t->n_cells == 0 ? p->part == 0 : is_mine(p, t->cell[0][row]);
}

static int32_t find(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* ---- leaves ---- */

static bool is_leaf(const planning *p, int32_t cell)
{
    return p->plan->role[cell] == DLPI_ROLE_LEAF;
}

/* Joins all leaf cells that share a factor; true: none has more than LEAF_SIZE. */
static bool join_leaves(planning *p)
{
    const dlpi_factors *f = p->f;
    const dlp_index n_cells = f->lowering->graph->n_cells;
    for (dlp_index c = 0; c < n_cells; c++) {
        p->parent[c] = (int32_t)c;
        p->size[c] = 1;
    }
    for (int k = 0; k < f->n_templates; k++) {
        const dlpi_template *t = &f->of[k];
        for (dlp_index i = 0; i < t->n; i++) {
            int32_t first = -1;
            for (int j = 0; j < t->n_cells; j++) {
                const int32_t cell = t->cell[j][i];
                if (!is_leaf(p, cell)) continue;
                if (first < 0) first = find(p->parent, cell);
                const int32_t root = find(p->parent, cell);
                if (root == first) continue;
                p->parent[root] = first;
                p->size[first] += p->size[root];
                if (p->size[first] > LEAF_SIZE) return false;
            }
        }
    }
    return true;
}

static dlp_index set_relation(planning *p, int relation, dlpi_role role)
{
    dlp_index n = 0;
    for (dlp_index k = 0; k < p->f->n_nodes; k++) {
        const dlpi_node *node = &p->f->node[k];
        if (node->relation != relation || !is_my_node(p, node)) continue;
        for (int i = 0; i < node->n; i++)
            p->plan->role[p->f->node_cell[node->first + i]] = (uint8_t)role;
        n++;
    }
    return n;
}

/* Relations by their number of instances, the largest first. */
static void sort_relations(planning *p)
{
    const dlpi_graph *g = p->f->lowering->graph;
    for (int i = 0; i < g->n_relations; i++) {
        int at = i;
        for (; at > 0 && g->of[p->order[at - 1]].n < g->of[i].n; at--)
            p->order[at] = p->order[at - 1];
        p->order[at] = i;
    }
}

static void find_leaves(planning *p)
{
    const dlpi_graph *g = p->f->lowering->graph;
    sort_relations(p);
    for (int i = 0; i < g->n_relations; i++) {
        const int r = p->order[i];
        if (!p->f->lowering->of[r]) continue;
        const dlp_index n = set_relation(p, r, DLPI_ROLE_LEAF);
        if (n > 0 && (n < FEWEST_LEAVES || !join_leaves(p)))
            (void)set_relation(p, r, DLPI_ROLE_X);
    }
    (void)join_leaves(p);
}

/* ---- what is no location ---- */

typedef struct sums {
    int32_t *parent, *count; /* (instructions) */
    bool *active, *mine;
} sums;

/* Joins terms that are added up. In a product of unknowns, only the one that is `mine`
   (n_inputs) counts as the term. */
static void find_sums(const dlpi_program *program, const bool *active, const bool *mine,
                      sums *s)
{
    for (int i = 0; i < program->n; i++) {
        const dlpi_instruction *at = &program->code[i];
        const bool input = at->op == DLPI_OP_DATA || at->op == DLPI_OP_CELL;
        s->parent[i] = i;
        s->active[i] = input && active[at->arg[0]];
        s->mine[i] = input && mine[at->arg[0]];
        if (input) continue;
        for (int a = 0; a < dlpi_op_arity((dlpi_op)at->op); a++) {
            s->active[i] = s->active[i] || s->active[at->arg[a]];
            s->mine[i] = s->mine[i] || s->mine[at->arg[a]];
        }
        const bool adds =
            at->op == DLPI_OP_ADD || at->op == DLPI_OP_SUB || at->op == DLPI_OP_NEG;
        const bool scales = at->op == DLPI_OP_MUL || at->op == DLPI_OP_DIV;
        if (!adds && !scales) continue;
        const bool both = scales && s->active[at->arg[0]] && s->active[at->arg[1]];
        if (both && s->mine[at->arg[0]] && s->mine[at->arg[1]]) continue; /* a square */
        for (int a = 0; a < (at->op == DLPI_OP_NEG ? 1 : 2); a++)
            if (s->active[at->arg[a]] && (!both || s->mine[at->arg[a]]))
                s->parent[find(s->parent, at->arg[a])] = find(s->parent, i);
    }
}

/* Whether an input is in the same sum as something of mine; if nothing is mine, whether
   it is in the largest sum, where inputs that may be any real number count most. */
static bool is_location(const dlpi_program *program, sums *s, const bool *active,
                        const bool *mine, const bool *real, int input)
{
    enum { REAL_COUNTS = 1000 }; /* more than any number of others */
    int32_t own = -1, best = -1, most = 0;
    bool any = false, with = false;
    for (int i = 0; i < program->n; i++) s->count[i] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < program->n; i++) {
            const dlpi_instruction *at = &program->code[i];
            if ((at->op != DLPI_OP_DATA && at->op != DLPI_OP_CELL) || !active[at->arg[0]])
                continue;
            const int32_t root = find(s->parent, i);
            if (at->arg[0] == input) own = root;
            if (pass == 0) {
                s->count[root] += real[at->arg[0]] ? REAL_COUNTS : 1;
                if (s->count[root] > most) {
                    most = s->count[root];
                    best = root;
                }
            }
            any = any || mine[at->arg[0]];
            with = with || (pass && mine[at->arg[0]] && root == own);
        }
    return any ? with : own == best;
}

/* Which inputs of row r are its owner's, and which may take any value. Returns whether
   this differs from the row before. */
static bool find_mine(const planning *p, const dlpi_template *t, dlp_index r,
                      const bool *active, bool *mine, bool *real)
{
    const dlpi_factors *f = p->f;
    const int32_t owner = t->owner[r];
    bool changed = r == 0;
    for (int i = 0; i < t->program->n_inputs; i++) {
        const bool was = mine[i];
        mine[i] =
            active[i] && (owner >= 0 ? f->node_of[t->cell[~t->column[i]][r]] == owner
                                     : is_leaf(p, t->cell[~t->column[i]][r]));
        real[i] = active[i] &&
                  f->lowering->domain[t->cell[~t->column[i]][r]] == DLPI_DOMAIN_REAL;
        changed = changed || was != mine[i];
    }
    return changed;
}

static bool is_leaf_node(const planning *p, int32_t node)
{
    return is_leaf(p, p->f->node_cell[p->f->node[node].first]);
}

static dlp_status judge_template(planning *p, const dlpi_template *t, dlp_error *error)
{
    const int n = t->program->n_inputs;
    sums s = {0};
    bool *active = dlpi_calloc(3 * n + 1, sizeof *active), *mine = active + n,
         *real = mine + n;
    s.parent = dlpi_calloc(2 * (dlp_index)t->program->n, sizeof *s.parent);
    s.active = dlpi_calloc(2 * (dlp_index)t->program->n, sizeof *s.active);
    const bool failed = !active || !s.parent || !s.active;
    for (int i = 0; i < n && !failed; i++) active[i] = t->column[i] < 0;
    for (dlp_index r = 0; r < t->n && !failed; r++) {
        const int32_t owner = t->owner[r];
        const bool changed = find_mine(p, t, r, active, mine, real);
        s.count = s.parent + t->program->n;
        s.mine = s.active + t->program->n;
        if (changed) find_sums(t->program, active, mine, &s);
        for (int i = 0; i < n; i++) {
            if (!active[i] || mine[i]) continue;
            const int32_t cell = t->cell[~t->column[i]][r];
            const bool known = p->scale[cell] == 1 || (owner < 0 && p->scale[cell] == 2);
            const bool spreads = owner >= 0 && is_leaf(p, cell) && !p->spread[cell] &&
                                 !is_leaf_node(p, owner);
            if ((known && !spreads) || is_location(t->program, &s, active, mine, real, i))
                continue;
            p->scale[cell] = owner >= 0 ? 1 : 2;
            p->spread[cell] = p->spread[cell] || spreads;
        }
    }
    free(active);
    free(s.parent);
    free(s.active);
    return failed ? dlpi_no_memory(error, "the plan") : DLP_OK;
}

/* ---- psi ---- */

static void set_cell(planning *p, int32_t cell, dlpi_role role, dlpi_reason reason)
{
    p->plan->role[cell] = (uint8_t)role;
    p->plan->reason[cell] = (uint8_t)reason;
}

/* The coordinates of the node of a cell that are x go together. */
static int size_of_node(const planning *p, int32_t cell)
{
    return p->f->node[p->f->node_of[cell]].n;
}

static void move_node(planning *p, int32_t cell, dlpi_role role, dlpi_reason reason)
{
    const dlpi_node *node = &p->f->node[p->f->node_of[cell]];
    for (int i = 0; i < node->n; i++)
        set_cell(p, p->f->node_cell[node->first + i], role, reason);
}

static dlp_index count_role(const planning *p, dlpi_role role)
{
    dlp_index n = 0;
    for (dlp_index c = 0; c < p->f->lowering->graph->n_cells; c++)
        n += p->plan->role[c] == role;
    return n;
}

/* How many x of a relation are marked `scale`. */
static dlp_index count_scales(const planning *p, int relation, int scale)
{
    dlp_index n = 0;
    for (dlp_index k = 0; k < p->f->n_nodes; k++) {
        const dlpi_node *node = &p->f->node[k];
        const int32_t cell = p->f->node_cell[node->first];
        if (node->relation == relation && node->alive && !node->discrete &&
            p->plan->role[cell] == DLPI_ROLE_X && p->scale[cell] == scale)
            n += size_of_node(p, cell);
    }
    return n;
}

/* Whether the row is the density of a cell of the relation given other cells of the same
   relation, which may be any real number. */
static bool is_link(const planning *p, const dlpi_template *t, dlp_index row,
                    int relation)
{
    const dlpi_factors *f = p->f;
    const int32_t owner = t->owner[row];
    if (owner < 0 || f->node[owner].relation != relation) return false;
    for (int j = 0; j < t->n_cells; j++) {
        const int32_t other = f->node_of[t->cell[j][row]];
        if (other >= 0 && other != owner && f->node[other].relation == relation)
            return f->lowering->domain[t->cell[j][row]] == DLPI_DOMAIN_REAL;
    }
    return false;
}

/* Whether these are states of a chain, each of which scales the next: given the others,
   each state is close to normal, unlike other scales. */
static bool is_chain(const planning *p, int relation)
{
    for (int k = 0; k < p->f->n_templates; k++)
        for (dlp_index r = 0; r < p->f->of[k].n; r++)
            if (is_link(p, &p->f->of[k], r, relation)) return true;
    return false;
}

/* Turns the x marked `scale` into psi, relation by relation, the smallest first. */
static void take_psi(planning *p, int scale, dlp_index most, dlpi_reason reason)
{
    const dlpi_graph *g = p->f->lowering->graph;
    for (int i = g->n_relations - 1; i >= 0; i--) {
        const int r = p->order[i];
        const dlp_index n = count_scales(p, r, scale);
        if (n == 0) continue;
        const dlp_index together = count_role(p, DLPI_ROLE_PSI) + n;
        const bool fits = together <= most && (together <= MOST_BY_GRID || scale != 1 ||
                                               n == 1 || !is_chain(p, r));
        for (dlp_index k = 0; k < p->f->n_nodes; k++) {
            const dlpi_node *node = &p->f->node[k];
            const int32_t cell = p->f->node_cell[node->first];
            if (node->relation != r || !node->alive || node->discrete ||
                p->plan->role[cell] != DLPI_ROLE_X || p->scale[cell] != scale)
                continue;
            move_node(p, cell, fits ? DLPI_ROLE_PSI : DLPI_ROLE_X,
                      fits ? reason : DLPI_TOO_MANY_PARAMETERS);
        }
    }
}

/* Roughly the instructions, over all instances, of an evaluation of log p. */
static double cost(const planning *p)
{
    const double nodes = 20, call = 300; /* of a leaf's integral; overhead of a program */
    double sum = 0;
    for (int k = 0; k < p->f->n_templates; k++) {
        const dlpi_template *t = &p->f->of[k];
        dlp_index rows = 0;
        bool leaf = false;
        for (dlp_index r = 0; r < t->n; r++) {
            if (!is_my_row(p, t, r)) continue;
            for (int j = 0; j < t->n_cells && rows == 0; j++)
                leaf = leaf || is_leaf(p, t->cell[j][r]);
            rows++;
        }
        if (rows == 0) continue;
        sum += (double)rows * t->program->n * (leaf ? nodes : 1) +
               call * (leaf ? 8 * (double)rows : 1);
    }
    return sum;
}

/* Makes all x psi if a grid over them is cheap: then nothing is approximated. */
static void take_all(planning *p)
{
    static const double points[MOST_BY_GRID + 1] = {1, 25, 200, 700, 2500, 6000};
    /* The search for x at one point takes as long as this many points without x. */
    const double cheap = 6e7, dear = 1e9, search = 15;
    const dlp_index m = count_role(p, DLPI_ROLE_PSI),
                    all = m + count_role(p, DLPI_ROLE_X);
    if (all > MOST_BY_GRID) return;
    const bool cheaper =
        m > 0 && count_role(p, DLPI_ROLE_LEAF) == 0 && points[all] < search * points[m];
    if (cost(p) * points[all] > (cheaper ? dear : cheap)) return;
    for (dlp_index c = 0; c < p->f->lowering->graph->n_cells; c++)
        if (p->plan->role[c] == DLPI_ROLE_X)
            set_cell(p, (int32_t)c, DLPI_ROLE_PSI, DLPI_FEW_UNKNOWNS);
}

/* ---- Gaussian given psi ---- */

static dlp_status is_quadratic(const planning *p, const dlpi_template *t, bool *yes,
                               dlp_error *error)
{
    const int n = t->program->n_inputs;
    bool *active = dlpi_calloc(n + 1, sizeof *active);
    if (!active) return dlpi_no_memory(error, "the plan");
    /* Rows may differ in their roles: an input is active if it is for any row. */
    for (int i = 0; i < n; i++)
        for (dlp_index r = 0; r < t->n && t->column[i] < 0 && !active[i]; r++)
            active[i] = is_my_row(p, t, r) &&
                        p->plan->role[t->cell[~t->column[i]][r]] != DLPI_ROLE_PSI;
    dlpi_slots s;
    const dlp_status status = dlpi_slots_make(t->program, active, &s, error);
    free(active);
    if (status != DLP_OK) return status;
    *yes = s.degree <= 2;
    dlpi_slots_clear(&s);
    return DLP_OK;
}

static dlp_status find_gaussian(planning *p, dlp_error *error)
{
    bool all = true;
    for (int k = 0; k < p->f->n_templates && all; k++)
        if (p->f->of[k].n) DLP_TRY(is_quadratic(p, &p->f->of[k], &all, error));
    p->plan->gaussian = all;
    for (dlp_index c = 0; c < p->f->lowering->graph->n_cells && all; c++)
        if (is_leaf(p, (int32_t)c)) set_cell(p, (int32_t)c, DLPI_ROLE_X, DLPI_LOCATION);
    return DLP_OK;
}

/* ---- the lists ---- */

dlp_status dlpi_plan_alloc(dlp_index n_cells, dlpi_plan *plan, dlp_error *error)
{
    *plan = (dlpi_plan){0};
    plan->role = dlpi_calloc(n_cells, 2);
    plan->at = dlpi_calloc(n_cells, 6 * sizeof *plan->at);
    if (!plan->role || !plan->at) return dlpi_no_memory(error, "the plan");
    plan->reason = plan->role + n_cells;
    plan->leaf = plan->at + n_cells;
    plan->psi_cell = plan->leaf + n_cells;
    plan->x_cell = plan->psi_cell + n_cells;
    plan->leaf_cell = plan->x_cell + n_cells;
    return DLP_OK;
}

static void list_leaf(planning *p, int32_t cell, int32_t *leaf_of_root)
{
    dlpi_plan *plan = p->plan;
    const int32_t root = find(p->parent, cell);
    if (leaf_of_root[root] < 0) {
        leaf_of_root[root] = (int32_t)plan->L;
        plan->leaf_cell[2 * plan->L] = plan->leaf_cell[2 * plan->L + 1] = -1;
        plan->L++;
    }
    const dlp_index leaf = leaf_of_root[root];
    plan->leaf[cell] = (int32_t)leaf;
    plan->at[cell] = plan->leaf_cell[2 * leaf] < 0 ? 0 : 1;
    plan->leaf_cell[2 * leaf + plan->at[cell]] = cell;
}

static void make_lists(planning *p)
{
    dlpi_plan *plan = p->plan;
    const dlp_index n_cells = p->f->lowering->graph->n_cells;
    int32_t *leaf_of_root = p->size;
    for (dlp_index c = 0; c < n_cells; c++) leaf_of_root[c] = plan->leaf[c] = -1;
    for (dlp_index c = 0; c < n_cells; c++) {
        const int32_t cell = (int32_t)c;
        if (plan->role[c] == DLPI_ROLE_PSI) {
            plan->at[c] = (int32_t)plan->m;
            plan->psi_cell[plan->m++] = cell;
        } else if (plan->role[c] == DLPI_ROLE_X) {
            plan->at[c] = (int32_t)plan->n;
            plan->x_cell[plan->n++] = cell;
        } else if (plan->role[c] == DLPI_ROLE_LEAF) {
            list_leaf(p, cell, leaf_of_root);
        }
    }
}

/* ---- the whole ---- */

/* If we only look for the neighbourhood of the posterior, Newton's method finds unbounded
   unknowns even from afar. */
static void spare_reals(planning *p)
{
    for (dlp_index c = 0; c < p->f->lowering->graph->n_cells; c++)
        if (p->scale[c] == 2 && p->f->lowering->domain[c] == DLPI_DOMAIN_REAL)
            p->scale[c] = 0;
}

/* Scales of unknowns must not be leaves: they may become psi. which (n_cells): those that
   count; NULL: all. */
static void spare_scales(planning *p, const bool *which)
{
    const dlpi_factors *f = p->f;
    for (dlp_index k = 0; k < f->n_nodes; k++) {
        const int32_t cell = f->node_cell[f->node[k].first];
        if (is_my_node(p, &f->node[k]) && is_leaf(p, cell) && p->scale[cell] == 1 &&
            (!which || which[cell]))
            (void)set_relation(p, f->node[k].relation, DLPI_ROLE_X);
    }
    (void)join_leaves(p);
}

/* An effect whose scale is integrated out alone has a spike at 0 and long tails: better
   to have both that scale and all others on points, if they are few. */
static void spare_few_scales(planning *p)
{
    dlp_index spread = 0, others = 0;
    for (dlp_index c = 0; c < p->f->lowering->graph->n_cells; c++) {
        spread += is_mine(p, (int32_t)c) && p->spread[c];
        others += p->plan->role[c] == DLPI_ROLE_X && p->scale[c] == 1;
    }
    if (spread > 0 && spread + others <= MOST_PSI) spare_scales(p, p->spread);
}

static dlp_status make(planning *p, dlp_error *error)
{
    const dlpi_factors *f = p->f;
    for (dlp_index k = 0; k < f->n_nodes; k++)
        if (is_my_node(p, &f->node[k]))
            move_node(p, f->node_cell[f->node[k].first], DLPI_ROLE_X, DLPI_LOCATION);
    find_leaves(p);
    for (int k = 0; k < f->n_templates; k++) DLP_TRY(judge_template(p, &f->of[k], error));
    spare_few_scales(p);
    if (f->scales_on_points) spare_scales(p, NULL);
    take_psi(p, 1, MOST_PSI, DLPI_SCALE_OF_UNKNOWNS);
    if (!p->whole) spare_reals(p);
    const bool by_grid = count_role(p, DLPI_ROLE_PSI) <= MOST_BY_GRID;
    take_psi(p, 2, by_grid ? MOST_BY_GRID : MOST_PSI, DLPI_PARAMETER_OF_DATA);
    DLP_TRY(find_gaussian(p, error));
    p->plan->gaussian = p->plan->gaussian && count_role(p, DLPI_ROLE_X) > 0;
    if (!p->plan->gaussian && p->whole) take_all(p);
    for (dlp_index c = 0; c < f->lowering->graph->n_cells; c++)
        if (is_leaf(p, (int32_t)c)) p->plan->reason[c] = DLPI_SEPARATE;
    make_lists(p);
    p->plan->cost = cost(p);
    return dlpi_plan_class_leaves(f, p->plan, error);
}

dlp_status dlpi_plan_make(const dlpi_factors *f, bool whole, dlpi_plan *plan,
                          dlp_error *error)
{
    return dlpi_plan_make_part(f, whole, NULL, 0, plan, error);
}

dlp_status dlpi_plan_make_part(const dlpi_factors *f, bool whole, const int32_t *label,
                               int part, dlpi_plan *plan, dlp_error *error)
{
    const dlp_index n_cells = f->lowering->graph->n_cells;
    planning p = {.f = f, .plan = plan, .whole = whole, .label = label, .part = part};
    DLP_TRY(dlpi_plan_alloc(n_cells, plan, error));
    plan->part = part;
    p.parent = dlpi_calloc(n_cells, 2 * sizeof *p.parent);
    p.scale = dlpi_calloc(n_cells, 1);
    p.spread = dlpi_calloc(n_cells, sizeof *p.spread);
    p.order = dlpi_calloc(f->lowering->graph->n_relations, sizeof *p.order);
    dlp_status status = DLP_OK;
    if (!p.parent || !p.scale || !p.spread || !p.order)
        status = dlpi_no_memory(error, "the plan");
    else {
        p.size = p.parent + n_cells;
        status = make(&p, error);
    }
    free(p.parent);
    free(p.scale);
    free(p.spread);
    free(p.order);
    return status;
}

void dlpi_plan_clear(dlpi_plan *plan)
{
    free(plan->role);
    free(plan->at);
    free(plan->alike);
    free(plan->next_alike);
    free(plan->times);
    *plan = (dlpi_plan){0};
}
