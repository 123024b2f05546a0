/* SPDX-License-Identifier: BSD-3-Clause */
/* Integrals over the effects of a leaf on several linear predictors, by products of
   Gauss-Hermite rules. Loops run over nodes, so that they are vector code. */
#include "core/core.h"
#include "math/clones.h"
#include "math/dense.h"
#include "math/special/gauss_hermite.h"
#include "mixed/levels/softmax_work.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

enum { MOST_EACH = 9, TOGETHER = 8192, FACTORS = 64 };

/* ---- kernels ---- */

/* out = x y */
DLPI_CLONES
static void multiply(dlp_index n, const double *x, const double *y, double *out)
{
    DLPI_SIMD() for (dlp_index i = 0; i < n; i++) out[i] = x[i] * y[i];
}

/* top = max(top, x) */
DLPI_CLONES
static void raise(dlp_index n, const double *x, double *top)
{
    DLPI_SIMD() for (dlp_index i = 0; i < n; i++) top[i] = x[i] > top[i] ? x[i] : top[i];
}

/* each row of x (D, n) divided by `all` */
DLPI_CLONES
static void divide(dlp_index D, dlp_index n, const double *all, double *x)
{
    for (dlp_index k = 0; k < D; k++) {
        DLPI_SIMD() for (dlp_index i = 0; i < n; i++) x[k * n + i] /= all[i];
    }
}

/* x = -x */
DLPI_CLONES
static void negate(dlp_index n, double *x)
{
    DLPI_SIMD() for (dlp_index i = 0; i < n; i++) x[i] = -x[i];
}

/* x += by */
DLPI_CLONES
static void shift(dlp_index n, double by, double *x)
{
    DLPI_SIMD() for (dlp_index i = 0; i < n; i++) x[i] += by;
}

/* ---- rules ---- */

/* How many nodes in each dimension, at most: more effects need more of them. */
static int most_each(dlp_index Q)
{
    return Q <= 2 ? 9 : Q == 3 ? 7 : Q <= 5 ? 5 : 3;
}

/* A product of Q rules, without the nodes of negligible weight. Returns how many nodes
   there are; without room for them, only counts them. */
static int fill_rule(int each, dlp_index Q, dlpi_product_rule *to)
{
    const double least = 3e-6; /* of the largest weight */
    double t[MOST_EACH], log_w[MOST_EACH];
    int at[DLPI_SOFTMAX_EFFECTS] = {0}, n = 0;
    dlpi_gauss_hermite(each, t, log_w);
    for (dlp_index d = 0; d < Q;) {
        double weight = 0, whole = 0;
        for (dlp_index i = 0; i < Q; i++) {
            weight += log_w[at[i]] - log_w[each / 2];
            whole += log_w[at[i]] + t[at[i]] * t[at[i]] + 0.5 * log(2);
        }
        if (weight >= log(least)) {
            for (dlp_index i = 0; to->node && i < Q; i++)
                to->node[i * to->n + n] = sqrt(2) * t[at[i]];
            if (to->node) to->log_w[n] = whole;
            n++;
        }
        for (d = 0; d < Q && ++at[d] == each; d++) at[d] = 0;
    }
    return n;
}

int dlpi_softmax_rules(dlpi_softmax_work *w)
{
    for (int each = 3; each <= most_each(w->Q); each += 2) {
        dlpi_product_rule *to = &w->rule[w->rules];
        to->n = fill_rule(each, w->Q, to);
        to->node = dlpi_calloc(to->n, (size_t)(w->Q + 1) * sizeof *to->node);
        if (!to->node) return 0;
        to->log_w = to->node + to->n * w->Q;
        (void)fill_rule(each, w->Q, to);
        w->rules++;
    }
    return w->rule[w->rules - 1].n;
}

/* At how many nodes the probabilities of all rows are computed together. */
static dlp_index together(const dlpi_softmax_work *w, dlp_index rows)
{
    const dlp_index n = TOGETHER / (rows * w->D + 1);
    return n < 1 ? 1 : n < w->nodes ? n : w->nodes;
}

dlp_index dlpi_softmax_room(const dlpi_softmax_work *w)
{
    const dlp_index rows = w->rows->most_rows * w->D;
    return rows > TOGETHER ? rows : TOGETHER;
}

/* ---- nodes ---- */

/* centre + U^-1 t, column by column. */
static void place_nodes(dlpi_softmax_work *w, const dlpi_product_rule *rule)
{
    const dlp_index Q = w->Q, n = rule->n;
    for (dlp_index a = Q - 1; a >= 0; a--) {
        double *to = w->node + a * w->nodes;
        memcpy(to, rule->node + a * n, (size_t)n * sizeof *to);
        for (dlp_index c = a + 1; c < Q; c++)
            dlpi_axpy(n, -w->U[a * Q + c], w->node + c * w->nodes, to);
        for (dlp_index i = 0; i < n; i++) to[i] /= w->U[a * (Q + 1)];
    }
    for (dlp_index a = 0; a < Q; a++) shift(n, w->centre[a], w->node + a * w->nodes);
}

/* log weight - 1/2 b'P b - h0 */
static void begin_omega(dlpi_softmax_work *w, const dlpi_product_rule *rule,
                        const double *P, double h0)
{
    const dlp_index Q = w->Q;
    double constant = -h0;
    for (dlp_index a = 0; a < Q; a++) constant -= log(w->U[a * (Q + 1)]);
    for (int i = 0; i < rule->n; i++) w->log_omega[i] = constant + rule->log_w[i];
    for (dlp_index a = 0; a < Q; a++)
        for (dlp_index c = 0; c <= a; c++) {
            const double by = -(a == c ? 0.5 : 1) * P[a * Q + c];
            const double *x = w->node + a * w->nodes, *y = w->node + c * w->nodes;
            if (by == 0) continue;
            multiply(rule->n, x, y, w->all);
            dlpi_axpy(rule->n, by, w->all, w->log_omega);
        }
}

/* exp(eta_k - top) of a row at nodes first to first + n, into e (D, n); their sum, the
   reference included, into w->all; and log_omega += weight (eta_y - top). */
static void load_row(dlpi_softmax_work *w, dlp_index r, const double *eta0,
                     dlp_index first, dlp_index n, double *e)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index y = (dlp_index)rows->y[r];
    const double *z = rows->Z + r * w->Q, weight = rows->weight[r];
    double *top = w->all, *to = w->log_omega + first;
    memset(top, 0, (size_t)n * sizeof *top);
    for (dlp_index k = 0; k < w->D; k++) {
        double *eta = e + k * n;
        for (dlp_index i = 0; i < n; i++) eta[i] = eta0[k];
        for (dlp_index j = 0; j < w->q; j++)
            dlpi_axpy(n, z[j], w->node + (k * w->q + j) * w->nodes + first, eta);
        raise(n, eta, top);
    }
    if (y > 0) dlpi_axpy(n, weight, e + (y - 1) * n, to);
    dlpi_axpy(n, -weight, top, to);
    for (dlp_index k = 0; k < w->D; k++) dlpi_axpy(n, -1, top, e + k * n);
    negate(n, top);
    dlp_exp_array(n, top, top);
    dlp_exp_array(w->D * n, e, e);
    for (dlp_index k = 0; k < w->D; k++) dlpi_axpy(n, 1, e + k * n, w->all);
    divide(w->D, n, w->all, e);
}

/* log_omega -= log of the product so far. */
static void take_product(dlpi_softmax_work *w, dlp_index first, dlp_index n)
{
    for (dlp_index i = 0; i < n; i++) {
        w->log_omega[first + i] -= log(w->product[i]);
        w->product[i] = 1;
    }
}

/* log_omega -= weight log all. Rows of weight 1 are multiplied first; a product is at
   most K^FACTORS. */
static void take_all(dlpi_softmax_work *w, dlp_index r, dlp_index first, dlp_index n)
{
    const double weight = w->rows->weight[r];
    if (weight == 1) {
        multiply(n, w->product, w->all, w->product);
        if ((r + 1) % FACTORS == 0) take_product(w, first, n);
        return;
    }
    for (dlp_index i = 0; i < n; i++) w->log_omega[first + i] -= weight * log(w->all[i]);
}

/* Scores by x: score += A_rk l_k, with probabilities e (D, n). */
static void add_score(dlpi_softmax_work *w, dlp_index r, dlp_index first, dlp_index n,
                      const double *e, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    dlpi_softmax_see_row(w, r, leaf->support);
    for (dlp_index k = 0; k < w->D; k++) {
        const bool is_y = rows->y[r] == (double)(k + 1);
        for (dlp_index i = 0; i < w->wide; i++) {
            const double by = rows->weight[r] * w->value[i];
            double *to = w->score + w->index[k * w->wide + i] * w->nodes + first;
            if (by == 0) continue;
            dlpi_axpy(n, -by, e + k * n, to);
            if (is_y) shift(n, by, to);
        }
    }
}

/* E_e and E_ee of a row, from nodes whose omega is known; uses `all` as room. */
static void add_expectations(dlpi_softmax_work *w, dlp_index r, dlp_index at,
                             dlp_index first, dlp_index n, double sum, const double *e)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index D = w->D;
    const double *omega = w->omega + first, weight = rows->weight[r];
    double *E_e = w->E_e + at * D, *E_ee = w->E_ee + at * D * D;
    for (dlp_index k = 0; k < D; k++) {
        const double mean = dlpi_dot(n, omega, e + k * n);
        multiply(n, omega, e + k * n, w->all);
        E_e[k] += weight * ((rows->y[r] == (double)(k + 1)) * sum - mean);
        for (dlp_index l = 0; l < D; l++)
            E_ee[k * D + l] -=
                weight * ((k == l) * mean - dlpi_dot(n, w->all, e + l * n));
    }
}

/* Nodes first to first + n: omega, whose sum is returned; with `leaf` also scores and
   expectations. */
static double visit_together(dlpi_softmax_work *w, dlp_index g, dlp_index first,
                             dlp_index n, const dlpi_leaf *leaf)
{
    const dlp_index from = w->rows->begin[g], to = w->rows->begin[g + 1];
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) w->product[i] = 1;
    for (dlp_index r = from; r < to; r++) {
        double *e = w->e + (leaf ? (r - from) * w->D * n : 0);
        load_row(w, r, w->eta0 + (r - from) * w->D, first, n, e);
        take_all(w, r, first, n);
        if (leaf) add_score(w, r, first, n, e, leaf);
    }
    take_product(w, first, n);
    dlp_exp_array(n, w->log_omega + first, w->omega + first);
    for (dlp_index i = 0; i < n; i++) sum += w->omega[first + i];
    for (dlp_index r = from; leaf && r < to; r++)
        add_expectations(w, r, r - from, first, n, sum, w->e + (r - from) * w->D * n);
    return sum;
}

/* Nodes about the centre and their weights omega, whose sum is returned. */
static double visit(dlpi_softmax_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                    double h0, const dlpi_product_rule *rule, const dlpi_leaf *leaf)
{
    const dlp_index step = together(w, w->rows->begin[g + 1] - w->rows->begin[g]);
    double sum = 0;
    place_nodes(w, rule);
    begin_omega(w, rule, prior->P, h0);
    for (dlp_index j = 0; leaf && j < leaf->m; j++)
        memset(w->score + j * w->nodes, 0, (size_t)rule->n * sizeof *w->score);
    for (dlp_index i = 0; i < rule->n; i += step)
        sum += visit_together(w, g, i, rule->n - i < step ? rule->n - i : step, leaf);
    return sum;
}

/* ---- moments ---- */

/* Mean and variance of b over n nodes, from which the mean is then subtracted. */
static void find_moments(dlpi_softmax_work *w, dlp_index n, double sum,
                         const dlpi_leaf *leaf)
{
    const dlp_index Q = w->Q;
    for (dlp_index i = 0; i < n; i++) w->omega[i] /= sum;
    for (dlp_index a = 0; a < Q; a++) {
        double *b = w->node + a * w->nodes;
        leaf->mean[a] = dlpi_dot(n, w->omega, b);
        shift(n, -leaf->mean[a], b);
    }
    for (dlp_index a = 0; a < Q; a++) {
        multiply(n, w->omega, w->node + a * w->nodes, w->all);
        for (dlp_index c = 0; c < Q; c++)
            leaf->variance[a * Q + c] = dlpi_dot(n, w->all, w->node + c * w->nodes);
    }
}

/* slope = Cov[b, s], curvature -= Cov[s] */
static void add_scores(dlpi_softmax_work *w, dlp_index n, const dlpi_leaf *leaf)
{
    for (dlp_index j = 0; j < leaf->m; j++) {
        double *s = w->score + j * w->nodes;
        const double mean = dlpi_dot(n, w->omega, s);
        shift(n, -mean, s);
    }
    for (dlp_index a = 0; a < w->Q; a++) {
        multiply(n, w->omega, w->node + a * w->nodes, w->all);
        for (dlp_index j = 0; j < leaf->m; j++)
            leaf->slope[a * leaf->m + j] = dlpi_dot(n, w->all, w->score + j * w->nodes);
    }
    dlpi_subtract_gram(leaf->m, n, w->nodes, w->omega, w->score, w->all, leaf->curvature);
}

/* Sets the centre and U to the mean and variance found by the nodes. */
static bool recentre(dlpi_softmax_work *w, const dlpi_leaf *leaf)
{
    const dlp_index Q = w->Q;
    memcpy(w->C, leaf->variance, (size_t)(Q * Q) * sizeof *w->C);
    if (dlpi_cholesky(Q, w->C) >= 0) return false;
    dlpi_cholesky_inverse(Q, w->C, w->U, w->S);
    memcpy(w->U, w->S, (size_t)(Q * Q) * sizeof *w->U);
    if (dlpi_cholesky(Q, w->U) >= 0) return false;
    memcpy(w->centre, leaf->mean, (size_t)Q * sizeof *w->centre);
    return true;
}

double dlpi_softmax_expect(dlpi_softmax_work *w, const dlpi_leaf_prior *prior,
                           dlp_index g, const double *b, double h0, int which,
                           bool skewed, const dlpi_leaf *leaf)
{
    const dlp_index n = (w->rows->begin[g + 1] - w->rows->begin[g]) * w->D;
    const dlpi_product_rule *rule = &w->rule[which],
                            *few = &w->rule[w->rules > 1 && w->Q <= 2];
    memcpy(w->centre, b, (size_t)w->Q * sizeof *b);
    if (skewed) {
        const double sum = visit(w, prior, g, h0, few, NULL);
        find_moments(w, few->n, sum, leaf);
        if (!recentre(w, leaf)) return NAN;
    }
    const double sum = visit(w, prior, g, h0, rule, leaf);
    for (dlp_index i = 0; i < n; i++) w->E_e[i] /= sum;
    for (dlp_index i = 0; i < n * w->D; i++) w->E_ee[i] /= sum;
    find_moments(w, rule->n, sum, leaf);
    add_scores(w, rule->n, leaf);
    return log(sum);
}
