/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ordinal regression: p(y <= j) = F(c_j - eta), with cut points kept in order by c_0 =
 * delta_0, c_j = c_(j-1) + exp(delta_j). theta is beta, then delta. F: ordinal_link.h.
 *
 * A row of level y has the log likelihood h(t, delta_y), t = c_j - eta at the cut point j
 * below its level (for the first level: above it); delta_y is the gap above, which the
 * first and the last level lack. With T = dt/d theta = (-x, C_j), C_j = dc_j/d delta (1
 * for delta_0, exp(delta_i) for 1 <= i <= j), K_j = diag(exp(delta_i), 1 <= i <= j) and e
 * the axis of delta_y, the row adds
 *
 *   grad: h_t T + h_d e
 *   hess: h_tt T T' + h_td (T e' + e T') + h_dd e e' + h_t K_j
 *
 * and everything but X'WX is a sum over the rows of a cut point, or of a level. In the rows'
 * derivatives by eta and tau, eta is -t and tau is delta.
 */
#include "glm/families/ordinal_link.h"
#include "glm/glm_state.h"
#include "glm/workers.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

/* Sums over rows. For cut point j: h_t, h_tt and T's part of the trace gradient; for
   level j, if there is a gap delta_j above it: h_d, h_dd, h_td and e's part. */
enum { SUM_T, SUM_TT, SUM_A, SUM_D, SUM_DD, SUM_TD, SUM_B, SUMS };

/* extra, for J cut points: the sums of h_tt x (J, p) and of h_td x (J, p); C_j (J, J);
   Sigma (0, C_j) (J, n); the sums above (J, SUMS); the cut points (J). */
static dlp_index cuts_of(const dlp_glm *g)
{
    return g->data.levels - 1;
}

static double *tt_x_of(const dlp_glm *g, dlp_index j)
{
    return g->extra + j * g->data.p;
}

static double *td_x_of(const dlp_glm *g, dlp_index j)
{
    return g->extra + (cuts_of(g) + j) * g->data.p;
}

static double *C_of(const dlp_glm *g, dlp_index j)
{
    const dlp_index J = cuts_of(g);
    return g->extra + 2 * J * g->data.p + j * J;
}

static double *SC_of(const dlp_glm *g, dlp_index j)
{
    return C_of(g, cuts_of(g)) + j * g->n;
}

static double *sums_of(const dlp_glm *g, dlp_index j)
{
    return SC_of(g, cuts_of(g)) + j * SUMS;
}

/* Whether delta_y is a gap above level y. */
static bool has_gap(const dlp_glm *g, dlp_index y)
{
    return y > 0 && y < cuts_of(g);
}

static dlp_index level_of(const dlp_glm *g, dlp_index i)
{
    return (dlp_index)g->rows.y[i];
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

static void put_row(dlpi_rows *r, dlp_index i, double l, const dlpi_level_slopes *s)
{
    const double w = dlpi_weight_of(r, i);
    r->l[i] = w > 0 ? w * l : 0;
    r->l_e[i] = -w * s->t;
    r->l_ee[i] = w * s->tt;
    r->l_eee[i] = -w * s->ttt;
    r->l_t[i] = w * s->d;
    r->l_tt[i] = w * s->dd;
    r->l_ttt[i] = w * s->ddd;
    r->l_et[i] = -w * s->td;
    r->l_eet[i] = w * s->ttd;
    r->l_ett[i] = -w * s->tdd;
}

/* The tile's rows, and what they add to the cut points and levels. */
static void load_rows(dlp_glm *g, const double *theta, dlp_index at, const double *c)
{
    const double *delta = theta + g->data.p;
    dlpi_rows *r = &g->rows;
    dlpi_tile_load(g, theta, at);
    for (dlp_index i = 0; i < r->n; i++) {
        const dlp_index y = level_of(g, i), j = dlpi_cut_of_level(y);
        dlpi_level_slopes s;
        const double gap = has_gap(g, y) ? delta[y] : 0;
        const double l = dlpi_log_level(g->family->ordinal, y, g->data.levels,
                                        c[j] - r->eta[i], gap, &s);
        put_row(r, i, l, &s);
        sums_of(g, j)[SUM_T] -= r->l_e[i];
        sums_of(g, j)[SUM_TT] += r->l_ee[i];
        if (!has_gap(g, y)) continue;
        sums_of(g, y)[SUM_D] += r->l_t[i];
        sums_of(g, y)[SUM_DD] += r->l_tt[i];
        sums_of(g, y)[SUM_TD] -= r->l_et[i];
    }
}

/* The sums of h_tt x and of h_td x */
static void add_columns(const dlp_glm *g, dlp_index at)
{
    const dlpi_rows *r = &g->rows;
    for (dlp_index k = 0; k < g->data.p; k++) {
        const double *x = g->data.x[k] + at;
        for (dlp_index i = 0; i < r->n; i++) {
            const dlp_index y = level_of(g, i);
            tt_x_of(g, dlpi_cut_of_level(y))[k] += r->l_ee[i] * x[i];
            if (has_gap(g, y)) td_x_of(g, y)[k] -= r->l_et[i] * x[i];
        }
    }
}

static void clear_sums(const dlp_glm *g)
{
    const dlp_index J = cuts_of(g);
    memset(g->extra, 0, (size_t)(2 * J * g->data.p) * sizeof *g->extra);
    memset(sums_of(g, 0), 0, (size_t)(SUMS * J) * sizeof *g->extra);
}

/* The parts of grad and H (upper triangle) that cut point j's sums give. */
static void add_cut(const dlp_glm *g, dlp_index j, double *grad, double *H)
{
    const dlp_index p = g->data.p, n = g->n;
    const double *C = C_of(g, j), *sums = sums_of(g, j);
    for (dlp_index i = 0; i <= j; i++) {
        if (grad) grad[p + i] += sums[SUM_T] * C[i];
        if (!H) continue;
        for (dlp_index k = i; k <= j; k++)
            H[(p + i) * n + p + k] += sums[SUM_TT] * C[i] * C[k];
        if (i > 0) H[(p + i) * (n + 1)] += sums[SUM_T] * C[i];
        for (dlp_index l = 0; l < p; l++) H[l * n + p + i] -= tt_x_of(g, j)[l] * C[i];
    }
}

/* The same for level y, which has a gap above it: T belongs to cut point y - 1. */
static void add_level(const dlp_glm *g, dlp_index y, double *grad, double *H)
{
    const dlp_index p = g->data.p, n = g->n;
    const double *C = C_of(g, y - 1), *sums = sums_of(g, y);
    if (grad) grad[p + y] += sums[SUM_D];
    if (!H) return;
    H[(p + y) * (n + 1)] += sums[SUM_DD];
    for (dlp_index i = 0; i < y; i++) H[(p + i) * n + p + y] += sums[SUM_TD] * C[i];
    for (dlp_index l = 0; l < p; l++) H[l * n + p + y] -= td_x_of(g, y)[l];
}

/* Rows from..to-1; what: theta */
static double add_f(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                    double *grad, double *H)
{
    const double *theta = what;
    const dlp_index J = cuts_of(g);
    double *c = sums_of(g, J), value = 0; /* after the sums */
    clear_sums(g);
    load_cuts(g, theta + g->data.p, c);
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        load_rows(g, theta, at, c);
        for (dlp_index i = 0; i < g->rows.n; i++) value += g->rows.l[i];
        if (grad) dlpi_tile_add_xw(g, at, g->rows.l_e, grad, 1);
        if (!H) continue;
        dlpi_tile_add_xwx(g, at, g->rows.l_ee, H);
        add_columns(g, at);
    }
    for (dlp_index j = 0; j < J; j++) add_cut(g, j, grad, H);
    for (dlp_index y = 1; y < J; y++) add_level(g, y, grad, H);
    return value;
}

static bool has_cuts(const dlp_glm *g, const double *theta)
{
    double c = theta[g->data.p];
    for (dlp_index j = 1; j < cuts_of(g); j++) c += exp(theta[g->data.p + j]);
    return isfinite(c);
}

static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_glm *g = state;
    const dlp_index n = g->n;
    double *H = hess ? dlp_sym_block(hess, 0) : NULL;
    if (grad) memset(grad, 0, (size_t)n * sizeof *grad);
    if (H) memset(H, 0, (size_t)(n * n) * sizeof *H);
    if (!has_cuts(g, theta)) return -INFINITY;
    double value = dlpi_sum_rows(g, add_f, theta, NULL, grad, H);
    value += dlpi_prior_add(&g->prior, theta, grad, H);
    if (H) dlpi_mirror(n, H);
    return value;
}

/* ---- the trace gradient ---- */

/* Sigma (0, C_j) for each cut point */
static void load_sigma_cuts(const dlp_glm *g, const double *S)
{
    const dlp_index J = cuts_of(g), p = g->data.p, n = g->n;
    for (dlp_index j = 0; j < J; j++)
        for (dlp_index k = 0; k < n; k++)
            SC_of(g, j)[k] = dlpi_dot(j + 1, S + k * n + p, C_of(g, j));
}

/* r_j = Tr{K_j Sigma} */
static double curvature_of_cut(const dlp_glm *g, const double *S, dlp_index j)
{
    double r = 0;
    for (dlp_index i = 1; i <= j; i++)
        r += C_of(g, j)[i] * S[(g->data.p + i) * (g->n + 1)];
    return r;
}

/*
 * Of a row Tr{hess Sigma} = h_tt q + 2 h_td b + h_dd s + h_t r, with q = T'Sigma T, b = e'Sigma T,
 * s = e'Sigma e and r = Tr{K Sigma}. Its gradient is
 *
 *   T (h_ttt q + 2 h_ttd b + h_tdd s + h_tt r) + e (h_ttd q + 2 h_tdd b + h_ddd s + h_td r)
 *   + 2 K Sigma (h_tt T + h_td e) + h_t grad r.
 *
 * This is the first line, over the rows of level y in the tile.
 */
static void tile_trace_grad(dlp_glm *g, dlp_index y, dlp_index at, const double *S,
                            const double *c_ee, double *w)
{
    const dlp_index p = g->data.p, n = g->n, j = dlpi_cut_of_level(y);
    const bool gap = has_gap(g, y);
    const dlpi_rows *rows = &g->rows;
    const double *SC = SC_of(g, j), r = curvature_of_cut(g, S, j),
                 s = gap ? S[(p + y) * (n + 1)] : 0,
                 K = dlpi_dot(j + 1, C_of(g, j), SC + p);
    double x_v[DLPI_TILE], x_d[DLPI_TILE] = {0};
    dlpi_tile_times(g, at, SC, 1, x_v);
    if (gap) dlpi_tile_times(g, at, S + (p + y) * n, 1, x_d);
    for (dlp_index i = 0; i < rows->n; i++) {
        if (level_of(g, i) != y) continue;
        const double q = c_ee[i] - 2 * x_v[i] + K, b = gap ? SC[p + y] - x_d[i] : 0;
        w[i] = rows->l_eee[i] * q - 2 * rows->l_eet[i] * b + rows->l_ett[i] * s -
               rows->l_ee[i] * r;
        sums_of(g, j)[SUM_A] -= w[i];
        if (gap)
            sums_of(g, y)[SUM_B] += rows->l_eet[i] * q - 2 * rows->l_ett[i] * b +
                                    rows->l_ttt[i] * s - rows->l_et[i] * r;
    }
}

/* The rest, from the sums. */
static void add_sums_trace_grad(const dlp_glm *g, const double *S, double *grad)
{
    const dlp_index J = cuts_of(g), p = g->data.p, n = g->n;
    for (dlp_index j = 0; j < J; j++) {
        const double *sums = sums_of(g, j), *C = C_of(g, j);
        const double *above =
            j + 1 < J ? sums_of(g, j + 1) : NULL; /* the level above this cut point */
        for (dlp_index i = 0; i <= j; i++) {
            const double *row = S + (p + i) * n; /* Sigma's row of delta_i */
            grad[p + i] += sums[SUM_A] * C[i];
            if (i == 0) continue;
            double pulled =
                sums[SUM_TT] * SC_of(g, j)[p + i] - dlpi_dot(p, row, tt_x_of(g, j));
            if (above) pulled += above[SUM_TD] * row[p + j + 1];
            grad[p + i] += C[i] * (2 * pulled + sums[SUM_T] * row[p + i]);
        }
        if (has_gap(g, j)) grad[p + j] += sums[SUM_B];
    }
}

static double add_trace_grad(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                             double *grad, double *H)
{
    const dlpi_trace *of = what;
    double c_ee[DLPI_TILE], w[DLPI_TILE];
    double *c = sums_of(g, cuts_of(g)); /* after the sums */
    (void)H;
    clear_sums(g);
    load_cuts(g, of->theta + g->data.p, c);
    load_sigma_cuts(g, of->S);
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        load_rows(g, of->theta, at, c);
        add_columns(g, at);
        dlpi_tile_variances(g, at, of->S, c_ee);
        for (dlp_index y = 0; y < g->data.levels; y++)
            tile_trace_grad(g, y, at, of->S, c_ee, w);
        dlpi_tile_add_xw(g, at, w, grad, 1);
    }
    add_sums_trace_grad(g, of->S, grad);
    return 0;
}

static void trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                       double *grad)
{
    const dlpi_trace of = {theta, dlp_sym_block(Sigma, 0), false};
    dlpi_sum_trace_grad(state, add_trace_grad, &of, grad);
}

const dlp_model_type dlpi_ordinal_type = {.size = sizeof dlpi_ordinal_type,
                                          .name = "ordinal",
                                          .f = f,
                                          .derivatives = 2,
                                          .trace_grad = trace_grad};
