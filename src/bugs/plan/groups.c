/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/plan/groups.h"

#include "core/core.h"

#include <string.h>

enum { MOST_DENSE = 200 }; /* x in a dense matrix */

/* ---- rows by their roles ---- */

/* The role of an input in a row, and which coordinate of a leaf it is. */
static unsigned key_of(const dlpi_template *t, const dlpi_plan *plan, int input,
                       dlp_index row)
{
    if (t->column[input] >= 0) return 0;
    const int32_t cell = t->cell[~t->column[input]][row];
    const unsigned role = plan->role[cell];
    return role == DLPI_ROLE_LEAF ? role + (unsigned)plan->at[cell] : role;
}

static bool same_roles(const dlpi_template *t, const dlpi_plan *plan, dlp_index a,
                       dlp_index b)
{
    for (int i = 0; i < t->program->n_inputs; i++)
        if (key_of(t, plan, i, a) != key_of(t, plan, i, b)) return false;
    return true;
}

static int32_t leaf_of(const dlpi_template *t, const dlpi_plan *plan, dlp_index row)
{
    for (int i = 0; i < t->n_cells; i++)
        if (plan->leaf[t->cell[i][row]] >= 0) return plan->leaf[t->cell[i][row]];
    return -1;
}

/* Sorts rows by their leaves, stably. */
static dlp_status sort_rows(dlp_index n, dlp_index *row, const int32_t *leaf, dlp_index L,
                            dlp_error *error)
{
    dlp_index *count = dlpi_calloc(L + 2, sizeof *count);
    dlp_index *to = dlpi_calloc(n, sizeof *to);
    if (count && to) {
        for (dlp_index i = 0; i < n; i++) count[leaf[row[i]] + 2]++;
        for (dlp_index g = 0; g <= L; g++) count[g + 1] += count[g];
        for (dlp_index i = 0; i < n; i++) to[count[leaf[row[i]] + 1]++] = row[i];
        memcpy(row, to, (size_t)n * sizeof *row);
    }
    const bool failed = !count || !to;
    free(count);
    free(to);
    return failed ? dlpi_no_memory(error, "the factors of the model") : DLP_OK;
}

/* ---- a group ---- */

static dlp_status list_entries(dlpi_group *g, dlp_error *error)
{
    for (int j = 0; j < g->slots.k; j++) g->n_entries += g->slots.n_terms[j];
    g->slot = dlpi_calloc(g->n_entries, sizeof *g->slot);
    g->input = dlpi_calloc(g->n_entries, sizeof *g->input);
    g->local = dlpi_calloc(g->n_entries, sizeof *g->local);
    g->steady = dlpi_calloc(g->n_entries, sizeof *g->steady);
    g->by_psi = dlpi_calloc(g->slots.k, sizeof *g->by_psi);
    if (!g->slot || !g->input || !g->local || !g->steady || !g->by_psi)
        return dlpi_no_memory(error, "the factors of the model");
    int at = 0;
    for (int j = 0; j < g->slots.k; j++) {
        const dlpi_program *affine = &g->slots.affine[j];
        for (int i = 0; i < g->slots.n_terms[j]; i++) {
            g->slot[at] = j;
            g->input[at++] = g->slots.term[j][i];
        }
        for (int i = 0; i < affine->n; i++)
            if ((affine->code[i].op == DLPI_OP_DATA ||
                 affine->code[i].op == DLPI_OP_CELL) &&
                g->role[affine->code[i].arg[0]] == DLPI_ROLE_PSI)
                g->by_psi[j] = true;
    }
    return DLP_OK;
}

static dlp_status gather(dlpi_group *g, const dlpi_template *t, const dlpi_plan *plan,
                         const dlp_index *row, dlp_error *error)
{
    for (int i = 0; i < g->n_inputs; i++) {
        const int column = t->column[i];
        if (column >= 0) {
            g->data[i] = dlpi_calloc(g->n, sizeof *g->data[i]);
            if (!g->data[i]) return dlpi_no_memory(error, "the factors of the model");
            for (dlp_index r = 0; r < g->n; r++) g->data[i][r] = t->data[column][row[r]];
            continue;
        }
        g->index[i] = dlpi_calloc(g->n, sizeof *g->index[i]);
        if (!g->index[i]) return dlpi_no_memory(error, "the factors of the model");
        for (dlp_index r = 0; r < g->n; r++)
            g->index[i][r] = plan->at[t->cell[~column][row[r]]];
    }
    return DLP_OK;
}

static dlp_status fill_group(dlpi_group *g, const dlpi_template *t, const dlpi_plan *plan,
                             dlp_index n, const dlp_index *row, const int32_t *leaf,
                             dlp_error *error)
{
    g->n_inputs = t->program->n_inputs;
    g->n = n;
    const int count = g->n_inputs;
    bool *active = dlpi_calloc(count, sizeof *active);
    g->role = dlpi_calloc(count, sizeof *g->role);
    g->leaf_at = dlpi_calloc(count, sizeof *g->leaf_at);
    g->data = dlpi_calloc(count, sizeof *g->data);
    g->index = dlpi_calloc(count, sizeof *g->index);
    dlp_status status = DLP_OK;
    if (!active || !g->role || !g->leaf_at || !g->data || !g->index)
        status = dlpi_no_memory(error, "the factors of the model");
    for (int i = 0; i < count && status == DLP_OK; i++) {
        const unsigned key = key_of(t, plan, i, row[0]);
        g->role[i] = (uint8_t)(key > DLPI_ROLE_LEAF ? DLPI_ROLE_LEAF : key);
        g->leaf_at[i] = key > DLPI_ROLE_LEAF;
        active[i] = g->role[i] == DLPI_ROLE_X || g->role[i] == DLPI_ROLE_LEAF;
        g->active = g->active || active[i];
    }
    if (status == DLP_OK) status = dlpi_slots_make(t->program, active, &g->slots, error);
    free(active);
    DLP_TRY(status);
    DLP_TRY(list_entries(g, error));
    DLP_TRY(gather(g, t, plan, row, error));
    if (leaf[row[0]] < 0) return DLP_OK;
    g->leaf = dlpi_calloc(n, sizeof *g->leaf);
    if (!g->leaf) return dlpi_no_memory(error, "the factors of the model");
    for (dlp_index r = 0; r < n; r++) g->leaf[r] = leaf[row[r]];
    return DLP_OK;
}

static dlp_status new_group(dlpi_groups *groups, dlpi_group **g, dlp_error *error)
{
    if (groups->n == groups->room) {
        const int room = 2 * groups->room + 16;
        dlpi_group *to = realloc(groups->of, (size_t)room * sizeof *to);
        if (!to) return dlpi_no_memory(error, "the factors of the model");
        groups->of = to;
        groups->room = room;
    }
    *g = &groups->of[groups->n++];
    **g = (dlpi_group){0};
    return DLP_OK;
}

/* Whether a row belongs to the part of the model that the plan is for. */
static bool is_planned(const dlpi_template *t, const dlpi_plan *plan, dlp_index row)
{
    if (t->n_cells == 0) return plan->part == 0;
    for (int i = 0; i < t->n_cells; i++)
        if (plan->role[t->cell[i][row]] != DLPI_ROLE_NONE) return true;
    return false;
}

/* Makes groups, one role pattern after the other. */
static dlp_status split(dlpi_groups *groups, const dlpi_template *t, dlp_index *row,
                        int32_t *leaf, bool *taken, dlp_error *error)
{
    const dlpi_plan *plan = groups->plan;
    for (dlp_index i = 0; i < t->n; i++) {
        leaf[i] = leaf_of(t, plan, i);
        taken[i] = !is_planned(t, plan, i);
    }
    for (dlp_index first = 0; first < t->n; first++) {
        dlp_index n = 0;
        dlpi_group *g;
        if (taken[first]) continue;
        for (dlp_index i = first; i < t->n; i++)
            if (!taken[i] && same_roles(t, plan, first, i)) {
                taken[i] = true;
                row[n++] = i;
            }
        if (leaf[first] >= 0) DLP_TRY(sort_rows(n, row, leaf, plan->L, error));
        DLP_TRY(new_group(groups, &g, error));
        DLP_TRY(fill_group(g, t, plan, n, row, leaf, error));
    }
    return DLP_OK;
}

/* Derivatives by too many unknowns at once are not computed. */
static dlp_status check_slots(const dlpi_factors *f, dlpi_groups *groups, int first,
                              const dlpi_template *t, dlp_error *error)
{
    enum { MOST_SLOTS = 64 }; /* as dlpi_program_run can take */
    const dlpi_graph *graph = f->lowering->graph;
    for (int k = first; k < groups->n; k++)
        if (groups->of[k].slots.k > MOST_SLOTS) {
            groups->too_wide = true;
            return dlpi_graph_complain(
                graph, graph->of[t->relation].relation->place, error,
                "this density is a nonlinear function of %d unknowns at once, more than "
                "%d: fewer points or components, or a sum of parts that each depend on "
                "few unknowns, would do",
                groups->of[k].slots.k, (int)MOST_SLOTS);
        }
    return DLP_OK;
}

static dlp_status split_template(dlpi_groups *groups, const dlpi_template *t,
                                 dlp_error *error)
{
    dlp_index *row = dlpi_calloc(t->n, sizeof *row);
    int32_t *leaf = dlpi_calloc(t->n, sizeof *leaf);
    bool *taken = dlpi_calloc(t->n, sizeof *taken);
    const dlp_status status = row && leaf && taken
                                  ? split(groups, t, row, leaf, taken, error)
                                  : dlpi_no_memory(error, "the factors of the model");
    free(row);
    free(leaf);
    free(taken);
    return status;
}

/* ---- what leaves depend on ---- */

static dlp_status find_begins(dlpi_groups *groups, dlp_error *error)
{
    const dlp_index L = groups->plan->L;
    groups->begin = dlpi_calloc((L + 1) * (dlp_index)groups->n, sizeof *groups->begin);
    if (!groups->begin) return dlpi_no_memory(error, "the factors of the model");
    for (int k = 0; k < groups->n; k++) {
        const dlpi_group *g = &groups->of[k];
        dlp_index *begin = groups->begin + k * (L + 1);
        for (dlp_index r = 0; g->leaf && r < g->n; r++) begin[g->leaf[r] + 1]++;
        for (dlp_index i = 0; i < L; i++) {
            if (begin[i + 1] > groups->most_rows) groups->most_rows = begin[i + 1];
            begin[i + 1] += begin[i];
        }
    }
    return DLP_OK;
}

typedef struct seen {
    int32_t *mark; /* (n) where x is in the support of the leaf in `stamp` */
    int32_t *stamp;
} seen;

/* Writes the x on which leaf l depends to `to`; returns their number. NULL: only
   counts. */
static int32_t list_support(const dlpi_groups *groups, dlp_index l, seen *s, int32_t *to,
                            int32_t stamp)
{
    const dlp_index L = groups->plan->L;
    int32_t n = 0;
    for (int k = 0; k < groups->n; k++) {
        const dlpi_group *g = &groups->of[k];
        const dlp_index *begin = groups->begin + k * (L + 1);
        for (int e = 0; g->leaf && e < g->n_entries; e++) {
            if (g->role[g->input[e]] != DLPI_ROLE_X) continue;
            for (dlp_index r = begin[l]; r < begin[l + 1]; r++) {
                const int32_t x = g->index[g->input[e]][r];
                if (s->stamp[x] != stamp) {
                    s->stamp[x] = stamp;
                    s->mark[x] = n;
                    if (to) to[n] = x;
                    n++;
                }
            }
        }
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void set_local(dlpi_groups *groups, dlp_index l, const seen *s)
{
    const dlp_index L = groups->plan->L;
    for (int k = 0; k < groups->n; k++) {
        dlpi_group *g = &groups->of[k];
        const dlp_index *begin = groups->begin + k * (L + 1);
        for (int e = 0; g->leaf && e < g->n_entries; e++) {
            if (g->role[g->input[e]] != DLPI_ROLE_X) continue;
            for (dlp_index r = begin[l]; r < begin[l + 1]; r++)
                g->local[e][r] = s->mark[g->index[g->input[e]][r]];
        }
    }
}

static dlp_status fill_support(dlpi_groups *groups, seen *s, dlp_error *error)
{
    const dlp_index L = groups->plan->L;
    for (dlp_index l = 0; l < L; l++)
        groups->support_begin[l + 1] =
            groups->support_begin[l] + list_support(groups, l, s, NULL, (int32_t)l + 1);
    groups->support = dlpi_calloc(groups->support_begin[L], sizeof *groups->support);
    if (!groups->support) return dlpi_no_memory(error, "the factors of the model");
    memset(s->stamp, 0, (size_t)groups->plan->n * sizeof *s->stamp);
    for (dlp_index l = 0; l < L; l++) {
        int32_t *support = groups->support + groups->support_begin[l];
        const int32_t n = list_support(groups, l, s, support, (int32_t)l + 1);
        qsort(support, (size_t)n, sizeof *support, by_value);
        for (int32_t i = 0; i < n; i++) s->mark[support[i]] = i;
        set_local(groups, l, s);
        if (n > groups->most_support) groups->most_support = n;
    }
    return DLP_OK;
}

static void find_steady(dlpi_group *g)
{
    for (int e = 0; g->leaf && e < g->n_entries; e++) {
        const int32_t *x = g->index[g->input[e]];
        g->steady[e] = g->role[g->input[e]] == DLPI_ROLE_X;
        for (dlp_index r = 1; r < g->n && g->steady[e]; r++)
            g->steady[e] = g->leaf[r] != g->leaf[r - 1] || x[r] == x[r - 1];
    }
}

static dlp_status find_support(dlpi_groups *groups, dlp_error *error)
{
    const dlp_index n = groups->plan->n;
    seen s = {0};
    groups->support_begin =
        dlpi_calloc(groups->plan->L + 1, sizeof *groups->support_begin);
    s.mark = dlpi_calloc(2 * n, sizeof *s.mark);
    if (!groups->support_begin || !s.mark) {
        free(s.mark);
        return dlpi_no_memory(error, "the factors of the model");
    }
    s.stamp = s.mark + n;
    for (int k = 0; k < groups->n; k++) {
        dlpi_group *g = &groups->of[k];
        find_steady(g);
        for (int e = 0; g->leaf && e < g->n_entries; e++) {
            if (g->role[g->input[e]] != DLPI_ROLE_X) continue;
            g->local[e] = dlpi_calloc(g->n, sizeof *g->local[e]);
            if (g->local[e]) continue;
            free(s.mark);
            return dlpi_no_memory(error, "the factors of the model");
        }
    }
    const dlp_status status = fill_support(groups, &s, error);
    free(s.mark);
    return status;
}

/* ---- the pattern ---- */

/* Adds the terms of rows without leaves. */
static dlp_index put_rows(const dlpi_groups *groups, dlp_index *start, int32_t *column,
                          dlp_index n_terms)
{
    dlp_index at = start ? start[n_terms] : 0;
    for (int k = 0; k < groups->n; k++) {
        const dlpi_group *g = &groups->of[k];
        if (g->leaf || !g->active) continue;
        for (dlp_index r = 0; r < g->n; r++) {
            for (int e = 0; e < g->n_entries; e++, at++)
                if (column) column[at] = g->index[g->input[e]][r];
            n_terms++;
            if (start) start[n_terms] = at;
        }
    }
    return column || start ? n_terms : at;
}

dlp_status dlpi_groups_pattern(const dlpi_groups *groups, dlp_pattern **pattern,
                               dlp_error *error)
{
    const dlp_index n = groups->plan->n, L = groups->plan->L;
    *pattern = NULL;
    if (n <= MOST_DENSE) return DLP_OK;
    dlp_index rows = 0;
    for (int k = 0; k < groups->n; k++)
        if (!groups->of[k].leaf && groups->of[k].active) rows += groups->of[k].n;
    const dlp_index total =
        put_rows(groups, NULL, NULL, 0) + (L ? groups->support_begin[L] : 0);
    dlp_index *start = dlpi_calloc(rows + L + 1, sizeof *start);
    int32_t *column = dlpi_calloc(total, sizeof *column);
    dlp_status status = DLP_OK;
    if (!start || !column)
        status = dlpi_no_memory(error, "the factors of the model");
    else {
        for (dlp_index l = 0; l < L; l++) start[l + 1] = groups->support_begin[l + 1];
        if (L)
            memcpy(column, groups->support,
                   (size_t)groups->support_begin[L] * sizeof *column);
        const dlp_index n_terms = put_rows(groups, start, column, L);
        status = dlp_pattern_from_sum(n, n_terms, start, column, pattern, error);
    }
    free(start);
    free(column);
    return status;
}

/* ---- the whole ---- */

dlp_status dlpi_groups_make(dlpi_factors *f, const dlpi_plan *plan, dlpi_groups *groups,
                            dlp_error *error)
{
    *groups = (dlpi_groups){.plan = plan};
    for (int k = 0; k < f->n_templates; k++)
        if (f->of[k].n) {
            const int first = groups->n;
            DLP_TRY(split_template(groups, &f->of[k], error));
            DLP_TRY(check_slots(f, groups, first, &f->of[k], error));
        }
    DLP_TRY(find_begins(groups, error));
    return find_support(groups, error);
}

static void clear_group(dlpi_group *g)
{
    for (int i = 0; i < g->n_inputs; i++) {
        if (g->data) free(g->data[i]);
        if (g->index) free(g->index[i]);
    }
    for (int e = 0; g->local && e < g->n_entries; e++) free(g->local[e]);
    free((void *)g->data);
    free((void *)g->index);
    free((void *)g->local);
    free(g->role);
    free(g->leaf_at);
    free(g->leaf);
    free(g->by_psi);
    free(g->steady);
    free(g->slot);
    free(g->input);
    dlpi_slots_clear(&g->slots);
}

void dlpi_groups_clear(dlpi_groups *groups)
{
    for (int k = 0; k < groups->n; k++) clear_group(&groups->of[k]);
    free(groups->of);
    free(groups->begin);
    free(groups->support_begin);
    free(groups->support);
    *groups = (dlpi_groups){0};
}
