/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log Gamma and its first three derivatives on x > 0.
 *
 * Each is one or two minimax rational functions (special_tables.h) around the exact
 * leading behaviour, so that loops contain no branch and no recurrence. Zeros are
 * factored out, which keeps the relative error small there too.
 */
#include "math/special/elementary.h"

#include <delaplace/special.h>

/* y on x > 0, at_zero at 0, NaN elsewhere */
DLPI_INLINE double on_positive(double x, double y, double at_zero)
{
    return x > 0 ? y : x == 0 ? at_zero : NAN;
}

/*
 * x < 3: with t = x - 2 + (the number of steps up), lgamma(2+t) = t R(t) and
 *        lgamma(x) = lgamma(x+1) - log x.
 * x >= 3: Stirling's formula and its remainder, written so that nothing overflows early.
 */
DLPI_INLINE double lgamma_kernel(double x)
{
    const double half_log_2pi = 0.91893853320467274;
    double t = x < 0.5 ? x : x < 1.5 ? x - 1 : x - 2, u = t + 0.5;
    double log_x = dlpi_log_positive(x < 0.5 ? x * (1 + x) : x);
    double w = 1 / x, w2 = w * w;
    double num =
        x < 3 ? t * DLPI_POLY(lgamma_two_num, u) : w * DLPI_POLY(lgamma_tail_num, w2);
    double den = x < 3 ? DLPI_POLY(lgamma_two_den, u) : DLPI_POLY(lgamma_tail_den, w2);
    double stirling = (x - 0.5) * (log_x - 1) + (half_log_2pi - 0.5);
    double y = num / den + (x < 1.5 ? -log_x : x < 3 ? 0 : stirling);
    return on_positive(x, x < INFINITY ? y : x, INFINITY);
}

/*
 * x < 1:  Psi(x) = Psi(x+1) - 1/x.
 * x < 2:  Psi(x) = (x - root) R(x - 1).
 * x >= 2: Psi(x) = log x - 1/(2x) - R(1/x^2)/x^2.
 */
DLPI_INLINE double digamma_kernel(double x)
{
    const double root_high = 0x1.762d86356be3fp+0, root_low = 0x1.b86a722197829p-54;
    double w = 1 / x, w2 = w * w, t = x < 1 ? x : x - 1;
    double from_root = (t - (root_high - 1)) - root_low;
    double num = x < 2 ? from_root * DLPI_POLY(digamma_root_num, t)
                       : -w2 * DLPI_POLY(digamma_tail_num, w2);
    double den = x < 2 ? DLPI_POLY(digamma_root_den, t) : DLPI_POLY(digamma_tail_den, w2);
    double large = dlpi_log_positive(x) - 0.5 * w;
    double y = num / den + (x < 1 ? -w : x < 2 ? 0 : large);
    return on_positive(x, x < INFINITY ? y : x, -INFINITY);
}

/*
 * The others never vanish. On x >= 1, |Psi^(m)(x)| = (m-1)! w^m R(w) with w = 1/x;
 * below, |Psi^(m)(x)| = |Psi^(m)(x+1)| + m!/x^(m+1). Powers are multiplied in an
 * order that rounds only once where the result is subnormal.
 */

DLPI_INLINE double trigamma_kernel(double x)
{
    double v = 1 / x, w = x < 1 ? 1 / (x + 1) : v;
    double y = w * DLPI_RATIO(trigamma, w);
    return on_positive(x, x < 1 ? y + v * v : y, INFINITY);
}

DLPI_INLINE double tetragamma_kernel(double x)
{
    double v = 1 / x, w = x < 1 ? 1 / (x + 1) : v;
    double y = w * (w * DLPI_RATIO(tetragamma, w));
    return on_positive(x, -(x < 1 ? y + 2 * v * v * v : y), -INFINITY);
}

DLPI_SCALAR_AND_ARRAY(lgamma)
DLPI_SCALAR_AND_ARRAY(digamma)
DLPI_SCALAR_AND_ARRAY(trigamma)
DLPI_SCALAR_AND_ARRAY(tetragamma)
