/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coordinates b of a leaf, one or two, integrated out:
 *
 *   I(x) = integral of exp{h(b, x)} db,  h the sum of all rows that have b
 *
 * by the trapezoidal rule about the mode of h, whose error falls exponentially for smooth
 * densities; grad log I = E[s] and hess log I = E[h_xx] + Cov[s], s = h_x, the
 * expectations over b given x.
 */
#include "bugs/posterior/leaf.h"
#include "bugs/posterior/leaf_alone.h"
#include "core/core.h"
#include "math/special/gauss_hermite.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

dlp_status dlpi_leaf_alloc(const dlpi_field *of, dlpi_bugs_leaf_work **leaf,
                           dlp_error *error)
{
    const dlpi_groups *groups = of->groups;
    const dlp_index L = of->plan->L, m = groups->most_support, n = DLPI_LEAF_NODES;
    dlp_index e = 0, E = 0;
    for (dlp_index l = 0; l < L; l++) {
        dlp_index slots = 0, jets = 0;
        for (int k = 0; k < groups->n; k++) {
            const dlpi_group *g = &groups->of[k];
            const dlp_index *begin = groups->begin + k * (L + 1);
            if (!g->leaf) continue;
            slots += (begin[l + 1] - begin[l]) * g->slots.k;
            jets += (begin[l + 1] - begin[l]) * (dlpi_jet_size(g->slots.k, 2) - 1);
        }
        e = slots > e ? slots : e;
        E = jets > E ? jets : E;
    }
    dlpi_bugs_leaf_work *w = *leaf = dlpi_calloc(1, sizeof *w);
    if (!w) return dlpi_no_memory(error, "the posterior");
    dlpi_gauss_hermite(DLPI_LEAF_FEW, w->few, w->log_weight);
    for (int i = 0; i < DLPI_LEAF_FEW; i++) { /* the function's are for exp(-z^2) */
        w->few[i] *= sqrt(2);
        w->log_weight[i] += 0.5 * log(2) + 0.5 * w->few[i] * w->few[i];
    }
    if (L == 0) return DLP_OK;
    w->node = dlpi_calloc(4 * n + e + E + m * n + m + m * m, sizeof *w->node);
    w->place =
        dlpi_calloc(2 * n + (dlp_index)DLPI_LEAF_SIDE * DLPI_LEAF_SIDE, sizeof *w->place);
    if (!w->node || !w->place) return dlpi_no_memory(error, "the posterior");
    w->h = w->node + 2 * n;
    w->weight = w->h + n;
    w->D = w->weight + n;
    w->e = w->D + m * n;
    w->E = w->e + e;
    w->gradient = w->E + E;
    w->curvature = w->gradient + m;
    w->at = w->place + 2 * n;
    return dlpi_leaf_block_alloc(of, &w->block, error);
}

void dlpi_leaf_free(dlpi_bugs_leaf_work *leaf)
{
    if (!leaf) return;
    free(leaf->node);
    free(leaf->place);
    dlpi_leaf_block_free(leaf->block);
    free(leaf);
}

/* ---- the whole ---- */

/* log I of a leaf; its nodes and weights are left in the work. */
double dlpi_bugs_leaf_integrate(dlpi_work *w, dlp_index l)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    leaf->d = w->of->plan->leaf_cell[2 * l + 1] < 0 ? 1 : 2;
    leaf->bumpy = dlpi_leaf_is_bumpy(w->of, l);
    leaf->normal = false;
    dlpi_leaf_set_slots(w, l);
    if (!isfinite(dlpi_leaf_find_mode(w, l, w->b + 2 * l))) return -INFINITY;
    return leaf->d == 1 ? dlpi_bugs_leaf_line(w, l, w->b + 2 * l)
                        : dlpi_bugs_leaf_plane(w, l, w->b + 2 * l);
}

void dlpi_leaf_alone(dlpi_work *w, dlp_index l, int order, dlpi_leaf_sum sum)
{
    const dlp_index m = dlpi_leaf_support(w->of, l);
    *sum.log_integral = dlpi_bugs_leaf_integrate(w, l);
    if (!isfinite(*sum.log_integral) || (order < 2 && !w->moments)) return;
    dlpi_leaf_drop_light(w->leaf);
    dlpi_leaf_expect(w, l, m);
    dlpi_leaf_differentiate(w, l, m);
    if (w->moments) dlpi_leaf_find_moments(w, l, m);
    if (order < 2) return;
    memcpy(sum.gradient, w->leaf->gradient, (size_t)m * sizeof *sum.gradient);
    for (dlp_index i = 0; i < m; i++, sum.curvature += m - i + 1)
        memcpy(sum.curvature, w->leaf->curvature + i * m + i,
               (size_t)(m - i) * sizeof *sum.curvature);
}
