/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/field.h"
#include "bugs/posterior/field_memory.h"
#include "bugs/posterior/leaf.h"

#include "core/core.h"
#include "density/jet.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100, MOST_RIDGES = 12, MOST_CUTS = 12 };
enum { MOST_TERMS = 32 }; /* terms differentiated at once */
/* A step that promises no larger gain is the last: Newton's method squares the remaining
   error. If evaluations are cheap, we find all digits. */
static const double TINY = 1e-6, TINIER = 1e-13, LITTLE = 1e6;
/* Smaller gains may be due to errors of the leaves' integrals. */
static const double DOUBTFUL = 1e-3;

/* ---- shared by all workers ---- */

static void measure(dlpi_field *field)
{
    field->most_slots = 1;
    for (int k = 0; k < field->groups->n; k++) {
        const dlpi_group *g = &field->groups->of[k];
        const int all = g->n_inputs + g->slots.k;
        if (all > field->most_inputs) field->most_inputs = all;
        if (g->slots.k > field->most_slots) field->most_slots = g->slots.k;
    }
}

/* Room for all programs. */
static dlp_status measure_room(dlpi_field *field, dlp_error *error)
{
    int *slot = dlpi_calloc(field->most_inputs + 1, sizeof *slot);
    if (!slot) return dlpi_no_memory(error, "the factors of the model");
    for (int k = 0; k < field->groups->n; k++) {
        const dlpi_group *g = &field->groups->of[k];
        const int all = g->n_inputs + g->slots.k;
        for (int i = 0; i < all; i++) slot[i] = i < g->n_inputs ? -1 : i - g->n_inputs;
        const int order = g->leaf && g->slots.k <= DLPI_LEAF_THIRDS ? 3 : 2;
        size_t room = dlpi_program_room(&g->slots.body, g->slots.k, order, slot);
        if (room > field->room) field->room = room;
        for (int j = 0; j < g->slots.k; j++) {
            for (int i = 0; i < all; i++) slot[i] = -1;
            const int terms =
                g->slots.n_terms[j] < MOST_TERMS ? g->slots.n_terms[j] : MOST_TERMS;
            for (int i = 0; i < g->slots.n_terms[j]; i++)
                slot[g->slots.term[j][i]] = i < terms ? i : terms - 1;
            room = dlpi_program_room(&g->slots.affine[j], terms, 1, slot);
            if (room > field->room) field->room = room;
        }
    }
    free(slot);
    /* SIZE_MAX: not enough memory to find out */
    return field->room < SIZE_MAX ? DLP_OK
                                  : dlpi_no_memory(error, "the factors of the model");
}

static dlp_status place_group(dlpi_field *field, int k, dlp_error *error)
{
    const dlpi_group *g = &field->groups->of[k];
    if (g->leaf || !g->active) return DLP_OK;
    const dlp_index pairs = (dlp_index)g->n_entries * (g->n_entries + 1) / 2;
    int32_t *place = dlpi_calloc(g->n, (size_t)pairs * sizeof *place);
    if (!place) return dlpi_no_memory(error, "the factors of the model");
    field->place[k] = place;
    for (int a = 0; a < g->n_entries; a++)
        for (int b = a; b < g->n_entries; b++, place += g->n)
            for (dlp_index r = 0; r < g->n; r++)
                place[r] = (int32_t)dlpi_field_place(field, g->index[g->input[a]][r],
                                                     g->index[g->input[b]][r]);
    return DLP_OK;
}

static dlp_status place_leaves(dlpi_field *field, dlp_error *error)
{
    const dlpi_groups *groups = field->groups;
    const dlp_index L = field->plan->L;
    field->leaf_begin = dlpi_calloc(L + 1, sizeof *field->leaf_begin);
    if (!field->leaf_begin) return dlpi_no_memory(error, "the factors of the model");
    for (dlp_index l = 0; l < L; l++) {
        const dlp_index m = groups->support_begin[l + 1] - groups->support_begin[l];
        field->leaf_begin[l + 1] = field->leaf_begin[l] + m * (m + 1) / 2;
    }
    field->leaf_place = dlpi_calloc(field->leaf_begin[L], sizeof *field->leaf_place);
    if (!field->leaf_place) return dlpi_no_memory(error, "the factors of the model");
    int32_t *place = field->leaf_place;
    for (dlp_index l = 0; l < L; l++) {
        const dlp_index m = groups->support_begin[l + 1] - groups->support_begin[l];
        const int32_t *support = groups->support + groups->support_begin[l];
        for (dlp_index i = 0; i < m; i++)
            for (dlp_index j = i; j < m; j++)
                *place++ = (int32_t)dlpi_field_place(field, support[i], support[j]);
    }
    return DLP_OK;
}

dlp_status dlpi_field_make(const dlpi_groups *groups, dlpi_field *field, dlp_error *error)
{
    const dlpi_plan *plan = groups->plan;
    *field = (dlpi_field){.plan = plan, .groups = groups};
    field->tiny = plan->cost < LITTLE ? TINIER : TINY;
    measure(field);
    DLP_TRY(measure_room(field, error));
    DLP_TRY(dlpi_groups_check_memory(groups, error));
    DLP_TRY(dlpi_groups_pattern(groups, &field->pattern, error));
    DLP_TRY(dlpi_pattern_check_memory(field->pattern, error));
    field->shape = field->pattern ? dlp_shape_sparse(field->pattern)
                                  : dlp_shape_dense(plan->n > 0 ? plan->n : 1);
    field->place = dlpi_calloc(groups->n, sizeof *field->place);
    field->x = dlpi_calloc(plan->n + 2 * plan->L + 1, sizeof *field->x);
    if (!field->place || !field->x)
        return dlpi_no_memory(error, "the factors of the model");
    field->b = field->x + plan->n;
    for (int k = 0; k < groups->n; k++) DLP_TRY(place_group(field, k, error));
    DLP_TRY(place_leaves(field, error));
    return dlpi_leaves_block(field, error);
}

void dlpi_field_clear(dlpi_field *field)
{
    for (int k = 0; field->place && k < field->groups->n; k++) free(field->place[k]);
    free((void *)field->place);
    free(field->leaf_place);
    free(field->leaf_begin);
    free(field->block);
    free(field->together);
    free(field->x);
    dlp_pattern_free(field->pattern);
    *field = (dlpi_field){0};
}

/* ---- a worker ---- */

static dlp_status alloc_groups(dlpi_work *w, dlp_error *error)
{
    const dlpi_groups *groups = w->of->groups;
    w->constant = dlpi_calloc(groups->n, sizeof *w->constant);
    w->coef = dlpi_calloc(groups->n, sizeof *w->coef);
    if (!w->constant || !w->coef) return dlpi_no_memory(error, "the posterior");
    for (int k = 0; k < groups->n; k++) {
        const dlpi_group *g = &groups->of[k];
        w->constant[k] = dlpi_calloc(g->n, (size_t)(g->slots.k + 1) * sizeof(double));
        w->coef[k] = dlpi_calloc(g->n, (size_t)(g->n_entries + 1) * sizeof(double));
        if (!w->constant[k] || !w->coef[k]) return dlpi_no_memory(error, "the posterior");
    }
    return DLP_OK;
}

/* Bodies are run for values, for second derivatives, and some for third ones. */
static dlp_status alloc_runners(dlpi_work *w, dlp_error *error)
{
    const dlpi_groups *groups = w->of->groups;
    w->runner = dlpi_calloc((dlp_index)4 * groups->n, sizeof *w->runner);
    if (!w->runner) return dlpi_no_memory(error, "the posterior");
    for (int k = 0; k < groups->n; k++) {
        const dlpi_group *g = &groups->of[k];
        const int all = g->n_inputs + g->slots.k;
        const bool thirds = g->leaf && g->slots.k <= DLPI_LEAF_THIRDS;
        for (int i = 0; i < all; i++) w->slot[i] = i < g->n_inputs ? -1 : i - g->n_inputs;
        for (int order = 0; order <= (thirds ? 3 : 2); order++)
            if (order != 1)
                DLP_TRY(dlpi_runner_alloc(&g->slots.body, g->slots.k, w->slot, order,
                                          w->room, &w->runner[4 * k + order], error));
    }
    return DLP_OK;
}

dlp_status dlpi_work_alloc_room(dlpi_work *w, dlp_index more, dlp_error *error)
{
    const dlpi_field *of = w->of;
    const dlp_index all = of->most_inputs + 1;
    const int k = of->most_slots + 1;
    const int size = dlpi_jet_size(k, 2);
    const dlp_index jets =
        DLPI_BATCH * (dlp_index)(size > MOST_TERMS + 1 ? size : MOST_TERMS + 1);
    w->block = dlpi_calloc(jets + all * DLPI_BATCH + (dlp_index)of->room + more,
                           sizeof *w->block);
    w->input = dlpi_calloc(all, sizeof *w->input);
    w->slot = dlpi_calloc(all, sizeof *w->slot);
    if (!w->block || !w->input || !w->slot) return dlpi_no_memory(error, "the posterior");
    w->jet = w->block; /* aligned for vector loads */
    w->batch = w->jet + jets;
    w->room = w->batch + all * DLPI_BATCH;
    return alloc_runners(w, error);
}

void dlpi_work_free_room(dlpi_work *w)
{
    for (int i = 0; w->runner && i < 4 * w->of->groups->n; i++)
        dlpi_runner_free(w->runner[i]);
    free((void *)w->runner);
    free((void *)w->input);
    free(w->slot);
    free(w->block);
}

dlp_status dlpi_work_alloc(const dlpi_field *of, dlpi_work *w, dlp_error *error)
{
    const dlpi_plan *plan = of->plan;
    const dlp_index n = plan->n, L = plan->L, m = plan->m;
    const dlp_index slopes = 2 * of->groups->support_begin[L];
    *w = (dlpi_work){.of = of, .tiny = TINY};
    DLP_TRY(dlpi_work_alloc_room(w, m + 5 * n + 7 * L + slopes, error));
    w->psi = w->room + of->room;
    w->x = w->psi + m;
    w->gradient = w->x + n;
    w->step = w->gradient + n;
    w->from = w->step + n;
    w->mode = w->from + n;
    w->b = w->mode + n;
    w->mean = w->b + 2 * L;
    w->variance = w->mean + 2 * L;
    w->slope = w->variance + 3 * L;
    DLP_TRY(dlp_sym_alloc(of->shape, &w->H, error));
    DLP_TRY(dlp_sym_alloc(of->shape, &w->trial, error));
    DLP_TRY(dlp_sym_alloc(of->shape, &w->S, error));
    DLP_TRY(dlp_cholesky_alloc(of->shape, &w->F, error));
    DLP_TRY(alloc_groups(w, error));
    DLP_TRY(dlpi_leaves_alloc(w, error));
    dlpi_work_set_psi(w, w->psi, true);
    return DLP_OK;
}

void dlpi_work_free(dlpi_work *w)
{
    if (!w->of) return;
    for (int k = 0; k < w->of->groups->n; k++) {
        if (w->constant) free(w->constant[k]);
        if (w->coef) free(w->coef[k]);
    }
    free((void *)w->constant);
    free((void *)w->coef);
    dlpi_leaves_free(w);
    dlp_cholesky_free(w->F);
    dlp_sym_free(&w->H);
    dlp_sym_free(&w->trial);
    dlp_sym_free(&w->S);
    dlpi_work_free_room(w);
    *w = (dlpi_work){0};
}

/* ---- slots given psi ---- */

void dlpi_work_inputs(dlpi_work *w, const dlpi_group *g, dlp_index row, dlp_index n)
{
    for (int i = 0; i < g->n_inputs; i++) {
        double *to = w->batch + (dlp_index)i * DLPI_BATCH;
        w->slot[i] = -1;
        w->input[i] = to;
        if (g->role[i] == DLPI_ROLE_NONE)
            w->input[i] = g->data[i] + row;
        else if (g->role[i] == DLPI_ROLE_PSI)
            for (dlp_index r = 0; r < n; r++) to[r] = w->psi[g->index[i][row + r]];
    }
}

/* u_j = c_j + sum of a_ji x_i: value and gradient of the slot's program at x = 0, for
   `terms` terms from `first` on. */
static void set_terms(dlpi_work *w, int k, int j, int entry, int first, int terms)
{
    const dlpi_group *g = &w->of->groups->of[k];
    for (dlp_index row = 0; row < g->n; row += DLPI_BATCH) {
        const dlp_index n = g->n - row < DLPI_BATCH ? g->n - row : DLPI_BATCH;
        dlpi_work_inputs(w, g, row, n);
        for (int i = 0; i < g->slots.n_terms[j]; i++) {
            const int input = g->slots.term[j][i];
            double *zero = w->batch + (dlp_index)input * DLPI_BATCH;
            if (i >= first && i < first + terms) w->slot[input] = i - first;
            memset(zero, 0, DLPI_BATCH * sizeof *zero);
        }
        dlpi_program_run(&g->slots.affine[j], n, w->input, terms, w->slot, 1, w->jet,
                         w->room);
        memcpy(w->constant[k] + (dlp_index)j * g->n + row, w->jet,
               (size_t)n * sizeof *w->jet);
        for (int i = 0; i < terms; i++)
            memcpy(w->coef[k] + (dlp_index)(entry + first + i) * g->n + row,
                   w->jet + (1 + i) * n, (size_t)n * sizeof *w->jet);
    }
}

static void set_slot(dlpi_work *w, int k, int j, int entry)
{
    const int terms = w->of->groups->of[k].slots.n_terms[j];
    for (int i = 0; i < terms; i += MOST_TERMS)
        set_terms(w, k, j, entry, i, terms - i < MOST_TERMS ? terms - i : MOST_TERMS);
}

void dlpi_work_set_psi(dlpi_work *w, const double *psi, bool first)
{
    if (psi != w->psi) memcpy(w->psi, psi, (size_t)w->of->plan->m * sizeof *psi);
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        int entry = 0;
        for (int j = 0; j < g->slots.k; j++) {
            if (first || g->by_psi[j]) set_slot(w, k, j, entry);
            entry += g->slots.n_terms[j];
        }
    }
}

void dlpi_work_slots(const dlpi_work *w, int k, dlp_index row, dlp_index n,
                     dlpi_role role, double *slots)
{
    const dlpi_group *g = &w->of->groups->of[k];
    for (int j = 0; j < g->slots.k; j++)
        memcpy(slots + j * n, w->constant[k] + j * g->n + row, (size_t)n * sizeof *slots);
    for (int i = 0; i < g->n_entries; i++) {
        if (g->role[g->input[i]] != role) continue;
        const double *coef = w->coef[k] + i * g->n + row;
        const int32_t *x = g->index[g->input[i]] + row;
        double *u = slots + g->slot[i] * n;
        for (dlp_index r = 0; r < n; r++) u[r] += coef[r] * w->x[x[r]];
    }
}

/* ---- rows without leaves ---- */

static void set_slots(dlpi_work *w, int k, dlp_index row, dlp_index n)
{
    const dlpi_group *g = &w->of->groups->of[k];
    for (int j = 0; j < g->slots.k; j++) {
        double *u = w->batch + (dlp_index)(g->n_inputs + j) * DLPI_BATCH;
        w->input[g->n_inputs + j] = u;
        memcpy(u, w->constant[k] + (dlp_index)j * g->n + row, (size_t)n * sizeof *u);
    }
    for (int e = 0; e < g->n_entries; e++) {
        double *u = w->batch + (dlp_index)(g->n_inputs + g->slot[e]) * DLPI_BATCH;
        const double *coef = w->coef[k] + (dlp_index)e * g->n + row;
        const int32_t *x = g->index[g->input[e]] + row;
        for (dlp_index r = 0; r < n; r++) u[r] += coef[r] * w->x[x[r]];
    }
}

/* Whether all n are equal. */
static bool are_equal(dlp_index n, const int32_t *place)
{
    return memcmp(place, place + 1, (size_t)(n - 1) * sizeof *place) == 0;
}

/* to[place[r]] += by u[r] v[r], and twice that if two entries of a row, xa and xb (or
   NULL), are the same x. Adjacent rows with the same place are summed first: for
   coefficients that all rows share, these are all rows. */
static void add_products(dlp_index n, const int32_t *place, double by, const int32_t *xa,
                         const int32_t *xb, const double *u, const double *v, double *to)
{
    enum { SHORT = 8 };
    const bool all = are_equal(n, place);
    for (dlp_index r = 0, end; r < n; r = end) {
        const double c = xa && xa[r] == xb[r] ? 2 * by : by;
        end = all ? n : r + 1;
        while (end < n && place[end] == place[r]) end++;
        if (end - r >= SHORT)
            to[place[r]] += c * dlpi_dot(end - r, u + r, v + r);
        else
            for (dlp_index i = r; i < end; i++) to[place[i]] += c * u[i] * v[i];
    }
}

static void add_curvature(dlpi_work *w, int k, dlp_index row, dlp_index n)
{
    const dlpi_group *g = &w->of->groups->of[k];
    const int32_t *place = w->of->place[k] + row;
    double weighted[DLPI_BATCH];
    for (int a = 0; a < g->n_entries; a++) {
        const double *ca = w->coef[k] + (dlp_index)a * g->n + row;
        const int32_t *xa = g->index[g->input[a]] + row;
        for (int b = a; b < g->n_entries; b++, place += g->n) {
            const int i = g->slot[a] < g->slot[b] ? g->slot[a] : g->slot[b],
                      j = g->slot[a] < g->slot[b] ? g->slot[b] : g->slot[a];
            const double *h = w->jet + (dlp_index)dlpi_place2(g->slots.k, i, j) * n;
            if (b == a || g->slot[b] != g->slot[b - 1])
                for (dlp_index r = 0; r < n; r++) weighted[r] = h[r] * ca[r];
            add_products(n, place, -1, a == b ? NULL : xa, g->index[g->input[b]] + row,
                         weighted, w->coef[k] + (dlp_index)b * g->n + row, w->H.a);
        }
    }
}

static double add_rows(dlpi_work *w, int k, int order)
{
    const dlpi_group *g = &w->of->groups->of[k];
    if (!g->active) order = 0;
    double f = 0;
    for (dlp_index row = 0; row < g->n; row += DLPI_BATCH) {
        const dlp_index n = g->n - row < DLPI_BATCH ? g->n - row : DLPI_BATCH;
        if (w->listener && dlpi_listener_poll_inside(w->listener)) return -INFINITY;
        dlpi_work_inputs(w, g, row, n);
        set_slots(w, k, row, n);
        dlpi_work_run(w, k, n, order, w->jet);
        for (dlp_index r = 0; r < n; r++) f += w->jet[r];
        if (order < 2) continue;
        for (int e = 0; e < g->n_entries; e++) {
            const double *d = w->jet + (dlp_index)(1 + g->slot[e]) * n;
            add_products(n, g->index[g->input[e]] + row, 1, NULL, NULL,
                         w->coef[k] + (dlp_index)e * g->n + row, d, w->gradient);
        }
        add_curvature(w, k, row, n);
    }
    return f;
}

static dlp_index entries(const dlpi_field *field)
{
    const dlp_index n = field->plan->n;
    return field->pattern ? dlp_pattern_start(field->pattern)[n] : n * n;
}

static double evaluate_to(dlpi_work *w, int order)
{
    const dlpi_field *of = w->of;
    double f = 0;
    w->evaluations++;
    if (order > 0) {
        memset(w->gradient, 0, (size_t)of->plan->n * sizeof *w->gradient);
        memset(w->H.a, 0, (size_t)entries(of) * sizeof *w->H.a);
    }
    for (int k = 0; k < of->groups->n && isfinite(f); k++)
        if (!of->groups->of[k].leaf) f += add_rows(w, k, order);
    if (of->plan->L > 0 && isfinite(f)) f += dlpi_add_leaves(w, order);
    return isnan(f) ? -INFINITY : f;
}

static double evaluate(dlpi_work *w)
{
    return evaluate_to(w, w->of->plan->n > 0 ? 2 : 0);
}

double dlpi_work_value(dlpi_work *w)
{
    return evaluate_to(w, 0);
}

void dlpi_work_expand(dlpi_work *w)
{
    w->f = evaluate(w);
}

/* ---- the mode ---- */

static bool factor(dlpi_work *w)
{
    const dlp_index n = w->of->plan->n;
    if (dlp_cholesky_compute(w->F, &w->H) < 0) return true;
    double ridge = 1e-3;
    for (int i = 0; i < MOST_RIDGES; i++, ridge *= 10) {
        memcpy(w->trial.a, w->H.a, (size_t)entries(w->of) * sizeof *w->H.a);
        for (dlp_index j = 0; j < n; j++) {
            double *diagonal = w->trial.a + dlpi_field_place(w->of, j, j);
            *diagonal = fabs(*diagonal) + ridge * (fabs(*diagonal) + 1e-12);
        }
        if (dlp_cholesky_compute(w->F, &w->trial) < 0) return false;
    }
    return false;
}

static void go(dlpi_work *w, double by)
{
    for (dlp_index i = 0; i < w->of->plan->n; i++) w->x[i] = w->from[i] + by * w->step[i];
}

/* Gains that may be due to errors of the leaves' integrals; they grow with the leaves. */
static double doubtful(const dlpi_work *w)
{
    return DOUBTFUL * fmax(1, (double)w->of->plan->L / 1e4);
}

/* f may fall by as much as the errors of the leaves' integrals. */
static bool advance(dlpi_work *w, double gain)
{
    const double lost =
        fmax(1e-7 * (1 + fabs(w->f) * 1e-6), gain < doubtful(w) ? gain : 0);
    double by = 1;
    for (int i = 0; i < MOST_CUTS; i++, by /= 3) {
        go(w, by);
        const double f = evaluate(w);
        if (!(f >= w->f - lost)) continue;
        w->f = f;
        return true;
    }
    return false;
}

/* Newton's method squares the remaining error: a step that promises hardly less than the
   last one did only chases errors of the leaves' integrals. */
static bool has_come_to_doubts(const dlpi_work *w, double gain, double last)
{
    return w->of->plan->L > 0 && gain < doubtful(w) && gain > 0.5 * last;
}

static void search(dlpi_work *w)
{
    const dlp_index n = w->of->plan->n;
    w->f = evaluate(w);
    w->converged = n == 0 && isfinite(w->f);
    double last = INFINITY;
    for (int i = 0; i < MOST_STEPS && n > 0 && isfinite(w->f); i++) {
        const bool definite = factor(w);
        memcpy(w->step, w->gradient, (size_t)n * sizeof *w->step);
        dlp_cholesky_solve(w->F, w->step);
        const double gain = 0.5 * dlpi_dot(n, w->step, w->gradient);
        memcpy(w->from, w->x, (size_t)n * sizeof *w->from);
        w->converged = definite && (gain <= w->tiny || w->of->plan->gaussian ||
                                    has_come_to_doubts(w, gain, last));
        if (w->converged) {
            go(w, 1);
            w->f += gain;
        }
        if (w->converged || !isfinite(gain)) return;
        if (!advance(w, gain)) return;
        last = gain;
    }
}

double dlpi_work_at(dlpi_work *w, const double *psi)
{
    const double log_2_pi = 1.8378770664093454836;
    const dlpi_field *of = w->of;
    const dlp_index n = of->plan->n;
    memcpy(w->x, w->start ? w->start : of->x, (size_t)n * sizeof *w->x);
    memcpy(w->b, w->start ? w->start + n : of->b,
           (size_t)(2 * of->plan->L) * sizeof *w->b);
    dlpi_work_set_psi(w, psi, false);
    w->converged = false;
    search(w);
    if (!w->converged) return -INFINITY;
    if (n == 0) return w->f;
    return w->f + 0.5 * (double)n * log_2_pi - 0.5 * dlp_cholesky_log_det(w->F);
}

/* ---- moments ---- */

/* Only the upper triangle of a dense matrix is filled. */
static void mirror(dlpi_work *w)
{
    const dlp_index n = w->of->plan->n;
    for (dlp_index i = 0; !w->of->pattern && i < n; i++)
        for (dlp_index j = 0; j < i; j++) w->H.a[i * n + j] = w->H.a[j * n + i];
}

/* t_l = 1/2 d/dx_l Tr{Hessian S}, by a difference. */
static double third(dlpi_work *w, dlp_index l)
{
    const double sd = sqrt(dlp_sym_entry(&w->S, l, l)), apart = 0.05 * sd;
    double trace[2];
    memcpy(w->x, w->mode, (size_t)w->of->plan->n * sizeof *w->x);
    for (int side = 0; side < 2; side++) {
        w->x[l] = w->mode[l] + (side ? apart : -apart);
        (void)evaluate(w);
        mirror(w);
        trace[side] = dlp_sym_trace(&w->H, &w->S);
    }
    return -0.25 * (trace[1] - trace[0]) / apart;
}

void dlpi_work_thirds(dlpi_work *w, double *t)
{
    const dlp_index n = w->of->plan->n;
    for (dlp_index l = 0; l < n; l++) t[l] = third(w, l);
    memcpy(w->x, w->mode, (size_t)n * sizeof *w->x);
}

double dlpi_work_shift(dlpi_work *w, const double *t, double *step)
{
    const dlp_index n = w->of->plan->n;
    double most = 0;
    memcpy(step, t, (size_t)n * sizeof *step);
    dlp_cholesky_solve(w->F, step);
    for (dlp_index l = 0; l < n; l++)
        most = fmax(most, fabs(step[l]) / sqrt(dlp_sym_entry(&w->S, l, l)));
    const double by = isfinite(most) ? 1 / fmax(1, most) : 0;
    for (dlp_index l = 0; l < n; l++) step[l] = by > 0 ? by * step[l] : 0;
    return most;
}

void dlpi_work_moments(dlpi_work *w)
{
    const dlp_index n = w->of->plan->n;
    if (n == 0) return;
    dlp_cholesky_inverse(w->F, &w->S);
    memcpy(w->mode, w->x, (size_t)n * sizeof *w->x);
}

/* Compares f at the mode with f two sds away, along S e_l / sd_l: a Gaussian has fallen
   by 2. */
double dlpi_work_roughness(dlpi_work *w, dlp_index tried)
{
    const dlp_index n = w->of->plan->n;
    double most = 0;
    memcpy(w->x, w->mode, (size_t)n * sizeof *w->x);
    const double top = dlpi_work_value(w);
    for (dlp_index i = 0; i < tried; i++) {
        const dlp_index l = i * n / tried;
        memset(w->step, 0, (size_t)n * sizeof *w->step);
        w->step[l] = 1;
        dlp_cholesky_solve(w->F, w->step);
        const double by = 2 / sqrt(fmax(w->step[l], 1e-300));
        for (int side = -1; side <= 1; side += 2) {
            for (dlp_index j = 0; j < n; j++)
                w->x[j] = w->mode[j] + side * by * w->step[j];
            const double fall = top - dlpi_work_value(w);
            most = fmax(most, isfinite(fall) ? fabs(fall - 2) : 2);
        }
    }
    memcpy(w->x, w->mode, (size_t)n * sizeof *w->x);
    return most;
}
