/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws from distributions, out of the uniforms of core/random.c. */
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>

double dlp_draw_normal(dlp_rng *rng)
{
    return dlp_normal_quantile(dlp_draw_uniform(rng));
}

/*
 * log of the probability with which a proposal of Marsaglia & Tsang ("A simple method for
 * generating gamma variables", 2000) is accepted. With v = (1+t)^3 and x^2 = 9dt^2,
 *   x^2/2 + d - dv + d log v = 3d (log(1+t) - t + t^2/2 - t^3/3),
 * where the first three powers of t cancel: for small t, sum the powers that are left.
 */
static double log_acceptance(double d, double t)
{
    if (fabs(t) < 0.01) {
        const double tail = 1.0 / 4 - t * (1.0 / 5 - t * (1.0 / 6 - t / 7));
        return -3 * (d * t * t * t * t) * tail;
    }
    return 3 * d * (log1p(t) - t * (1 - t * (1.0 / 2 - t / 3)));
}

/* Marsaglia & Tsang's gamma for shape >= 1, as a logarithm: log d + 3 log(1+t). */
static double log_gamma_of_large_shape(dlp_rng *rng, double shape)
{
    const double d = shape - 1.0 / 3;
    const double c = 1 / (3 * sqrt(d));
    for (;;) {
        const double t = c * dlp_draw_normal(rng);
        const double u = dlp_draw_uniform(rng);
        if (t > -1 && log(u) < log_acceptance(d, t)) return log(d) + 3 * log1p(t);
    }
}

double dlp_draw_log_gamma(dlp_rng *rng, double shape)
{
    /* Below this, log(u)/shape would leave the range of a double. */
    const double smallest = 1e-300;
    if (!(shape > 0) || isinf(shape)) return NAN;
    if (shape >= 1) return log_gamma_of_large_shape(rng, shape);
    /* Gamma(a) is Gamma(a+1) times a uniform to the power 1/a. */
    const double boosted = log_gamma_of_large_shape(rng, shape + 1);
    return boosted + log(dlp_draw_uniform(rng)) / fmax(shape, smallest);
}

double dlp_draw_gamma(dlp_rng *rng, double shape)
{
    return exp(dlp_draw_log_gamma(rng, shape));
}

void dlp_draw_dirichlet(dlp_rng *rng, dlp_index n, const double *alpha, double *out)
{
    double largest = -INFINITY, sum = 0;
    for (dlp_index i = 0; i < n; i++) {
        out[i] = dlp_draw_log_gamma(rng, alpha[i]);
        largest = fmax(largest, out[i]);
    }
    /* The largest becomes exp(0) = 1, so the sum neither overflows nor vanishes. */
    for (dlp_index i = 0; i < n; i++) {
        out[i] = exp(out[i] - largest);
        sum += out[i];
    }
    for (dlp_index i = 0; i < n; i++) out[i] /= sum;
}

/* The largest weight; 0 if one of them is negative or not finite. */
static double largest_weight(dlp_index n, const double *weight)
{
    double largest = 0;
    for (dlp_index i = 0; i < n; i++) {
        if (!(weight[i] >= 0) || isinf(weight[i])) return 0;
        largest = fmax(largest, weight[i]);
    }
    return largest;
}

dlp_index dlp_draw_categorical(dlp_rng *rng, dlp_index n, const double *weight)
{
    const double largest = largest_weight(n, weight);
    if (largest <= 0) return -1;
    /* Weights relative to the largest: their sum cannot overflow. */
    double total = 0;
    for (dlp_index i = 0; i < n; i++) total += weight[i] / largest;
    const double target = dlp_draw_uniform(rng) * total;

    /* The same sum again passes the target before its end, because u < 1; a weight of
       0 does not move it, so it is never the one that passes. */
    dlp_index i = 0;
    double sum = weight[0] / largest;
    while (sum <= target && i + 1 < n) sum += weight[++i] / largest;
    return i;
}
