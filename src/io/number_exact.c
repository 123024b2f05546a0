/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of more than 19 digits that are so close to the midpoint of two doubles that 64
 * bits do not show on which side they lie. The number and the midpoint are both turned
 * into whole numbers and compared.
 */
#include "io/number.h"

#include <stdbool.h>

/*
 * The number is D 10^e, the middle M 2^k. A middle has at most 767 digits, so of D the
 * first 768 and whether anything follows decide: D < 10^769. The number is between
 * 10^-324 and 10^309, so that -e < 1093 and M 5^-e < 2^54 2^2538. The two sides are
 * about equal in the end, and neither passes 2^2600 on the way.
 */
enum { MOST_DIGITS = 768, LIMBS = 88 };

/* limb[0] + limb[1] 2^32 + ...; the limbs from `used` on are not set. */
struct whole {
    int used;
    uint32_t limb[LIMBS];
};

/* n = n factor + term */
static void multiply_add(struct whole *n, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (int i = 0; i < n->used; i++) {
        carry += (uint64_t)n->limb[i] * factor;
        n->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0) n->limb[n->used++] = (uint32_t)carry;
}

/* n = n base^power, by steps of base^step, the largest that fits a limb. */
static void multiply_power(struct whole *n, uint32_t base, int step, int64_t power)
{
    uint32_t large = 1;
    for (int i = 0; i < step; i++) large *= base;
    for (; power >= step; power -= step) multiply_add(n, large, 0);
    for (; power > 0; power--) multiply_add(n, base, 0);
}

static void multiply_power_of_two(struct whole *n, int64_t power)
{
    multiply_power(n, 2, 31, power);
}

static void multiply_power_of_five(struct whole *n, int64_t power)
{
    multiply_power(n, 5, 13, power);
}

static int compare(const struct whole *a, const struct whole *b)
{
    if (a->used != b->used) return a->used < b->used ? -1 : 1;
    for (int i = a->used - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* Reads D and adds to *exponent what is left out at its end. */
static struct whole read_digits(const char *at, const char *end, int64_t *exponent)
{
    struct whole D = {0};
    int digits = 0;
    bool more = false;
    for (; at < end; at++) {
        if (*at == '.' || (*at == '0' && digits == 0)) continue;
        if (digits < MOST_DIGITS) {
            multiply_add(&D, 10, (uint32_t)(*at - '0'));
            digits++;
        } else {
            more = more || *at != '0';
            ++*exponent;
        }
    }
    if (more) { /* a digit 1 for all of them, after the last one kept */
        multiply_add(&D, 10, 1);
        --*exponent;
    }
    return D;
}

/* The middle of a positive finite double and the next one is M 2^k. */
static struct whole middle_above(uint64_t bits, int64_t *k)
{
    const uint64_t hidden = (uint64_t)1 << 52;
    const uint64_t fraction = bits & (hidden - 1);
    const int64_t exponent = (int64_t)(bits >> 52);
    const uint64_t mantissa = exponent > 0 ? fraction | hidden : fraction;
    const uint64_t M = 2 * mantissa + 1;
    *k = (exponent > 0 ? exponent : 1) - 1023 - 52 - 1;
    struct whole middle = {.limb = {(uint32_t)M, (uint32_t)(M >> 32)}};
    middle.used = middle.limb[1] > 0 ? 2 : 1;
    return middle;
}

uint64_t dlpi_number_settle(const char *at, const char *end, int64_t exponent,
                            uint64_t below)
{
    struct whole number = read_digits(at, end, &exponent);
    int64_t k = 0;
    struct whole middle = middle_above(below, &k);

    /* D 10^e against M 2^k is D 5^e 2^(e-k) against M, or D 2^(e-k) against M 5^-e. */
    multiply_power_of_five(exponent > 0 ? &number : &middle,
                           exponent > 0 ? exponent : -exponent);
    const int64_t twos = exponent - k;
    multiply_power_of_two(twos > 0 ? &number : &middle, twos > 0 ? twos : -twos);

    const int order = compare(&number, &middle);
    const bool odd = below & 1;
    return below + (order > 0 || (order == 0 && odd));
}
