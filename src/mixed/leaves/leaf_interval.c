/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaf_interval.h"

#include "math/dense.h"
#include "math/special/gauss_legendre.h"
#include "mixed/leaves/leaf_kernels.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100 };
static const double ENOUGH = 20, TOO_MUCH = 40; /* how far h falls up to an end */

/* ---- the interval ---- */

/* Where the rows of leaf g are positive; false: nowhere. */
static bool find_bounds(dlpi_leaf_work *w, dlp_index g)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    dlpi_leaf_interval *at = &w->interval;
    *at = (dlpi_leaf_interval){-INFINITY, INFINITY, -1, -1, 0, 0};
    for (dlp_index r = 0; r < n; r++) {
        const double z = rows->Z[from + r], bound = -w->eta0[r] / z;
        if (w->weight[r] == 0) continue;
        if (z == 0 && !(w->eta0[r] > 0)) return false;
        if (z > 0 && bound > at->low) {
            at->low = bound;
            at->low_row = from + r;
        } else if (z < 0 && bound < at->high) {
            at->high = bound;
            at->high_row = from + r;
        }
    }
    return at->low < at->high;
}

/* b itself, 0, or a place between the bounds. */
static double inside(const dlpi_leaf_interval *at, double b, double precision)
{
    const double sd = 1 / sqrt(precision);
    if (b > at->low && b < at->high) return b;
    if (at->low < 0 && at->high > 0) return 0;
    if (isinf(at->high)) return at->low + sd;
    if (isinf(at->low)) return at->high - sd;
    return at->low + fmin(sd, 0.5 * (at->high - at->low));
}

/* h is concave: Newton's method, by halves where it would leave what the slopes have
   shown. It stops by the gain that is still possible, since nodes need not be centred
   exactly. */
double dlpi_leaf_interval_find(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                               dlp_index g, double *b)
{
    const double tiny = 0.0025;
    if (!find_bounds(w, g)) return NAN;
    double low = w->interval.low, high = w->interval.high, h = NAN;
    *b = inside(&w->interval, *b, prior->P[0]);
    for (int i = 0; i < MOST_STEPS; i++) {
        h = dlpi_leaf_expand(w, prior, g, b);
        const double slope = w->g[0], step = slope / w->C[0];
        if (!isfinite(h) || !isfinite(step)) return NAN;
        const double left = slope > 0 ? high - *b : *b - low;
        if (fmin(fabs(slope) * left, slope * step) <= tiny) break;
        if (slope > 0)
            low = *b;
        else
            high = *b;
        const double next = *b + step;
        *b = next > low && next < high ? next : 0.5 * (low + high);
    }
    return h;
}

/* ---- nodes ---- */

/* From the maximum b to a side: where h has fallen enough, or the bound if it has not by
   then, which *binds. */
static double find_end(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                       double b, double h0, double sd, double bound, bool *binds)
{
    const double sign = bound > b ? 1 : -1, almost = (1 - 1e-6) * fabs(bound - b);
    double near = 0, far = INFINITY, out = fmin(7 * sd, almost);
    *binds = false;
    for (int i = 0; i < MOST_STEPS; i++) {
        const double there = b + sign * out;
        const double fallen = h0 - dlpi_leaf_expand(w, prior, g, &there);
        if (fallen < ENOUGH && out == almost) {
            *binds = true;
            return bound;
        }
        if (fallen >= ENOUGH && fallen <= TOO_MUCH) break;
        if (fallen < ENOUGH)
            near = out;
        else
            far = out;
        out = isinf(far) ? fmin(2 * out, almost) : 0.5 * (near + far);
    }
    return b + sign * out;
}

/* How an end moves with x: a bound as -eta_r / z_r does. */
static void move_end(const dlpi_mixed_rows *rows, dlp_index row, dlp_index support,
                     double sign, double *B)
{
    dlpi_mixed_rows_add(rows, row, support, -sign / rows->Z[row], B);
}

/* b = first + v (second - first), v from 0 to 1, moves with x by B + v B1. If only one
   end is a bound, all nodes move with it. */
static void set_motion(dlpi_leaf_work *w, bool low, bool high, const dlpi_leaf *leaf)
{
    const dlpi_leaf_interval *at = &w->interval;
    const dlp_index m = leaf->m;
    double *B = w->B, *B1 = w->B + m;
    memset(B, 0, (size_t)(2 * m) * sizeof *B);
    if (low) move_end(w->rows, at->low_row, leaf->support, 1, B);
    if (high && !low) move_end(w->rows, at->high_row, leaf->support, 1, B);
    if (!low || !high) return;
    move_end(w->rows, at->high_row, leaf->support, 1, B1);
    move_end(w->rows, at->low_row, leaf->support, -1, B1);
}

static double share(const dlpi_leaf_interval *at, double b)
{
    return (b - at->first) / (at->last - at->first);
}

void dlpi_leaf_interval_note(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                             int k, int count)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from;
    double by_v[DLPI_LEGENDRE], by_vv[DLPI_LEGENDRE], *h_b = w->h_b + k;
    for (int i = 0; i < count; i++) {
        const double b = w->node[k + i], v = share(&w->interval, b);
        by_v[i] = w->omega[k + i] * v;
        by_vv[i] = by_v[i] * v;
        h_b[i] = -prior->P[0] * b;
    }
    dlpi_leaf_multiply(n, 1, count, rows->Z + from, w->l_e, w->most_nodes, h_b);
    for (dlp_index r = 0; r < n; r++) {
        w->E_v[r] += dlpi_dot(count, by_v, w->l_ee + r * count);
        w->E_vv[r] += dlpi_dot(count, by_vv, w->l_ee + r * count);
    }
}

/* The scores at nodes that move: s + (B + v B1) h_b, and the width of the interval adds
   B1 / (last - first) to each. */
static void move_scores(dlpi_leaf_work *w, dlpi_leaf *leaf)
{
    const dlpi_leaf_interval *at = &w->interval;
    const dlp_index m = leaf->m;
    const double *B = w->B, *B1 = w->B + m;
    double sum = 0;
    for (int k = 0; k < w->nodes; k++) sum += w->omega[k];
    for (dlp_index j = 0; j < m; j++) {
        double *D = w->D + j * w->most_nodes;
        for (int k = 0; k < w->nodes; k++)
            D[k] += (B[j] + share(at, w->node[k]) * B1[j]) * w->h_b[k];
        leaf->gradient[j] =
            dlpi_dot(w->nodes, w->omega, D) / sum + B1[j] / (at->last - at->first);
    }
}

void dlpi_leaf_interval_visit(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                              dlp_index g, double b, double h0, dlpi_leaf *leaf)
{
    dlpi_leaf_interval *at = &w->interval;
    const dlp_index n = w->rows->begin[g + 1] - w->rows->begin[g];
    const double sd = 1 / w->U[0];
    bool low, high;
    at->first = find_end(w, prior, g, b, h0, sd, at->low, &low);
    at->last = find_end(w, prior, g, b, h0, sd, at->high, &high);
    set_motion(w, low, high, leaf);
    memset(w->E_v, 0, (size_t)n * sizeof *w->E_v);
    memset(w->E_vv, 0, (size_t)n * sizeof *w->E_vv);
    w->nodes = DLPI_LEGENDRE;
    for (int k = 0; k < w->nodes; k++) {
        w->node[k] = dlpi_legendre_node(k, at->first, at->last);
        w->log_w[k] = log(dlpi_legendre_weight(k, at->first, at->last));
    }
    dlpi_leaf_visit(w, prior, g, 0, w->nodes, h0, leaf);
    move_scores(w, leaf);
}

/* ---- the curvature ---- */

/* C += by (a b' + b a') / 2, the upper triangle */
static void add_products(dlp_index m, double by, const double *a, const double *b,
                         double *C)
{
    for (dlp_index i = 0; i < m; i++)
        for (dlp_index j = i; j < m; j++)
            C[i * m + j] += 0.5 * by * (a[i] * b[j] + b[i] * a[j]);
}

/* -E[sum_r l_ee a a'] + P E[B B'] + B1 B1' / (last - first)^2, a = A_r + z_r B, where B
   stands for B + v B1 */
void dlpi_leaf_interval_add(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                            dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = w->rows;
    const dlpi_leaf_interval *at = &w->interval;
    const dlp_index from = rows->begin[g], n = rows->begin[g + 1] - from, m = leaf->m;
    const double *B = w->B, *B1 = w->B + m, width = at->last - at->first;
    double *C = leaf->curvature, *a = w->D, v = 0, vv = 0, sum = 0;
    for (int k = 0; k < w->nodes; k++) { /* nodes are now less their mean */
        const double here = share(at, w->node[k] + leaf->mean[0]);
        v += w->omega[k] * here;
        vv += w->omega[k] * here * here;
    }
    for (dlp_index j = 0; j < m; j++) {
        leaf->slope[j] += B[j] + v * B1[j];
        sum += fabs(B1[j]);
    }
    add_products(m, prior->P[0], B, B, C);
    for (dlp_index r = 0; r < n; r++) {
        memcpy(a, B, (size_t)m * sizeof *a);
        for (dlp_index j = 0; j < m; j++) a[j] *= rows->Z[from + r];
        dlpi_mixed_rows_add(rows, from + r, leaf->support, 1, a);
        add_products(m, -w->E_ee[r], a, a, C);
        if (sum == 0) continue;
        const double z = rows->Z[from + r];
        add_products(m, -2 * z * w->E_v[r], a, B1, C);
        add_products(m, -z * z * w->E_vv[r], B1, B1, C);
    }
    if (sum == 0) return;
    add_products(m, 2 * prior->P[0] * v, B, B1, C);
    add_products(m, prior->P[0] * vv + 1 / (width * width), B1, B1, C);
}
