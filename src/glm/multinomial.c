/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multinomial regression: y in 0..K-1 with p(y = k) = pi_k proportional to exp(eta_k),
 * where eta_0 = 0 and eta_k = x'beta_k. theta is beta_1, ..., beta_(K-1), one after
 * another.
 *
 *   l = eta_y - log sum_k exp eta_k,  dl/d eta_k = [y=k] - pi_k,
 *   d2l/d eta_k d eta_l = -([k=l] pi_k - pi_k pi_l)
 */
#include "glm/glm_state.h"
#include "glm/workers.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

/* extra: pi (K-1, DLPI_TILE), then C ((K-1)^2, DLPI_TILE) */
static double *pi_of(const dlp_glm *g, dlp_index k)
{
    return g->extra + k * DLPI_TILE;
}

static double *C_of(const dlp_glm *g, dlp_index k, dlp_index l)
{
    const dlp_index K1 = g->data.levels - 1;
    return g->extra + (K1 + k * K1 + l) * DLPI_TILE;
}

/* pi of the tile that begins at row `at`; returns the sum of l over it */
static double load_probabilities(dlp_glm *g, const double *theta, dlp_index at)
{
    const dlp_index K1 = g->data.levels - 1, p = g->data.p;
    const dlpi_rows *r = &g->rows;
    double value = 0;
    for (dlp_index k = 0; k < K1; k++) {
        dlpi_tile_load(g, theta + k * p, at);
        memcpy(pi_of(g, k), r->eta, (size_t)r->n * sizeof *r->eta);
    }
    for (dlp_index i = 0; i < r->n; i++) {
        double top = 0, sum = 0;
        for (dlp_index k = 0; k < K1; k++) top = fmax(top, pi_of(g, k)[i]);
        const dlp_index y = (dlp_index)r->y[i];
        double l = y > 0 ? pi_of(g, y - 1)[i] : 0;
        for (dlp_index k = 0; k < K1; k++)
            sum += pi_of(g, k)[i] = exp(pi_of(g, k)[i] - top);
        sum += exp(-top);
        l -= top + log(sum);
        value += dlpi_weight_of(r, i) * l;
        for (dlp_index k = 0; k < K1; k++) pi_of(g, k)[i] /= sum;
    }
    return value;
}

/* The blocks (k, l), k <= l, of the Hessian over the tile. */
static void add_curvature(dlp_glm *g, dlp_index at, double *H)
{
    const dlp_index K1 = g->data.levels - 1, p = g->data.p;
    double w[DLPI_TILE];
    for (dlp_index k = 0; k < K1; k++)
        for (dlp_index l = k; l < K1; l++) {
            const double *a = pi_of(g, k), *b = pi_of(g, l);
            for (dlp_index i = 0; i < g->rows.n; i++)
                w[i] = dlpi_weight_of(&g->rows, i) * a[i] * (b[i] - (k == l));
            dlpi_tile_add_xwx(g, at, w, H + k * p * g->n + l * p);
        }
}

void dlpi_multinomial_complete(const dlp_glm *g, double *H)
{
    const dlp_index K1 = g->data.levels - 1, p = g->data.p;
    for (dlp_index k = 0; k < K1; k++)
        for (dlp_index l = k + 1; l < K1; l++) {
            double *block = H + k * p * g->n + l * p;
            for (dlp_index i = 0; i < p; i++)
                for (dlp_index j = 0; j < i; j++)
                    block[i * g->n + j] = block[j * g->n + i];
        }
}

/* Rows from..to-1; what: theta */
static double add_f(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                    double *grad, double *H)
{
    const dlp_index K1 = g->data.levels - 1, p = g->data.p;
    double value = 0, w[DLPI_TILE];
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        value += load_probabilities(g, what, at);
        for (dlp_index k = 0; grad && k < K1; k++) {
            for (dlp_index i = 0; i < g->rows.n; i++)
                w[i] = dlpi_weight_of(&g->rows, i) *
                       ((g->rows.y[i] == (double)(k + 1)) - pi_of(g, k)[i]);
            dlpi_tile_add_xw(g, at, w, grad + k * p, 1);
        }
        if (H) add_curvature(g, at, H);
    }
    return value;
}

static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlp_glm *g = state;
    const dlp_index n = g->n;
    double *H = hess ? dlp_sym_block(hess, 0) : NULL;
    if (grad) memset(grad, 0, (size_t)n * sizeof *grad);
    if (H) memset(H, 0, (size_t)(n * n) * sizeof *H);
    double value = dlpi_sum_rows(g, add_f, theta, NULL, grad, H);
    if (H) dlpi_multinomial_complete(g, H);
    value += dlpi_prior_add(&g->prior, theta, grad, H);
    if (H) dlpi_mirror(n, H);
    return value;
}

/*
 * Tr{hess l Sigma} = -sum_k pi_k C_kk + pi'C pi with C_kl = x'Sigma_kl x; by eta_i
 *   pi_i (-C_ii + sum_k pi_k C_kk + 2 (C pi)_i - 2 pi'C pi)
 */
static void tile_trace_grad(const dlp_glm *g, double *d_eta)
{
    const dlp_index K1 = g->data.levels - 1;
    for (dlp_index n = 0; n < g->rows.n; n++) {
        double diagonal = 0, quadratic = 0;
        for (dlp_index k = 0; k < K1; k++) {
            double C_pi = 0;
            for (dlp_index l = 0; l < K1; l++) C_pi += C_of(g, k, l)[n] * pi_of(g, l)[n];
            d_eta[k * DLPI_TILE + n] = 2 * C_pi - C_of(g, k, k)[n];
            diagonal += pi_of(g, k)[n] * C_of(g, k, k)[n];
            quadratic += pi_of(g, k)[n] * C_pi;
        }
        for (dlp_index k = 0; k < K1; k++)
            d_eta[k * DLPI_TILE + n] =
                dlpi_weight_of(&g->rows, n) * pi_of(g, k)[n] *
                (d_eta[k * DLPI_TILE + n] + diagonal - 2 * quadratic);
    }
}

static double add_trace_grad(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                             double *grad, double *H)
{
    const dlpi_trace *of = what;
    const dlp_index K1 = g->data.levels - 1, p = g->data.p, n = g->n;
    const double *S = of->S;
    double *d_eta = C_of(g, K1, 0); /* after C */
    (void)H;
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        load_probabilities(g, of->theta, at);
        for (dlp_index k = 0; k < K1; k++)
            for (dlp_index l = 0; l <= k; l++) {
                dlpi_tile_variances(g, at, S + k * p * n + l * p, C_of(g, k, l));
                if (l < k) memcpy(C_of(g, l, k), C_of(g, k, l), DLPI_TILE * sizeof *S);
            }
        tile_trace_grad(g, d_eta);
        for (dlp_index k = 0; k < K1; k++)
            dlpi_tile_add_xw(g, at, d_eta + k * DLPI_TILE, grad + k * p, 1);
    }
    return 0;
}

static void trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                       double *grad)
{
    const dlpi_trace of = {theta, dlp_sym_block(Sigma, 0), false};
    dlpi_sum_trace_grad(state, add_trace_grad, &of, grad);
}

const dlp_model_type dlpi_multinomial_type = {.size = sizeof dlpi_multinomial_type,
                                              .name = "multinomial",
                                              .f = f,
                                              .derivatives = 2,
                                              .trace_grad = trace_grad};
