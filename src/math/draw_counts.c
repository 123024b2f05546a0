/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact draws of counts in a time that grows with the logarithm of their size (Ahrens &
 * Dieter, "Computer methods for sampling from gamma, beta, Poisson and binomial
 * distributions", 1974).
 */
#include "math/draw_counts.h"

#include <math.h>

/*
 * Of n uniforms the i-th smallest is Beta(i, n+1-i). If it lies above p, those beyond it do,
 * too, and the first i-1 are uniform below it; else i of them lie below p.
 */
double dlpi_draw_binomial(dlp_rng *rng, double n, double p)
{
    const double few = 16;
    double count = 0;
    if (!(n >= 0) || isinf(n) || !(p >= 0 && p <= 1)) return NAN;
    while (n > few && p > 0 && p < 1) {
        const double i = floor(0.5 * n) + 1;
        double pair[2];
        dlp_draw_dirichlet(rng, 2, (double[2]){i, n + 1 - i}, pair);
        if (pair[0] >= p) {
            n = i - 1;
            p = fmin(p / pair[0], 1);
        } else {
            count += i;
            n -= i;
            p = fmin((p - pair[0]) / pair[1], 1);
        }
    }
    if (p <= 0) return count;
    if (p >= 1) return count + n;
    for (int left = (int)n; left > 0; left--) count += dlp_draw_uniform(rng) < p;
    return count;
}

/*
 * The m-th point of a Poisson process is Gamma(m). If it lies beyond the mean, the m-1 before
 * it are uniform up to it; else m points are counted, and what is left is a shorter process.
 */
double dlpi_draw_poisson(dlp_rng *rng, double mean)
{
    const double few = 10;
    double count = 0;
    if (!(mean >= 0) || isinf(mean)) return NAN;
    while (mean > few) {
        const double m = floor(0.875 * mean), point = dlp_draw_gamma(rng, m);
        if (point >= mean) return count + dlpi_draw_binomial(rng, m - 1, mean / point);
        count += m;
        mean -= point;
    }
    const double limit = exp(-mean);
    for (double product = dlp_draw_uniform(rng); product > limit; count++)
        product *= dlp_draw_uniform(rng);
    return count;
}
