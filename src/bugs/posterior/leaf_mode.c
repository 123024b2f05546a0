/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the density of a leaf given x is highest: by the rows that have its coordinates. */
#include "bugs/posterior/leaf_alone.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60 };

/* ---- rows of a leaf ---- */

/* Slots of the leaf's rows at x and b = 0. */
void dlpi_leaf_set_slots(dlpi_work *w, dlp_index l)
{
    double *e = w->leaf->e;
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index row = dlpi_leaf_rows_from(w, k, l),
                        n = dlpi_leaf_rows_from(w, k, l + 1) - row;
        dlpi_work_slots(w, k, row, n, DLPI_ROLE_X, e);
        e += g->slots.k * n;
    }
}

/* Runs rows from `row` on at nodes from `node` on, node after node within a row. e is of
   the first of these rows, in columns of length `stride`. */
void dlpi_leaf_run(dlpi_work *w, int k, const double *e, dlp_index stride, dlp_index row,
                   dlp_index rows, dlp_index node, dlp_index nodes, int order)
{
    const dlpi_group *g = &w->of->groups->of[k];
    const double *b = w->leaf->node + 2 * node;
    const dlp_index n = rows * nodes;
    for (int i = 0; i < g->n_inputs; i++) {
        double *to = w->batch + (dlp_index)i * DLPI_BATCH;
        w->input[i] = to;
        if (g->role[i] == DLPI_ROLE_X || g->role[i] == DLPI_ROLE_LEAF) continue;
        for (dlp_index r = 0; r < rows; r++) {
            const double v = g->role[i] == DLPI_ROLE_NONE ? g->data[i][row + r]
                                                          : w->psi[g->index[i][row + r]];
            for (dlp_index q = 0; q < nodes; q++) to[r * nodes + q] = v;
        }
    }
    for (int j = 0; j < g->slots.k; j++) {
        double *u = w->batch + (dlp_index)(g->n_inputs + j) * DLPI_BATCH;
        w->input[g->n_inputs + j] = u;
        for (dlp_index r = 0; r < rows; r++)
            for (dlp_index q = 0; q < nodes; q++) u[r * nodes + q] = e[j * stride + r];
    }
    for (int i = 0; i < g->n_entries; i++) {
        if (g->role[g->input[i]] != DLPI_ROLE_LEAF) continue;
        const double *coef = w->coef[k] + i * g->n + row;
        const int c = g->leaf_at[g->input[i]];
        double *u = w->batch + (dlp_index)(g->n_inputs + g->slot[i]) * DLPI_BATCH;
        for (dlp_index r = 0; r < rows; r++)
            for (dlp_index q = 0; q < nodes; q++)
                u[r * nodes + q] += coef[r] * b[2 * q + c];
    }
    dlpi_work_run(w, k, n, order, w->jet);
}

/* ---- the mode ---- */

static void add_expansion(dlpi_work *w, int k, dlp_index row, dlp_index n)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const dlpi_group *g = &w->of->groups->of[k];
    const int slots = g->slots.k;
    for (int a = 0; a < g->n_entries; a++) {
        if (g->role[g->input[a]] != DLPI_ROLE_LEAF) continue;
        const int ca = g->leaf_at[g->input[a]];
        const double *za = w->coef[k] + a * g->n + row;
        const double *d = w->jet + (1 + g->slot[a]) * n;
        for (dlp_index r = 0; r < n; r++) leaf->g[ca] += za[r] * d[r];
        for (int b = 0; b < g->n_entries; b++) {
            if (g->role[g->input[b]] != DLPI_ROLE_LEAF) continue;
            const int cb = g->leaf_at[g->input[b]];
            const double *zb = w->coef[k] + b * g->n + row;
            const double *h =
                w->jet + dlpi_leaf_second(slots, g->slot[a], g->slot[b]) * n;
            if (ca > cb) continue; /* its mirror image is added */
            for (dlp_index r = 0; r < n; r++) leaf->C[ca + cb] -= za[r] * zb[r] * h[r];
        }
    }
}

/* h, its gradient and curvature at leaf->b. */
static double expand(dlpi_work *w, dlp_index l)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double *e = leaf->e;
    double h = 0;
    memset(leaf->g, 0, sizeof leaf->g);
    memset(leaf->C, 0, sizeof leaf->C);
    leaf->node[0] = leaf->b[0];
    leaf->node[1] = leaf->b[1];
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index from = dlpi_leaf_rows_from(w, k, l),
                        all = dlpi_leaf_rows_from(w, k, l + 1) - from;
        for (dlp_index r = 0; r < all; r += DLPI_BATCH) {
            const dlp_index n = all - r < DLPI_BATCH ? all - r : DLPI_BATCH;
            dlpi_leaf_run(w, k, e + r, all, from + r, n, 0, 1, 2);
            for (dlp_index i = 0; i < n; i++) h += w->jet[i];
            add_expansion(w, k, from + r, n);
        }
        e += g->slots.k * all;
    }
    return h;
}

/* Makes C positive definite: flips the sign of negative curvatures. */
static void convexify(dlpi_bugs_leaf_work *leaf)
{
    const double least = 1e-8;
    leaf->C[0] = fmax(fabs(leaf->C[0]), least);
    if (leaf->d == 1) return;
    leaf->C[2] = fmax(fabs(leaf->C[2]), least);
    const double most = 0.99 * sqrt(leaf->C[0] * leaf->C[2]);
    leaf->C[1] = fmin(fmax(leaf->C[1], -most), most);
}

void dlpi_leaf_newton(const dlpi_bugs_leaf_work *leaf, double *step)
{
    const double *C = leaf->C, *g = leaf->g;
    if (leaf->d == 1) {
        step[0] = g[0] / C[0];
        step[1] = 0;
        return;
    }
    const double det = C[0] * C[2] - C[1] * C[1];
    step[0] = (C[2] * g[0] - C[1] * g[1]) / det;
    step[1] = (C[0] * g[1] - C[1] * g[0]) / det;
}

/* Newton's method from b (2), which becomes the mode. */
double dlpi_leaf_find_mode(dlpi_work *w, dlp_index l, double *b)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    memcpy(leaf->b, b, sizeof leaf->b);
    double h = expand(w, l), step[2];
    if (!isfinite(h)) {
        leaf->b[0] = leaf->b[1] = b[0] = b[1] = 0;
        h = expand(w, l);
        if (!isfinite(h)) return NAN;
    }
    for (int i = 0; i < MOST_STEPS; i++) {
        convexify(leaf);
        dlpi_leaf_newton(leaf, step);
        const double gain = 0.5 * (step[0] * leaf->g[0] + step[1] * leaf->g[1]);
        if (!(gain > 1e-3)) break; /* nodes need not lie about the mode itself */
        double by = 1, there = NAN;
        for (int cut = 0; cut < 30; cut++, by /= 4) {
            leaf->b[0] = b[0] + by * step[0];
            leaf->b[1] = b[1] + by * step[1];
            there = expand(w, l);
            if (there >= h) break;
        }
        if (!(there >= h)) {
            memcpy(leaf->b, b, sizeof leaf->b);
            (void)expand(w, l);
            convexify(leaf);
            break;
        }
        memcpy(b, leaf->b, sizeof leaf->b);
        h = there;
    }
    return h;
}
