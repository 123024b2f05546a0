/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Leaves of one coordinate b and few rows, many at a time: all rows of a block of leaves
 * are run at their leaves' first nodes, then at their second ones, and so on.
 *
 *   I(x) = integral of exp{h(b, x)} db = integral of exp{h(b(z), x)} b'(z) dz
 *   b(z) = mode + sd (z + kappa z^2 / 2 + kappa^2 z^3 / 6),  kappa = h''' sd^3 / 3
 *
 * so that the integrand is about exp(-z^2 / 2), without the skewness that h has at its
 * mode. If that holds closely, the Gauss-Hermite rule is enough; otherwise the
 * trapezoidal rule, whose error falls exponentially, may be. leaf.c handles the leaves
 * for which neither is enough.
 */
#include "bugs/posterior/leaf.h"
#include "core/core.h"
#include "density/jet.h"
#include "math/dense.h"
#include "math/special/elementary.h"

#include <math.h>
#include <string.h>

enum {
    EVENLY = 11, /* nodes of the trapezoidal rule */
    MOST_STEPS = 60
};
static const double APART = 1;   /* sds between them */
static const double DEEP = 5e-5; /* the most that an outermost node may weigh */
static const double NEGLIGIBLE = 1e-8;

typedef struct batch {
    int k; /* the group */
    int n; /* rows, from `row` on */
    dlp_index row;
    dlp_index e, jet; /* where its numbers begin */
} batch;

typedef enum state { OPEN, FOUND, DONE, ALONE } state;

struct dlpi_leaf_block {
    dlp_index l; /* the first leaf */
    int n;       /* leaves */
    int n_batches;
    batch *batch;
    dlp_index jets; /* of all batches at one node */
    double *e;      /* slots of the rows at b = 0 */
    double *jet;    /* (EVENLY, jets) */
    double *coef;   /* (slots, DLPI_BATCH) du / db of a batch */
    double *row;    /* (EVENLY, DLPI_BATCH) */
    double *D;      /* (support of all, EVENLY) scores */
    double *at;     /* (EVENLY, leaves) b of nodes */
    double *h;      /* (EVENLY, leaves) */
    double *weight; /* (EVENLY, leaves) */
    double *sum[4]; /* (leaves) h and its derivatives where rows were run last */
    /* (leaves) at the best b so far; the step from there */
    double *best[4], *step, *by, *sd, *kappa;
    uint8_t *state;
    dlp_index *support; /* (leaves) where its rows of D begin */
};

/* ---- memory ---- */

static dlp_index at_least_1(dlp_index n)
{
    return n > 0 ? n : 1;
}

/* The most memory that any block needs. */
typedef struct sizes {
    dlp_index leaves, batches, e, jets, support;
} sizes;

static void widen(dlp_index *most, dlp_index n)
{
    if (n > *most) *most = n;
}

static sizes measure(const dlpi_field *of)
{
    sizes most = {0};
    for (dlp_index i = 0; i < of->n_blocks; i++) {
        const dlp_index l = of->block[i], end = of->block[i + 1];
        sizes s = {.leaves = end - l};
        if (!of->together[i]) continue;
        for (int k = 0; k < of->groups->n; k++) {
            const dlpi_group *g = &of->groups->of[k];
            if (!g->leaf) continue;
            const dlp_index rows =
                dlpi_leaf_begin(of, k, end) - dlpi_leaf_begin(of, k, l);
            s.batches += (rows + DLPI_BATCH - 1) / DLPI_BATCH;
            s.e += rows * g->slots.k;
            s.jets += rows * dlpi_jet_size(g->slots.k, 2);
        }
        s.support = of->groups->support_begin[end] - of->groups->support_begin[l];
        widen(&most.leaves, s.leaves);
        widen(&most.batches, s.batches);
        widen(&most.e, s.e);
        widen(&most.jets, s.jets);
        widen(&most.support, s.support);
    }
    return most;
}

dlp_status dlpi_leaf_block_alloc(const dlpi_field *of, dlpi_leaf_block **block,
                                 dlp_error *error)
{
    const sizes s = measure(of);
    const dlp_index n = at_least_1(s.leaves);
    dlpi_leaf_block *b = *block = dlpi_calloc(1, sizeof *b);
    if (!b) return dlpi_no_memory(error, "the posterior");
    /* jets first: aligned for vector loads */
    b->jet =
        dlpi_calloc(EVENLY * (s.jets + DLPI_BATCH + s.support) + s.e +
                        (dlp_index)of->most_slots * DLPI_BATCH + (3 * EVENLY + 12) * n,
                    sizeof *b->jet);
    b->batch = dlpi_calloc(at_least_1(s.batches), sizeof *b->batch);
    b->state = dlpi_calloc(n, sizeof *b->state);
    b->support = dlpi_calloc(n + 1, sizeof *b->support);
    if (!b->jet || !b->batch || !b->state || !b->support)
        return dlpi_no_memory(error, "the posterior");
    b->row = b->jet + EVENLY * s.jets;
    b->D = b->row + (dlp_index)EVENLY * DLPI_BATCH;
    b->e = b->D + EVENLY * s.support;
    b->coef = b->e + s.e;
    b->at = b->coef + (dlp_index)of->most_slots * DLPI_BATCH;
    b->h = b->at + EVENLY * n;
    b->weight = b->h + EVENLY * n;
    double *next = b->weight + EVENLY * n;
    for (int i = 0; i < 4; i++, next += 2 * n) {
        b->sum[i] = next;
        b->best[i] = next + n;
    }
    b->step = next;
    b->by = b->step + n;
    b->sd = b->by + n;
    b->kappa = b->sd + n;
    return DLP_OK;
}

void dlpi_leaf_block_free(dlpi_leaf_block *block)
{
    if (!block) return;
    free(block->jet);
    free(block->batch);
    free(block->state);
    free(block->support);
    free(block);
}

/* ---- rows ---- */

/* The batches of the block, with their slots at x and b = 0. */
static void set_rows(dlpi_work *w, dlp_index l, dlp_index end)
{
    dlpi_leaf_block *block = w->leaf->block;
    const dlpi_field *of = w->of;
    dlp_index e = 0;
    block->l = l;
    block->n = (int)(end - l);
    block->n_batches = 0;
    block->jets = 0;
    for (int k = 0; k < of->groups->n; k++) {
        const dlpi_group *g = &of->groups->of[k];
        if (!g->leaf) continue;
        const dlp_index last = dlpi_leaf_begin(of, k, end);
        for (dlp_index row = dlpi_leaf_begin(of, k, l); row < last; row += DLPI_BATCH) {
            const int n = (int)(last - row < DLPI_BATCH ? last - row : DLPI_BATCH);
            block->batch[block->n_batches++] = (batch){k, n, row, e, block->jets};
            dlpi_work_slots(w, k, row, n, DLPI_ROLE_X, block->e + e);
            e += (dlp_index)n * g->slots.k;
            block->jets += (dlp_index)n * dlpi_jet_size(g->slots.k, 2);
        }
    }
}

/* Sets the inputs of the batch's program, and the derivatives of its slots in b. */
static void set_batch(dlpi_work *w, const batch *b)
{
    const dlpi_group *g = &w->of->groups->of[b->k];
    double *coef = w->leaf->block->coef;
    dlpi_work_inputs(w, g, b->row, b->n);
    for (int j = 0; j < g->slots.k; j++) {
        w->input[g->n_inputs + j] = w->batch + (dlp_index)(g->n_inputs + j) * DLPI_BATCH;
        memset(coef + (dlp_index)j * b->n, 0, (size_t)b->n * sizeof *coef);
    }
    for (int i = 0; i < g->n_entries; i++) {
        if (g->role[g->input[i]] != DLPI_ROLE_LEAF) continue;
        const double *a = w->coef[b->k] + i * g->n + b->row;
        double *c = coef + (dlp_index)g->slot[i] * b->n;
        for (int r = 0; r < b->n; r++) c[r] += a[r];
    }
}

/* Runs the batch with its leaves' b at `at`. */
static void run(dlpi_work *w, const batch *b, const double *at, int order, double *jet)
{
    const dlpi_leaf_block *block = w->leaf->block;
    const dlpi_group *g = &w->of->groups->of[b->k];
    const int32_t *leaf = g->leaf + b->row;
    double *z = block->row;
    for (int r = 0; r < b->n; r++) z[r] = at[leaf[r] - block->l];
    for (int j = 0; j < g->slots.k; j++) {
        const double *e = block->e + b->e + (dlp_index)j * b->n,
                     *c = block->coef + (dlp_index)j * b->n;
        double *u = w->batch + (dlp_index)(g->n_inputs + j) * DLPI_BATCH;
        for (int r = 0; r < b->n; r++) u[r] = e[r] + c[r] * z[r];
    }
    dlpi_work_run(w, b->k, b->n, order, jet);
}

/* Adds up the rows of each leaf. */
static void add_up(const dlpi_work *w, const batch *b, const double *v, double *sum)
{
    const int32_t *leaf = w->of->groups->of[b->k].leaf + b->row;
    for (int r = 0; r < b->n;) {
        const int32_t l = leaf[r];
        double s = 0;
        do s += v[r];
        while (++r < b->n && leaf[r] == l);
        sum[l - w->leaf->block->l] += s;
    }
}

/* ---- modes ---- */

/* The derivatives of a batch's rows by b, of the order 1, 2 or 3, into d (n). */
static void along_b(const dlpi_work *w, const batch *b, const double *jet, int order,
                    double *d)
{
    const int k = w->of->groups->of[b->k].slots.k;
    const double *coef = w->leaf->block->coef;
    memset(d, 0, (size_t)b->n * sizeof *d);
    for (int i = 0; i < k; i++)
        for (int j = order > 1 ? 0 : k - 1; j < k; j++)
            for (int l = order > 2 ? 0 : k - 1; l < k; l++) {
                int low = i, middle = j, high = l, swap;
                if (order == 1) low = middle = high = i;
                if (order == 2) high = j;
                if (low > middle) swap = low, low = middle, middle = swap;
                if (middle > high) swap = middle, middle = high, high = swap;
                if (low > middle) swap = low, low = middle, middle = swap;
                const int place = order == 1   ? 1 + i
                                  : order == 2 ? dlpi_leaf_second(k, i, j)
                                               : dlpi_place3(k, low, middle, high);
                const double *v = jet + (dlp_index)place * b->n,
                             *a = coef + (dlp_index)i * b->n,
                             *c = coef + (dlp_index)j * b->n,
                             *e = coef + (dlp_index)l * b->n;
                if (order == 1)
                    for (int r = 0; r < b->n; r++) d[r] += a[r] * v[r];
                else if (order == 2)
                    for (int r = 0; r < b->n; r++) d[r] += a[r] * c[r] * v[r];
                else
                    for (int r = 0; r < b->n; r++) d[r] += a[r] * c[r] * e[r] * v[r];
            }
}

/* h and its derivatives of all leaves at their b. */
static void expand(dlpi_work *w, const double *at)
{
    dlpi_leaf_block *block = w->leaf->block;
    for (int i = 0; i < 4; i++)
        memset(block->sum[i], 0, (size_t)block->n * sizeof *block->sum[i]);
    for (int i = 0; i < block->n_batches; i++) {
        const batch *b = &block->batch[i];
        const int order = w->of->groups->of[b->k].slots.k <= DLPI_LEAF_THIRDS ? 3 : 2;
        set_batch(w, b);
        run(w, b, at, order, block->jet);
        add_up(w, b, block->jet, block->sum[0]);
        for (int d = 1; d <= order; d++) {
            along_b(w, b, block->jet, d, block->row);
            add_up(w, b, block->row, block->sum[d]);
        }
    }
}

/* Decides the next step of leaf i, expanded at its trial point; true: it is done. */
static bool judge(dlpi_work *w, int i, int step)
{
    dlpi_leaf_block *block = w->leaf->block;
    double *b = w->b + 2 * (block->l + i), *trial = &block->at[i];
    const bool better = block->sum[0][i] >= block->best[0][i];
    if (better) {
        for (int d = 0; d < 4; d++) block->best[d][i] = block->sum[d][i];
        *b = *trial;
        /* flips the sign of a negative curvature */
        const double bend = fmax(fabs(block->best[2][i]), 1e-8);
        block->best[2][i] = -bend;
        block->step[i] = block->best[1][i] / bend;
        block->by[i] = 1;
        /* nodes need not lie about the mode itself */
        if (!(0.5 * block->step[i] * block->best[1][i] > 1e-3)) return true;
    } else {
        block->by[i] /= 4;
        if (step == 0 || block->by[i] < 1e-9) return true;
    }
    *trial = *b + block->by[i] * block->step[i];
    return false;
}

/* Newton's method for all leaves, from w->b. */
static void find_modes(dlpi_work *w)
{
    dlpi_leaf_block *block = w->leaf->block;
    int open = block->n;
    for (int i = 0; i < block->n; i++) {
        block->at[i] = w->b[2 * (block->l + i)];
        block->best[0][i] = -INFINITY;
        block->state[i] = OPEN;
    }
    for (int step = 0; step < MOST_STEPS && open; step++) {
        expand(w, block->at);
        for (int i = 0; i < block->n; i++) {
            if (block->state[i] != OPEN || !judge(w, i, step)) continue;
            block->state[i] = isfinite(block->best[0][i]) ? FOUND : ALONE;
            block->at[i] = w->b[2 * (block->l + i)];
            open--;
        }
    }
    for (int i = 0; i < block->n; i++) {
        const double sd = 1 / sqrt(-block->best[2][i]), most = 0.25;
        if (block->state[i] == OPEN) block->state[i] = ALONE;
        block->sd[i] = sd;
        block->kappa[i] = fmin(fmax(block->best[3][i] * sd * sd * sd / 3, -most), most);
        if (isnan(block->kappa[i])) block->kappa[i] = 0;
    }
}

/* ---- nodes ---- */

/* b'(z) / sd */
static double stretch(double kappa, double z)
{
    return 1 + kappa * z * (1 + kappa * z / 2);
}

/* Runs all rows at n nodes z; h of each. */
static void run_nodes(dlpi_work *w, int n, const double *z, int order)
{
    dlpi_leaf_block *block = w->leaf->block;
    for (int q = 0; q < n; q++)
        for (int i = 0; i < block->n; i++) {
            const double t = block->kappa[i] * z[q];
            block->at[q * block->n + i] = w->b[2 * (block->l + i)] +
                                          block->sd[i] * z[q] * (1 + t / 2 * (1 + t / 3));
            block->h[q * block->n + i] = 0;
        }
    for (int k = 0; k < block->n_batches; k++) {
        const batch *b = &block->batch[k];
        set_batch(w, b);
        for (int q = 0; q < n; q++) {
            double *jet = block->jet + q * block->jets + b->jet;
            run(w, b, block->at + (dlp_index)q * block->n, order, jet);
            add_up(w, b, jet, block->h + (dlp_index)q * block->n);
        }
    }
}

/* exp(h - top) b'(z), as parts of their sum; returns the sum. */
static double weigh(dlpi_leaf_block *block, int i, int n, const double *z,
                    const double *log_rule, double *top)
{
    double sum = 0;
    *top = -INFINITY;
    for (int q = 0; q < n; q++) {
        double *h = &block->h[q * block->n + i];
        if (isnan(*h)) *h = -INFINITY;
        if (log_rule) *h += log_rule[q];
        *top = fmax(*top, *h);
    }
    for (int q = 0; q < n; q++) {
        const double fall = block->h[q * block->n + i] - *top;
        const double p = fall > -700 ? dlpi_exp_negative(fmin(fall, 0), 0) : 0;
        sum += block->weight[(dlp_index)q * block->n + i] =
            p * stretch(block->kappa[i], z[q]);
    }
    for (int q = 0; q < n; q++) {
        double *weight = &block->weight[q * block->n + i];
        *weight = *weight > NEGLIGIBLE * sum ? *weight / sum : 0;
    }
    return sum;
}

/* Whether the integrand falls as exp(-z^2 / 2) does. */
static bool is_normal(const dlpi_leaf_block *block, int i, int n, const double *z)
{
    const double top = block->h[n / 2 * block->n + i];
    for (int q = 0; q < n; q++) {
        const double half = 0.5 * z[q] * z[q];
        const double gap =
            block->h[q * block->n + i] - top + half + log(stretch(block->kappa[i], z[q]));
        if (!(fabs(gap) < 0.03 + 0.03 * half)) return false;
    }
    return true;
}

/* Whether every other node adds up to half of the sum, and the outermost nodes are
   negligible. */
static bool is_even(const dlpi_leaf_block *block, int i, int n)
{
    double odd = 0;
    for (int q = 1; q < n; q += 2) odd += block->weight[q * block->n + i];
    return fabs(2 * odd - 1) < 3e-2 && block->weight[i] < DEEP &&
           block->weight[(n - 1) * block->n + i] < DEEP;
}

/* A quadrature rule: Gauss-Hermite, or the trapezoidal rule if log_weight is NULL. */
typedef struct rule {
    int n;
    const double *z, *log_weight;
    double apart; /* distance of nodes; 1 for Gauss-Hermite */
} rule;

static bool integrate(dlpi_leaf_block *block, int i, const rule *r, double *log_integral)
{
    double top;
    if (r->log_weight && !is_normal(block, i, r->n, r->z)) return false;
    const double sum = weigh(block, i, r->n, r->z, r->log_weight, &top);
    if (!r->log_weight && !is_even(block, i, r->n)) return false;
    *log_integral = top + log(sum * block->sd[i] * r->apart);
    return isfinite(*log_integral);
}

/* ---- expectations ---- */

/* Copies the weights of nodes to each row of a batch. */
static void spread_weights(const dlpi_work *w, const batch *b, int n)
{
    const dlpi_leaf_block *block = w->leaf->block;
    const int32_t *leaf = w->of->groups->of[b->k].leaf + b->row;
    for (int q = 0; q < n; q++) {
        const double *weight = block->weight + (dlp_index)q * block->n;
        double *to = block->row + (dlp_index)q * DLPI_BATCH;
        for (int r = 0; r < b->n; r++) to[r] = weight[leaf[r] - block->l];
    }
}

/* sum of weight v over nodes, where v may be anything if nodes weigh nothing */
DLPI_CLONES
static void expect(int rows, int nodes, const double *weight, const double *v,
                   dlp_index stride, double *E)
{
    for (int r = 0; r < rows; r++) E[r] = 0;
    for (int q = 0; q < nodes; q++) {
        const double *p = weight + (dlp_index)q * DLPI_BATCH, *x = v + q * stride;
        DLPI_SIMD()
        for (int r = 0; r < rows; r++) E[r] += p[r] > 0 ? p[r] * x[r] : 0;
    }
}

/* Where the rows of a batch from r on that have the same leaf end. */
static int run_end(const batch *b, const int32_t *leaf, int r)
{
    const int32_t l = leaf[r];
    while (r < b->n && leaf[r] == l) r++;
    return r;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int r = 0; r < n; r++) sum += a[r] * b[r];
    return sum;
}

static double dot3(int n, const double *a, const double *b, const double *c)
{
    double sum = 0;
    for (int r = 0; r < n; r++) sum += a[r] * b[r] * c[r];
    return sum;
}

/* s of an entry at all nodes that weigh anything */
static void add_scores(dlpi_work *w, const batch *b, int entry, int nodes)
{
    dlpi_leaf_block *block = w->leaf->block;
    const dlpi_group *g = &w->of->groups->of[b->k];
    const int32_t *leaf = g->leaf + b->row, *local = g->local[entry] + b->row;
    const double *coef = w->coef[b->k] + entry * g->n + b->row;
    const double *first = block->jet + b->jet + (dlp_index)(1 + g->slot[entry]) * b->n;
    for (int r = 0, end; r < b->n; r = end) {
        const dlp_index i = leaf[r] - block->l;
        end = run_end(b, leaf, r);
        for (int q = 0; q < nodes; q++) {
            const double *d = first + q * block->jets;
            double *D = block->D + block->support[i] * EVENLY + q;
            if (!(block->weight[(dlp_index)q * block->n + i] > 0)) continue;
            if (g->steady[entry]) {
                D[(dlp_index)local[r] * EVENLY] += dot(end - r, coef + r, d + r);
                continue;
            }
            for (int k = r; k < end; k++)
                D[(dlp_index)local[k] * EVENLY] += coef[k] * d[k];
        }
    }
}

/* Where the entry of i and j is in an upper triangle of m rows. */
static dlp_index place_in_triangle(dlp_index m, int32_t i, int32_t j)
{
    const dlp_index low = i < j ? i : j, high = i < j ? j : i;
    return low * (2 * m - low - 1) / 2 + high;
}

static void add_curvature(dlpi_work *w, const batch *b, int i, int j, const double *E,
                          const dlpi_leaf_sum *sum)
{
    const dlpi_group *g = &w->of->groups->of[b->k];
    const int32_t *leaf = g->leaf + b->row, *xi = g->local[i] + b->row,
                  *xj = g->local[j] + b->row;
    const double *ci = w->coef[b->k] + i * g->n + b->row,
                 *cj = w->coef[b->k] + j * g->n + b->row;
    const bool steady = g->steady[i] && g->steady[j];
    for (int r = 0, end; r < b->n; r = end) {
        const dlp_index m = dlpi_leaf_support(w->of, leaf[r]);
        double *to = sum[leaf[r] - w->leaf->block->l].curvature;
        end = steady ? run_end(b, leaf, r) : r + 1;
        /* an x that two terms share is met once, and counts twice */
        const double by = i != j && xi[r] == xj[r] ? 2 : 1;
        to[place_in_triangle(m, xi[r], xj[r])] -=
            by * dot3(end - r, ci + r, cj + r, E + r);
    }
}

static void differentiate_batch(dlpi_work *w, const batch *b, int nodes,
                                const dlpi_leaf_sum *sum)
{
    dlpi_leaf_block *block = w->leaf->block;
    const dlpi_group *g = &w->of->groups->of[b->k];
    double *E = w->jet;
    spread_weights(w, b, nodes);
    for (int c = 1 + g->slots.k; c < dlpi_jet_size(g->slots.k, 2); c++)
        expect(b->n, nodes, block->row, block->jet + b->jet + (dlp_index)c * b->n,
               block->jets, E + (dlp_index)c * b->n);
    for (int i = 0; i < g->n_entries; i++) {
        if (g->role[g->input[i]] != DLPI_ROLE_X) continue;
        add_scores(w, b, i, nodes);
        for (int j = i; j < g->n_entries; j++) {
            const int place = dlpi_leaf_second(g->slots.k, g->slot[i], g->slot[j]);
            if (g->role[g->input[j]] == DLPI_ROLE_X)
                add_curvature(w, b, i, j, E + (dlp_index)place * b->n, sum);
        }
    }
}

/* E[s] and - Cov[s]; the scores become those less their mean. */
static void add_moments(dlpi_leaf_block *block, int i, int nodes,
                        const dlpi_leaf_sum *sum)
{
    const dlp_index m = block->support[i + 1] - block->support[i];
    double *D = block->D + block->support[i] * EVENLY, p[EVENLY], pd[EVENLY];
    double *to = sum->curvature;
    for (int q = 0; q < nodes; q++) p[q] = block->weight[q * block->n + i];
    for (dlp_index s = 0; s < m; s++) {
        double mean = 0;
        for (int q = 0; q < nodes; q++) mean += p[q] * D[s * EVENLY + q];
        for (int q = 0; q < nodes; q++) D[s * EVENLY + q] -= mean;
        sum->gradient[s] += mean;
    }
    for (dlp_index s = 0; s < m; s++) {
        for (int q = 0; q < nodes; q++) pd[q] = p[q] * D[s * EVENLY + q];
        for (dlp_index t = s; t < m; t++) {
            *to++ -= dot(nodes, pd, D + t * EVENLY);
        }
    }
}

/* Gradient and curvature of all leaves that are done with this number of nodes; the nodes
   of other leaves have weight 0. */
static void differentiate(dlpi_work *w, int nodes, const dlpi_leaf_sum *sum)
{
    dlpi_leaf_block *block = w->leaf->block;
    block->support[0] = 0;
    for (int i = 0; i < block->n; i++) {
        const dlp_index m = dlpi_leaf_support(w->of, block->l + i);
        block->support[i + 1] = block->support[i] + m;
    }
    memset(block->D, 0, (size_t)(block->support[block->n] * EVENLY) * sizeof *block->D);
    for (int k = 0; k < block->n_batches; k++)
        differentiate_batch(w, &block->batch[k], nodes, sum);
    for (int i = 0; i < block->n; i++) add_moments(block, i, nodes, &sum[i]);
}

/* E[b], Var[b] given x, and dE[b]/dx = Cov[b, s]. */
static void find_moments(dlpi_work *w, int i, int nodes)
{
    const dlpi_leaf_block *block = w->leaf->block;
    const dlp_index l = block->l + i, m = dlpi_leaf_support(w->of, l);
    double *mean = w->mean + 2 * l, *variance = w->variance + 3 * l;
    double *slope = w->slope + 2 * w->of->groups->support_begin[l];
    const double *D = block->D + block->support[i] * EVENLY;
    mean[0] = mean[1] = variance[0] = variance[1] = variance[2] = 0;
    memset(slope, 0, (size_t)(2 * m) * sizeof *slope);
    for (int q = 0; q < nodes; q++)
        mean[0] += block->weight[q * block->n + i] * block->at[q * block->n + i];
    for (int q = 0; q < nodes; q++) {
        const double d = block->at[q * block->n + i] - mean[0],
                     p = block->weight[q * block->n + i] * d;
        variance[0] += p * d;
        for (dlp_index s = 0; s < m; s++) slope[s] += p * D[s * EVENLY + q];
    }
}

/* ---- the whole ---- */

/* Tries the rule on leaves whose mode is found; those for which it is enough are done.
   Returns their number. */
static int try_rule(dlpi_work *w, const rule *r, int order, const dlpi_leaf_sum *sum)
{
    dlpi_leaf_block *block = w->leaf->block;
    int done = 0;
    run_nodes(w, r->n, r->z, w->moments ? 2 : order);
    for (int i = 0; i < block->n; i++) {
        const bool enough =
            block->state[i] == FOUND && integrate(block, i, r, sum[i].log_integral);
        for (int q = 0; q < r->n && !enough; q++) block->weight[q * block->n + i] = 0;
        if (!enough) continue;
        block->state[i] = DONE;
        done++;
    }
    if (order < 2 && !w->moments) return done;
    differentiate(w, r->n, sum);
    for (int i = 0; i < block->n; i++)
        if (w->moments && block->weight[r->n / 2 * block->n + i] > 0)
            find_moments(w, i, r->n);
    return done;
}

/* Estimates for how many leaves the Gauss-Hermite rule is enough. */
static int count_normal(const dlpi_leaf_block *block)
{
    int n = 0;
    for (int i = 0; i < block->n; i++)
        n += block->state[i] == FOUND && fabs(block->kappa[i]) < 0.03;
    return n;
}

bool dlpi_leaf_block_add(dlpi_work *w, dlp_index l, dlp_index end, int order,
                         const dlpi_leaf_sum *sum)
{
    dlpi_leaf_block *block = w->leaf->block;
    double z[EVENLY];
    enum { MIDDLE = EVENLY / 2 };
    for (int q = 0; q < EVENLY; q++) z[q] = APART * (q - MIDDLE);
    const rule few = {DLPI_LEAF_FEW, w->leaf->few, w->leaf->log_weight, 1},
               even = {EVENLY, z, NULL, APART};
    set_rows(w, l, end);
    find_modes(w);
    const int n = block->n;
    int left = n;
    if (count_normal(block) > 3 * n / 4) left -= try_rule(w, &few, order, sum);
    if (left > n / 4) (void)try_rule(w, &even, order, sum);
    for (int i = 0; i < n; i++) {
        if (block->state[i] == DONE) continue;
        dlpi_leaf_alone(w, l + i, order, sum[i]);
        if (!isfinite(*sum[i].log_integral)) return false;
    }
    return true;
}
