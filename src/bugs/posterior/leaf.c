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
#include "core/core.h"
#include "math/dense.h"
#include "math/special/gauss_hermite.h"

#include <delaplace/special.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 60,
    REACH = 12, /* of two coordinates: nodes on each side of the mode */
    SIDE = 2 * REACH + 1,
    ROUND = 4,                    /* begin with those this close to it */
    MOST_NODES = DLPI_LEAF_NODES, /* at least SIDE^2 */
    AT_ONCE = 4,                  /* nodes by which a side of one coordinate grows */
    STRIDE = 4,                   /* nodes between two looks for another maximum, */
    LOOKS = 16,                   /* and how many there are on each side */
    MOST_HALVINGS = 3,
    MOST_PLANE_HALVINGS = 2,
    FINE = 4, /* parts of what lies between two nodes, for quantiles */
    FEW = DLPI_LEAF_FEW
};
static const double APART_1 = 0.7, APART_2 = 1.0; /* sds between nodes */
static const double DEEP = 13; /* how far the log density falls at the ends */
static const double TAIL = 9;  /* quantiles are less exact where it has fallen by this */
static const double NEGLIGIBLE = 1e-8;
static const double ROUGH_PLANE =
    0.01; /* disagreement of the two halves of a plane's nodes */

/* ---- memory ---- */

dlp_status dlpi_leaf_alloc(const dlpi_field *of, dlpi_bugs_leaf_work **leaf,
                           dlp_error *error)
{
    const dlpi_groups *groups = of->groups;
    const dlp_index L = of->plan->L, m = groups->most_support, n = MOST_NODES;
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
    dlpi_gauss_hermite(FEW, w->few, w->log_weight);
    for (int i = 0; i < FEW; i++) { /* the function's are for exp(-z^2) */
        w->few[i] *= sqrt(2);
        w->log_weight[i] += 0.5 * log(2) + 0.5 * w->few[i] * w->few[i];
    }
    if (L == 0) return DLP_OK;
    w->node = dlpi_calloc(4 * n + e + E + m * n + m + m * m, sizeof *w->node);
    w->place = dlpi_calloc(2 * n + (dlp_index)SIDE * SIDE, sizeof *w->place);
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

/* ---- rows of a leaf ---- */

static dlp_index begin_of(const dlpi_work *w, int k, dlp_index l)
{
    return dlpi_leaf_begin(w->of, k, l);
}

/* Slots of the leaf's rows at x and b = 0. */
static void set_slots(dlpi_work *w, dlp_index l)
{
    double *e = w->leaf->e;
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index row = begin_of(w, k, l), n = begin_of(w, k, l + 1) - row;
        dlpi_work_slots(w, k, row, n, DLPI_ROLE_X, e);
        e += g->slots.k * n;
    }
}

/* Runs rows from `row` on at nodes from `node` on, node after node within a row. e is of
   the first of these rows, in columns of length `stride`. */
static void run(dlpi_work *w, int k, const double *e, dlp_index stride, dlp_index row,
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
        const dlp_index from = begin_of(w, k, l), all = begin_of(w, k, l + 1) - from;
        for (dlp_index r = 0; r < all; r += DLPI_BATCH) {
            const dlp_index n = all - r < DLPI_BATCH ? all - r : DLPI_BATCH;
            run(w, k, e + r, all, from + r, n, 0, 1, 2);
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

static void solve(const dlpi_bugs_leaf_work *leaf, double *step)
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
static double find_mode(dlpi_work *w, dlp_index l, double *b)
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
        solve(leaf, step);
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
        const dlp_index from = begin_of(w, k, l), all = begin_of(w, k, l + 1) - from;
        for (dlp_index r = 0; r < all; r += DLPI_BATCH) {
            const dlp_index n = all - r < DLPI_BATCH ? all - r : DLPI_BATCH;
            const int together = (int)(DLPI_BATCH / n);
            for (dlp_index node = first; node < leaf->n; node += together) {
                const dlp_index nodes =
                    leaf->n - node < together ? leaf->n - node : together;
                run(w, k, e + r, all, from + r, n, node, nodes, 0);
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

static double highest(const dlpi_bugs_leaf_work *leaf)
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
    const double top = highest(leaf);
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
    const int most = (MOST_NODES - 1) / 2 - AT_ONCE - LOOKS;
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
        const double top = highest(leaf);
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
    leaf->at[(i + REACH) * SIDE + j + REACH] = (int)n;
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
    memset(leaf->at, -1, (size_t)SIDE * SIDE * sizeof *leaf->at);
    /* what a normal density needs, at once */
    for (int i = -ROUND; i <= ROUND; i++)
        for (int j = -ROUND; j <= ROUND; j++)
            if (i * i + j * j <= ROUND * ROUND) put_place(leaf, b, root, apart, i, j);
    for (dlp_index first = 0; first < leaf->n;) {
        const dlp_index last = leaf->n;
        evaluate_nodes(w, l, first);
        const double top = highest(leaf);
        for (dlp_index k = first; k < last; k++) {
            if (!(leaf->h[k] > top - DEEP)) continue;
            for (int q = 0; q < 4; q++) {
                const int i = leaf->place[2 * k] + near[q][0],
                          j = leaf->place[2 * k + 1] + near[q][1];
                if (i < -REACH || i > REACH || j < -REACH || j > REACH) continue;
                if (leaf->at[(i + REACH) * SIDE + j + REACH] < 0)
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
    const double top = highest(leaf);
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
    leaf->n = FEW;
    for (dlp_index i = 0; i < FEW; i++) {
        leaf->node[2 * i] = b[0] + sd * leaf->few[i];
        leaf->node[2 * i + 1] = 0;
    }
    evaluate_nodes(w, l, 0);
    const double top = leaf->h[FEW / 2];
    for (int i = 0; i < FEW; i++) {
        const double parabola = 0.5 * leaf->few[i] * leaf->few[i];
        if (!(fabs(leaf->h[i] - top + parabola) < 0.05 + 0.05 * parabola)) return NAN;
        leaf->h[i] += leaf->log_weight[i] + log(sd);
    }
    return weigh(leaf);
}

static double integrate_line(dlpi_work *w, dlp_index l, const double *b)
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
static void find_axes(const dlpi_bugs_leaf_work *leaf, double root[3])
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
    solve(leaf, step); /* b is not quite the mode */
    leaf->n = 9;
    for (int i = 0; i < 9; i++) {
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

static double integrate_plane(dlpi_work *w, dlp_index l, const double *b)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    double root[3], log_sum = 0; /* b = mode + root z */
    find_axes(leaf, root);
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

/* ---- expectations ---- */

/* Moves the nodes whose weight matters to the front. */
static void drop_light(dlpi_bugs_leaf_work *leaf)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < leaf->n; i++) {
        if (leaf->weight[i] < NEGLIGIBLE) continue;
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
                      leaf->D + (dlp_index)g->local[e][row + r] * MOST_NODES + node);
    }
}

static void expect(dlpi_work *w, dlp_index l, dlp_index m)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double *e = leaf->e;
    double *E = leaf->E;
    for (dlp_index s = 0; s < m; s++)
        memset(leaf->D + s * MOST_NODES, 0, (size_t)leaf->n * sizeof *leaf->D);
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index from = begin_of(w, k, l), all = begin_of(w, k, l + 1) - from;
        const dlp_index size = dlpi_jet_size(g->slots.k, 2) - 1;
        memset(E, 0, (size_t)(size * all) * sizeof *E);
        for (dlp_index r = 0; r < all; r += DLPI_BATCH) {
            const dlp_index n = all - r < DLPI_BATCH ? all - r : DLPI_BATCH;
            const int together = (int)(DLPI_BATCH / n);
            for (dlp_index node = 0; node < leaf->n; node += together) {
                const dlp_index nodes =
                    leaf->n - node < together ? leaf->n - node : together;
                run(w, k, e + r, all, from + r, n, node, nodes, 2);
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
static void differentiate(dlpi_work *w, dlp_index l, dlp_index m)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    const double *E = leaf->E;
    memset(leaf->gradient, 0, (size_t)m * sizeof *leaf->gradient);
    memset(leaf->curvature, 0, (size_t)(m * m) * sizeof *leaf->curvature);
    for (int k = 0; k < w->of->groups->n; k++) {
        const dlpi_group *g = &w->of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index from = begin_of(w, k, l), n = begin_of(w, k, l + 1) - from;
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
        double *D = leaf->D + s * MOST_NODES;
        const double mean = dlpi_dot(leaf->n, leaf->weight, D);
        for (int i = 0; i < leaf->n; i++) D[i] -= mean;
    }
    dlpi_subtract_gram(m, leaf->n, MOST_NODES, leaf->weight, leaf->D, leaf->h,
                       leaf->curvature); /* h is no longer needed */
}

/* E[b], Var[b] given x, and dE[b]/dx = Cov[b, s]. */
static void find_moments(dlpi_work *w, dlp_index l, dlp_index m)
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
            slope[c * m + s] = dlpi_dot(leaf->n, leaf->h, leaf->D + s * MOST_NODES);
    }
}

/* ---- the whole ---- */

/* log I of a leaf; its nodes and weights are left in the work. */
static double integrate(dlpi_work *w, dlp_index l)
{
    dlpi_bugs_leaf_work *leaf = w->leaf;
    leaf->d = w->of->plan->leaf_cell[2 * l + 1] < 0 ? 1 : 2;
    leaf->bumpy = dlpi_leaf_is_bumpy(w->of, l);
    leaf->normal = false;
    set_slots(w, l);
    if (!isfinite(find_mode(w, l, w->b + 2 * l))) return -INFINITY;
    return leaf->d == 1 ? integrate_line(w, l, w->b + 2 * l)
                        : integrate_plane(w, l, w->b + 2 * l);
}

void dlpi_leaf_alone(dlpi_work *w, dlp_index l, int order, dlpi_leaf_sum sum)
{
    const dlp_index m = dlpi_leaf_support(w->of, l);
    *sum.log_integral = integrate(w, l);
    if (!isfinite(*sum.log_integral) || (order < 2 && !w->moments)) return;
    drop_light(w->leaf);
    expect(w, l, m);
    differentiate(w, l, m);
    if (w->moments) find_moments(w, l, m);
    if (order < 2) return;
    memcpy(sum.gradient, w->leaf->gradient, (size_t)m * sizeof *sum.gradient);
    for (dlp_index i = 0; i < m; i++, sum.curvature += m - i + 1)
        memcpy(sum.curvature, w->leaf->curvature + i * m + i,
               (size_t)(m - i) * sizeof *sum.curvature);
}

/* ---- draws ---- */

/* The nodes of a line from left to right. */
static void sort_line(dlpi_bugs_leaf_work *leaf)
{
    for (dlp_index i = 1; i < leaf->n; i++) {
        const double at = leaf->node[2 * i], h = leaf->h[i];
        dlp_index k = i;
        for (; k > 0 && leaf->node[2 * (k - 1)] > at; k--) {
            leaf->node[2 * k] = leaf->node[2 * (k - 1)];
            leaf->h[k] = leaf->h[k - 1];
        }
        leaf->node[2 * k] = at;
        leaf->h[k] = h;
    }
}

/* h between nodes i and i + 1: the cubic through four nodes, t from 0 to 1. */
static double between(const dlpi_bugs_leaf_work *leaf, dlp_index i, double t)
{
    const double *h = leaf->h;
    if (i < 1 || i + 2 >= leaf->n) return h[i] + t * (h[i + 1] - h[i]);
    const double a = h[i - 1], b = h[i], c = h[i + 1], d = h[i + 2];
    return b + t * (c - a / 3 - b / 2 - d / 6 +
                    t * (a / 2 - b + c / 2 + t * (b / 2 - a / 6 - c / 2 + d / 6)));
}

void dlpi_quantiles_of(dlpi_work *w, dlp_index l, dlpi_quantiles *q)
{
    w = &w->lane[0];
    dlpi_bugs_leaf_work *leaf = w->leaf;
    leaf->spread = true;
    (void)integrate(w, l);
    leaf->spread = false;
    sort_line(leaf);
    const double top = highest(leaf);
    dlp_index most = leaf->n > 1 ? (DLPI_QUANTILES - 1) / (leaf->n - 1) : 1;
    most = most > FINE ? FINE : most < 1 ? 1 : most;
    double sum = 0, last = 0;
    q->n = 0;
    for (dlp_index i = 0; i + 1 < leaf->n && q->n + most < DLPI_QUANTILES; i++) {
        const bool counts = fmax(leaf->h[i], leaf->h[i + 1]) > top - TAIL;
        const dlp_index fine = counts ? most : 1;
        const double wide = (leaf->node[2 * i + 2] - leaf->node[2 * i]) / (double)fine;
        for (dlp_index k = 0; k < fine; k++) {
            const double p = exp(between(leaf, i, (double)k / (double)fine) - top) * wide;
            sum += 0.5 * (p + last);
            last = p;
            q->value[q->n] = leaf->node[2 * i] + wide * (double)k;
            q->below[q->n++] = sum;
        }
    }
    for (int i = 0; i < q->n; i++) q->below[i] /= sum;
}

double dlpi_quantile_at(const dlpi_quantiles *q, double z)
{
    const double p = dlp_normal_cdf(z);
    int low = 0, high = q->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (q->below[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    const double step = q->below[high] - q->below[low];
    const double t = step > 0 ? fmin(fmax((p - q->below[low]) / step, 0), 1) : 0;
    return q->value[low] + t * (q->value[high] - q->value[low]);
}

/* How far the nodes' weights are from a normal distribution with these moments: half the
   sum of absolute differences. */
static double off_normal(const dlpi_bugs_leaf_work *leaf, const double *mean,
                         const double *v)
{
    const double det = v[0] * v[2] - v[1] * v[1];
    double normal = 0, off = 0;
    if (!(det > 1e-12 * v[0] * v[2])) return 0;
    for (int pass = 0; pass < 2; pass++)
        for (dlp_index i = 0; i < leaf->n; i++) {
            const double a = leaf->node[2 * i] - mean[0],
                         b = leaf->node[2 * i + 1] - mean[1];
            const double p =
                exp(-0.5 * (v[2] * a * a - 2 * v[1] * a * b + v[0] * b * b) / det);
            if (pass == 0)
                normal += p;
            else
                off += 0.5 * fabs(leaf->weight[i] - p / normal);
        }
    return off;
}

void dlpi_plane_of(dlpi_work *w, dlp_index l, const double *mean, const double *variance,
                   dlpi_plane *plane)
{
    const double far = 0.06;
    w = &w->lane[0];
    dlpi_bugs_leaf_work *leaf = w->leaf;
    plane->n = 0;
    if (!isfinite(integrate(w, l)) || leaf->normal ||
        off_normal(leaf, mean, variance) < far)
        return;
    double sum = 0;
    find_axes(leaf, plane->axis);
    for (int k = 0; k < 3; k++) plane->axis[k] *= leaf->apart;
    for (dlp_index i = 0; i < leaf->n && plane->n < DLPI_PLANE_CELLS; i++) {
        if (leaf->weight[i] < NEGLIGIBLE) continue;
        plane->value[2 * plane->n] = leaf->node[2 * i];
        plane->value[2 * plane->n + 1] = leaf->node[2 * i + 1];
        plane->below[plane->n++] = sum += leaf->weight[i];
    }
    for (int i = 0; i < plane->n; i++) plane->below[i] /= sum;
    const double *a = plane->axis,
                 cell[2] = {(a[0] * a[0] + a[1] * a[1]) / 12, a[2] * a[2] / 12};
    for (int c = 0; c < 2; c++) {
        const double v = fmax(variance[c ? 2 : 0], 0);
        plane->shrink[c] = v > 0 ? sqrt(v / (v + cell[c])) : 0;
    }
}

void dlpi_plane_at(const dlpi_plane *plane, const double *mean, const double z[2],
                   double deviation[2])
{
    const double p = dlp_normal_cdf(z[0]);
    dlp_index low = 0, high = plane->n - 1;
    while (low < high) {
        const dlp_index middle = (low + high) / 2;
        if (plane->below[middle] < p)
            low = middle + 1;
        else
            high = middle;
    }
    const double from = low > 0 ? plane->below[low - 1] : 0,
                 wide = plane->below[low] - from;
    const double s = wide > 0 ? fmin(fmax((p - from) / wide, 0), 1) - 0.5 : 0,
                 t = dlp_normal_cdf(z[1]) - 0.5;
    const double at[2] = {plane->value[2 * low] + plane->axis[0] * s + plane->axis[1] * t,
                          plane->value[2 * low + 1] + plane->axis[2] * t};
    for (int c = 0; c < 2; c++) deviation[c] = plane->shrink[c] * (at[c] - mean[c]);
}
