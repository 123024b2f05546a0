/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decimal to double in two steps. The digits are read eight at a time. Their product
 * with a power of ten is then rounded as Eisel and Lemire do it: 128 bits of the power
 * decide for every number of up to 19 digits (Mushtak and Lemire, "Fast number parsing
 * without fallback", 2023), and for nearly all longer ones. number_exact.c does the
 * rest.
 */
#include "io/number.h"

#include "io/number_tables.h"
#include "io/product.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* As many digits as a uint64_t always holds. */
enum { MOST_DIGITS = 19 };

/* ---- from w 10^q to a double ---- */

/* w 5^q, w's first bit set: 128 bits, of which the first 55 are always right. */
static inline struct dlpi_wide times_power_of_five(uint64_t w, int q)
{
    const uint64_t undecided = ((uint64_t)1 << 9) - 1;
    const int i = q - SMALLEST_POWER;
    struct dlpi_wide p = dlpi_multiply(w, powers_of_five[i].high);
    /* The power's low half matters only where it may carry into the 55 bits. */
    if ((p.high & undecided) == undecided) {
        const uint64_t more = dlpi_multiply(w, powers_of_five[i].low).high;
        p.low += more;
        p.high += p.low < more;
    }
    return p;
}

/* floor(log2(10^q)) for every q of the table. */
static inline int log2_of_power_of_ten(int q)
{
    const int positive = 2048; /* the shift should not see a negative number */
    return ((217706 * q + 65536 * positive) >> 16) - positive;
}

static const uint64_t infinity_bits = (uint64_t)0x7ff << 52;

/* The double nearest to w 10^q, w > 0, as bits. */
static inline uint64_t nearest_bits(uint64_t w, int64_t q)
{
    if (q < SMALLEST_POWER) return 0;
    if (q > LARGEST_POWER) return infinity_bits;
    const int zeros = __builtin_clzll(w);
    const struct dlpi_wide p = times_power_of_five(w << zeros, (int)q);
    const int upper = (int)(p.high >> 63);
    const int exponent = log2_of_power_of_ten((int)q) + 63 + upper - zeros + 1023;
    const int shift = upper + 9;
    uint64_t mantissa = p.high >> shift; /* 53 bits and one to round by */

    if (exponent <= 0) { /* subnormal: 19 digits are never half-way between two */
        const int lost = 1 - exponent;
        mantissa = lost < 54 ? mantissa >> lost : 0;
        return (mantissa + (mantissa & 1)) >> 1;
    }
    /* Half-way is possible only for these q, and rounds to the even one. */
    const bool half_way = q >= -4 && q <= 23 && p.low == 0 && mantissa << shift == p.high;
    if (half_way && (mantissa & 3) == 1) mantissa--;
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    /* The mantissa's first bit adds one to the exponent; so does a carry into 2^53. */
    const uint64_t bits = ((uint64_t)(exponent - 1) << 52) + mantissa;
    return bits < infinity_bits ? bits : infinity_bits;
}

/* ---- from text to w 10^q ---- */

/* Eight bytes, the first one lowest. Compilers make one instruction of it. */
static inline uint64_t load_eight(const unsigned char *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
           (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
           (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* The last bytes of the text, and zeros after them. */
static uint64_t load_last(const char *at, const char *end)
{
    unsigned char b[8] = {0};
    memcpy(b, at, (size_t)(end - at));
    return load_eight(b);
}

/* The number that eight digits make, each in its byte. */
static inline uint64_t eight_digits(uint64_t digits)
{
    digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
    digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffff;
    return (digits * 10000 + (digits >> 32)) & 0xffffffff;
}

/* Appends the digits at `at` to *w, modulo 2^64, and returns where they end. The end is
   computed, not searched for byte by byte: processors cannot predict it. */
static inline const char *take_digits(const char *at, const char *end, uint64_t *w)
{
    static const uint64_t power_of_ten[] = {1,     10,     100,     1000,
                                            10000, 100000, 1000000, 10000000};
    const uint64_t ones = 0x0101010101010101;
    for (;;) {
        const uint64_t bytes =
            end - at >= 8 ? load_eight((const unsigned char *)at) : load_last(at, end);
        const uint64_t digits = bytes ^ '0' * ones; /* 0..9, if they are */
        const uint64_t others =
            (((digits & 0x7f * ones) + (0x80 - 10) * ones) | digits) & 0x80 * ones;
        if (others == 0) {
            *w = *w * 100000000 + eight_digits(digits);
            at += 8;
            continue;
        }
        const int n = __builtin_ctzll(others) / 8;
        if (n == 0) return at;
        *w = *w * power_of_ten[n] + eight_digits(digits << (64 - 8 * n));
        return at + n;
    }
}

/* A number as it is written. */
struct decimal {
    const char *first, *last; /* its digits, with a point among them */
    bool negative;
    int64_t digits;   /* how many */
    int64_t exponent; /* of ten, when the digits are read as a whole number */
    uint64_t w;       /* that whole number modulo 2^64 */
};

/* Reads an exponent such as "e-5", if a complete one is there. */
static inline const char *take_exponent(const char *at, const char *end,
                                        int64_t *exponent)
{
    const int64_t most = (int64_t)1 << 50; /* more than digits can make up for */
    const char *p = at;
    if (p == end || (*p | 0x20) != 'e') return at;
    p++;
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *const first = p;
    int64_t sum = 0;
    for (; p < end && (unsigned char)(*p - '0') < 10; p++)
        if (sum < most) sum = 10 * sum + (*p - '0');
    if (p == first) return at;
    *exponent += negative ? -sum : sum;
    return p;
}

static inline const char *scan_decimal(const char *at, const char *end, struct decimal *d)
{
    const char sign = at < end ? *at : '\0';
    d->negative = sign == '-';
    at += (sign == '-') | (sign == '+'); /* no branch: signs are unpredictable */
    d->first = at;
    d->w = 0;
    d->exponent = 0;
    for (; at < end && (unsigned char)(*at - '0') < 10; at++)
        d->w = 10 * d->w + (uint64_t)(*at - '0');
    d->digits = at - d->first;
    if (at < end && *at == '.') {
        const char *const point = at++;
        at = take_digits(at, end, &d->w);
        d->exponent = point + 1 - at;
        d->digits -= d->exponent;
    }
    d->last = at;
    return d->digits > 0 ? take_exponent(at, end, &d->exponent) : NULL;
}

/* More digits than w holds: there may be fewer significant ones, or the first 19
   decide. */
static uint64_t long_number_bits(struct decimal d)
{
    const char *at = d.first;
    for (; at < d.last && (*at == '0' || *at == '.'); at++) d.digits -= *at == '0';
    if (d.digits <= MOST_DIGITS) return d.w ? nearest_bits(d.w, d.exponent) : 0;

    uint64_t w = 0;
    const char *p = at;
    for (int taken = 0; taken < MOST_DIGITS; p++) {
        if (*p == '.') continue;
        w = 10 * w + (uint64_t)(*p - '0');
        taken++;
    }
    const int64_t q = d.exponent + d.digits - MOST_DIGITS;
    const uint64_t below = nearest_bits(w, q);
    if (below == nearest_bits(w + 1, q)) return below;
    return dlpi_number_settle(at, d.last, d.exponent, below);
}

/* ---- infinity ---- */

static bool begins_with(const char *at, const char *end, const char *word)
{
    for (; *word; word++, at++)
        if (at == end || (*at | 0x20) != *word) return false;
    return true;
}

static const char *scan_infinity(const char *at, const char *end)
{
    if (!begins_with(at, end, "inf")) return NULL;
    return at + (begins_with(at, end, "infinity") ? 8 : 3);
}

const char *dlpi_number_scan(const char *at, const char *end, double *value)
{
    struct decimal d;
    uint64_t bits;
    const char *after = scan_decimal(at, end, &d);
    if (!after) {
        after = scan_infinity(d.first, end);
        if (!after) return NULL;
        bits = infinity_bits;
    } else if (d.digits <= MOST_DIGITS) {
        bits = d.w ? nearest_bits(d.w, d.exponent) : 0;
    } else {
        bits = long_number_bits(d);
    }
    bits |= (uint64_t)d.negative << 63;
    memcpy(value, &bits, sizeof bits);
    return after;
}

double dlpi_number_read(const char *text, char **end)
{
    const char *at = text;
    double value = 0;
    while (*at == ' ' || *at == '\t') at++;
    const char *stop = dlpi_number_scan(at, at + strlen(at), &value);
    *end = (char *)(stop ? stop : text);
    return value;
}
