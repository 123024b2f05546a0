/* SPDX-License-Identifier: BSD-3-Clause */
/* A random order. Internal. */
#ifndef DLPI_MATH_SHUFFLE_H
#define DLPI_MATH_SHUFFLE_H

#include <delaplace/random.h>

/* 0 to n - 1 into order (n), shuffled (Fisher & Yates). */
void dlpi_shuffle(dlp_index n, dlp_rng *rng, dlp_index *order);

#endif
