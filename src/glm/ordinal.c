/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ordinal regression, cumulative logit: p(y <= j) = sigma(c_j - eta), with cut points
 * kept in order by c_0 = delta_0, c_j = c_(j-1) + exp(delta_j). theta is beta, then
 * delta.
 *
 * Since sigma(a) - sigma(b) = sigma(a) sigma(-b) (1 - exp(b-a)), a row of category y is
 *
 *   l = log sigma(c_y - eta) + log sigma(eta - c_(y-1)) + A(delta_y),
 *   A(d) = log(1 - exp(-exp d)),
 *
 * without the first term in the last category, the second in the first, the third in
 * both. So f is a sum of functions of one variable t = c_j - eta each, and of A. With C_j
 * = dc_j/d delta (1 for delta_0, exp(delta_i) for 1 <= i <= j) a function s(t) adds
 *
 *   grad: s' (-x, C_j)
 *   hess: s'' (-x, C_j)(-x, C_j)' + s' diag(exp(delta_i), 1 <= i <= j)
 *
 * and everything but X'WX is a sum over the rows that touch a cut point.
 */
#include "glm/glm_state.h"
#include "math/dense.h"
#include "math/log_gap.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* What the rows that touch a cut point add up to: s', s'', the trace gradient's s''' q +
   s'' r, and the weight of the rows that have the category above the cut. */
enum { SUM_1, SUM_2, SUM_B, TIMES, SUMS };

/* extra, for J cut points: the sums of s'' x (J, p); C_j (J, J); Sigma (0, C_j) (J, n);
   the sums above (J, SUMS); the cut points (J). */
static dlp_index cuts_of(const dlp_glm *g)
{
    return g->data.levels - 1;
}

static double *x2_of(const dlp_glm *g, dlp_index j)
{
    return g->extra + j * g->data.p;
}

static double *C_of(const dlp_glm *g, dlp_index j)
{
    const dlp_index J = cuts_of(g);
    return g->extra + J * g->data.p + j * J;
}

static double *SC_of(const dlp_glm *g, dlp_index j)
{
    const dlp_index J = cuts_of(g);
    return g->extra + J * g->data.p + J * J + j * g->n;
}

static double *sums_of(const dlp_glm *g, dlp_index j)
{
    const dlp_index J = cuts_of(g);
    return g->extra + J * g->data.p + J * J + J * g->n + j * SUMS;
}

/* c_j, and C_j */
static void load_cuts(const dlp_glm *g, const double *delta, double *c)
{
    const dlp_index J = cuts_of(g);
    for (dlp_index j = 0; j < J; j++) {
        c[j] = j == 0 ? delta[0] : c[j - 1] + exp(delta[j]);
        for (dlp_index i = 0; i < J; i++)
            C_of(g, j)[i] = i > j ? 0 : i == 0 ? 1 : exp(delta[i]);
    }
}

/* s = log sigma(t) (upper) or log sigma(-t) (lower), and its derivatives */
static double piece(double t, bool upper, double out[3])
{
    const double s = dlp_logistic(t);
    out[0] = upper ? dlp_logistic(-t) : -s;
    out[1] = -s * dlp_logistic(-t);
    out[2] = out[1] * (1 - 2 * s);
    return dlp_log_logistic(upper ? t : -t);
}

/* The same of row i, times its weight. */
static double row_piece(const dlpi_rows *r, dlp_index i, double c, bool upper,
                        double out[3])
{
    const double w = dlpi_weight_of(r, i), s = piece(c - r->eta[i], upper, out);
    for (int k = 0; k < 3; k++) out[k] *= w;
    return w * s;
}

/* The tile's rows: l, l_e, l_ee, and what they add to the cut points. */
static void load_rows(dlp_glm *g, const double *beta, dlp_index at, const double *c)
{
    const dlp_index J = cuts_of(g);
    dlpi_rows *r = &g->rows;
    dlpi_tile_load(g, beta, at);
    for (dlp_index i = 0; i < r->n; i++) {
        const dlp_index y = (dlp_index)r->y[i];
        r->l[i] = r->l_e[i] = r->l_ee[i] = 0;
        for (int side = 0; side < 2; side++) { /* upper, lower */
            const dlp_index j = y - side;
            if (j < 0 || j >= J) continue;
            double d[3];
            r->l[i] += row_piece(r, i, c[j], side == 0, d);
            r->l_e[i] -= d[0];
            r->l_ee[i] += d[1];
            sums_of(g, j)[SUM_1] += d[0];
            sums_of(g, j)[SUM_2] += d[1];
        }
    }
}

/* w_n = the sum of s'' (or of s''' q + s'' r) over the pieces of row n that touch cut j */
static void second_derivatives(const dlp_glm *g, dlp_index j, double c, double *w)
{
    const dlpi_rows *r = &g->rows;
    for (dlp_index i = 0; i < r->n; i++) {
        const dlp_index y = (dlp_index)r->y[i];
        double d[3] = {0};
        if (y == j || y == j + 1) row_piece(r, i, c, y == j, d);
        w[i] = d[1];
    }
}

static void clear_sums(const dlp_glm *g)
{
    memset(g->extra, 0, (size_t)(cuts_of(g) * g->data.p) * sizeof *g->extra);
    memset(sums_of(g, 0), 0, (size_t)(SUMS * cuts_of(g)) * sizeof *g->extra);
}

/* The parts of grad and H (upper triangle) that the cut points' sums give. */
static void add_cuts(const dlp_glm *g, const double *delta, double *grad, double *H)
{
    const dlp_index J = cuts_of(g), p = g->data.p, n = g->n;
    for (dlp_index j = 0; j < J; j++) {
        const double *C = C_of(g, j), s1 = sums_of(g, j)[SUM_1],
                     s2 = sums_of(g, j)[SUM_2];
        for (dlp_index i = 0; i <= j; i++) {
            if (grad) grad[p + i] += s1 * C[i];
            if (!H) continue;
            for (dlp_index k = i; k <= j; k++) H[(p + i) * n + p + k] += s2 * C[i] * C[k];
            if (i > 0) H[(p + i) * (n + 1)] += s1 * exp(delta[i]);
            for (dlp_index l = 0; l < p; l++) H[l * n + p + i] -= x2_of(g, j)[l] * C[i];
        }
    }
}

/* sum over rows of A(delta_y), y neither first nor last */
static double add_gaps(const dlp_glm *g, const double *delta, double *grad, double *H)
{
    const dlp_index J = cuts_of(g), p = g->data.p;
    double value = 0, d[3];
    for (dlp_index i = 0; i < g->data.N; i++) {
        const dlp_index y = (dlp_index)g->data.y[i];
        if (y > 0 && y < J)
            sums_of(g, y)[TIMES] += g->data.weight ? g->data.weight[i] : 1;
    }
    for (dlp_index j = 1; j < J; j++) {
        const double times = sums_of(g, j)[TIMES];
        value += times > 0 ? times * dlpi_log_gap(delta[j], d) : 0;
        if (grad && times > 0) grad[p + j] += times * d[0];
        if (H && times > 0) H[(p + j) * (g->n + 1)] += times * d[1];
    }
    return value;
}

static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_glm *g = state;
    const dlp_index J = cuts_of(g), p = g->data.p, n = g->n;
    const double *delta = theta + p;
    double *H = hess ? dlp_sym_block(hess, 0) : NULL, value = 0, w[DLPI_TILE];
    double *c = sums_of(g, J); /* behind the sums */
    if (grad) memset(grad, 0, (size_t)n * sizeof *grad);
    if (H) memset(H, 0, (size_t)(n * n) * sizeof *H);
    clear_sums(g);
    load_cuts(g, delta, c);
    if (!isfinite(c[J - 1])) return -INFINITY;
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        load_rows(g, theta, at, c);
        for (dlp_index i = 0; i < g->rows.n; i++) value += g->rows.l[i];
        if (grad) dlpi_tile_add_xw(g, at, g->rows.l_e, grad, 1);
        if (!H) continue;
        dlpi_tile_add_xwx(g, at, g->rows.l_ee, H);
        for (dlp_index j = 0; j < J; j++) {
            second_derivatives(g, j, c[j], w);
            dlpi_tile_add_xw(g, at, w, x2_of(g, j), 1);
        }
    }
    add_cuts(g, delta, grad, H);
    value += add_gaps(g, delta, grad, H) + dlpi_prior_add(&g->prior, theta, grad, H);
    if (H) dlpi_mirror(n, H);
    return value;
}

/* Sigma (0, C_j) for each cut point */
static void load_sigma_cuts(const dlp_glm *g, const double *S)
{
    const dlp_index J = cuts_of(g), p = g->data.p, n = g->n;
    for (dlp_index j = 0; j < J; j++)
        for (dlp_index k = 0; k < n; k++)
            SC_of(g, j)[k] = dlpi_dot(j + 1, S + k * n + p, C_of(g, j));
}

/* r_j = sum over 1 <= i <= j of exp(delta_i) Sigma_ii: the trace of the curvature of c_j
 */
static double curvature_of_cut(const dlp_glm *g, const double *S, dlp_index j)
{
    double r = 0;
    for (dlp_index i = 1; i <= j; i++)
        r += C_of(g, j)[i] * S[(g->data.p + i) * (g->n + 1)];
    return r;
}

/*
 * A piece s(t) at cut point j has Tr{hess s Sigma} = s'' q + s' r, where q = c_ee - 2 x'v
 * + C_j'Sigma C_j is the variance of t, v = Sigma_(beta,delta) C_j. Its gradient is (s'''
 * q + s'' r) (-x, C_j) + 2 s'' (hess t) Sigma (-x, C_j) + s' grad r. This is the first
 * part over the tile; the others are sums a cut point.
 */
static void tile_trace_grad(dlp_glm *g, dlp_index at, const double *S, const double *c,
                            double *grad)
{
    const dlp_index J = cuts_of(g), p = g->data.p;
    double c_ee[DLPI_TILE], x_v[DLPI_TILE], b[DLPI_TILE], w[DLPI_TILE], d[3];
    dlpi_tile_variances(g, at, S, c_ee);
    for (dlp_index j = 0; j < J; j++) {
        const double *SC = SC_of(g, j), r = curvature_of_cut(g, S, j);
        const double K = dlpi_dot(j + 1, C_of(g, j), SC + p);
        dlpi_tile_times(g, at, SC, 1, x_v);
        for (dlp_index i = 0; i < g->rows.n; i++) {
            const dlp_index y = (dlp_index)g->rows.y[i];
            b[i] = w[i] = 0;
            if (y != j && y != j + 1) continue;
            row_piece(&g->rows, i, c[j], y == j, d);
            w[i] = d[1];
            b[i] = -(d[2] * (c_ee[i] - 2 * x_v[i] + K) + d[1] * r);
            sums_of(g, j)[SUM_B] -= b[i];
        }
        dlpi_tile_add_xw(g, at, w, x2_of(g, j), 1);
        dlpi_tile_add_xw(g, at, b, grad, 1);
    }
}

/* The parts of the trace gradient by delta, from the cut points' sums. */
static void add_cuts_trace_grad(const dlp_glm *g, const double *delta, const double *S,
                                double *grad)
{
    const dlp_index J = cuts_of(g), p = g->data.p, n = g->n;
    double d[3];
    for (dlp_index j = 0; j < J; j++) {
        const double *sums = sums_of(g, j), *C = C_of(g, j);
        for (dlp_index i = 0; i <= j; i++) {
            const double *row = S + (p + i) * n; /* Sigma's row of delta_i */
            grad[p + i] += sums[SUM_B] * C[i];
            if (i == 0) continue;
            const double pulled =
                sums[SUM_2] * SC_of(g, j)[p + i] - dlpi_dot(p, row, x2_of(g, j));
            grad[p + i] += C[i] * (2 * pulled + sums[SUM_1] * row[p + i]);
        }
        if (j > 0 && sums[TIMES] > 0) {
            dlpi_log_gap(delta[j], d);
            grad[p + j] += sums[TIMES] * d[2] * S[(p + j) * (n + 1)];
        }
    }
}

static void trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                       double *grad)
{
    dlp_glm *g = state;
    const dlp_index p = g->data.p;
    const double *S = dlp_sym_block(Sigma, 0), *delta = theta + p;
    double *c = sums_of(g, cuts_of(g)); /* behind the sums */
    memset(grad, 0, (size_t)g->n * sizeof *grad);
    clear_sums(g);
    load_cuts(g, delta, c);
    load_sigma_cuts(g, S);
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        load_rows(g, theta, at, c);
        tile_trace_grad(g, at, S, c, grad);
    }
    add_gaps(g, delta, NULL, NULL); /* counts the rows of each category */
    add_cuts_trace_grad(g, delta, S, grad);
    dlpi_prior_add_trace_grad(&g->prior, theta, S, grad);
}

const dlp_model_type dlpi_ordinal_type = {.size = sizeof dlpi_ordinal_type,
                                          .name = "ordinal",
                                          .f = f,
                                          .derivatives = 2,
                                          .trace_grad = trace_grad};
