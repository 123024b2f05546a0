/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/draw_response.h"

#include "glm/families/beta.h"
#include "glm/families/location_scale.h"
#include "glm/families/ordinal_link.h"
#include "glm/families/zero.h"
#include "glm/families/zero_negative_binomial.h"
#include "glm/glm_state.h"
#include "math/draw_counts.h"

#include <delaplace/special.h>
#include <math.h>

/* ---- successes ---- */

double dlpi_draw_binary(const dlpi_family *family, const dlpi_draw_at *at, dlp_rng *rng)
{
    return dlp_draw_uniform(rng) < family->mean(at->eta);
}

/* The probability of a success. */
static double share_at(const dlpi_family *family, double eta)
{
    return fmin(fmax(family->mean(eta), 0), 1);
}

double dlpi_draw_successes(const dlpi_family *family, const dlpi_draw_at *at,
                           dlp_rng *rng)
{
    return dlpi_draw_binomial(rng, at->trials, share_at(family, at->eta));
}

double dlpi_draw_share(const dlpi_family *family, const dlpi_draw_at *at, dlp_rng *rng)
{
    const double mean = share_at(family, at->eta), phi = exp(at->tau);
    if (!(mean > 0 && mean < 1)) return mean;
    return dlpi_draw_beta(rng, phi * mean, phi * (1 - mean));
}

double dlpi_draw_dispersed_successes(const dlpi_family *family, const dlpi_draw_at *at,
                                     dlp_rng *rng)
{
    return dlpi_draw_binomial(rng, at->trials, dlpi_draw_share(family, at, rng));
}

/* ---- counts ---- */

double dlpi_draw_poisson_count(const dlpi_family *family, const dlpi_draw_at *at,
                               dlp_rng *rng)
{
    return dlpi_draw_poisson(rng, family->mean(at->eta));
}

double dlpi_draw_dispersed_count(const dlpi_family *family, const dlpi_draw_at *at,
                                 dlp_rng *rng)
{
    return dlpi_draw_negative_binomial(rng, family->mean(at->eta), exp(at->tau));
}

/* 0 with probability pi = sigma(tau), whatever the rest says */
static bool is_zero(const dlpi_draw_at *at, dlp_rng *rng)
{
    return dlp_draw_uniform(rng) < dlp_logistic(at->tau);
}

double dlpi_draw_inflated_poisson(const dlpi_family *family, const dlpi_draw_at *at,
                                  dlp_rng *rng)
{
    return is_zero(at, rng) ? 0 : dlpi_draw_poisson(rng, family->mean(at->eta));
}

double dlpi_draw_hurdle_poisson(const dlpi_family *family, const dlpi_draw_at *at,
                                dlp_rng *rng)
{
    return is_zero(at, rng) ? 0 : dlpi_draw_positive_poisson(rng, family->mean(at->eta));
}

double dlpi_draw_inflated_negative_binomial(const dlpi_family *family,
                                            const dlpi_draw_at *at, dlp_rng *rng)
{
    if (is_zero(at, rng)) return 0;
    return dlpi_draw_negative_binomial(rng, family->mean(at->eta), at->second);
}

double dlpi_draw_hurdle_negative_binomial(const dlpi_family *family,
                                          const dlpi_draw_at *at, dlp_rng *rng)
{
    if (is_zero(at, rng)) return 0;
    return dlpi_draw_positive_negative_binomial(rng, family->mean(at->eta), at->second);
}

/* ---- real and positive responses ---- */

double dlpi_draw_gaussian(const dlpi_family *family, const dlpi_draw_at *at, dlp_rng *rng)
{
    (void)family;
    return at->eta + exp(at->tau) * dlp_draw_normal(rng);
}

double dlpi_draw_student_response(const dlpi_family *family, const dlpi_draw_at *at,
                                  dlp_rng *rng)
{
    (void)family;
    return at->eta + exp(at->tau) * dlpi_draw_student(rng, at->second);
}

double dlpi_draw_gamma_response(const dlpi_family *family, const dlpi_draw_at *at,
                                dlp_rng *rng)
{
    (void)family;
    return exp(at->eta) * dlp_draw_gamma(rng, exp(at->tau)) * exp(-at->tau);
}

double dlpi_draw_log_normal(const dlpi_family *family, const dlpi_draw_at *at,
                            dlp_rng *rng)
{
    return exp(dlpi_draw_gaussian(family, at, rng));
}

double dlpi_draw_exponential(const dlpi_family *family, const dlpi_draw_at *at,
                             dlp_rng *rng)
{
    (void)family;
    return exp(at->eta + dlpi_draw_extreme(rng));
}

double dlpi_draw_weibull(const dlpi_family *family, const dlpi_draw_at *at, dlp_rng *rng)
{
    (void)family;
    return exp(at->eta + exp(at->tau) * dlpi_draw_extreme(rng));
}

/* ---- levels ---- */

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
