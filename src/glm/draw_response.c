/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/draw_response.h"

#include "glm/beta.h"
#include "glm/glm_state.h"
#include "glm/location_scale.h"
#include "glm/ordinal_link.h"
#include "glm/zero.h"
#include "glm/zero_negative_binomial.h"
#include "math/draw_counts.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

static bool is(const dlpi_family *family, const char *name)
{
    return !strcmp(family->of->name, name);
}

/* y ~ Poisson(lambda), of a negative binomial lambda ~ Gamma(size, size / m); or 0 more often
   than that. */
static double draw_count(const dlpi_family *family, double eta, double tau, double second,
                         dlp_rng *rng)
{
    const double m = family->mean(eta), size = exp(tau);
    if (!family->of->scale) return dlpi_draw_poisson(rng, m);
    if (is(family, "negative-binomial"))
        return dlpi_draw_poisson(rng, dlp_draw_gamma(rng, size) * m / size);
    if (dlp_draw_uniform(rng) < dlp_logistic(tau)) return 0;
    if (is(family, "zero-inflated-negative-binomial"))
        return dlpi_draw_negative_binomial(rng, m, second);
    if (family->of->second) return dlpi_draw_positive_negative_binomial(rng, m, second);
    return is(family, "hurdle-poisson") ? dlpi_draw_positive_poisson(rng, m)
                                        : dlpi_draw_poisson(rng, m);
}

static double draw_positive(const dlpi_family *family, double eta, double tau,
                            dlp_rng *rng)
{
    if (is(family, "gamma")) return exp(eta) * dlp_draw_gamma(rng, exp(tau)) * exp(-tau);
    if (is(family, "log-normal")) return exp(eta + exp(tau) * dlp_draw_normal(rng));
    const double scale = family->of->scale ? exp(tau) : 1;
    return exp(eta + scale * dlpi_draw_extreme(rng));
}

/* The probability of a success, which varies in a beta-binomial family. */
static double draw_share(const dlpi_family *family, double eta, double tau, dlp_rng *rng)
{
    const double mean = fmin(fmax(family->mean(eta), 0), 1), phi = exp(tau);
    if (!family->of->scale || !(mean > 0 && mean < 1)) return mean;
    return dlpi_draw_beta(rng, phi * mean, phi * (1 - mean));
}

double dlpi_draw_response(const dlpi_family *family, double eta, double tau,
                          double trials, double df, dlp_rng *rng)
{
    switch (family->of->support) {
    case DLP_SUPPORT_BINARY: return dlp_draw_uniform(rng) < family->mean(eta);
    case DLP_SUPPORT_TRIALS:
        return dlpi_draw_binomial(rng, trials, draw_share(family, eta, tau, rng));
    case DLP_SUPPORT_SHARE: return draw_share(family, eta, tau, rng);
    case DLP_SUPPORT_COUNT: return draw_count(family, eta, tau, df, rng);
    case DLP_SUPPORT_REAL:
        return eta + exp(tau) * (family->of->df ? dlpi_draw_student(rng, df)
                                                : dlp_draw_normal(rng));
    case DLP_SUPPORT_POSITIVE: return draw_positive(family, eta, tau, rng);
    case DLP_SUPPORT_LEVELS:
    case DLP_SUPPORT_ORDERED: break;
    }
    return NAN;
}

/* pi_k proportional to exp(x'beta_k + added_k), beta_0 = 0 */
static void softmax(dlp_index p, dlp_index K, const double *theta, const double *row,
                    const double *added, double *out)
{
    double top = 0, sum = 0;
    for (dlp_index k = 0; k < K; k++) {
        out[k] = k > 0 ? dlpi_dot(p, theta + (k - 1) * p, row) : 0;
        if (k > 0 && added) out[k] += added[k - 1];
        top = fmax(top, out[k]);
    }
    for (dlp_index k = 0; k < K; k++) sum += out[k] = exp(out[k] - top);
    for (dlp_index k = 0; k < K; k++) out[k] /= sum;
}

void dlpi_level_probabilities(const dlpi_family *family, dlp_index p, dlp_index K,
                              const double *theta, const double *row, const double *added,
                              double *out)
{
    if (family->type != &dlpi_ordinal_type) {
        softmax(p, K, theta, row, added, out);
        return;
    }
    const double eta = dlpi_dot(p, theta, row) + (added ? added[0] : 0),
                 *delta = theta + p;
    double cut = delta[0], below = 0;
    for (dlp_index k = 0; k < K; k++) {
        if (k > 0 && k < K - 1) cut += exp(delta[k]);
        const double u = cut - eta;
        double up_to = 1, above;
        if (k < K - 1) family->ordinal->sides(1, &u, &up_to, &above);
        out[k] = fmax(up_to - below, 0);
        below = up_to;
    }
}
