/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generalised linear models with one linear predictor (Appendix C for other families):
 *
 *   f(theta) = sum_n l(eta_n, tau; y_n) + log p(theta),   eta = X beta + offset
 *
 * with each l times the weight of its row, where there are weights.
 *
 * family.c provides l and its derivatives, from which f and its own are summed here.
 */
#include "glm/glm_state.h"
#include "glm/workers.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

static double tau_of(const dlp_glm *g, const double *theta)
{
    return g->n > g->data.p ? theta[g->data.p] : g->held_tau;
}

static double sum(dlp_index n, const double *x)
{
    double s = 0;
    for (dlp_index i = 0; i < n; i++) s += x[i];
    return s;
}

static void scale(dlp_index n, double *x, double factor)
{
    for (dlp_index i = 0; i < n; i++) x[i] *= factor;
}

/* Where to evaluate f: at theta, with one tile out of `every`. */
typedef struct tiles {
    const double *theta;
    dlp_index every;
} tiles;

/*
 * grad = sum_n l_e x_n,  hess = sum_n l_ee x_n x_n'; and, for tau, sum_n l_t, sum_n l_tt
 * and the column sum_n l_et x_n. The same for the logarithm s of a second scale, with
 * sum_n l_ts.
 */
static double add_f(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                    double *grad, double *H)
{
    const tiles *of = what;
    const double *theta = of->theta, tau = tau_of(g, theta);
    const dlp_index n = g->n, p = g->data.p;
    dlpi_rows *r = &g->rows;
    double value = 0;
    for (dlp_index at = from; at < to; at += of->every * DLPI_TILE) {
        dlpi_tile_load(g, theta, at);
        dlpi_tile_evaluate(g, tau, H ? 2 : grad ? 1 : 0);
        value += sum(r->n, r->l);
        if (grad) dlpi_tile_add_xw(g, at, r->l_e, grad, 1);
        if (grad && n > p) grad[p] += sum(r->n, r->l_t);
        if (grad && n > p + 1) grad[p + 1] += sum(r->n, r->l_s);
        if (!H) continue;
        dlpi_tile_add_xwx(g, at, r->l_ee, H);
        if (n == p) continue;
        dlpi_tile_add_xw(g, at, r->l_et, H + p, n);
        H[p * n + p] += sum(r->n, r->l_tt);
        if (n == p + 1) continue;
        dlpi_tile_add_xw(g, at, r->l_es, H + p + 1, n);
        H[p * n + p + 1] += sum(r->n, r->l_ts);
        H[(p + 1) * (n + 1)] += sum(r->n, r->l_ss);
    }
    return value;
}

static double f_of_tiles(dlp_glm *g, dlp_index every, const double *theta, double *grad,
                         double *H)
{
    const dlp_index n = g->n;
    const tiles of = {theta, every};
    if (grad) memset(grad, 0, (size_t)n * sizeof *grad);
    if (H) memset(H, 0, (size_t)(n * n) * sizeof *H);
    double value = dlpi_sum_rows(g, add_f, &of, NULL, grad, H);
    if (every > 1) {
        value *= (double)every;
        if (grad) scale(n, grad, (double)every);
        if (H) scale(n * n, H, (double)every);
    }
    value += dlpi_prior_add(&g->prior, theta, grad, H);
    if (H) dlpi_mirror(n, H);
    return value;
}

static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    return f_of_tiles(state, 1, theta, grad, hess ? dlp_sym_block(hess, 0) : NULL);
}

/* Tiles from all over the data, which may be sorted; only if there are so many that some
   of them say nearly as much as all. */
static double subsample(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    enum { EVERY = 16, LEAST_TILES = 16, LEAST_ROWS = 20 /* per parameter */ };
    dlp_glm *g = state;
    const dlp_index rows = g->data.N / EVERY;
    if (rows / DLPI_TILE < LEAST_TILES || rows / LEAST_ROWS < g->n) return -INFINITY;
    return f_of_tiles(g, EVERY, theta, grad, hess ? dlp_sym_block(hess, 0) : NULL);
}

/*
 * With u = (eta, tau) linear in theta and C = the covariance of u under Sigma,
 *   d/d theta Tr{hess f Sigma} = sum_n sum_k (sum_ij l_ijk C_ij) du_k/d theta:
 * for eta, l_eee C_ee + 2 l_eet C_et + l_ett C_tt; for tau, l_eet C_ee + 2 l_ett C_et +
 * l_ttt C_tt.
 */

/* The contribution of a second scale to the sums above, for eta to w: for eta 2 l_ees
   C_es + 2 l_ets C_ts + l_ess C_ss, and so on. */
static void add_second_trace(dlp_glm *g, dlp_index at, const double *S,
                             const double *c_ee, const double *c_et, double *w,
                             double *grad)
{
    const dlp_index n = g->n, p = g->data.p;
    const double c_tt = S[p * n + p], c_ts = S[p * n + p + 1],
                 c_ss = S[(p + 1) * (n + 1)];
    const dlpi_rows *r = &g->rows;
    double c_es[DLPI_TILE];
    dlpi_tile_times(g, at, S + p + 1, n, c_es);
    for (dlp_index i = 0; i < r->n; i++) {
        w[i] += 2 * r->l_ees[i] * c_es[i] + 2 * r->l_ets[i] * c_ts + r->l_ess[i] * c_ss;
        grad[p] +=
            2 * r->l_ets[i] * c_es[i] + 2 * r->l_tts[i] * c_ts + r->l_tss[i] * c_ss;
        grad[p + 1] += r->l_ees[i] * c_ee[i] + 2 * r->l_ets[i] * c_et[i] +
                       2 * r->l_ess[i] * c_es[i] + r->l_tts[i] * c_tt +
                       2 * r->l_tss[i] * c_ts + r->l_sss[i] * c_ss;
    }
}

static double add_trace_grad(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                             double *grad, double *H)
{
    const dlpi_trace *of = what;
    const dlp_index n = g->n, p = g->data.p;
    const double *S = of->S, c_tt = n > p ? S[p * n + p] : 0;
    double c_ee[DLPI_TILE], c_et[DLPI_TILE], w[DLPI_TILE];
    dlpi_rows *r = &g->rows;
    (void)H;
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        dlpi_tile_load(g, of->theta, at);
        dlpi_tile_evaluate(g, tau_of(g, of->theta), 3);
        if (of->root)
            dlpi_tile_variances_by_root(g, at, c_ee);
        else
            dlpi_tile_variances(g, at, S, c_ee);
        for (dlp_index i = 0; i < r->n; i++) w[i] = r->l_eee[i] * c_ee[i];
        if (n > p) {
            dlpi_tile_times(g, at, S + p, n, c_et);
            for (dlp_index i = 0; i < r->n; i++) {
                w[i] += 2 * r->l_eet[i] * c_et[i] + r->l_ett[i] * c_tt;
                grad[p] += r->l_eet[i] * c_ee[i] + 2 * r->l_ett[i] * c_et[i] +
                           r->l_ttt[i] * c_tt;
            }
            if (n > p + 1) add_second_trace(g, at, S, c_ee, c_et, w, grad);
        }
        dlpi_tile_add_xw(g, at, w, grad, 1);
    }
    return 0;
}

static void trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                       double *grad)
{
    dlp_glm *g = state;
    const double *S = dlp_sym_block(Sigma, 0);
    const dlpi_trace of = {theta, S, dlpi_tile_root(g, S)};
    dlpi_sum_trace_grad(g, add_trace_grad, &of, grad);
}

const dlp_model_type dlpi_glm_type = {.size = sizeof dlpi_glm_type,
                                      .name = "glm",
                                      .f = f,
                                      .derivatives = 2,
                                      .trace_grad = trace_grad,
                                      .subsample = subsample,
                                      .start = dlpi_glm_start};
