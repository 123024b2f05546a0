/* SPDX-License-Identifier: BSD-3-Clause */
/* What a leaf adds to gradient and curvature, and its own moments: expectations over its
   nodes. */
#include "bugs/posterior/leaf_alone.h"
#include "math/dense.h"

#include <string.h>

/* Moves the nodes whose weight matters to the front. */
void dlpi_leaf_drop_light(dlpi_bugs_leaf_work *leaf)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < leaf->n; i++) {
        if (leaf->weight[i] < DLPI_LEAF_NEGLIGIBLE) continue;
        leaf->weight[n] = leaf->weight[i];
        leaf->node[2 * n] = leaf->node[2 * i];
        leaf->node[2 * n + 1] = leaf->node[2 * i + 1];
        n++;
    }
    leaf->n = n;
}

/* Adds the results of a batch to the expected derivatives of its rows and to the scores
   of its nodes. */
static void add_batch(dlpi_work *w, int k, dlp_index row, dlp_index rows, dlp_index node,
                      dlp_index nodes, double *E, dlp_index stride)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const dlpi_group *g = &w->of->groups->of[k];
    const int size = dlpi_jet_size(g->slots.k, 2);
    const dlp_index n = rows * nodes;
    for (int q = 1; q < size; q++)
        for (dlp_index r = 0; r < rows; r++)
            E[(q - 1) * stride + r] +=
                dlpi_dot(nodes, leaf->weight + node, w->jet + q * n + r * nodes);
    for (int e = 0; e < g->n_entries; e++) {
        if (g->role[g->input[e]] != DLPI_ROLE_X) continue;
        for (dlp_index r = 0; r < rows; r++)
            dlpi_axpy(nodes, w->coef[k][e * g->n + row + r],
                      w->jet + (1 + g->slot[e]) * n + r * nodes,
                      leaf->D + (dlp_index)g->local[e][row + r] * DLPI_LEAF_NODES + node);
    }
}

void dlpi_leaf_expect(dlpi_work *w, dlp_index l, dlp_index m)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double *e = leaf->e;
    double *E = leaf->E;
    for (dlp_index s = 0; s < m; s++)
        memset(leaf->D + s * DLPI_LEAF_NODES, 0, (size_t)leaf->n * sizeof *leaf->D);
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index from = dlpi_leaf_rows_from(w, k, l),
                        all = dlpi_leaf_rows_from(w, k, l + 1) - from;
        const dlp_index size = dlpi_jet_size(g->slots.k, 2) - 1;
        memset(E, 0, (size_t)(size * all) * sizeof *E);
        for (dlp_index r = 0; r < all; r += DLPI_BATCH) {
            const dlp_index n = all - r < DLPI_BATCH ? all - r : DLPI_BATCH;
            const int together = (int)(DLPI_BATCH / n);
            for (dlp_index node = 0; node < leaf->n; node += together) {
                const dlp_index nodes =
                    leaf->n - node < together ? leaf->n - node : together;
                dlpi_leaf_run(w, k, e + r, all, from + r, n, node, nodes, 2);
                add_batch(w, k, from + r, n, node, nodes, E + r, all);
            }
        }
        e += g->slots.k * all;
        E += size * all;
    }
}

/* curvature -= c_a c_b E[h_ab] of the rows of group k in leaf l, entries a and b. */
static void add_second(dlpi_work *w, int k, dlp_index from, dlp_index n, int a, int b,
                       const double *h, dlp_index m)
{
    const dlpi_group *g = &w->of->groups->of[k];
    const double *ca = w->coef[k] + a * g->n + from, *cb = w->coef[k] + b * g->n + from;
    const int32_t *xa = g->local[a] + from, *xb = g->local[b] + from;
    for (dlp_index r = 0; r < n; r++) {
        const int32_t i = xa[r] < xb[r] ? xa[r] : xb[r],
                      j = xa[r] < xb[r] ? xb[r] : xa[r];
        /* an x that two terms share is met once, and counts twice */
        const double by = a != b && i == j ? 2 : 1;
        w->leaf->curvature[i * m + j] -= by * ca[r] * cb[r] * h[r];
    }
}

/* gradient = E[s]; curvature = -E[h_xx] - Cov[s], the upper triangle. */
void dlpi_leaf_differentiate(dlpi_work *w, dlp_index l, dlp_index m)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double *E = leaf->E;
    memset(leaf->gradient, 0, (size_t)m * sizeof *leaf->gradient);
    memset(leaf->curvature, 0, (size_t)(m * m) * sizeof *leaf->curvature);
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index from = dlpi_leaf_rows_from(w, k, l),
                        n = dlpi_leaf_rows_from(w, k, l + 1) - from;
        const int slots = g->slots.k;
        for (int a = 0; a < g->n_entries; a++) {
            if (g->role[g->input[a]] != DLPI_ROLE_X) continue;
            const double *ca = w->coef[k] + a * g->n + from;
            const int32_t *xa = g->local[a] + from;
            for (dlp_index r = 0; r < n; r++)
                leaf->gradient[xa[r]] += ca[r] * E[g->slot[a] * n + r];
            for (int b = a; b < g->n_entries; b++) {
                if (g->role[g->input[b]] != DLPI_ROLE_X) continue;
                const dlp_index second =
                    dlpi_leaf_second(slots, g->slot[a], g->slot[b]) - 1;
                add_second(w, k, from, n, a, b, E + second * n, m);
            }
        }
        E += (dlpi_jet_size(slots, 2) - 1) * n;
    }
    for (dlp_index s = 0; s < m; s++) {
        double *D = leaf->D + s * DLPI_LEAF_NODES;
        const double mean = dlpi_dot(leaf->n, leaf->weight, D);
        for (int i = 0; i < leaf->n; i++) D[i] -= mean;
    }
    dlpi_subtract_gram(m, leaf->n, DLPI_LEAF_NODES, leaf->weight, leaf->D, leaf->h,
                       leaf->curvature); /* h is no longer needed */
}

/* E[b], Var[b] given x, and dE[b]/dx = Cov[b, s]. */
void dlpi_leaf_find_moments(dlpi_work *w, dlp_index l, dlp_index m)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    double *mean = w->mean + 2 * l, *variance = w->variance + 3 * l;
    double *slope = w->slope + 2 * w->of->groups->support_begin[l];
    mean[0] = mean[1] = variance[0] = variance[1] = variance[2] = 0;
    for (int i = 0; i < leaf->n; i++)
        for (int c = 0; c < 2; c++) mean[c] += leaf->weight[i] * leaf->node[2 * i + c];
    for (dlp_index i = 0; i < leaf->n; i++) {
        const double a = leaf->node[2 * i] - mean[0], b = leaf->node[2 * i + 1] - mean[1];
        variance[0] += leaf->weight[i] * a * a;
        variance[1] += leaf->weight[i] * a * b;
        variance[2] += leaf->weight[i] * b * b;
    }
    for (int c = 0; c < 2; c++) {
        for (int i = 0; i < leaf->n; i++)
            leaf->h[i] = leaf->weight[i] * (leaf->node[2 * i + c] - mean[c]);
        for (dlp_index s = 0; s < m; s++)
            slope[c * m + s] = dlpi_dot(leaf->n, leaf->h, leaf->D + s * DLPI_LEAF_NODES);
    }
}
