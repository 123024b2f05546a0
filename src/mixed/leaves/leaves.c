/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaves.h"

#include "math/dense.h"
#include "mixed/gaussian_parts.h"
#include "mixed/leaves/leaf_interval.h"
#include "mixed/leaves/leaf_mode.h"
#include "mixed/leaves/leaf_work.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;

/* ---- the mode ---- */

typedef struct where {
    dlpi_leaf_work *w;
    const dlpi_leaf_prior *prior;
    dlp_index g;
} where;

static double expand(void *context, const double *b)
{
    const where *at = context;
    return dlpi_leaf_expand(at->w, at->prior, at->g, b);
}

/* The nodes need not be centred exactly at the mode: for quadrature it is enough to have
   h and C a twentieth of an sd away, and b one step further. NAN: h is not finite. */
static double find_mode(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        double *b)
{
    if (w->rule == DLPI_LEAF_INTERVAL) return dlpi_leaf_interval_find(w, prior, g, b);
    const bool precise = w->rule == DLPI_LEAF_LAPLACE || w->rule == DLPI_LEAF_CUBATURE;
    where at = {w, prior, g};
    const dlpi_leaf_mode mode = {.q = w->rows->q,
                                 .expand = expand,
                                 .context = &at,
                                 .gradient = w->g,
                                 .U = w->U,
                                 .step = w->step,
                                 .trial = w->trial,
                                 .tiny = w->rule == DLPI_LEAF_LAPLACE ? 1e-12
                                         : precise                    ? 1e-8
                                                                      : 0.0025,
                                 .beyond = !precise};
    return dlpi_leaf_mode_find(&mode, b);
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
    if (!leaf->apart) dlpi_add_squares(m, q, w->g, leaf->slope, leaf->curvature);
    for (dlp_index i = q - 1; i >= 0; i--) { /* U^-1 of it */
        for (dlp_index k = i + 1; k < q; k++)
            for (dlp_index j = 0; j < m; j++)
                leaf->slope[i * m + j] -= w->U[i * q + k] * leaf->slope[k * m + j];
        for (dlp_index j = 0; j < m; j++) leaf->slope[i * m + j] /= w->U[i * (q + 1)];
    }
    dlpi_cholesky_inverse(q, w->U, w->C, leaf->variance);
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
        for (dlp_index j = 0; j < w->other_q[o]; j++)
            w->index[at++] = rows->slot[r * rows->n_other + o] + j;
    for (dlp_index j = 0; j < p; j++) w->index[at++] = support + j;
    const double *O = rows->O + r * rows->width, *X = rows->X + r * p;
    double *X_value = w->value + rows->width; /* mostly one or two numbers: no calls */
    for (dlp_index j = 0; j < rows->width; j++) w->value[j] = O[j];
    for (dlp_index j = 0; j < p; j++) X_value[j] = X[j];
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

void dlpi_leaf_add_rows_to(dlpi_leaf_work *w, double *H)
{
    w->H = H;
}

/* The same with the curvature of x instead of the leaf's. */
static void add_rows_apart(dlpi_leaf_work *w, dlp_index g, dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    const dlp_index wide = rows->width + rows->p,
                    *seen = rows->support + rows->support_begin[g];
    for (dlp_index r = 0; r < n; r++) {
        see_row(w, from + r, leaf->support);
        for (dlp_index i = 0; i < wide; i++)
            leaf->gradient[w->index[i]] += w->E_e[r] * w->value[i];
        for (dlp_index i = 0; i < wide; i++) /* the support's place in x, then beta's */
            w->index[i] = i < rows->width ? seen[w->index[i]] : rows->n - wide + i;
        for (dlp_index i = 0; i < wide; i++) {
            const double by = w->E_ee[r] * w->value[i];
            double *to = w->H + w->index[i] * rows->n;
            for (dlp_index j = i; j < wide; j++) to[w->index[j]] -= by * w->value[j];
        }
    }
}

/* Whether the rows say so much more about b than its prior does that the differences in
   add_rows would be rounding errors: |C| / |P| bounds how much more. */
static bool is_pinned(const dlpi_leaf_work *w, const dlpi_leaf_prior *prior)
{
    const double most = 14; /* a factor of 1e6 */
    return 2 * dlpi_half_log_det(w->rows->q, w->U) - prior->log_det > most;
}

/*
 * The same as sums in which nothing cancels. When b moves with x by B, a row depends on x
 * through a_r = A_r + B'z_r, and
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

/* Adds what all rows contribute to gradient and curvature, in the way that suits the
   rule. */
static void add_rows_by_rule(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                             dlpi_leaf *leaf)
{
    if (w->rule == DLPI_LEAF_INTERVAL) {
        dlpi_leaf_interval_add(w, prior, g, leaf);
    } else if (w->rule == DLPI_LEAF_CUBATURE) {
        add_rows_along(w, prior, g, w->B, leaf);
    } else if (w->rule == DLPI_LEAF_LAPLACE && is_pinned(w, prior)) {
        memset(leaf->curvature, 0, (size_t)(leaf->m * leaf->m) * sizeof *leaf->curvature);
        add_rows_along(w, prior, g, leaf->slope, leaf);
    } else if (leaf->apart) {
        add_rows_apart(w, g, leaf);
    } else {
        add_rows(w, g, leaf);
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
    dlpi_leaf_copy_rows(w, g);
    const double h = find_mode(w, prior, g, b);
    if (!isfinite(h)) {
        leaf.log_integral = -INFINITY;
        return leaf;
    }
    memset(leaf.gradient, 0, (size_t)m * sizeof *leaf.gradient);
    leaf.apart = w->H && !is_pinned(w, prior);
    if (!leaf.apart) memset(leaf.curvature, 0, (size_t)(m * m) * sizeof *leaf.curvature);
    leaf.height = h + rows->constant[g] + 0.5 * prior->log_det;
    if (w->rule == DLPI_LEAF_LAPLACE) {
        expect_by_mode(w, g, b, &leaf);
        leaf.log_integral = leaf.height - dlpi_half_log_det(q, w->U);
    } else {
        const double here = leaf.height - 0.5 * (double)q * LOG_2_PI;
        double known;
        leaf.height = here + dlpi_leaf_expect_by_nodes(w, prior, g, b, h, &known, &leaf);
        leaf.log_integral = here + known;
    }
    add_rows_by_rule(w, prior, g, &leaf);
    return leaf;
}
