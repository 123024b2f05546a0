/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/parts.h"

#include "core/core.h"
#include "math/shuffle.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

static const double MOST_WORK = 2e7; /* cells times parts */

/* ---- which unknowns belong together ---- */

static int32_t find(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join_rows(const dlpi_factors *f, int32_t *parent)
{
    for (int k = 0; k < f->n_templates; k++) {
        const dlpi_template *t = &f->of[k];
        for (int j = 1; j < t->n_cells; j++)
            for (dlp_index r = 0; r < t->n; r++)
                parent[find(parent, t->cell[j][r])] = find(parent, t->cell[0][r]);
    }
    for (dlp_index k = 0; k < f->n_nodes;
         k++) /* elements of a vector are planned as one */
        for (int i = 1; i < f->node[k].n; i++)
            parent[find(parent, f->node_cell[f->node[k].first + i])] =
                find(parent, f->node_cell[f->node[k].first]);
}

static bool is_psi(const dlpi_plan *plan, dlp_index cell)
{
    return plan->role[cell] == DLPI_ROLE_PSI ||
           (plan->role[cell] == DLPI_ROLE_X &&
            plan->reason[cell] == DLPI_TOO_MANY_PARAMETERS);
}

/* Labels components with psi from 0 on; all others, if any, form one more part. Returns
   the number of parts. */
static int label_parts(const dlpi_plan *plan, dlp_index n_cells, int32_t *parent,
                       int32_t *label)
{
    int n = 0;
    bool rest = false;
    for (dlp_index c = 0; c < n_cells; c++) label[c] = -1;
    for (dlp_index c = 0; c < n_cells; c++) {
        const int32_t root = find(parent, (int32_t)c);
        if (is_psi(plan, c) && label[root] < 0) label[root] = n++;
    }
    for (dlp_index c = 0; c < n_cells; c++) {
        const int32_t own = label[find(parent, (int32_t)c)];
        if (plan->role[c] == DLPI_ROLE_NONE) continue;
        rest = rest || own < 0;
        label[c] = own < 0 ? n : own;
    }
    for (dlp_index c = 0; c < n_cells; c++)
        if (plan->role[c] == DLPI_ROLE_NONE) label[c] = -1;
    if (n < 2) return 1;
    return n + rest;
}

/* ---- plans ---- */

/* Copies the plan of a part into that of the whole. */
static void put_plan(dlpi_plan *plan, const dlpi_part *part, dlp_index n_cells)
{
    const dlpi_plan *own = &part->plan;
    for (dlp_index c = 0; c < n_cells; c++) {
        if (own->role[c] == DLPI_ROLE_NONE) continue;
        plan->role[c] = own->role[c];
        plan->reason[c] = own->reason[c];
        plan->at[c] = own->at[c];
        plan->leaf[c] = own->leaf[c];
        if (own->role[c] == DLPI_ROLE_PSI) plan->at[c] += (int32_t)part->m;
        if (own->role[c] == DLPI_ROLE_X) plan->at[c] += (int32_t)part->n;
        if (own->role[c] == DLPI_ROLE_LEAF) plan->leaf[c] += (int32_t)part->L;
    }
    memcpy(plan->psi_cell + part->m, own->psi_cell, (size_t)own->m * sizeof(int32_t));
    memcpy(plan->x_cell + part->n, own->x_cell, (size_t)own->n * sizeof(int32_t));
    memcpy(plan->leaf_cell + 2 * part->L, own->leaf_cell,
           (size_t)(2 * own->L) * sizeof(int32_t));
    plan->m += own->m;
    plan->n += own->n;
    plan->L += own->L;
    plan->classes = plan->L;
    plan->gaussian = plan->gaussian && (own->gaussian || own->n == 0);
    plan->cost = fmax(plan->cost, own->cost);
}

static dlp_status make_plans(const dlpi_factors *f, dlpi_plan *plan, dlpi_parts *parts,
                             dlp_error *error)
{
    const dlp_index n_cells = f->lowering->graph->n_cells;
    parts->of = dlpi_calloc(parts->n, sizeof *parts->of);
    if (!parts->of) return dlpi_no_memory(error, "the plan");
    free(plan->alike); /* classes are within a part */
    free(plan->next_alike);
    free(plan->times);
    plan->alike = plan->next_alike = NULL;
    plan->times = NULL;
    plan->m = plan->n = plan->L = plan->classes = 0;
    plan->cost = 0;
    plan->gaussian = true;
    for (int i = 0; i < parts->n; i++) {
        dlpi_part *part = &parts->of[i];
        part->m = plan->m;
        part->n = plan->n;
        part->L = plan->L;
        DLP_TRY(dlpi_plan_make_part(f, true, parts->label, i, &part->plan, error));
        put_plan(plan, part, n_cells);
    }
    plan->gaussian = plan->gaussian && plan->n > 0;
    return DLP_OK;
}

dlp_status dlpi_parts_make(const dlpi_factors *f, dlpi_plan *plan, dlpi_parts *parts,
                           dlp_error *error)
{
    const dlp_index n_cells = f->lowering->graph->n_cells;
    *parts = (dlpi_parts){.n = 1};
    if (plan->m < 2 || (double)n_cells > MOST_WORK / 2) return DLP_OK;
    int32_t *parent = dlpi_calloc(n_cells, sizeof *parent);
    parts->label = dlpi_calloc(n_cells, sizeof *parts->label);
    if (!parent || !parts->label) {
        free(parent);
        return dlpi_no_memory(error, "the plan");
    }
    for (dlp_index c = 0; c < n_cells; c++) parent[c] = (int32_t)c;
    join_rows(f, parent);
    const int n = label_parts(plan, n_cells, parent, parts->label);
    free(parent);
    if (n == 1 || (double)n * (double)n_cells > MOST_WORK) return DLP_OK;
    parts->n = n;
    return make_plans(f, plan, parts, error);
}

void dlpi_parts_clear(dlpi_parts *parts)
{
    for (int i = 0; parts->of && i < parts->n; i++) {
        dlpi_posterior_clear(&parts->of[i].posterior);
        dlpi_plan_clear(&parts->of[i].plan);
    }
    free(parts->of);
    free(parts->label);
    *parts = (dlpi_parts){0};
}

/* ---- one part ---- */

typedef struct search {
    dlpi_factors *f;
    const int32_t *label;
    int part;
    double *start, *unit;
} search;

/* Whether psi includes possible locations: because there are few unknowns, or because
   they are not locations of the data. */
static bool is_whole(const search *s, const dlpi_plan *plan)
{
    for (dlp_index k = 0; k < plan->m; k++) {
        const int32_t cell = plan->psi_cell[k];
        if (plan->reason[cell] == DLPI_FEW_UNKNOWNS ||
            (plan->reason[cell] == DLPI_PARAMETER_OF_DATA &&
             s->f->lowering->domain[cell] == DLPI_DOMAIN_REAL))
            return true;
    }
    return false;
}

static void take_look(const search *s, const dlpi_plan *plan, const dlpi_posterior *first)
{
    const dlp_index n_cells = s->f->lowering->graph->n_cells;
    for (dlp_index c = 0; c < n_cells; c++) s->unit[c] = NAN;
    for (dlp_index k = 0; k < plan->n; k++) {
        s->start[plan->x_cell[k]] = first->x_mean[k];
        s->unit[plan->x_cell[k]] = first->x_sd[k];
    }
    for (dlp_index k = 0; k < plan->m; k++)
        s->start[plan->psi_cell[k]] =
            first->center[k] + first->unit[k] * first->explore.mode[k];
}

/* A Gaussian fit finds where the unknowns are, and the units in which to explore. */
static dlp_status look_first(const search *s, dlpi_posterior_settings *settings,
                             dlp_error *error)
{
    dlpi_plan plan = {0};
    dlpi_groups groups = {0};
    dlpi_posterior first = {0};
    const dlp_index draws = settings->draws;
    settings->draws = 2;
    dlp_status status = dlpi_plan_make_part(s->f, false, s->label, s->part, &plan, error);
    if (status == DLP_OK) status = dlpi_groups_make(s->f, &plan, &groups, error);
    if (status == DLP_OK) status = dlpi_posterior_find(&groups, settings, &first, error);
    settings->draws = draws;
    if (status == DLP_OK && first.points > 0) {
        take_look(s, &plan, &first);
        settings->unit = s->unit;
    }
    dlpi_posterior_clear(&first);
    dlpi_groups_clear(&groups);
    dlpi_plan_clear(&plan);
    return status;
}

static dlp_status find_one(const search *s, const dlpi_groups *groups,
                           const dlpi_posterior_settings *given, dlpi_posterior *p,
                           dlp_error *error)
{
    dlpi_posterior_settings settings = *given;
    settings.start = s->start;
    if (is_whole(s, groups->plan)) DLP_TRY(look_first(s, &settings, error));
    return dlpi_posterior_find(groups, &settings, p, error);
}

/* ---- all of them ---- */

static dlp_status allocate(const dlpi_parts *parts, dlpi_posterior *p, dlp_error *error)
{
    const dlp_index wide = p->n + 2 * p->L;
    dlp_index kept = 0;
    bool all = true;
    for (int i = 0; i < parts->n; i++) {
        const dlpi_posterior *own = &parts->of[i].posterior;
        if (i == 0 || own->draws < p->draws) p->draws = own->draws;
        all = all && !own->column;
        for (dlp_index c = 0; c < own->n + 2 * own->L; c++)
            kept += !own->column || own->column[c] >= 0;
    }
    p->draw = dlpi_calloc(p->draws * (p->m + kept), sizeof *p->draw);
    p->memory = dlpi_calloc(2 * wide, sizeof *p->memory);
    p->center = dlpi_calloc(2 * p->m, sizeof *p->center);
    p->part = dlpi_calloc(parts->n, sizeof *p->part);
    p->first = dlpi_calloc(parts->n + 1, sizeof *p->first);
    if (!all) p->column = dlpi_calloc(wide, sizeof *p->column);
    if (!p->draw || !p->memory || !p->center || !p->part || !p->first ||
        (!all && !p->column))
        return dlpi_no_memory(error, "the posterior");
    p->n_parts = parts->n;
    p->unit = p->center + p->m;
    p->x_mean = p->memory;
    p->leaf_mean = p->x_mean + p->n;
    p->x_sd = p->x_mean + wide;
    p->leaf_sd = p->x_sd + p->n;
    return dlpi_explore_alloc(&p->explore, p->m, error);
}

/* Takes evenly spaced draws of a part, which may have more than are wanted. */
static void put_draws(const dlpi_posterior *own, const double *from, dlp_index n,
                      const dlp_index *order, double *to)
{
    for (dlp_index i = 0; i < n; i++) to[order[i]] = from[i * own->draws / n];
}

/* Where in all x and leaves the c-th of a part is. */
static dlp_index place_of(const dlpi_posterior *p, const dlpi_part *part, dlp_index c)
{
    const dlp_index n = part->plan.n;
    return c < n ? part->n + c : p->n + 2 * part->L + c - n;
}

static void put_explored(const dlpi_part *part, dlpi_posterior *p)
{
    const dlpi_explore *own = &part->posterior.explore;
    dlpi_explore *e = &p->explore;
    for (dlp_index k = 0; k < own->m; k++) {
        const dlp_index to = part->m + k;
        p->center[to] = part->posterior.center[k];
        p->unit[to] = part->posterior.unit[k];
        e->mode[to] = own->mode[k];
        e->scale[to] = own->scale[k];
        e->skew[to] = own->skew[k];
        for (dlp_index j = 0; j < own->m; j++)
            e->root[to * e->m + part->m + j] = own->root[k * own->m + j];
    }
    e->log_mode += own->log_mode;
    e->evaluations += own->evaluations;
}

/* Takes over the part's points of psi. */
static void put_part(const dlpi_parts *parts, int i, const dlp_index *order,
                     dlp_index *next, dlpi_posterior *p)
{
    dlpi_part *part = &parts->of[i];
    dlpi_posterior *own = &part->posterior;
    const dlp_index wide = p->n + 2 * p->L;
    p->part[i] = own->psi_points;
    own->psi_points = (dlpi_psi_points){0};
    p->first[i + 1] = part->m + own->m;
    put_explored(part, p);
    for (dlp_index k = 0; k < own->m; k++)
        put_draws(own, own->draw + k * own->draws, p->draws, order,
                  p->draw + (part->m + k) * p->draws);
    for (dlp_index c = 0; c < own->n + 2 * own->L; c++) {
        const dlp_index to = place_of(p, part, c), at = own->column ? own->column[c] : c;
        p->x_mean[to] = own->x_mean[c];
        p->x_mean[wide + to] = own->x_mean[own->n + 2 * own->L + c];
        if (p->column) p->column[to] = at < 0 ? -1 : (int32_t)*next;
        if (at < 0) continue;
        put_draws(own, own->draw + (own->m + at) * own->draws, p->draws, order,
                  p->draw + (p->m + (p->column ? *next : to)) * p->draws);
        (*next)++;
    }
}

/* Combines the parts: takes the worst, the largest or the sum. */
static bool put_summary(const dlpi_parts *parts, dlpi_posterior *p)
{
    bool all = true;
    p->outcome = DLP_CONVERGED;
    for (int i = 0; i < parts->n; i++) {
        const dlpi_posterior *own = &parts->of[i].posterior;
        if (own->outcome != DLP_CONVERGED) p->outcome = own->outcome;
        if (own->m > p->together) p->together = own->m;
        p->few = p->few || own->few;
        p->open = p->open || own->open;
        p->log_evidence += own->log_evidence;
        p->points += own->points;
        p->evaluations += own->evaluations;
        p->shift = fmax(p->shift, own->shift);
        p->roughness = fmax(p->roughness, own->roughness);
        p->omitted = fmax(p->omitted, own->omitted);
        all = all && own->points > 0;
    }
    if (!all) p->points = 0;
    return all;
}

static dlp_status put_together(const dlpi_parts *parts, uint64_t seed, dlpi_posterior *p,
                               dlp_error *error)
{
    dlp_index next = 0;
    if (!put_summary(parts, p)) return DLP_OK;
    DLP_TRY(allocate(parts, p, error));
    dlp_index *order = dlpi_calloc(p->draws, sizeof *order);
    if (!order) return dlpi_no_memory(error, "the posterior");
    for (int i = 0; i < parts->n; i++) {
        /* Shuffles the draws of a part: they are in the order of its psi, and would
           otherwise be correlated with those of other parts. */
        dlp_rng rng = dlp_rng_at(seed + 1000 + (uint64_t)i, 0);
        dlpi_shuffle(p->draws, &rng, order);
        put_part(parts, i, order, &next, p);
    }
    free(order);
    return DLP_OK;
}

dlp_status dlpi_parts_find(dlpi_factors *f, dlpi_parts *parts, const dlpi_groups *groups,
                           const dlpi_posterior_settings *settings, double *start,
                           double *unit, dlpi_posterior *p, dlp_error *error)
{
    search s = {.f = f, .start = start, .unit = unit};
    if (parts->n == 1) return find_one(&s, groups, settings, p, error);
    s.label = parts->label;
    *p = (dlpi_posterior){
        .m = groups->plan->m, .n = groups->plan->n, .L = groups->plan->L};
    for (s.part = 0; s.part < parts->n; s.part++) {
        dlpi_part *part = &parts->of[s.part];
        dlpi_groups own = {0};
        dlpi_posterior_clear(&part->posterior); /* of an earlier search */
        dlp_status status = dlpi_groups_make(f, &part->plan, &own, error);
        if (status == DLP_OK)
            status = find_one(&s, &own, settings, &part->posterior, error);
        dlpi_groups_clear(&own);
        DLP_TRY(status);
    }
    const dlp_status status = put_together(parts, settings->seed, p, error);
    if (status != DLP_OK) dlpi_posterior_clear(p);
    return status;
}
