/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/gauss_hermite.h"
#include "mixed/cubature.h"
#include "mixed/gaussian_parts.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;
enum { MOST_STEPS = 60 };
enum { FIRST = 4, MORE = 3, MOST_NODES = 256 }; /* nodes of the trapezoidal rule */
enum { MOST_OF_MANY = 1024 };                   /* nodes of three effects or more */
enum { TOGETHER = 4096 }; /* rows, times nodes, that are evaluated together */
enum { RULES = 4, MOST_EACH = 9 };
static const int EACH[RULES] = {3, 5, 7, 9}; /* nodes of Gauss-Hermite in a dimension */

/* ---- work ---- */

/* Nodes (n, q) in sds and the logarithms of their weights, for exp(-b'b / 2). */
typedef struct hermite {
    int n;
    double node[2 * MOST_EACH * MOST_EACH], log_w[MOST_EACH * MOST_EACH];
} hermite;

struct dlpi_leaf_work {
    const dlpi_mixed_rows *rows;
    dlpi_leaf_rule rule;
    hermite normal[RULES]; /* for integrands that are nearly normal */
    dlpi_cubature many;    /* of three effects or more, */
    double *seen;          /*     (rows of a leaf, q) how its rows see them, */
    double *B;             /*     (q, m) how b goes with x, */
    double *h_b;           /*     and (q, nodes) the gradient of h by b */
    int most_nodes;
    dlp_index capacity; /* rows, times nodes, that are evaluated together */
    dlpi_rows tile;
    double *y, *trials, *weight, *eta, *l, *l_e, *l_ee; /* (capacity) */
    double *eta0, *E_e, *E_ee;                          /* (rows of a leaf) */
    double *l_eee, *l_eeee;                             /* the same, at the mode */
    double *trial, *step, *g, *C, *U;                   /* (q), and (q, q) of C, U */
    int nodes;
    double *node;          /* (nodes, q) */
    double *omega, *log_w; /* (nodes) */
    double *D;             /* (m, nodes) scores */
    double *turned;        /* (nodes, m) the same, turned, without their means */
    double *minus;         /* (nodes) */
    double *gradient, *curvature, *mean, *variance, *slope;
    dlp_index *index; /* (width + p) of a row, */
    double *value;    /*     where it sees x, and how */
    double *block;
    dlp_index other;     /* the row whose weight is another, */
    double other_weight; /*     or -1, and the weight */
};

/* A product of q rules; nodes that weigh next to nothing are left out. */
static void fill_rule(int each, dlp_index q, hermite *to)
{
    const double least = 3e-6; /* of the largest weight */
    double t[MOST_EACH], log_w[MOST_EACH];
    dlpi_gauss_hermite(each, t, log_w);
    const double top = log_w[each / 2];
    for (int k = 0; k < (q == 1 ? each : each * each); k++) {
        const int i = k % each, j = k / each;
        const double weight = q == 1 ? log_w[i] - top : log_w[i] + log_w[j] - 2 * top;
        if (weight < log(least)) continue;
        double *node = to->node + to->n * q;
        node[0] = sqrt(2) * t[i];
        to->log_w[to->n] = log_w[i] + t[i] * t[i] + 0.5 * log(2);
        if (q == 2) {
            node[1] = sqrt(2) * t[j];
            to->log_w[to->n] += log_w[j] + t[j] * t[j] + 0.5 * log(2);
        }
        to->n++;
    }
}

/* One block for all numbers of w, whose other fields are set. */
static dlp_status alloc_numbers(dlpi_leaf_work *w, dlp_error *error)
{
    const dlpi_mixed_rows *rows = w->rows;
    const bool many = w->rule == DLPI_LEAF_CUBATURE;
    const dlp_index q = rows->q, m = rows->most_support + rows->p, capacity = w->capacity,
                    each = rows->most_rows, nodes = w->most_nodes;
    const struct {
        double **field;
        dlp_index size;
    } part[] = {
        {&w->y, capacity},
        {&w->trials, capacity},
        {&w->weight, capacity},
        {&w->eta, capacity},
        {&w->l, capacity},
        {&w->l_e, capacity},
        {&w->l_ee, capacity},
        {&w->eta0, each},
        {&w->E_e, each},
        {&w->E_ee, each},
        {&w->l_eee, each},
        {&w->l_eeee, each},
        {&w->trial, q},
        {&w->step, q},
        {&w->g, q},
        {&w->C, q * q},
        {&w->U, q * q},
        {&w->node, nodes * q},
        {&w->omega, nodes},
        {&w->log_w, nodes},
        {&w->D, nodes * m},
        {&w->turned, nodes * m},
        {&w->minus, nodes},
        {&w->gradient, m},
        {&w->curvature, m * m},
        {&w->mean, q},
        {&w->variance, q * q},
        {&w->slope, q * m},
        {&w->value, rows->width + rows->p},
        {&w->seen, many ? each * q : 0},
        {&w->B, many ? q * m : 0},
        {&w->h_b, many ? q * nodes : 0},
    };
    enum { PARTS = sizeof part / sizeof part[0] };
    dlp_index total = 0;
    for (int i = 0; i < PARTS; i++) total += part[i].size;
    w->block = dlpi_calloc(total, sizeof *w->block);
    if (!w->block) return dlpi_no_memory(error, "a mixed model");
    total = 0;
    for (int i = 0; i < PARTS; i++) {
        *part[i].field = w->block + total;
        total += part[i].size;
    }
    return DLP_OK;
}

dlp_status dlpi_leaf_work_alloc(const dlpi_mixed_rows *rows, dlpi_leaf_rule rule,
                                dlpi_leaf_work **work, dlp_error *error)
{
    const int most_nodes = rule == DLPI_LEAF_LAPLACE    ? 1
                           : rule == DLPI_LEAF_CUBATURE ? MOST_OF_MANY
                                                        : MOST_NODES;
    const dlp_index q = rows->q;
    dlpi_leaf_work *w = dlpi_calloc(1, sizeof *w);
    *work = w;
    if (!w) return dlpi_no_memory(error, "a mixed model");
    w->rows = rows;
    w->rule = rule;
    w->other = -1;
    w->tile.bare = true;
    w->most_nodes = most_nodes;
    if (rule == DLPI_LEAF_CUBATURE)
        DLP_TRY(dlpi_cubature_alloc(q, most_nodes, &w->many, error));
    for (int i = 0; i < RULES && q <= 2; i++) fill_rule(EACH[i], q, &w->normal[i]);
    w->capacity = rows->most_rows > TOGETHER ? rows->most_rows : TOGETHER;
    w->index = dlpi_calloc(rows->width + rows->p, sizeof *w->index);
    if (!w->index) return dlpi_no_memory(error, "a mixed model");
    return alloc_numbers(w, error);
}

void dlpi_leaf_work_free(dlpi_leaf_work *work)
{
    if (!work) return;
    dlpi_cubature_free(&work->many);
    free(work->block);
    free(work->index);
    free(work);
}

static void multiply(dlp_index n, const double *by, double *x)
{
    for (dlp_index i = 0; i < n; i++) x[i] *= by[i];
}

/* l and its derivatives by eta of the first n rows of the work, by their weights; all four
   where the rows are the leaf's own. */
static void evaluate(dlpi_leaf_work *w, dlp_index n, double tau, bool all)
{
    dlpi_rows *tile = &w->tile;
    for (dlp_index at = 0; at < n; at += DLPI_TILE) {
        tile->n = n - at < DLPI_TILE ? n - at : DLPI_TILE;
        tile->y = w->y + at;
        tile->trials = w->rows->data->trials ? w->trials + at : NULL;
        tile->df = w->rows->data->df;
        const size_t size = (size_t)tile->n * sizeof *tile->eta;
        memcpy(tile->eta, w->eta + at, size);
        w->rows->data->likelihood(tile, tau, all ? 4 : 2);
        memcpy(w->l + at, tile->l, size);
        memcpy(w->l_e + at, tile->l_e, size);
        memcpy(w->l_ee + at, tile->l_ee, size);
        if (all) memcpy(w->l_eee + at, tile->l_eee, size);
        if (all) memcpy(w->l_eeee + at, tile->l_eeee, size);
    }
    if (!w->rows->weighted && w->other < 0) return;
    multiply(n, w->weight, w->l);
    multiply(n, w->weight, w->l_e);
    multiply(n, w->weight, w->l_ee);
    if (all) multiply(n, w->weight, w->l_eee);
    if (all) multiply(n, w->weight, w->l_eeee);
}

static void copy_rows(dlpi_leaf_work *w, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    const size_t size = (size_t)n * sizeof(double);
    memcpy(w->y, rows->y + from, size);
    memcpy(w->trials, rows->trials + from, size);
    memcpy(w->weight, rows->weight + from, size);
    if (w->other >= from && w->other < from + n)
        w->weight[w->other - from] = w->other_weight;
}

/* eta of the leaf's rows at b */
static void set_eta(dlpi_leaf_work *w, dlp_index g, const double *b, double *eta)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    for (dlp_index r = 0; r < n; r++)
        eta[r] = w->eta0[r] + dlpi_dot(q, rows->Z + (from + r) * q, b);
}

/* ---- the mode ---- */

/* h at b; g = grad h, C = -hess h where that is positive definite, else without the rows
   that bend the wrong way; U its factor. */
static double expand(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                     const double *b)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    double h = -dlpi_half_quadratic(q, prior->P, b);
    set_eta(w, g, b, w->eta);
    evaluate(w, n, prior->tau, w->rule != DLPI_LEAF_LAPLACE);
    for (int convex = 0; convex < 2; convex++) {
        memcpy(w->C, prior->P, (size_t)(q * q) * sizeof *w->C);
        for (dlp_index r = 0; r < n; r++) {
            const double *z = rows->Z + (from + r) * q;
            const double bend = convex ? fmax(-w->l_ee[r], 0) : -w->l_ee[r];
            for (dlp_index i = 0; i < q; i++)
                for (dlp_index j = i; j < q; j++) w->C[i * q + j] += bend * z[i] * z[j];
        }
        memcpy(w->U, w->C, (size_t)(q * q) * sizeof *w->U);
        if (dlpi_cholesky(q, w->U) < 0) break;
    }
    for (dlp_index i = 0; i < q; i++) w->g[i] = -dlpi_dot(q, prior->P + i * q, b);
    for (dlp_index r = 0; r < n; r++) {
        h += w->l[r];
        for (dlp_index i = 0; i < q; i++)
            w->g[i] += w->l_e[r] * rows->Z[(from + r) * q + i];
    }
    return h;
}

/* Newton's method with halved steps; what a step promises to gain, 1/2 g'C^-1 g, tells when
   it has ended. Nodes need not be about the mode itself: quadrature is content with h and C a
   twentieth of an sd away, and b one more step on. NAN: there is no finite h. */
static double find_mode(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        double *b)
{
    const bool precise = w->rule == DLPI_LEAF_LAPLACE || w->rule == DLPI_LEAF_CUBATURE;
    const double tiny = w->rule == DLPI_LEAF_LAPLACE ? 1e-12 : precise ? 1e-8 : 0.0025;
    const dlp_index q = w->rows->q;
    const size_t size = (size_t)q * sizeof *b;
    double h = expand(w, prior, g, b), shrink = 1;
    bool at_b = true; /* what expand left behind is about b */
    if (!isfinite(h)) {
        memset(b, 0, size);
        h = expand(w, prior, g, b);
        if (!isfinite(h)) return NAN;
    }
    for (int i = 0; i < MOST_STEPS; i++) {
        if (shrink == 1) {
            memcpy(w->step, w->g, size);
            dlpi_cholesky_solve(q, w->U, w->step);
            if (!(dlpi_dot(q, w->step, w->g) > tiny)) {
                if (!precise) dlpi_axpy(q, 1, w->step, b);
                break;
            }
        }
        for (dlp_index j = 0; j < q; j++) w->trial[j] = b[j] + shrink * w->step[j];
        const double there = expand(w, prior, g, w->trial);
        at_b = there >= h - 1e-12 * fabs(h);
        if (at_b) {
            memcpy(b, w->trial, size);
            h = there;
            shrink = 1;
        } else {
            shrink /= 4;
        }
    }
    return at_b ? h : expand(w, prior, g, b);
}

/* ---- one node ---- */

/* Laplace: b moves with x by C^-1 h_bx. */
static void expect_by_mode(dlpi_leaf_work *w, dlp_index g, const double *b,
                           dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const dlp_index m = leaf->m;
    memcpy(w->E_e, w->l_e, (size_t)n * sizeof *w->E_e);
    memcpy(w->E_ee, w->l_ee, (size_t)n * sizeof *w->E_ee);
    memcpy(leaf->mean, b, (size_t)q * sizeof *b);
    memset(leaf->slope, 0, (size_t)(q * m) * sizeof *leaf->slope);
    for (dlp_index r = 0; r < n; r++)
        for (dlp_index i = 0; i < q; i++)
            dlpi_mixed_rows_add(rows, from + r, leaf->support,
                                w->l_ee[r] * rows->Z[(from + r) * q + i],
                                leaf->slope + i * m);
    for (dlp_index i = 0; i < q; i++) { /* U'^-1 h_bx, whose square is Cov[s] */
        for (dlp_index k = 0; k < i; k++)
            for (dlp_index j = 0; j < m; j++)
                leaf->slope[i * m + j] -= w->U[k * q + i] * leaf->slope[k * m + j];
        for (dlp_index j = 0; j < m; j++) leaf->slope[i * m + j] /= w->U[i * (q + 1)];
    }
    for (dlp_index i = 0; i < q; i++) w->g[i] = -1;
    dlpi_add_squares(m, q, w->g, leaf->slope, leaf->curvature);
    for (dlp_index i = q - 1; i >= 0; i--) { /* U^-1 of it */
        for (dlp_index k = i + 1; k < q; k++)
            for (dlp_index j = 0; j < m; j++)
                leaf->slope[i * m + j] -= w->U[i * q + k] * leaf->slope[k * m + j];
        for (dlp_index j = 0; j < m; j++) leaf->slope[i * m + j] /= w->U[i * (q + 1)];
    }
    dlpi_cholesky_inverse(q, w->U, w->C, leaf->variance);
}

/* ---- several nodes ---- */

/* Row after row, and of each row node after node: the loops over nodes are vector code. */
static void spread_rows(dlpi_leaf_work *w, dlp_index g, int k, int count)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const double *node = w->node + k * q;
    for (dlp_index r = 0; r < n; r++) {
        const double *z = rows->Z + (from + r) * q;
        double *eta = w->eta + r * count;
        for (int i = 0; i < count; i++) {
            w->y[r * count + i] = rows->y[from + r];
            eta[i] = w->eta0[r] + z[0] * node[i * q];
        }
        for (int i = 0; rows->data->trials && i < count; i++)
            w->trials[r * count + i] = rows->trials[from + r];
        const double weight =
            from + r == w->other ? w->other_weight : rows->weight[from + r];
        for (int i = 0; (rows->weighted || w->other >= 0) && i < count; i++)
            w->weight[r * count + i] = weight;
        for (dlp_index j = 1; j < q; j++)
            for (int i = 0; i < count; i++) eta[i] += z[j] * node[i * q + j];
    }
}

/* The scores of nodes k to k + count: D += A_r' l_e */
static void add_scores(dlpi_leaf_work *w, dlp_index g, int k, int count,
                       const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, p = rows->p;
    for (dlp_index j = 0; j < leaf->m; j++)
        memset(w->D + j * w->most_nodes + k, 0, (size_t)count * sizeof *w->D);
    for (dlp_index r = 0; r < n; r++) {
        const double *l_e = w->l_e + r * count, *O = rows->O + (from + r) * rows->width;
        for (dlp_index o = 0; o < rows->n_other; o++) {
            const dlp_index q = rows->data->term[rows->term[o]].q;
            const dlp_index slot = rows->slot[(from + r) * rows->n_other + o];
            double *D = w->D + slot * w->most_nodes + k;
            for (dlp_index j = 0; j < q; j++, D += w->most_nodes)
                dlpi_axpy(count, *O++, l_e, D);
        }
        for (dlp_index j = 0; j < p; j++) {
            const double x = rows->X[(from + r) * p + j];
            if (x == 0) continue; /* indicators mostly are */
            dlpi_axpy(count, x, l_e, w->D + (leaf->support + j) * w->most_nodes + k);
        }
    }
}

/* The scores as b goes along with x: s + B'h_b, which hardly vary with b. */
static void turn_scores(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        int k, int count, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    for (dlp_index i = 0; i < q; i++) {
        double *h_b = w->h_b + i * w->most_nodes + k;
        for (int c = 0; c < count; c++)
            h_b[c] = -dlpi_dot(q, prior->P + i * q, w->node + (k + c) * q);
        for (dlp_index r = 0; r < n; r++)
            dlpi_axpy(count, rows->Z[(from + r) * q + i], w->l_e + r * count, h_b);
        for (dlp_index j = 0; j < leaf->m; j++)
            dlpi_axpy(count, w->B[i * leaf->m + j], h_b, w->D + j * w->most_nodes + k);
    }
}

/* Nodes k to k + count, whose rows are evaluated together: omega, D, and what they add to
   E_e and E_ee. */
static void visit_together(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                           int k, int count, double h0, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index n = rows->begin[g + 1] - rows->begin[g], q = rows->q;
    double *omega = w->omega + k;
    spread_rows(w, g, k, count);
    evaluate(w, count * n, prior->tau, false);
    for (int i = 0; i < count; i++)
        omega[i] = w->log_w[k + i] - h0 -
                   dlpi_half_quadratic(q, prior->P, w->node + (k + i) * q);
    for (dlp_index r = 0; r < n; r++) dlpi_axpy(count, 1, w->l + r * count, omega);
    for (int i = 0; i < count; i++) omega[i] = exp(omega[i]);
    if (w->rule == DLPI_LEAF_CUBATURE) multiply(count, w->many.sign + k, omega);
    for (dlp_index r = 0; r < n; r++) {
        w->E_e[r] += dlpi_dot(count, omega, w->l_e + r * count);
        w->E_ee[r] += dlpi_dot(count, omega, w->l_ee + r * count);
    }
    add_scores(w, g, k, count, leaf);
    if (w->rule == DLPI_LEAF_CUBATURE) turn_scores(w, prior, g, k, count, leaf);
}

static void visit(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g, int k,
                  int count, double h0, const dlpi_leaf *leaf)
{
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    const int together = n > 0 ? (int)(w->capacity / n) : count;
    for (int i = 0; i < count; i += together)
        visit_together(w, prior, g, k + i, count - i < together ? count - i : together,
                       h0, leaf);
}

/* Nodes on one side, from the first to the last multiple of `apart`. */
static void place_nodes(dlpi_leaf_work *w, double b, double apart, int first, int last)
{
    for (int i = first; i != last; i += first < last ? 1 : -1) {
        w->node[w->nodes] = b + i * apart;
        w->log_w[w->nodes++] = log(apart);
    }
}

/*
 * The trapezoidal rule converges exponentially for functions that are analytic in a strip:
 * with 1.2 sds between nodes it is off by 2e-6 for a Gaussian, and by little more for a
 * logistic likelihood, whose poles lie at eta = +-i pi, where eta moves by STRIDE. Skewed as
 * h may be, nodes go on until it has fallen to LOW.
 */
static void integrate_line(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                           const double *b, double h0, const dlpi_leaf *leaf)
{
    const double stride = 1.7, low = exp(-12.0);
    const dlpi_mixed_rows *rows = w->rows;
    double widest = 0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++)
        widest = fmax(widest, fabs(rows->Z[r]));
    const double apart = fmin(1.2 / w->U[0], widest > 0 ? stride / widest : INFINITY);
    w->nodes = 0;
    place_nodes(w, b[0], apart, -FIRST, FIRST + 1);
    visit(w, prior, g, 0, w->nodes, h0, leaf);
    const double end[2] = {w->omega[0], w->omega[w->nodes - 1]};
    for (int side = 0; side < 2; side++) {
        double omega = end[side];
        for (int i = FIRST + 1; omega > low * apart && w->nodes + MORE <= w->most_nodes;
             i += MORE) {
            const int from = w->nodes;
            place_nodes(w, b[0], side ? apart : -apart, i, i + MORE);
            for (int k = from; k < w->nodes; k++) w->log_w[k] = w->log_w[0];
            visit(w, prior, g, from, MORE, h0, leaf);
            omega = w->omega[w->nodes - 1];
        }
    }
}

/* A rule about b: b + U^-1 t. */
static void integrate_normal(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                             const double *b, double h0, const hermite *rule,
                             const dlpi_leaf *leaf)
{
    const dlp_index q = w->rows->q;
    const double constant = -dlpi_half_log_det(q, w->U), *U = w->U;
    w->nodes = rule->n;
    for (int k = 0; k < rule->n; k++) {
        const double *t = rule->node + k * q;
        double *node = w->node + k * q;
        w->log_w[k] = constant + rule->log_w[k];
        if (q == 1) {
            node[0] = b[0] + t[0] / U[0];
            continue;
        }
        const double last = t[1] / U[3];
        node[1] = b[1] + last;
        node[0] = b[0] + (t[0] - U[1] * last) / U[0];
    }
    visit(w, prior, g, 0, w->nodes, h0, leaf);
}

/* U'^-1 z of the leaf's rows. */
static void see_effects(dlpi_leaf_work *w, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    memcpy(w->seen, rows->Z + from * q, (size_t)(n * q) * sizeof *w->seen);
    for (dlp_index r = 0; r < n; r++) dlpi_cholesky_forward(q, w->U, w->seen + r * q);
}

/* B = C^-1 h_bx, where U and l_ee are. */
static void find_slope(dlpi_leaf_work *w, dlp_index g, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const dlp_index m = leaf->m;
    memset(w->B, 0, (size_t)(q * m) * sizeof *w->B);
    for (dlp_index r = 0; r < n; r++)
        for (dlp_index i = 0; i < q; i++)
            dlpi_mixed_rows_add(rows, from + r, leaf->support,
                                w->l_ee[r] * rows->Z[(from + r) * q + i], w->B + i * m);
    for (dlp_index j = 0; j < m; j++) {
        for (dlp_index i = 0; i < q; i++) w->step[i] = w->B[i * m + j];
        dlpi_cholesky_solve(q, w->U, w->step);
        for (dlp_index i = 0; i < q; i++) w->B[i * m + j] = w->step[i];
    }
}

/* Nodes of three effects or more, about the mode b or, where h is far from a parabola, about
   the mean and by the curvature there. Returns the logarithm of the integral of exp(h - h0)
   where nodes do not say it better, else NAN. */
static double integrate_many(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                             const double *b, double h0, const dlpi_leaf *leaf)
{
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g], q = w->rows->q;
    dlpi_cubature *c = &w->many;
    double *centre = w->trial;
    memcpy(centre, b, (size_t)q * sizeof *b);
    see_effects(w, g);
    if (!dlpi_cubature_measure(c, n, w->seen, w->l_eee, w->l_eeee)) {
        dlpi_cholesky_draw(q, w->U, c->shift);
        dlpi_axpy(q, 1, c->shift, centre);
        (void)expand(w, prior, g, centre);
        see_effects(w, g);
        dlpi_cubature_multiply(c, n, w->seen, w->l_ee, w->l_eee, w->l_eeee);
    }
    const double constant = 0.5 * (double)q * LOG_2_PI - dlpi_half_log_det(q, w->U);
    w->nodes = c->n;
    for (int k = 0; k < c->n; k++) {
        double *node = w->node + k * q;
        memcpy(node, c->t + k * q, (size_t)q * sizeof *node);
        w->log_w[k] = constant + c->log_w[k] + 0.5 * dlpi_dot(q, node, node);
        dlpi_cholesky_draw(q, w->U, node);
        dlpi_axpy(q, 1, centre, node);
    }
    find_slope(w, g, leaf);
    visit(w, prior, g, 0, w->nodes, h0, leaf);
    return c->near ? constant + c->next : NAN;
}

/* What directions without nodes add to Var[b]: U^-1 v v'U'^-1 each. */
static void add_still(dlpi_leaf_work *w, dlpi_leaf *leaf)
{
    const dlp_index q = w->rows->q;
    for (dlp_index d = 0; w->rule == DLPI_LEAF_CUBATURE && d < w->many.n_still; d++) {
        double *v = w->many.still + d * q;
        dlpi_cholesky_draw(q, w->U, v);
        for (dlp_index i = 0; i < q; i++) dlpi_axpy(q, v[i], v, leaf->variance + i * q);
    }
}

/* How far h is from a parabola, by its third and fourth derivatives at the mode in sds:
   t_r = U'^-1 z_r. */
static void measure(dlpi_leaf_work *w, dlp_index g, double *third, double *fourth)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const double *U = w->U;
    double T[4] = {0}; /* of b_0^3, b_0^2 b_1, b_0 b_1^2, b_1^3 */
    *fourth = 0;
    for (dlp_index r = 0; r < n; r++) {
        const double *z = rows->Z + (from + r) * q;
        const double x = z[0] / U[0], y = q == 1 ? 0 : (z[1] - U[1] * x) / U[3];
        T[0] += w->l_eee[r] * x * x * x;
        T[1] += w->l_eee[r] * x * x * y;
        T[2] += w->l_eee[r] * x * y * y;
        T[3] += w->l_eee[r] * y * y * y;
        *fourth += w->l_eeee[r] * (x * x + y * y) * (x * x + y * y);
    }
    *third = sqrt(T[0] * T[0] + 3 * (T[1] * T[1] + T[2] * T[2]) + T[3] * T[3]);
}

/* The fewest nodes that are off by some 2e-5 at most; NULL: none of the rules is enough. */
static const hermite *choose_rule(dlpi_leaf_work *w, dlp_index g)
{
    static const double most_third[] = {0.015, 0.1, 0.2},
                        most_fourth[] = {0.012, 0.04, 0.08};
    double third, fourth;
    measure(w, g, &third, &fourth);
    for (int i = 0; i < RULES - 1; i++)
        if (third < most_third[i] && fabs(fourth) < most_fourth[i]) return &w->normal[i];
    return w->rows->q == 1 ? NULL : &w->normal[RULES - 1];
}

/* Moments of b and s over the nodes; returns the sum of omega. */
static double expect(dlpi_leaf_work *w, dlpi_leaf *leaf)
{
    const int nodes = w->nodes;
    const dlp_index q = w->rows->q, m = leaf->m;
    double sum = 0;
    memset(leaf->mean, 0, (size_t)q * sizeof *leaf->mean);
    memset(leaf->variance, 0, (size_t)(q * q) * sizeof *leaf->variance);
    memset(leaf->slope, 0, (size_t)(q * m) * sizeof *leaf->slope);
    for (int k = 0; k < nodes; k++) sum += w->omega[k];
    for (int k = 0; k < nodes; k++) {
        w->omega[k] /= sum;
        for (dlp_index i = 0; i < q; i++)
            leaf->mean[i] += w->omega[k] * w->node[k * q + i];
    }
    for (int k = 0; k < nodes; k++) {
        double *b = w->node + k * q;
        for (dlp_index i = 0; i < q; i++) b[i] -= leaf->mean[i];
        for (dlp_index i = 0; i < q; i++)
            for (dlp_index j = 0; j < q; j++)
                leaf->variance[i * q + j] += w->omega[k] * b[i] * b[j];
    }
    for (dlp_index j = 0; j < m; j++) { /* scores without their means, node by node */
        const double *D = w->D + j * w->most_nodes;
        const double mean = dlpi_dot(nodes, w->omega, D);
        for (int k = 0; k < nodes; k++) w->turned[k * m + j] = D[k] - mean;
    }
    for (int k = 0; k < nodes; k++) {
        w->minus[k] = -w->omega[k];
        for (dlp_index i = 0; i < q; i++)
            dlpi_axpy(m, w->omega[k] * w->node[k * q + i], w->turned + k * m,
                      leaf->slope + i * m);
    }
    dlpi_add_squares(m, nodes, w->minus, w->turned, leaf->curvature);
    return sum;
}

/* Returns the logarithm of the integral of exp(h - h0), and in *known what it is where nodes
   do not say it best. */
static double expect_by_nodes(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                              dlp_index g, const double *b, double h0, double *known,
                              dlpi_leaf *leaf)
{
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    memset(w->E_e, 0, (size_t)n * sizeof *w->E_e);
    memset(w->E_ee, 0, (size_t)n * sizeof *w->E_ee);
    const bool many = w->rule == DLPI_LEAF_CUBATURE;
    const hermite *rule = many ? NULL : choose_rule(w, g);
    *known = NAN;
    if (many)
        *known = integrate_many(w, prior, g, b, h0, leaf);
    else if (rule)
        integrate_normal(w, prior, g, b, h0, rule, leaf);
    else
        integrate_line(w, prior, g, b, h0, leaf);
    const double sum = expect(w, leaf);
    add_still(w, leaf);
    if (many) dlpi_axpy(w->rows->q * leaf->m, 1, w->B, leaf->slope);
    for (dlp_index r = 0; r < n; r++) {
        w->E_e[r] /= sum;
        w->E_ee[r] /= sum;
    }
    if (isnan(*known)) *known = log(sum);
    return log(sum);
}

/* ---- one row ---- */

void dlpi_leaf_reweigh(dlpi_leaf_work *w, dlp_index r, double weight)
{
    w->other = r;
    w->other_weight = weight;
}

dlpi_leaf_nodes dlpi_leaf_last_nodes(const dlpi_leaf_work *w)
{
    return (dlpi_leaf_nodes){w->nodes, w->omega, w->node, w->eta0};
}

/* ---- the whole ---- */

/* Where row r sees x, and how: index, value. */
static void see_row(dlpi_leaf_work *w, dlp_index r, dlp_index support)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index p = rows->p;
    dlp_index at = 0;
    for (dlp_index o = 0; o < rows->n_other; o++)
        for (dlp_index j = 0; j < rows->data->term[rows->term[o]].q; j++)
            w->index[at++] = rows->slot[r * rows->n_other + o] + j;
    for (dlp_index j = 0; j < p; j++) w->index[at++] = support + j;
    memcpy(w->value, rows->O + r * rows->width, (size_t)rows->width * sizeof *w->value);
    memcpy(w->value + rows->width, rows->X + r * p, (size_t)p * sizeof *w->value);
}

/* gradient = sum_r E[l_e] A_r; curvature -= sum_r E[l_ee] A_r A_r' */
static void add_rows(dlpi_leaf_work *w, dlp_index g, dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    const dlp_index m = leaf->m, wide = rows->width + rows->p;
    for (dlp_index r = 0; r < n; r++) {
        see_row(w, from + r, leaf->support);
        for (dlp_index i = 0; i < wide; i++) {
            if (w->value[i] == 0) continue;
            const double by = w->E_ee[r] * w->value[i];
            double *to = leaf->curvature + w->index[i] * m;
            leaf->gradient[w->index[i]] += w->E_e[r] * w->value[i];
            for (dlp_index j = i; j < wide; j++) to[w->index[j]] -= by * w->value[j];
        }
    }
}

/* Whether the rows tell so much more of b than its prior does that the differences of
   add_rows would be rounding errors: |C| / |P| bounds how much more. */
static bool is_pinned(const dlpi_leaf_work *w, const dlpi_leaf_prior *prior)
{
    const double most = 14; /* a factor of 1e6 */
    return 2 * dlpi_half_log_det(w->rows->q, w->U) - prior->log_det > most;
}

/*
 * The same as sums in which nothing cancels. When b goes along with x by B, a row sees x by
 * a_r = A_r + B'z_r, and
 *   gradient = sum_r E[l_e] a_r - B'P E[b],  curvature += B'P B - sum_r E[l_ee] a_r a_r'
 */
static void add_rows_along(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                           const double *B, dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const dlp_index m = leaf->m, wide = rows->width + rows->p;
    double *a = w->D;
    for (dlp_index i = 0; i < q; i++) {
        const double *B_i = B + i * m;
        dlpi_axpy(m, -dlpi_dot(q, prior->P + i * q, leaf->mean), B_i, leaf->gradient);
        memset(a, 0, (size_t)m * sizeof *a);
        for (dlp_index k = 0; k < q; k++) dlpi_axpy(m, prior->P[i * q + k], B + k * m, a);
        for (dlp_index j = 0; j < m; j++)
            dlpi_axpy(m - j, B_i[j], a + j, leaf->curvature + j * (m + 1));
    }
    for (dlp_index r = 0; r < n; r++) {
        memset(a, 0, (size_t)m * sizeof *a);
        see_row(w, from + r, leaf->support);
        for (dlp_index i = 0; i < wide; i++) a[w->index[i]] += w->value[i];
        for (dlp_index i = 0; i < q; i++)
            dlpi_axpy(m, rows->Z[(from + r) * q + i], B + i * m, a);
        dlpi_axpy(m, w->E_e[r], a, leaf->gradient);
        for (dlp_index j = 0; j < m; j++)
            dlpi_axpy(m - j, -w->E_ee[r] * a[j], a + j, leaf->curvature + j * (m + 1));
    }
}

dlpi_leaf dlpi_leaf_integrate(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                              dlp_index g, const double *x, double *b)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index support = rows->support_begin[g + 1] - rows->support_begin[g];
    const dlp_index m = support + rows->p, q = rows->q;
    dlpi_leaf leaf = {.support = support,
                      .m = m,
                      .gradient = w->gradient,
                      .curvature = w->curvature,
                      .mean = w->mean,
                      .variance = w->variance,
                      .slope = w->slope};
    dlpi_mixed_rows_eta(rows, g, x, w->eta0);
    copy_rows(w, g);
    const double h = find_mode(w, prior, g, b);
    if (!isfinite(h)) {
        leaf.log_integral = -INFINITY;
        return leaf;
    }
    memset(leaf.gradient, 0, (size_t)m * sizeof *leaf.gradient);
    memset(leaf.curvature, 0, (size_t)(m * m) * sizeof *leaf.curvature);
    leaf.height = h + rows->constant[g] + 0.5 * prior->log_det;
    if (w->rule == DLPI_LEAF_LAPLACE) {
        expect_by_mode(w, g, b, &leaf);
        leaf.log_integral = leaf.height - dlpi_half_log_det(q, w->U);
    } else {
        const double here = leaf.height - 0.5 * (double)q * LOG_2_PI;
        double known;
        leaf.height = here + expect_by_nodes(w, prior, g, b, h, &known, &leaf);
        leaf.log_integral = here + known;
    }
    if (w->rule == DLPI_LEAF_CUBATURE) {
        add_rows_along(w, prior, g, w->B, &leaf);
    } else if (w->rule == DLPI_LEAF_LAPLACE && is_pinned(w, prior)) {
        memset(leaf.curvature, 0, (size_t)(m * m) * sizeof *leaf.curvature);
        add_rows_along(w, prior, g, leaf.slope, &leaf);
    } else {
        add_rows(w, g, &leaf);
    }
    return leaf;
}
