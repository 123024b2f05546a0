/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A double as "%.17g" prints it. x 10^k, with k such that it has 17 digits before the
 * point, is a product of 64 and 128 bits. The power of ten is cut to 128 bits, which
 * changes at most the last of the 128 bits of the product that are kept. If that could
 * change a digit, the C library prints the number.
 */
#include "io/number.h"
#include "io/number_tables.h"
#include "io/product.h"

#include <langinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 17 };
static const uint64_t TEN_TO_16 = 10000000000000000, TEN_TO_17 = 100000000000000000;

/* floor(log2(10^q)) and about floor(log10(2^q)), for every q of a double */
static int log2_of_power_of_ten(int q)
{
    const int positive = 2048; /* the shift should not see a negative number */
    return ((217706 * q + 65536 * positive) >> 16) - positive;
}

static int log10_of_power_of_two(int q)
{
    const int positive = 2048;
    return (int)(((int64_t)78913 * q + ((int64_t)positive << 18)) >> 18) - positive;
}

/* The nearest whole number to M 2^e 10^k, M's first bit set, if it is below 2^58; 0 where
   that is not sure. */
static uint64_t scaled(uint64_t M, int e, int k)
{
    const struct dlpi_wide first =
                               dlpi_multiply(M, powers_of_five[k - SMALLEST_POWER].high),
                           more =
                               dlpi_multiply(M, powers_of_five[k - SMALLEST_POWER].low);
    const uint64_t low = first.low + more.high, high = first.high + (low < more.high);
    const int below =
        -1 - e - log2_of_power_of_ten(k); /* bits of `high` behind the point */
    if (below < 6 || below > 20) return 0;
    const uint64_t part = high & (((uint64_t)1 << below) - 1),
                   half = (uint64_t)1 << (below - 1);
    const bool near_half =
        (part == half && low < 4) || (part == half - 1 && low > UINT64_MAX - 4);
    return near_half ? 0 : (high >> below) + (part >= half);
}

/* 17 digits of x > 0, x = d.dd... 10^exponent; false: not known. */
static bool find_digits(double x, char digit[DIGITS], int *exponent)
{
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52);
    if (biased == 0 || biased == 0x7ff) return false;
    const uint64_t M = (bits << 11) | (uint64_t)1 << 63;
    const int e = biased - 1023 - 63;
    int E = log10_of_power_of_two(biased - 1023);
    if (DIGITS - 1 - E > LARGEST_POWER || DIGITS - 2 - E < SMALLEST_POWER) return false;
    uint64_t D = scaled(M, e, DIGITS - 1 - E);
    if (D >= TEN_TO_17) D = scaled(M, e, DIGITS - 1 - ++E);
    if (D < TEN_TO_16 || D >= TEN_TO_17) return false;
    for (int i = DIGITS - 1; i >= 0; i--, D /= 10) digit[i] = (char)('0' + D % 10);
    *exponent = E;
    return true;
}

static char *put(char *to, const char *from, int n)
{
    memcpy(to, from, (size_t)n);
    return to + n;
}

void dlpi_number_print(double x, char text[DLPI_NUMBER_PRINT])
{
    char digit[DIGITS], *at = text;
    int exponent, n = DIGITS;
    if (!find_digits(x < 0 ? -x : x, digit, &exponent) || exponent < -4 ||
        exponent >= DIGITS) {
        snprintf(text, DLPI_NUMBER_PRINT, "%.17g", x);
        dlpi_number_point(text);
        return;
    }
    while (n > 1 && digit[n - 1] == '0') n--;
    const int whole = exponent + 1; /* digits before the point */
    if (x < 0) *at++ = '-';
    if (whole <= 0) at = put(put(at, "0.", 2), "0000", -whole);
    if (whole > 0) at = put(at, digit, whole);
    if (whole > 0 && n > whole) *at++ = '.';
    if (n > whole)
        at = put(at, digit + (whole > 0 ? whole : 0), n - (whole > 0 ? whole : 0));
    *at = '\0';
}

void dlpi_number_point(char *text)
{
    const char *point = nl_langinfo(RADIXCHAR);
    const size_t size = strlen(point);
    char *at = size > 0 && strcmp(point, ".") != 0 ? strstr(text, point) : NULL;
    if (!at) return;
    *at = '.';
    memmove(at + 1, at + size, strlen(at + size) + 1);
}

void dlpi_number_put(FILE *out, int digits, double x)
{
    char text[DLPI_NUMBER_PRINT + 16];
    snprintf(text, sizeof text, "%.*g", digits < 17 ? digits : 17, x);
    dlpi_number_point(text);
    fputs(text, out);
}
