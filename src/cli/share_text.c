/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/share_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 6 };

/* Powers of ten that doubles represent exactly. */
static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                             1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                             1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { MOST = sizeof ten / sizeof *ten - 1 };

/* x ten[power] rounded to the nearest whole number, ties to even: the product is exactly
   p + error. */
static int round_product(double x, int power)
{
    const double p = x * ten[power], error = fma(x, ten[power], -p);
    const int below = (int)p;
    const double over_half = (p - below - 0.5) + error;
    return below + (over_half > 0 || (over_half == 0 && below % 2 == 1));
}

/* Stores the digits of n without trailing zeros; returns how many there are. */
static int digits_of(int n, char digit[DIGITS])
{
    int count = DIGITS;
    for (int i = DIGITS - 1; i >= 0; i--, n /= 10) digit[i] = (char)('0' + n % 10);
    while (count > 1 && digit[count - 1] == '0') count--;
    return count;
}

static char *append(char *out, const char *text, int n)
{
    memcpy(out, text, (size_t)n);
    return out + n;
}

/* 0.d1 d2 ... times 10^(1 - places) */
static char *write_fraction(const char *digit, int count, int places, char *out)
{
    out = append(out, "0.000", 1 + places);
    return append(out, digit, count);
}

static char *write_scientific(const char *digit, int count, int places, char *out)
{
    *out++ = digit[0];
    if (count > 1) *out++ = '.';
    out = append(out, digit + 1, count - 1);
    out = append(out, "e-", 2);
    *out++ = (char)('0' + places / 10);
    *out++ = (char)('0' + places % 10);
    return out;
}

char *cli_share_text(double x, char out[CLI_SHARE_TEXT])
{
    int places = 1; /* x is about 10^-places */
    while (places + DIGITS - 1 <= MOST && x * ten[places] < 1) places++;
    if (!(x < 1) || places + DIGITS - 1 > MOST)
        return out + snprintf(out, CLI_SHARE_TEXT, "%.6g", x);
    int n = round_product(x, places + DIGITS - 1);
    if (n == (int)ten[DIGITS]) { /* 0.9999999 is 1 */
        n = (int)ten[DIGITS - 1];
        places--;
    }
    char digit[DIGITS];
    const int count = digits_of(n, digit);
    if (places == 0)
        *out++ = '1';
    else if (places <= 4)
        out = write_fraction(digit, count, places, out);
    else
        out = write_scientific(digit, count, places, out);
    *out = 0;
    return out;
}
