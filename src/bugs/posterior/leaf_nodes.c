/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes about the mode of a leaf, spaced until they suit its density, and integrals by
   them. */
#include "bugs/posterior/leaf_alone.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROUND = 4,   /* begin with those this close to it */
    AT_ONCE = 4, /* nodes by which a side of one coordinate grows */
    STRIDE = 4,  /* nodes between two looks for another maximum, */
    LOOKS = 16,  /* and how many there are on each side */
    MOST_HALVINGS = 3,
    MOST_PLANE_HALVINGS = 2
};
static const double APART_1 = 0.7, APART_2 = 1.0; /* sds between nodes */
static const double DEEP = 13; /* how far the log density falls at the ends */
static const double ROUGH_PLANE =
    0.01; /* disagreement of the two halves of a plane's nodes */

/* ---- nodes ---- */

/* h of nodes from `first` on. */
static void evaluate_nodes(dlpi_work *w, dlp_index l, dlp_index first)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double *e = leaf->e;
    for (dlp_index i = first; i < leaf->n; i++) leaf->h[i] = 0;
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index from = dlpi_leaf_rows_from(w, k, l),
                        all = dlpi_leaf_rows_from(w, k, l + 1) - from;
        for (dlp_index r = 0; r < all; r += DLPI_BATCH) {
            const dlp_index n = all - r < DLPI_BATCH ? all - r : DLPI_BATCH;
            const int together = (int)(DLPI_BATCH / n);
            for (dlp_index node = first; node < leaf->n; node += together) {
                const dlp_index nodes =
                    leaf->n - node < together ? leaf->n - node : together;
                dlpi_leaf_run(w, k, e + r, all, from + r, n, node, nodes, 0);
                for (dlp_index i = 0; i < n; i++)
                    for (int q = 0; q < nodes; q++)
                        leaf->h[node + q] += w->jet[i * nodes + q];
            }
        }
        e += g->slots.k * all;
    }
    for (int i = first; i < leaf->n; i++)
        if (isnan(leaf->h[i])) leaf->h[i] = -INFINITY;
}

double dlpi_leaf_highest(const dlpi_bugs_leaf_work *leaf)
{
    double most = -INFINITY;
    for (int i = 0; i < leaf->n; i++) most = fmax(most, leaf->h[i]);
    return most;
}

/* If there may be several maxima, one may lie beyond a valley: how far out the nodes must
   reach on each side to include it; 0: no farther than they do. */
static void look_beyond(dlpi_work *w, dlp_index l, const double *b, double apart,
                        const int reach[2], int want[2])
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const dlp_index n = leaf->n;
    for (int side = 0; side < 2; side++)
        for (int i = 1; i <= LOOKS; i++) {
            const double far = apart * (reach[side] + STRIDE * i);
            leaf->node[2 * leaf->n + 1] = 0;
            leaf->node[2 * leaf->n++] = b[0] + (side ? far : -far);
        }
    evaluate_nodes(w, l, n);
    const double top = dlpi_leaf_highest(leaf);
    for (int side = 0; side < 2; side++)
        for (int i = want[side] = 0; i < LOOKS; i++)
            if (leaf->h[n + (dlp_index)side * LOOKS + i] > top - DEEP)
                want[side] = reach[side] + STRIDE * (i + 1);
    leaf->n = n;
}

/* Adds nodes at multiples of `apart` from b, outwards until h is low and the range wanted
   is covered. */
static void lay_sides(dlpi_work *w, dlp_index l, const double *b, double apart,
                      int reach[2], const int want[2])
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const int most = (DLPI_LEAF_NODES - 1) / 2 - AT_ONCE - LOOKS;
    bool open[2];
    for (int side = 0; side < 2; side++) open[side] = reach[side] == 0 || want[side] > 0;
    while (open[0] || open[1]) {
        const dlp_index first = leaf->n;
        int last[2] = {-1, -1};
        for (int side = 0; side < 2; side++)
            for (int i = 0; open[side] && i < AT_ONCE; i++) {
                last[side] = leaf->n;
                leaf->node[2 * leaf->n + 1] = 0;
                leaf->node[2 * leaf->n++] =
                    b[0] + (side ? apart : -apart) * ++reach[side];
            }
        evaluate_nodes(w, l, first);
        const double top = dlpi_leaf_highest(leaf);
        for (int side = 0; side < 2; side++)
            open[side] = open[side] && reach[side] < most &&
                         (leaf->h[last[side]] > top - DEEP || reach[side] < want[side]);
    }
}

/* One coordinate: nodes at multiples of `apart` from the mode. */
static void lay_line(dlpi_work *w, dlp_index l, const double *b, double apart)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    int reach[2] = {0, 0}, want[2] = {0, 0};
    leaf->n = 1;
    leaf->node[0] = b[0];
    leaf->node[1] = 0;
    evaluate_nodes(w, l, 0);
    lay_sides(w, l, b, apart, reach, want);
    if (!leaf->bumpy) return;
    look_beyond(w, l, b, apart, reach, want);
    lay_sides(w, l, b, apart, reach, want);
}

static void put_place(dlpi_bugs_leaf_work *leaf, const double *b, const double *root,
                      double apart, int i, int j)
{
    const dlp_index n = leaf->n++;
    leaf->place[2 * n] = i;
    leaf->place[2 * n + 1] = j;
    leaf->at[(i + DLPI_LEAF_REACH) * DLPI_LEAF_SIDE + j + DLPI_LEAF_REACH] = (int)n;
    leaf->node[2 * n] = b[0] + apart * (root[0] * i + root[1] * j);
    leaf->node[2 * n + 1] = b[1] + apart * root[2] * j;
}

/* Two coordinates: a grid in coordinates that make h round at its mode, from the mode
   outwards. */
static void lay_grid(dlpi_work *w, dlp_index l, const double *b, const double *root,
                     double apart)
{
    static const int near[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    dlpi_bugs_leaf_work *leaf = w->leaf;
    leaf->n = 0;
    memset(leaf->at, -1, (size_t)DLPI_LEAF_SIDE * DLPI_LEAF_SIDE * sizeof *leaf->at);
    /* what a normal density needs, at once */
    for (int i = -ROUND; i <= ROUND; i++)
        for (int j = -ROUND; j <= ROUND; j++)
            if (i * i + j * j <= ROUND * ROUND) put_place(leaf, b, root, apart, i, j);
    for (dlp_index first = 0; first < leaf->n;) {
        const dlp_index last = leaf->n;
        evaluate_nodes(w, l, first);
        const double top = dlpi_leaf_highest(leaf);
        for (dlp_index k = first; k < last; k++) {
            if (!(leaf->h[k] > top - DEEP)) continue;
            for (int q = 0; q < 4; q++) {
                const int i = leaf->place[2 * k] + near[q][0],
                          j = leaf->place[2 * k + 1] + near[q][1];
                if (i < -DLPI_LEAF_REACH || i > DLPI_LEAF_REACH || j < -DLPI_LEAF_REACH ||
                    j > DLPI_LEAF_REACH)
                    continue;
                if (leaf->at[(i + DLPI_LEAF_REACH) * DLPI_LEAF_SIDE + j +
                             DLPI_LEAF_REACH] < 0)
                    put_place(leaf, b, root, apart, i, j);
            }
        }
        first = last;
    }
}

/* ---- integrals ---- */

/* Weights that add up to 1; the logarithm of the integral without the cells' volume. */
static double weigh(dlpi_bugs_leaf_work *leaf)
{
    const double top = dlpi_leaf_highest(leaf);
    double sum = DBL_MIN; /* with the highest, 1 or more */
    for (int i = 0; i < leaf->n; i++) sum += leaf->weight[i] = exp(leaf->h[i] - top);
    for (int i = 0; i < leaf->n; i++) leaf->weight[i] /= sum;
    return top + log(sum);
}

/* How much the sum over every other node differs from the half that it should be: nodes
   at even places, like the mode, against those at odd places. */
static double roughness(const dlpi_bugs_leaf_work *leaf, const double *b, double apart)
{
    double odd = 0;
    for (dlp_index i = 0; i < leaf->n; i++) {
        const long place = lrint((leaf->node[2 * i] - b[0]) / apart);
        if (place % 2) odd += leaf->weight[i];
    }
    return fabs(2 * odd - 1);
}

/* Gauss-Hermite nodes around the mode, if h is close to a parabola there: the logarithm
   of the integral, or NaN. */
static double integrate_normal(dlpi_work *w, dlp_index l, const double *b)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double sd = 1 / sqrt(leaf->C[0]);
    leaf->n = DLPI_LEAF_FEW;
    for (dlp_index i = 0; i < DLPI_LEAF_FEW; i++) {
        leaf->node[2 * i] = b[0] + sd * leaf->few[i];
        leaf->node[2 * i + 1] = 0;
    }
    evaluate_nodes(w, l, 0);
    const double top = leaf->h[DLPI_LEAF_FEW / 2];
    for (int i = 0; i < DLPI_LEAF_FEW; i++) {
        const double parabola = 0.5 * leaf->few[i] * leaf->few[i];
        if (!(fabs(leaf->h[i] - top + parabola) < 0.05 + 0.05 * parabola)) return NAN;
        leaf->h[i] += leaf->log_weight[i] + log(sd);
    }
    return weigh(leaf);
}

double dlpi_bugs_leaf_line(dlpi_work *w, dlp_index l, const double *b)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double normal = leaf->spread || leaf->bumpy ? NAN : integrate_normal(w, l, b);
    if (isfinite(normal)) return normal;
    double apart = APART_1 / sqrt(leaf->C[0]), log_sum = 0;
    for (int i = 0; i <= MOST_HALVINGS; i++, apart /= 2) {
        lay_line(w, l, b, apart);
        log_sum = weigh(leaf) + log(apart);
        if (roughness(leaf, b, apart) < 1e-3) break;
    }
    return log_sum;
}

/* The same for two coordinates: the squares of a chequerboard. */
static double chequered(const dlpi_bugs_leaf_work *leaf)
{
    double odd = 0;
    for (dlp_index i = 0; i < leaf->n; i++)
        if ((leaf->place[2 * i] + leaf->place[2 * i + 1]) % 2) odd += leaf->weight[i];
    return fabs(2 * odd - 1);
}

/* C = U'U: the columns of U^-1, along which the grid of a plane runs. */
void dlpi_leaf_axes(const dlpi_bugs_leaf_work *leaf, double root[3])
{
    const double u00 = sqrt(leaf->C[0]), u01 = leaf->C[1] / u00,
                 u11 = sqrt(fmax(leaf->C[2] - u01 * u01, 1e-12 * leaf->C[2]));
    root[0] = 1 / u00;
    root[1] = -u01 / (u00 * u11);
    root[2] = 1 / u11;
}

/* Nine nodes, if h is a parabola in two coordinates, as of effects with normal data: these
   integrate it and its derivatives exactly. The logarithm of the integral, or NaN. */
static double integrate_parabola(dlpi_work *w, dlp_index l, const double *b,
                                 const double *root)
{
    static const double z[3] = {-1.7320508075688773, 0, 1.7320508075688773};
    const double log_2_pi = 1.8378770664093454836;
    dlpi_bugs_leaf_work *leaf = w->leaf;
    double step[2];
    dlpi_leaf_newton(leaf, step); /* b is not quite the mode */
    leaf->n = 9;
    for (dlp_index i = 0; i < 9; i++) {
        leaf->node[2 * i] = b[0] + step[0] + root[0] * z[i / 3] + root[1] * z[i % 3];
        leaf->node[2 * i + 1] = b[1] + step[1] + root[2] * z[i % 3];
    }
    evaluate_nodes(w, l, 0);
    const double top = leaf->h[4];
    leaf->normal = true;
    for (int i = 0; i < 9; i++) {
        const int out = (i / 3 != 1) + (i % 3 != 1);
        if (!(fabs(leaf->h[i] - top + 1.5 * out) < 1e-6)) leaf->normal = false;
        leaf->weight[i] = pow(4, 2 - out) / 36;
    }
    return leaf->normal ? top + log_2_pi + log(root[0]) + log(root[2]) : NAN;
}

double dlpi_bugs_leaf_plane(dlpi_work *w, dlp_index l, const double *b)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    double root[3], log_sum = 0; /* b = mode + root z */
    dlpi_leaf_axes(leaf, root);
    const double exact = leaf->bumpy ? NAN : integrate_parabola(w, l, b, root);
    if (isfinite(exact)) return exact;
    leaf->apart = APART_2;
    for (int i = 0; i <= MOST_PLANE_HALVINGS; i++, leaf->apart /= 2) {
        lay_grid(w, l, b, root, leaf->apart);
        log_sum = weigh(leaf) + 2 * log(leaf->apart) + log(root[0]) + log(root[2]);
        if (chequered(leaf) < ROUGH_PLANE) break;
    }
    return log_sum;
}
