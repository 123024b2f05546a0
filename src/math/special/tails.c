/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tails of gamma and beta distributions share: their densities without a
 * difference of large logarithms (after Loader, "Fast and accurate computation of binomial
 * probabilities", 2000), and integrals of them that take the same time for any parameters,
 * where series and continued fractions need more and more terms.
 */
#include "math/special/tails.h"

#include "math/special/gauss_legendre.h"

#include <delaplace/special.h>
#include <float.h>
#include <math.h>

double dlpi_stirling_rest(double a)
{
    const double half_log_2pi = 0.91893853320467274178, enough = 15;
    if (a < enough) return dlp_lgamma(a + 1) - (a + 0.5) * log(a) + a - half_log_2pi;
    const double u = 1 / (a * a);
    return (1.0 / 12 -
            u * (1.0 / 360 - u * (1.0 / 1260 - u * (1.0 / 1680 - u * (1.0 / 1188))))) /
           a;
}

/* With m = x (1 + d) and r = d / (2 + d), log(1 + d) = 2 (r + r^3/3 + r^5/5 + ...) and
   d = 2 r + r d, so that d - log(1 + d) = r d - 2 r^3 (1/3 + r^2/5 + ...). */
double dlpi_deviance(double x, double m)
{
    const double d = (m - x) / x, r = d / (2 + d);
    if (!(fabs(d) < 0.5)) return x * log(x / m) + (m - x);
    double sum = 0, power = 2 * r * r * r;
    for (int n = 3; fabs(power) > DBL_EPSILON * fabs(r * d); n += 2) {
        sum += power / n;
        power *= r * r;
    }
    return x * (r * d - sum);
}

/* Where the density has fallen to exp(-45), by its first two derivatives; farther on the
   side where it falls more slowly than they say. */
static double end_of(const dlpi_descent *d)
{
    const double deep = 45, farther = 1.25;
    const double slope = fmax(d->q / d->y - d->p / d->x - d->r, 0);
    const double curvature = d->p / d->x / d->x + d->q / d->y / d->y;
    const double end =
        farther * 2 * deep / (slope + sqrt(slope * slope + 2 * deep * curvature));
    return d->q > 0 ? fmin(end, d->y) : end;
}

double dlpi_descent_integral(const dlpi_descent *d)
{
    const double end = end_of(d);
    double sum = 0;
    for (int k = 0; k < DLPI_LEGENDRE; k++) {
        const double t = dlpi_legendre_node(k, 0, end);
        const double up = d->p > 0 ? d->p * log1p(t / d->x) : 0;
        const double down = d->q > 0 ? d->q * log1p(-t / d->y) : 0;
        sum += dlpi_legendre_weight(k, 0, end) * exp(up + down + d->r * t);
    }
    return sum;
}
