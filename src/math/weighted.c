/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/weighted.h"
#include "math/distinct.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = 6, VALUES = 1 << DIGIT, MANY = 256 };

/* Two distinct values, such as 0 and 1, need no sorting. false: there are more. */
static bool part_two(dlp_index n, dlpi_weighted *w)
{
    dlp_index first = 1, low = 0;
    while (first < n && w[first].value == w[0].value) first++;
    if (first >= n) return true;
    const double a = w[0].value, b = w[first].value, least = a < b ? a : b;
    for (dlp_index i = first; i < n; i++)
        if (w[i].value != a && w[i].value != b) return false;
    for (dlp_index i = 0; i < n; i++)
        if (w[i].value == least) {
            const dlpi_weighted other = w[low];
            w[low++] = w[i];
            w[i] = other;
        }
    return true;
}

/* An integer with the same order as the numbers; 0 and -0 are equal. */
static uint64_t key_of(double value)
{
    const double one = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &one, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static size_t digit_of(double value, int digit)
{
    return (size_t)(key_of(value) >> (DIGIT * digit)) % VALUES;
}

/* Sorts `from` into `to` by one digit; count (VALUES) holds how often each digit
   occurs. */
static void move_by_digit(dlp_index n, int digit, const dlp_index *count,
                          const dlpi_weighted *from, dlpi_weighted *to)
{
    dlp_index place[VALUES], sum = 0;
    for (int v = 0; v < VALUES; v++) {
        place[v] = sum;
        sum += count[v];
    }
    for (dlp_index i = 0; i < n; i++)
        to[place[digit_of(from[i].value, digit)]++] = from[i];
}

/* Radix sort of the keys, least significant digit first: several times as fast as
   comparisons. false without memory. */
static bool sort_by_digits(dlp_index n, dlpi_weighted *w)
{
    dlp_index(*count)[VALUES] = calloc(DIGITS, sizeof *count);
    dlpi_weighted *room = malloc((size_t)n * sizeof *room), *from = w, *to = room;
    const bool fine = count && room;
    for (dlp_index i = 0; fine && i < n; i++)
        for (int d = 0; d < DIGITS; d++) count[d][digit_of(w[i].value, d)]++;
    for (int d = 0; fine && d < DIGITS; d++) {
        if (count[d][digit_of(from[0].value, d)] == n) continue; /* all have the same */
        move_by_digit(n, d, count[d], from, to);
        dlpi_weighted *other = from;
        from = to;
        to = other;
    }
    if (fine && from != w) memcpy(w, from, (size_t)n * sizeof *w);
    free(count);
    free(room);
    return fine;
}

void dlpi_weighted_sort(dlp_index n, dlpi_weighted *w)
{
    if (n > 1 && part_two(n, w)) return;
    if (n >= MANY && sort_by_digits(n, w)) return;
    qsort(w, (size_t)n, sizeof *w, dlpi_ascending); /* the value comes first */
}

double dlpi_weighted_quantile(dlp_index n, const dlpi_weighted *w, double p)
{
    double sum = 0.5 * w[0].weight;
    if (p <= sum) return w[0].value;
    for (dlp_index i = 1; i < n; i++) {
        const double step = 0.5 * (w[i - 1].weight + w[i].weight);
        if (sum + step >= p && step > 0)
            return w[i - 1].value + (p - sum) / step * (w[i].value - w[i - 1].value);
        sum += step;
    }
    return w[n - 1].value;
}
