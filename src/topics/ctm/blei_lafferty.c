/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bound of Blei and Lafferty (2007), as a baseline: q(theta) = N(lambda, diag v) and
 * E[log sum_k exp theta_k] <= log sum_k exp(lambda_k + v_k/2), their zeta put in at its
 * optimum. For given lambda the bound is concave in v, so v is found first:
 *
 *     spread(lambda) = max_v  -N log sum_k exp(lambda_k + v_k/2)
 *                             - 1/2 sum_k P0_kk v_k + 1/2 sum_k log v_k,
 *
 * whose gradient is -N rho, rho = softmax(lambda + v/2), as if v were fixed.
 */
#include "topics/ctm/ctm.h"

#include <delaplace/special.h>

#include "math/dense.h"

#include <math.h>

/* rho = softmax(lambda + v/2); returns log sum exp */
static double shares(dlp_index K, const double *lambda, const double *v, double *rho)
{
    double max = -INFINITY;
    for (dlp_index k = 0; k < K; k++) {
        rho[k] = lambda[k] + 0.5 * v[k];
        max = rho[k] > max ? rho[k] : max;
    }
    for (dlp_index k = 0; k < K; k++) rho[k] -= max;
    dlp_exp_array(K, rho, rho);
    double sum = rho[0];
    for (dlp_index k = 1; k < K; k++) sum += rho[k];
    for (dlp_index k = 0; k < K; k++) rho[k] /= sum;
    return max + log(sum);
}

static double prior_precision(const dlpi_ctm_document *doc, dlp_index k)
{
    return doc->shared->P0[k * (doc->shared->stride + 1)];
}

/*
 * A Newton step in v: gradient g_k = (1/v_k - P0_kk - N rho_k)/2, minus the Hessian
 * diag(1/(2 v_k^2) + N rho_k/4) - N/4 rho rho'. The last term is left out of the step's
 * divisor and put back by Sherman and Morrison. Returns the largest relative change.
 */
static double newton_step(const dlpi_ctm_document *doc, double *v, const double *rho,
                          double *step)
{
    const dlp_index K = doc->shared->K;
    const double quarter_N = 0.25 * doc->N;
    double rho_g = 0, rho_rho = 0, largest = 0;
    for (dlp_index k = 0; k < K; k++) {
        const double g = 0.5 * (1 / v[k] - prior_precision(doc, k) - doc->N * rho[k]);
        const double d = 0.5 / (v[k] * v[k]) + quarter_N * rho[k];
        step[k] = g / d;
        rho_g += rho[k] * step[k];
        rho_rho += rho[k] * rho[k] / d;
    }
    const double share = quarter_N * rho_g / (1 - quarter_N * rho_rho);
    for (dlp_index k = 0; k < K; k++) {
        const double d = 0.5 / (v[k] * v[k]) + quarter_N * rho[k];
        const double full = (step[k] + share * rho[k] / d) / v[k];
        const double taken = full < -0.9 ? -0.9
                             : full > 9  ? 9
                                         : full; /* v stays positive */
        v[k] = fmin(v[k] * (1 + taken), 1 / prior_precision(doc, k)); /* as it must be */
        largest = fmax(largest, fabs(taken));
    }
    return largest;
}

static double spread(dlpi_ctm_document *doc, const double *lambda, double *grad)
{
    enum { MAX_STEPS = 100 };
    const dlp_index K = doc->shared->K;
    double *v = doc->spare, *rho = v + K, *step = rho + K;
    for (dlp_index k = 0; k < K; k++)
        v[k] = 1 / (prior_precision(doc, k) + doc->N * doc->pi[k]);
    for (int i = 0; i < MAX_STEPS; i++) {
        shares(K, lambda, v, rho);
        if (!(newton_step(doc, v, rho, step) > 1e-13)) break;
    }
    double value = -doc->N * shares(K, lambda, v, rho);
    for (dlp_index k = 0; k < K; k++)
        value += 0.5 * (log(v[k]) - prior_precision(doc, k) * v[k]);
    for (dlp_index k = 0; grad && k < K; k++) grad[k] -= doc->N * rho[k];
    return value;
}

/* Sigma = diag v, as spread has left it */
static double finish(dlpi_ctm_document *doc)
{
    const dlp_index K = doc->shared->K;
    for (dlp_index k = 0; k < K; k++) doc->Sigma[k * (K + 1)] = doc->spare[k];
    return 0.5 * (double)K;
}

const dlpi_ctm_method dlpi_ctm_blei_lafferty = {
    .name = "blei-lafferty",
    .kind = DLP_TOPICS_BLEI_LAFFERTY,
    .spread = spread,
    .finish = finish,
};
