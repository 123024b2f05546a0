/* SPDX-License-Identifier: BSD-3-Clause */
/* The regularised incomplete beta function, for the distribution of Student's t, of binomial
   and of negative binomial counts. */
#include "math/special/tails.h"

#include <float.h>
#include <math.h>

static const double LARGE = 200; /* from here on integrals are as fast as terms */

/*
 * 1 / (b_0 + a_1 / (b_1 + a_2 / (b_2 + ...))), with y = 1 - x: the fraction of Didonato &
 * Morris ("Algorithm 708", 1992), which uses y itself and so loses no digits where x is
 * close to 1.
 */
double dlpi_beta_fraction(double a, double b, double x, double y)
{
    const int most = 10000; /* some hundred are enough */
    double c = (a * y - b * x + 1) * a / (a + 1), d = 0, value = c, change = 0;
    for (int n = 1; n < most && fabs(change - 1) > DBL_EPSILON; n++) {
        const double s = a + 2 * n - 1;
        const double top = (a + n - 1) / s * ((a + b + n - 1) / s) * n * (b - n) * x * x;
        const double bottom = n + n * (b - n) * x / s +
                              (a + n) / (s + 2) * (a * y - b * x + 1 + n * (1 + y));
        d = 1 / (bottom + top * d);
        c = bottom + top / c;
        change = c * d;
        value *= change;
    }
    return 1 / value;
}

/* x^a y^b / B(a, b) */
static double front_of(double a, double b, double x, double y)
{
    const double n = a + b, two_pi = 6.2831853071795864769;
    const double rest =
        dlpi_stirling_rest(n) - dlpi_stirling_rest(a) - dlpi_stirling_rest(b);
    return exp(rest - dlpi_deviance(a, n * x) - dlpi_deviance(b, n * y)) *
           sqrt(a / n * b / two_pi);
}

/* P(B <= x), where that is the smaller tail: the density falls from x down to 0. */
static double tail(double a, double b, double x, double y)
{
    const double front = front_of(a, b, x, y);
    if (fmin(a, b) < LARGE) return front * dlpi_beta_fraction(a, b, x, y);
    const dlpi_descent down = {.p = b - 1, .x = y, .q = a - 1, .y = x};
    return front / x / y * dlpi_descent_integral(&down);
}

dlpi_tails dlpi_beta_tails(double a, double b, double x, double y)
{
    if (isnan(a) || isnan(b) || isnan(x) || isnan(y)) return (dlpi_tails){NAN, NAN};
    if (x <= 0) return (dlpi_tails){0, 1};
    if (y <= 0) return (dlpi_tails){1, 0};
    return x * (b + 1) < y * (a + 1) /* x < (a+1) / (a+b+2) */
               ? dlpi_tails_from_lower(tail(a, b, x, y))
               : dlpi_tails_from_upper(tail(b, a, y, x));
}
