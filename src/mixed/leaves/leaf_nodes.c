/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaf_work.h"

#include "math/dense.h"
#include "mixed/gaussian_parts.h"
#include "mixed/leaves/leaf_interval.h"
#include "mixed/leaves/leaf_kernels.h"
#include "mixed/leaves/leaf_plane.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;
enum { FIRST = 4, MORE = 3 }; /* nodes of the trapezoidal rule */

static void multiply(dlp_index n, const double *by, double *x)
{
    for (dlp_index i = 0; i < n; i++) x[i] *= by[i];
}

/* Row after row, and within a row node after node, so that the loops over nodes
   vectorise. */
static void spread_rows(dlpi_leaf_work *w, dlp_index g, int k, int count)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const double *node = w->node + k * q;
    for (dlp_index j = 0; q > 1 && j < q; j++)
        for (int i = 0; i < count; i++) w->across[j * count + i] = node[i * q + j];
    dlpi_leaf_spread(n, q, count, rows->y + from, w->eta0, rows->Z + from * q,
                     q > 1 ? w->across : node, w->y, w->eta);
    for (dlp_index r = 0; rows->data->trials && r < n; r++)
        for (int i = 0; i < count; i++) w->trials[r * count + i] = rows->trials[from + r];
    for (dlp_index r = 0; (rows->weighted || w->other >= 0) && r < n; r++) {
        const double weight =
            from + r == w->other ? w->other_weight : rows->weight[from + r];
        for (int i = 0; i < count; i++) w->weight[r * count + i] = weight;
    }
}

/* The scores of nodes k to k + count: D += A_r' l_e */
static void add_scores(dlpi_leaf_work *w, dlp_index g, int k, int count,
                       const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, p = rows->p;
    const dlpi_leaf_others others = {rows->n_other, rows->width, w->other_q,
                                     rows->slot + from * rows->n_other,
                                     rows->O + from * rows->width};
    double *D = w->D + k;
    for (dlp_index j = 0; j < leaf->m; j++)
        memset(D + j * w->most_nodes, 0, (size_t)count * sizeof *D);
    dlpi_leaf_scatter(n, count, &others, w->l_e, w->most_nodes, D);
    dlpi_leaf_multiply(n, p, count, rows->X + from * p, w->l_e, w->most_nodes,
                       D + leaf->support * w->most_nodes);
}

/* The scores when b moves along with x: s + B'h_b, which hardly vary with b. */
static void follow_mode(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        int k, int count, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    double *h_b = w->h_b + k;
    for (dlp_index i = 0; i < q; i++)
        for (int c = 0; c < count; c++)
            h_b[i * w->most_nodes + c] =
                -dlpi_dot(q, prior->P + i * q, w->node + (k + c) * q);
    dlpi_leaf_multiply(n, q, count, rows->Z + from * q, w->l_e, w->most_nodes, h_b);
    for (dlp_index i = 0; i < q; i++)
        for (dlp_index j = 0; j < leaf->m; j++)
            dlpi_axpy(count, w->B[i * leaf->m + j], h_b + i * w->most_nodes,
                      w->D + j * w->most_nodes + k);
}

/* Nodes k to k + count, whose rows are evaluated together: computes omega and D, and adds
   to E_e and E_ee. */
static void visit_together(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                           int k, int count, double h0, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index n = rows->begin[g + 1] - rows->begin[g], q = rows->q;
    double *omega = w->omega + k;
    spread_rows(w, g, k, count);
    dlpi_leaf_evaluate(w, count * n, prior->tau, false);
    for (int i = 0; i < count; i++)
        omega[i] = w->log_w[k + i] - h0 -
                   dlpi_half_quadratic(q, prior->P, w->node + (k + i) * q);
    dlpi_leaf_add_up(n, count, w->l, omega);
    for (int i = 0; i < count; i++) omega[i] = exp(omega[i]);
    if (w->rule == DLPI_LEAF_CUBATURE) multiply(count, w->many.sign + k, omega);
    dlpi_leaf_average(n, count, omega, w->l_e, w->l_ee, w->E_e, w->E_ee);
    add_scores(w, g, k, count, leaf);
    if (w->rule == DLPI_LEAF_CUBATURE) follow_mode(w, prior, g, k, count, leaf);
    if (w->rule == DLPI_LEAF_INTERVAL) dlpi_leaf_interval_note(w, prior, g, k, count);
}

void dlpi_leaf_visit(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g, int k,
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
 * The trapezoidal rule converges exponentially for functions that are analytic in a
 * strip: with 1.2 sds between nodes it is off by 2e-6 for a Gaussian, and by little more
 * for a logistic likelihood, whose poles lie at eta = +-i pi, where eta moves by STRIDE.
 * Since h may be skewed, nodes go on until it has fallen to LOW. Similar leaves have
 * similar errors, which add up in the sum of their logarithms: with more than FEW leaves,
 * nodes are closer together so that the error of the sum stays the same.
 */
static double finer(dlp_index L)
{
    const double few = 50,
                 of_few = 11.5; /* about 2 pi^2 / STRIDE, the exponent of the error */
    return L > few ? of_few / (of_few + log((double)L / few)) : 1;
}

static void integrate_line(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                           const double *b, double h0, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const double close = finer(rows->all), stride = 1.7, low = exp(-12.0 / close);
    double widest = 0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++)
        widest = fmax(widest, fabs(rows->Z[r]));
    const double apart =
        close * fmin(1.2 / w->U[0], widest > 0 ? stride / widest : INFINITY);
    w->nodes = 0;
    place_nodes(w, b[0], apart, -FIRST, FIRST + 1);
    dlpi_leaf_visit(w, prior, g, 0, w->nodes, h0, leaf);
    const double end[2] = {w->omega[0], w->omega[w->nodes - 1]};
    for (int side = 0; side < 2; side++) {
        double omega = end[side];
        for (int i = FIRST + 1; omega > low * apart && w->nodes + MORE <= w->most_nodes;
             i += MORE) {
            const int from = w->nodes;
            place_nodes(w, b[0], side ? apart : -apart, i, i + MORE);
            for (int k = from; k < w->nodes; k++) w->log_w[k] = w->log_w[0];
            dlpi_leaf_visit(w, prior, g, from, MORE, h0, leaf);
            omega = w->omega[w->nodes - 1];
        }
    }
}

/* A rule about b: nodes b + U^-1 t. */
static void integrate_normal(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                             const double *b, double h0, const dlpi_hermite *rule,
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
    dlpi_leaf_visit(w, prior, g, 0, w->nodes, h0, leaf);
}

/* U'^-1 z of the leaf's rows. */
static void see_effects(dlpi_leaf_work *w, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    memcpy(w->seen, rows->Z + from * q, (size_t)(n * q) * sizeof *w->seen);
    for (dlp_index r = 0; r < n; r++) dlpi_cholesky_forward(q, w->U, w->seen + r * q);
}

/* B = C^-1 h_bx, at the b of U and l_ee. */
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

/* Nodes for three or more effects: about the mode b or, where h is far from a parabola,
   about the mean, with the curvature there. Returns the logarithm of the integral of
   exp(h - h0) where it is known better than from the nodes, else NAN. */
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
        (void)dlpi_leaf_expand(w, prior, g, centre);
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
    dlpi_leaf_visit(w, prior, g, 0, w->nodes, h0, leaf);
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

/* How far h is from a parabola, from its third and fourth derivatives at the mode, in
   sds: t_r = U'^-1 z_r. Returns how far a row's eta moves within an sd. */
static double measure(dlpi_leaf_work *w, dlp_index g, double *third, double *fourth)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, q = rows->q;
    const double *U = w->U;
    double T[4] = {0}, farthest = 0; /* of b_0^3, b_0^2 b_1, b_0 b_1^2, b_1^3 */
    *fourth = 0;
    for (dlp_index r = 0; r < n; r++) {
        const double *z = rows->Z + (from + r) * q;
        const double x = z[0] / U[0], y = q == 1 ? 0 : (z[1] - U[1] * x) / U[3];
        T[0] += w->l_eee[r] * x * x * x;
        T[1] += w->l_eee[r] * x * x * y;
        T[2] += w->l_eee[r] * x * y * y;
        T[3] += w->l_eee[r] * y * y * y;
        *fourth += w->l_eeee[r] * (x * x + y * y) * (x * x + y * y);
        farthest = fmax(farthest, x * x + y * y);
    }
    *third = sqrt(T[0] * T[0] + 3 * (T[1] * T[1] + T[2] * T[2]) + T[3] * T[3]);
    return sqrt(farthest);
}

/* The rule with the fewest nodes whose error is at most about 2e-5; NULL: none is
   enough, and the trapezoidal rule is left. Where eta moves far, the derivatives at the mode are misleading: a success at
   eta = 12 has a flat likelihood there that is no longer flat within an sd. */
static const dlpi_hermite *choose_rule(dlpi_leaf_work *w, dlp_index g)
{
    const double far = 1.2;
    static const double most_third[] = {0.015, 0.1, 0.2, 0.4},
                        most_fourth[] = {0.012, 0.04, 0.08, 0.16};
    double third, fourth;
    const bool told = measure(w, g, &third, &fourth) < far;
    const int rules = w->rows->q == 1 ? DLPI_LEAF_RULES - 1 : DLPI_LEAF_RULES;
    for (int i = 0; told && i < rules; i++)
        if (third < most_third[i] && fabs(fourth) < most_fourth[i]) return &w->normal[i];
    return NULL;
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
        for (int k = 0; k < nodes; k++) w->centred[k * m + j] = D[k] - mean;
    }
    for (int k = 0; k < nodes; k++) {
        for (dlp_index i = 0; i < q; i++)
            dlpi_axpy(m, w->omega[k] * w->node[k * q + i], w->centred + k * m,
                      leaf->slope + i * m);
    }
    dlpi_leaf_subtract_squares(m, nodes, w->omega, w->centred, w->D, leaf->curvature);
    return sum;
}

double dlpi_leaf_expect_by_nodes(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                                 dlp_index g, const double *b, double h0, double *known,
                                 dlpi_leaf *leaf)
{
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    memset(w->E_e, 0, (size_t)n * sizeof *w->E_e);
    memset(w->E_ee, 0, (size_t)n * sizeof *w->E_ee);
    const bool many = w->rule == DLPI_LEAF_CUBATURE,
               bounded = w->rule == DLPI_LEAF_INTERVAL;
    const dlpi_hermite *rule = many || bounded ? NULL : choose_rule(w, g);
    *known = NAN;
    if (bounded)
        dlpi_leaf_interval_visit(w, prior, g, b[0], h0, leaf);
    else if (many)
        *known = integrate_many(w, prior, g, b, h0, leaf);
    else if (rule)
        integrate_normal(w, prior, g, b, h0, rule, leaf);
    else if (w->rows->q == 2)
        dlpi_leaf_plane(w, prior, g, b, h0, finer(w->rows->all), leaf);
    else
        integrate_line(w, prior, g, b, h0, leaf);
    const double sum = expect(w, leaf);
    add_still(w, leaf);
    if (many) dlpi_axpy(w->rows->q * leaf->m, 1, w->B, leaf->slope);
    for (dlp_index r = 0; r < n; r++) {
        w->E_e[r] /= sum;
        w->E_ee[r] /= sum;
        if (bounded) w->E_v[r] /= sum;
        if (bounded) w->E_vv[r] /= sum;
    }
    if (isnan(*known)) *known = log(sum);
    return log(sum);
}
