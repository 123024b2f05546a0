/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Student's t distribution, through the regularised incomplete beta function I_x(a, b):
 *
 *   P(T > |t|) = I_x(df/2, 1/2) / 2,   x = 1 / (1 + t^2/df).
 */
#include "math/special/tails.h"

#include <delaplace/special.h>
#include <math.h>

/*
 * Gamma(a + 1/2) / Gamma(a), a > 0. Differences of log Gamma would lose all digits for
 * large a; the ratio has its own series for large a, and a recurrence reduces small a to
 * that case.
 */
static double gamma_half_step(double a)
{
    const double enough = 20;
    double factor = 1;
    while (a < enough) {
        factor *= a / (a + 0.5);
        a += 1;
    }
    const double u = 1 / (a * a);
    const double series =
        -1.0 / 8 +
        u * (1.0 / 192 + u * (-1.0 / 640 + u * (17.0 / 14336 + u * (-31.0 / 18432))));
    return factor * sqrt(a) * exp(series / a);
}

double dlp_student_cdf(double t, double df)
{
    if (isnan(t) || !(df > 0)) return NAN;
    if (isinf(df) || isinf(t) || t == 0) return dlp_normal_cdf(t);
    const double root_pi = 1.7724538509055160;
    const double a = 0.5 * df, b = 0.5;
    const double u = fabs(t) / sqrt(df), h = hypot(1, u);
    const double x = 1 / h / h, rest = u / h * (u / h); /* x + rest = 1 */
    /* x^a, and x^a (1-x)^b / B(a, b) */
    const double power = u < 1 ? exp(-a * log1p(u * u)) : pow(h, -df);
    const double front = power * (u / h) * gamma_half_step(a) / root_pi;
    if (rest > (b + 1) / (a + b + 2)) { /* x < (a+1) / (a+b+2), without rounding to 1 */
        const double tail = 0.5 * front * dlpi_beta_fraction(a, b, x, rest);
        return t < 0 ? tail : 1 - tail;
    }
    const double middle = 0.5 * front * dlpi_beta_fraction(b, a, rest, x);
    return t < 0 ? 0.5 - middle : 0.5 + middle;
}
