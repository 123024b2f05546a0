/* SPDX-License-Identifier: BSD-3-Clause */
/* The regularised incomplete gamma functions, for the distribution of gamma responses and
   of counts. */
#include "math/special/tails.h"

#include <float.h>
#include <math.h>

static const double LARGE = 200; /* from here on integrals are as fast as terms */
enum { MOST_TERMS = 10000 };     /* some hundred are enough */

/* x^a exp(-x) / Gamma(a+1) */
static double front_of(double a, double x)
{
    const double root_2pi = 2.5066282746310005024;
    return exp(-dlpi_stirling_rest(a) - dlpi_deviance(a, x)) / (root_2pi * sqrt(a));
}

/* P(a, x) / front = 1 + x/(a+1) + x^2/((a+1)(a+2)) + ..., for x < a + 1 */
static double lower_series(double a, double x)
{
    double term = 1, sum = 1;
    for (int n = 1; n < MOST_TERMS && term > DBL_EPSILON * sum; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum;
}

/* Q(a, x) / (a front) = 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))), for x > a + 1,
   from the front on (Lentz's method). */
static double upper_fraction(double a, double x)
{
    double b = x + 1 - a, c = b, d = 0, value = b, change = 0;
    for (int n = 1; n < MOST_TERMS && fabs(change - 1) > DBL_EPSILON; n++) {
        const double top = n * (a - n);
        b += 2;
        d = 1 / (b + top * d);
        c = b + top / c;
        change = c * d;
        value *= change;
    }
    return 1 / value;
}

/* The density at x is (a/x) front. */
static double lower_integral(double a, double x)
{
    return a / x *
           dlpi_descent_integral(&(dlpi_descent){.x = 1, .q = a - 1, .y = x, .r = 1});
}

static double upper_integral(double a, double x)
{
    return a / x *
           dlpi_descent_integral(&(dlpi_descent){.p = a - 1, .x = x, .y = 1, .r = -1});
}

dlpi_tails dlpi_gamma_tails(double a, double x)
{
    if (isnan(a) || isnan(x)) return (dlpi_tails){NAN, NAN};
    if (x <= 0 || isinf(a)) return (dlpi_tails){0, 1};
    if (isinf(x)) return (dlpi_tails){1, 0};
    const double front = front_of(a, x);
    if (a < LARGE)
        return x < a + 1 ? dlpi_tails_from_lower(front * lower_series(a, x))
                         : dlpi_tails_from_upper(front * a * upper_fraction(a, x));
    return x < a ? dlpi_tails_from_lower(front * lower_integral(a, x))
                 : dlpi_tails_from_upper(front * upper_integral(a, x));
}
