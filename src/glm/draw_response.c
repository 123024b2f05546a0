/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/draw_response.h"

#include "glm/glm_state.h"
#include "math/draw_counts.h"

#include <delaplace/special.h>
#include <math.h>

/* y ~ Poisson(lambda), of a negative binomial lambda ~ Gamma(size, size / mean). */
static double draw_count(const dlpi_family *family, double mean, double tau, dlp_rng *rng)
{
    const double size = exp(tau);
    if (!family->of->scale) return dlpi_draw_poisson(rng, mean);
    return dlpi_draw_poisson(rng, dlp_draw_gamma(rng, size) * mean / size);
}

double dlpi_draw_response(const dlpi_family *family, double eta, double tau,
                          double trials, dlp_rng *rng)
{
    const double mean = family->mean(eta);
    switch (family->of->support) {
    case DLP_SUPPORT_BINARY: return dlp_draw_uniform(rng) < mean;
    case DLP_SUPPORT_TRIALS:
        return dlpi_draw_binomial(rng, trials, fmin(fmax(mean, 0), 1));
    case DLP_SUPPORT_COUNT: return draw_count(family, mean, tau, rng);
    case DLP_SUPPORT_REAL: return eta + exp(tau) * dlp_draw_normal(rng);
    case DLP_SUPPORT_POSITIVE: return mean * dlp_draw_gamma(rng, exp(tau)) * exp(-tau);
    case DLP_SUPPORT_LEVELS:
    case DLP_SUPPORT_ORDERED: break;
    }
    return NAN;
}

/* pi_k proportional to exp(x'beta_k), beta_0 = 0 */
static void softmax(dlp_index p, dlp_index K, const double *theta, const double *row,
                    double *out)
{
    double top = 0, sum = 0;
    for (dlp_index k = 0; k < K; k++) {
        out[k] = k > 0 ? dlpi_dot(p, theta + (k - 1) * p, row) : 0;
        top = fmax(top, out[k]);
    }
    for (dlp_index k = 0; k < K; k++) sum += out[k] = exp(out[k] - top);
    for (dlp_index k = 0; k < K; k++) out[k] /= sum;
}

void dlpi_level_probabilities(const dlpi_family *family, dlp_index p, dlp_index K,
                              const double *theta, const double *row, double *out)
{
    if (family->type != &dlpi_ordinal_type) {
        softmax(p, K, theta, row, out);
        return;
    }
    const double eta = dlpi_dot(p, theta, row), *delta = theta + p;
    double cut = delta[0], below = 0;
    for (dlp_index k = 0; k < K; k++) {
        if (k > 0 && k < K - 1) cut += exp(delta[k]);
        const double up_to = k < K - 1 ? dlp_logistic(cut - eta) : 1;
        out[k] = fmax(up_to - below, 0);
        below = up_to;
    }
}
