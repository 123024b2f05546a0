/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/gauss_hermite.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;
enum { MOST_STEPS = 60 };
enum { TOGETHER = 5, MOST_NODES = 257, HERMITE = 9 };

/* ---- work ---- */

struct dlpi_leaf_work {
    const dlpi_mixed_rows *rows;
    dlpi_leaf_rule rule;
    double hermite[HERMITE], log_hermite[HERMITE]; /* nodes and weights */
    dlp_index capacity; /* rows, times nodes, that are evaluated together */
    dlpi_rows tile;
    double *y, *trials, *weight, *eta, *l, *l_e, *l_ee; /* (capacity) */
    double *eta0, *E_e, *E_ee;                          /* (rows of a leaf) */
    double *trial, *step, *g, *C, *U;                   /* (q), and (q, q) of C, U */
    int nodes;
    double *node;          /* (nodes, q) */
    double *omega, *log_w; /* (nodes) */
    double *D;             /* (nodes, m) */
    double *score;         /* (m) */
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
                    capacity = rows->most_rows > DLPI_TILE ? rows->most_rows : DLPI_TILE,
                    wide = rows->width + rows->p;
    dlpi_leaf_work *w = dlpi_calloc(1, sizeof *w);
    *work = w;
    if (!w) return dlpi_no_memory(error, "a mixed model");
    w->rows = rows;
    w->rule = rule;
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
                               m,
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
        &w->D,     &w->score,  &w->gradient, &w->curvature, &w->mean,  &w->variance,
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
        w->rows->data->family->evaluate(tile, tau, 2);
        for (dlp_index i = 0; i < tile->n; i++) {
            const double weight = w->weight[at + i];
            w->l[at + i] = weight * tile->l[i];
            w->l_e[at + i] = weight * tile->l_e[i];
            w->l_ee[at + i] = weight * tile->l_ee[i];
        }
    }
}

static void copy_rows(dlpi_leaf_work *w, dlp_index g, dlp_index to)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    const size_t size = (size_t)n * sizeof(double);
    memcpy(w->y + to, rows->y + from, size);
    memcpy(w->trials + to, rows->trials + from, size);
    memcpy(w->weight + to, rows->weight + from, size);
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

/* Nodes k to k + count, whose rows are evaluated together: omega, D = s, and what they add
   to E_e and E_ee. Returns h at the last of them, from h0. */
static double visit_together(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                             int k, int count, double h0, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    double h = 0;
    for (int i = 0; i < count; i++) set_eta(w, g, w->node + (k + i) * q, w->eta + i * n);
    evaluate(w, count * n, prior->tau);
    for (int i = 0; i < count; i++, k++) {
        const double *l = w->l + i * n, *l_e = w->l_e + i * n, *l_ee = w->l_ee + i * n;
        h = -half_quadratic(q, prior->P, w->node + k * q) - h0;
        for (dlp_index r = 0; r < n; r++) h += l[r];
        const double omega = exp(w->log_w[k] + h);
        double *D = w->D + k * leaf->m;
        w->omega[k] = omega;
        memset(D, 0, (size_t)leaf->m * sizeof *D);
        for (dlp_index r = 0; r < n; r++) {
            w->E_e[r] += omega * l_e[r];
            w->E_ee[r] += omega * l_ee[r];
            dlpi_mixed_rows_add(rows, from + r, leaf->support, l_e[r], D);
        }
    }
    return h;
}

static double visit(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g, int k,
                    int count, double h0, const dlpi_leaf *leaf)
{
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    const int together = n > 0 ? (int)(w->capacity / n) : count;
    double h = 0;
    for (int i = 0; i < count; i += together) {
        const int left = count - i, now = left < together ? left : together;
        for (int j = 1; j < now; j++) copy_rows(w, g, j * n);
        h = visit_together(w, prior, g, k + i, now, h0, leaf);
    }
    return h;
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
    const double stride = 1.2, deep = 18;
    const dlpi_mixed_rows *rows = w->rows;
    double widest = 0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++)
        widest = fmax(widest, fabs(rows->Z[r]));
    const double apart = fmin(1 / w->U[0], widest > 0 ? stride / widest : INFINITY);
    w->nodes = 1;
    w->node[0] = b[0];
    w->log_w[0] = log(apart);
    (void)visit(w, prior, g, 0, 1, h0, leaf);
    for (int side = -1; side <= 1; side += 2)
        for (int j = 1; w->nodes + TOGETHER <= MOST_NODES; j += TOGETHER) {
            for (int i = 0; i < TOGETHER; i++) {
                w->node[w->nodes + i] = b[0] + side * (j + i) * apart;
                w->log_w[w->nodes + i] = w->log_w[0];
            }
            const double h = visit(w, prior, g, w->nodes, TOGETHER, h0, leaf);
            w->nodes += TOGETHER;
            if (!(h > -deep)) break;
        }
}

/* A product of Gauss-Hermite rules: b + sqrt(2) U^-1 t. */
static void integrate_plane(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                            const double *b, double h0, const dlpi_leaf *leaf)
{
    w->nodes = HERMITE * HERMITE;
    for (int k = 0; k < w->nodes; k++) {
        double *node = w->node + 2 * k;
        const double t[2] = {w->hermite[k / HERMITE], w->hermite[k % HERMITE]};
        node[0] = sqrt(2) * t[0];
        node[1] = sqrt(2) * t[1];
        dlpi_cholesky_draw(2, w->U, node);
        node[0] += b[0];
        node[1] += b[1];
        w->log_w[k] = w->log_hermite[k / HERMITE] + w->log_hermite[k % HERMITE] +
                      t[0] * t[0] + t[1] * t[1] + log(2) - half_log_det(2, w->U);
    }
    (void)visit(w, prior, g, 0, w->nodes, h0, leaf);
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
    memset(w->score, 0, (size_t)m * sizeof *w->score);
    for (int k = 0; k < nodes; k++) sum += w->omega[k];
    for (int k = 0; k < nodes; k++) {
        w->omega[k] /= sum;
        for (dlp_index i = 0; i < q; i++)
            leaf->mean[i] += w->omega[k] * w->node[k * q + i];
        for (dlp_index j = 0; j < m; j++) w->score[j] += w->omega[k] * w->D[k * m + j];
    }
    for (int k = 0; k < nodes; k++) {
        const double omega = w->omega[k];
        double *D = w->D + k * m, *b = w->node + k * q;
        for (dlp_index j = 0; j < m; j++) D[j] -= w->score[j];
        for (dlp_index i = 0; i < q; i++) b[i] -= leaf->mean[i];
        for (dlp_index i = 0; i < q; i++) {
            for (dlp_index j = 0; j < q; j++)
                leaf->variance[i * q + j] += omega * b[i] * b[j];
            for (dlp_index j = 0; j < m; j++)
                leaf->slope[i * m + j] += omega * b[i] * D[j];
        }
    }
    for (int k = 0; k < nodes; k++) w->omega[k] *= -1;
    dlpi_add_squares(m, nodes, w->omega, w->D, leaf->curvature);
    return sum;
}

/* Returns the logarithm of the integral of exp(h - h0). */
static double expect_by_nodes(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                              dlp_index g, const double *b, double h0, dlpi_leaf *leaf)
{
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    memset(w->E_e, 0, (size_t)n * sizeof *w->E_e);
    memset(w->E_ee, 0, (size_t)n * sizeof *w->E_ee);
    if (w->rule == DLPI_LEAF_TRAPEZOID)
        integrate_line(w, prior, g, b, h0, leaf);
    else
        integrate_plane(w, prior, g, b, h0, leaf);
    const double sum = expect(w, leaf);
    for (dlp_index r = 0; r < n; r++) {
        w->E_e[r] /= sum;
        w->E_ee[r] /= sum;
    }
    return log(sum);
}

/* ---- the whole ---- */

/* gradient = sum_r E[l_e] A_r; curvature -= sum_r E[l_ee] A_r A_r' */
static void add_rows(dlpi_leaf_work *w, dlp_index g, dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, p = rows->p;
    const dlp_index m = leaf->m, wide = rows->width + p;
    for (dlp_index r = 0; r < n; r++) {
        dlp_index at = 0;
        for (dlp_index o = 0; o < rows->n_other; o++)
            for (dlp_index j = 0; j < rows->data->term[rows->term[o]].q; j++)
                w->index[at++] = rows->slot[(from + r) * rows->n_other + o] + j;
        for (dlp_index j = 0; j < p; j++) w->index[at++] = leaf->support + j;
        memcpy(w->value, rows->O + (from + r) * rows->width,
               (size_t)rows->width * sizeof *w->value);
        memcpy(w->value + rows->width, rows->X + (from + r) * p,
               (size_t)p * sizeof *w->value);
        for (dlp_index i = 0; i < wide; i++) {
            const double by = w->E_ee[r] * w->value[i];
            double *to = leaf->curvature + w->index[i] * m;
            leaf->gradient[w->index[i]] += w->E_e[r] * w->value[i];
            for (dlp_index j = i; j < wide; j++) to[w->index[j]] -= by * w->value[j];
        }
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
    copy_rows(w, g, 0);
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
    add_rows(w, g, &leaf);
    return leaf;
}
