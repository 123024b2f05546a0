/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of smaller numbers, for FREX. Internal. */
#ifndef DLPI_TOPICS_TOPIC_WORDS_H
#define DLPI_TOPICS_TOPIC_WORDS_H

#include <delaplace/status.h>
#include <stdint.h>

/* A number by its bits, and where it stands. */
typedef struct dlpi_ranked {
    uint64_t bits;
    dlp_index at;
} dlpi_ranked;

/* share[i] = how many of x (n), none of them negative or NaN, are no larger than x[i],
   divided by n: the empirical distribution function. work (2 n). O(n). */
void dlpi_shares_below(dlp_index n, const double *x, dlpi_ranked *work, double *share);

#endif
