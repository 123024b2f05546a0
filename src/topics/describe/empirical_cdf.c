/* SPDX-License-Identifier: BSD-3-Clause */
/* The empirical distribution function, by a radix sort: topics are sorted twice each, over
   the whole vocabulary, and comparisons would cost more than all else. */
#include "topics/describe/topic_words.h"

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 6, BUCKETS = 1 << DIGIT_BITS };

static dlp_index digit_of(uint64_t bits, int digit)
{
    return (dlp_index)((bits >> (digit * DIGIT_BITS)) & (BUCKETS - 1));
}

/* One pass from the least digit upwards; false when all numbers have the same digit, and
   nothing was moved. */
static int sort_by_digit(dlp_index n, int digit, const dlpi_ranked *from, dlpi_ranked *to)
{
    dlp_index start[BUCKETS + 1] = {0};
    for (dlp_index i = 0; i < n; i++) start[digit_of(from[i].bits, digit) + 1]++;
    if (start[digit_of(from[0].bits, digit) + 1] == n) return 0;
    for (dlp_index b = 0; b < BUCKETS; b++) start[b + 1] += start[b];
    for (dlp_index i = 0; i < n; i++)
        to[start[digit_of(from[i].bits, digit)]++] = from[i];
    return 1;
}

void dlpi_shares_below(dlp_index n, const double *x, dlpi_ranked *work, double *share)
{
    dlpi_ranked *from = work, *to = work + n;
    if (n == 0) return;
    /* The bits of numbers that are not negative are in the order of the numbers. */
    for (dlp_index i = 0; i < n; i++) {
        const double positive = x[i] + 0.0; /* -0 becomes 0 */
        memcpy(&from[i].bits, &positive, sizeof positive);
        from[i].at = i;
    }
    for (int digit = 0; digit < DIGITS; digit++)
        if (sort_by_digit(n, digit, from, to)) {
            dlpi_ranked *sorted = to;
            to = from;
            from = sorted;
        }
    for (dlp_index i = 0, end = 0; i < n; i = end) {
        while (end < n && from[end].bits == from[i].bits) end++;
        for (dlp_index j = i; j < end; j++) share[from[j].at] = (double)end / (double)n;
    }
}
