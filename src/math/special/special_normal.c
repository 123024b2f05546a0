/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The standard normal distribution function Phi, its logarithm and its inverse.
 *
 * Everything rests on Phi(-t) = exp(-t^2/2) mills(t), t >= 0, where mills is smooth
 * and close to 1/(t sqrt(2 pi)): the tail keeps its relative precision.
 */
#include "math/special/elementary.h"

#include <delaplace/special.h>

/* exp(t^2/2) Phi(-t), t >= 0; constant where its logarithm is lost beside t^2/2. */
DLPI_INLINE double mills(double t)
{
    t = t > 1e10 ? 1e10 : t;
    return DLPI_RATIO(mills, t);
}

/* exp(-t^2/2), t >= 0. A rounding of t^2 would show in the result, so the square is
   kept in two parts: that of t's upper half, which is exact, and the rest. */
DLPI_INLINE double exp_minus_half_square(double t)
{
    t = t > 40 ? 40 : t;
    double upper = dlpi_from_bits(dlpi_bits(t) & 0xfffffffff8000000);
    return dlpi_exp_negative(-0.5 * upper * upper, -0.5 * (t - upper) * (t + upper));
}

DLPI_INLINE double normal_cdf_kernel(double x)
{
    double t = fabs(x);
    double tail = exp_minus_half_square(t) * mills(t);
    return x < 0 ? tail : 1 - tail;
}

/* On the left, log Phi(x) = -x^2/2 + log mills(-x) = -x^2/2 + k log(2) + log(1+f);
   on the right, log Phi(x) = log(1+f) with f = -Phi(-x). */
DLPI_INLINE double normal_log_cdf_kernel(double x)
{
    double t = fabs(x), m = mills(t), k, f;
    dlpi_log_split(m, &k, &f);
    double left = k * 0.69314718055994531 - 0.5 * x * x;
    f = x < 0 ? f : -exp_minus_half_square(t) * m;
    return dlpi_log1p_near(f) + (x < 0 ? left : 0);
}

/*
 * |p - 1/2| <= 0.425: q R(0.425^2 - q^2) with q = p - 1/2.
 * Beyond: R(sqrt(-log p) - 1), p the smaller side; 1 - p is exact.
 */
DLPI_INLINE double normal_quantile_kernel(double p)
{
    double q = p - 0.5, y = 0.425 * 0.425 - q * q;
    double r = sqrt(fabs(dlpi_log_positive(q < 0 ? p : 1 - p))) - 1;
    double tail = DLPI_POLY(quantile_tail_num, r);
    int centre = fabs(q) <= 0.425;
    double num = centre ? q * DLPI_POLY(quantile_centre_num, y) : q < 0 ? -tail : tail;
    double den =
        centre ? DLPI_POLY(quantile_centre_den, y) : DLPI_POLY(quantile_tail_den, r);
    double ends = p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    return p > 0 && p < 1 ? num / den : ends;
}

DLPI_SCALAR(normal_cdf)
DLPI_ARRAY(normal_log_cdf)
DLPI_SCALAR(normal_quantile)
