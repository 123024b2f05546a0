/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/gauss_hermite.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;
enum { MOST_STEPS = 60 };
enum { FIRST = 7, MORE = 8, MOST_NODES = 256 }; /* nodes of the trapezoidal rule */
enum { TOGETHER = 4096 };      /* rows, times nodes, that are evaluated together */
enum { FEW = 7, HERMITE = 9 }; /* and of Gauss-Hermite */

/* ---- work ---- */

struct dlpi_leaf_work {
    const dlpi_mixed_rows *rows;
    dlpi_leaf_rule rule;
    double few[FEW], log_few[FEW];                 /* nodes and weights of one effect, */
    double hermite[HERMITE], log_hermite[HERMITE]; /*     and of two */
    dlp_index capacity; /* rows, times nodes, that are evaluated together */
    dlpi_rows tile;
    double *y, *trials, *weight, *eta, *l, *l_e, *l_ee; /* (capacity) */
    double *eta0, *E_e, *E_ee;                          /* (rows of a leaf) */
    double *trial, *step, *g, *C, *U;                   /* (q), and (q, q) of C, U */
    int nodes;
    double *node;          /* (nodes, q) */
    double *omega, *log_w; /* (nodes) */
    double *D;             /* (m, nodes) scores */
    double *gram;          /* (nodes) */
    double *gradient, *curvature, *mean, *variance, *slope;
    dlp_index *index; /* (width + p) of a row, */
    double *value;    /*     where it sees x, and how */
    double *block;
};

dlp_status dlpi_leaf_work_alloc(const dlpi_mixed_rows *rows, dlpi_leaf_rule rule,
                                dlpi_leaf_work **work, dlp_error *error)
{
    const int most_nodes = rule == DLPI_LEAF_LAPLACE ? 1 : MOST_NODES;
    const dlp_index q = rows->q, m = rows->most_support + rows->p,
                    capacity = rows->most_rows > TOGETHER ? rows->most_rows : TOGETHER,
                    wide = rows->width + rows->p;
    dlpi_leaf_work *w = dlpi_calloc(1, sizeof *w);
    *work = w;
    if (!w) return dlpi_no_memory(error, "a mixed model");
    w->rows = rows;
    w->rule = rule;
    dlpi_gauss_hermite(FEW, w->few, w->log_few);
    dlpi_gauss_hermite(HERMITE, w->hermite, w->log_hermite);
    w->capacity = capacity;
    const dlp_index sizes[] = {capacity,
                               capacity,
                               capacity,
                               capacity,
                               capacity,
                               capacity,
                               capacity,
                               rows->most_rows,
                               rows->most_rows,
                               rows->most_rows,
                               q,
                               q,
                               q,
                               q * q,
                               q * q,
                               most_nodes * q,
                               most_nodes,
                               most_nodes,
                               most_nodes * m,
                               most_nodes,
                               m,
                               m * m,
                               q,
                               q * q,
                               q * m,
                               wide};
    double **const fields[] = {
        &w->y,     &w->trials, &w->weight,   &w->eta,       &w->l,     &w->l_e,
        &w->l_ee,  &w->eta0,   &w->E_e,      &w->E_ee,      &w->trial, &w->step,
        &w->g,     &w->C,      &w->U,        &w->node,      &w->omega, &w->log_w,
        &w->D,     &w->gram,   &w->gradient, &w->curvature, &w->mean,  &w->variance,
        &w->slope, &w->value};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    dlp_index total = 0;
    for (int i = 0; i < FIELDS; i++) total += sizes[i];
    w->block = dlpi_calloc(total, sizeof *w->block);
    w->index = dlpi_calloc(wide, sizeof *w->index);
    if (!w->block || !w->index) return dlpi_no_memory(error, "a mixed model");
    total = 0;
    for (int i = 0; i < FIELDS; i++) {
        *fields[i] = w->block + total;
        total += sizes[i];
    }
    return DLP_OK;
}

void dlpi_leaf_work_free(dlpi_leaf_work *work)
{
    if (!work) return;
    free(work->block);
    free(work->index);
    free(work);
}

/* l and its derivatives by eta of the first n rows of the work, by their weights. */
static void evaluate(dlpi_leaf_work *w, dlp_index n, double tau)
{
    dlpi_rows *tile = &w->tile;
    for (dlp_index at = 0; at < n; at += DLPI_TILE) {
        tile->n = n - at < DLPI_TILE ? n - at : DLPI_TILE;
        tile->y = w->y + at;
        tile->trials = w->trials + at;
        memcpy(tile->eta, w->eta + at, (size_t)tile->n * sizeof *tile->eta);
        w->rows->data->likelihood(tile, tau, 2);
        for (dlp_index i = 0; i < tile->n; i++) {
            const double weight = w->weight[at + i];
            w->l[at + i] = weight * tile->l[i];
            w->l_e[at + i] = weight * tile->l_e[i];
            w->l_ee[at + i] = weight * tile->l_ee[i];
        }
    }
}

static void copy_rows(dlpi_leaf_work *w, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    const size_t size = (size_t)n * sizeof(double);
    memcpy(w->y, rows->y + from, size);
    memcpy(w->trials, rows->trials + from, size);
    memcpy(w->weight, rows->weight + from, size);
}

/* eta of the leaf's rows at b */
static void set_eta(dlpi_leaf_work *w, dlp_index g, const double *b, double *eta)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    for (dlp_index r = 0; r < n; r++)
        eta[r] = w->eta0[r] + dlpi_dot(q, rows->Z + (from + r) * q, b);
}

static double half_quadratic(dlp_index q, const double *P, const double *b)
{
    double sum = 0;
    for (dlp_index i = 0; i < q; i++) sum += b[i] * dlpi_dot(q, P + i * q, b);
    return 0.5 * sum;
}

static double half_log_det(dlp_index q, const double *U)
{
    double sum = 0;
    for (dlp_index i = 0; i < q; i++) sum += log(U[i * (q + 1)]);
    return sum;
}

/* ---- the mode ---- */

/* h at b; g = grad h, C = -hess h where that is positive definite, else without the rows
   that bend the wrong way; U its factor. */
static double expand(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                     const double *b)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    double h = -half_quadratic(q, prior->P, b);
    set_eta(w, g, b, w->eta);
    evaluate(w, n, prior->tau);
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
   it has ended. NAN: there is no finite h. */
static double find_mode(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        double *b)
{
    const double tiny = 1e-12;
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
            if (!(dlpi_dot(q, w->step, w->g) > tiny)) break;
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
            w->trials[r * count + i] = rows->trials[from + r];
            w->weight[r * count + i] = rows->weight[from + r];
            eta[i] = w->eta0[r] + z[0] * node[i * q];
        }
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
        memset(w->D + j * MOST_NODES + k, 0, (size_t)count * sizeof *w->D);
    for (dlp_index r = 0; r < n; r++) {
        const double *l_e = w->l_e + r * count, *O = rows->O + (from + r) * rows->width;
        for (dlp_index o = 0; o < rows->n_other; o++) {
            const dlp_index q = rows->data->term[rows->term[o]].q;
            const dlp_index slot = rows->slot[(from + r) * rows->n_other + o];
            double *D = w->D + slot * MOST_NODES + k;
            for (dlp_index j = 0; j < q; j++, D += MOST_NODES)
                dlpi_axpy(count, *O++, l_e, D);
        }
        for (dlp_index j = 0; j < p; j++)
            dlpi_axpy(count, rows->X[(from + r) * p + j], l_e,
                      w->D + (leaf->support + j) * MOST_NODES + k);
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
    evaluate(w, count * n, prior->tau);
    for (int i = 0; i < count; i++)
        omega[i] =
            w->log_w[k + i] - h0 - half_quadratic(q, prior->P, w->node + (k + i) * q);
    for (dlp_index r = 0; r < n; r++) dlpi_axpy(count, 1, w->l + r * count, omega);
    for (int i = 0; i < count; i++) omega[i] = exp(omega[i]);
    for (dlp_index r = 0; r < n; r++) {
        w->E_e[r] += dlpi_dot(count, omega, w->l_e + r * count);
        w->E_ee[r] += dlpi_dot(count, omega, w->l_ee + r * count);
    }
    add_scores(w, g, k, count, leaf);
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
 * with an sd between nodes it is off by 5e-9 for a Gaussian, and by little more for a
 * logistic likelihood, whose poles lie at eta = +-i pi, where eta moves by STRIDE. Skewed as
 * h may be, nodes go on until it has fallen by DEEP.
 */
static void integrate_line(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                           const double *b, double h0, const dlpi_leaf *leaf)
{
    const double stride = 1.2, low = exp(-18.0);
    const dlpi_mixed_rows *rows = w->rows;
    double widest = 0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++)
        widest = fmax(widest, fabs(rows->Z[r]));
    const double apart = fmin(1 / w->U[0], widest > 0 ? stride / widest : INFINITY);
    w->nodes = 0;
    place_nodes(w, b[0], apart, -FIRST, FIRST + 1);
    visit(w, prior, g, 0, w->nodes, h0, leaf);
    const double end[2] = {w->omega[0], w->omega[w->nodes - 1]};
    for (int side = 0; side < 2; side++) {
        double omega = end[side];
        for (int i = FIRST + 1; omega > low * apart && w->nodes + MORE <= MOST_NODES;
             i += MORE) {
            const int from = w->nodes;
            place_nodes(w, b[0], side ? apart : -apart, i, i + MORE);
            for (int k = from; k < w->nodes; k++) w->log_w[k] = w->log_w[0];
            visit(w, prior, g, from, MORE, h0, leaf);
            omega = w->omega[w->nodes - 1];
        }
    }
}

/* A product of Gauss-Hermite rules: b + sqrt(2) U^-1 t. */
static void integrate_normal(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                             const double *b, double h0, const dlpi_leaf *leaf)
{
    const dlp_index q = w->rows->q;
    const int each = q == 1 ? FEW : HERMITE;
    const double *t = q == 1 ? w->few : w->hermite,
                 *log_w = q == 1 ? w->log_few : w->log_hermite;
    const double constant = 0.5 * (double)q * log(2) - half_log_det(q, w->U);
    w->nodes = q == 1 ? each : each * each;
    for (int k = 0; k < w->nodes; k++) {
        double *node = w->node + k * q;
        w->log_w[k] = constant;
        for (int j = 0, rest = k; j < q; j++, rest /= each) {
            node[j] = sqrt(2) * t[rest % each];
            w->log_w[k] += log_w[rest % each] + t[rest % each] * t[rest % each];
        }
        dlpi_cholesky_draw(q, w->U, node);
        for (dlp_index j = 0; j < q; j++) node[j] += b[j];
    }
    visit(w, prior, g, 0, w->nodes, h0, leaf);
}

/* Whether h is so near to a parabola that a few nodes of Gauss-Hermite will do: by its third
   and fourth derivatives in sds. */
static bool is_nearly_normal(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    const double sd = 1 / w->U[0];
    double third = 0, fourth = 0;
    dlpi_rows *tile = &w->tile;
    for (dlp_index at = 0; at < n; at += DLPI_TILE) {
        tile->n = n - at < DLPI_TILE ? n - at : DLPI_TILE;
        tile->y = rows->y + from + at;
        tile->trials = rows->trials + from + at;
        memcpy(tile->eta, w->eta + at, (size_t)tile->n * sizeof *tile->eta);
        rows->data->likelihood(tile, prior->tau, 4);
        for (dlp_index i = 0; i < tile->n; i++) {
            const double z = rows->Z[from + at + i] * sd, weight = w->weight[at + i];
            third += weight * tile->l_eee[i] * z * z * z;
            fourth += weight * tile->l_eeee[i] * z * z * z * z;
        }
    }
    return fabs(third) < 0.2 && fabs(fourth) < 0.08;
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
    for (dlp_index j = 0; j < m; j++) {
        double *D = w->D + j * MOST_NODES;
        const double mean = dlpi_dot(nodes, w->omega, D);
        for (int k = 0; k < nodes; k++) {
            D[k] -= mean;
            for (dlp_index i = 0; i < q; i++)
                leaf->slope[i * m + j] += w->omega[k] * w->node[k * q + i] * D[k];
        }
    }
    dlpi_subtract_gram(m, nodes, MOST_NODES, w->omega, w->D, w->gram, leaf->curvature);
    return sum;
}

/* Returns the logarithm of the integral of exp(h - h0). */
static double expect_by_nodes(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                              dlp_index g, const double *b, double h0, dlpi_leaf *leaf)
{
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    memset(w->E_e, 0, (size_t)n * sizeof *w->E_e);
    memset(w->E_ee, 0, (size_t)n * sizeof *w->E_ee);
    if (w->rule == DLPI_LEAF_TRAPEZOID && !is_nearly_normal(w, prior, g))
        integrate_line(w, prior, g, b, h0, leaf);
    else
        integrate_normal(w, prior, g, b, h0, leaf);
    const double sum = expect(w, leaf);
    for (dlp_index r = 0; r < n; r++) {
        w->E_e[r] /= sum;
        w->E_ee[r] /= sum;
    }
    return log(sum);
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
    return 2 * half_log_det(w->rows->q, w->U) - prior->log_det > most;
}

/*
 * Laplace's gradient and curvature as sums, in which nothing cancels. With B = db/dx, what a
 * row still sees of x when b gives way is a_r = A_r + B'z_r, and, as Z'l_e = P b at the mode,
 *   gradient = sum_r l_e a_r - B'P b,  curvature = B'P B - sum_r l_ee a_r a_r'
 */
static void add_rows_pinned(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                            dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const dlp_index m = leaf->m, wide = rows->width + rows->p;
    double *a = w->D;
    memset(leaf->curvature, 0, (size_t)(m * m) * sizeof *leaf->curvature);
    for (dlp_index i = 0; i < q; i++) {
        const double *B = leaf->slope + i * m;
        dlpi_axpy(m, -dlpi_dot(q, prior->P + i * q, leaf->mean), B, leaf->gradient);
        memset(a, 0, (size_t)m * sizeof *a);
        for (dlp_index k = 0; k < q; k++)
            dlpi_axpy(m, prior->P[i * q + k], leaf->slope + k * m, a);
        for (dlp_index j = 0; j < m; j++)
            dlpi_axpy(m - j, B[j], a + j, leaf->curvature + j * (m + 1));
    }
    for (dlp_index r = 0; r < n; r++) {
        memset(a, 0, (size_t)m * sizeof *a);
        see_row(w, from + r, leaf->support);
        for (dlp_index i = 0; i < wide; i++) a[w->index[i]] += w->value[i];
        for (dlp_index i = 0; i < q; i++)
            dlpi_axpy(m, rows->Z[(from + r) * q + i], leaf->slope + i * m, a);
        dlpi_axpy(m, w->l_e[r], a, leaf->gradient);
        for (dlp_index j = 0; j < m; j++)
            dlpi_axpy(m - j, -w->l_ee[r] * a[j], a + j, leaf->curvature + j * (m + 1));
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
    leaf.height = h + 0.5 * prior->log_det;
    if (w->rule == DLPI_LEAF_LAPLACE) {
        expect_by_mode(w, g, b, &leaf);
        leaf.log_integral = leaf.height - half_log_det(q, w->U);
    } else {
        leaf.height +=
            expect_by_nodes(w, prior, g, b, h, &leaf) - 0.5 * (double)q * LOG_2_PI;
        leaf.log_integral = leaf.height;
    }
    if (w->rule == DLPI_LEAF_LAPLACE && is_pinned(w, prior))
        add_rows_pinned(w, prior, g, &leaf);
    else
        add_rows(w, g, &leaf);
    return leaf;
}
