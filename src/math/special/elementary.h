/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exp and log without branches, for loops that the compiler vectorises. Internal.
 *
 * They do only IEEE additions, multiplications, divisions and bit operations, so a
 * value is the same bits in a scalar, in a lane of any vector, and on any machine.
 * The C library's own functions promise none of these. Errors are about one ulp.
 */
#ifndef DLPI_MATH_ELEMENTARY_H
#define DLPI_MATH_ELEMENTARY_H

#include "math/clones.h"
#include "math/special/special_tables.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

DLPI_INLINE uint64_t dlpi_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

DLPI_INLINE double dlpi_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#if defined(__GNUC__) && !defined(__clang__)
#define DLPI_UNROLL _Pragma("GCC unroll 16")
#else
#define DLPI_UNROLL /* clang unrolls by itself */
#endif

/* sum_j c[j] x^j, 0 <= j < count, count >= 2. Even and odd powers run apart, so that
   fewer operations wait for one another. */
DLPI_INLINE double dlpi_polynomial(int count, const double *c, double x)
{
    int last_even = (count - 1) / 2 * 2, last_odd = count / 2 * 2 - 1;
    double x2 = x * x, even = c[last_even], odd = c[last_odd];
    DLPI_UNROLL for (int j = last_even - 2; j >= 0; j -= 2) even = even * x2 + c[j];
    DLPI_UNROLL for (int j = last_odd - 2; j >= 1; j -= 2) odd = odd * x2 + c[j];
    return even + x * odd;
}
#define DLPI_POLY(table, x)                                                              \
    dlpi_polynomial((int)(sizeof(table) / sizeof(table)[0]), table, x)
#define DLPI_RATIO(table, x) (DLPI_POLY(table##_num, x) / DLPI_POLY(table##_den, x))

/* log(2) in two parts; the first has so few bits that an exponent times it is exact. */
#define DLPI_LN2_HIGH 0x1.62e42fee00000p-1
#define DLPI_LN2_LOW  0x1.a39ef35793c76p-33

/* exp(high + low), for high <= 0 and |low| small beside 1 */
DLPI_INLINE double dlpi_exp_negative(double high, double low)
{
    /* 2^n exp(r), with 2^n in two steps: 2^(n+256) never underflows, and what is left
       is one constant. Adding the rounder makes an integer of high/log(2), as a double
       and in the low bits, where the exponent's bias is added as well. */
    const double rounder = 0x1.8p52 + (1023 + 256);
    double rounded = high * 1.4426950408889634 + rounder, n = rounded - rounder;
    double r = (high - n * DLPI_LN2_HIGH) + (low - n * DLPI_LN2_LOW);
    double exp_r = 1 + (r + r * r * DLPI_POLY(exp_table, r));
    double y = exp_r * dlpi_from_bits(dlpi_bits(rounded) << 52) * 0x1p-256;
    return high < -746 ? 0 : y;
}

/* k log(2) + log(1+f), for an integer k and sqrt(1/2) <= 1+f <= sqrt(2) */
DLPI_INLINE double dlpi_log_parts(double k, double f)
{
    /* log(1+f) = f - f^2/2 + s (f^2/2 + z table(z)),  s = f/(2+f),  z = s^2 */
    double s = f / (2 + f), z = s * s, half_square = 0.5 * f * f;
    double tail = s * (half_square + z * DLPI_POLY(log_table, z));
    return k * DLPI_LN2_HIGH - ((half_square - (tail + k * DLPI_LN2_LOW)) - f);
}

/* x = 2^k (1+f), for a positive finite x */
DLPI_INLINE void dlpi_log_split(double x, double *k, double *f)
{
    const uint64_t one = 0x3ff0000000000000, sqrt_half = 0x3fe6a09e667f3bcd;
    const uint64_t mantissa = 0x000fffffffffffff, two_52 = 0x4330000000000000;
    int subnormal = x < DBL_MIN;
    uint64_t bits = dlpi_bits(subnormal ? x * 0x1p54 : x) + (one - sqrt_half);
    double exponent = dlpi_from_bits((bits >> 52) | two_52) - (0x1p52 + 1023);
    *k = subnormal ? exponent - 54 : exponent;
    *f = dlpi_from_bits((bits & mantissa) + sqrt_half) - 1;
}

/* log(x), for a positive finite x */
DLPI_INLINE double dlpi_log_positive(double x)
{
    double k, f;
    dlpi_log_split(x, &k, &f);
    return dlpi_log_parts(k, f);
}

/* log(1+y), for -1/2 <= y <= 1 */
DLPI_INLINE double dlpi_log1p_near(double y)
{
    /* log(1+y) = log((1+s)/(1-s)) */
    double s = y / (2 + y), z = s * s;
    return 2 * s + s * (z * DLPI_POLY(atanh_table, z));
}

#endif
