/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorting numbers, and finding the distinct ones. Internal. */
#ifndef DLPI_MATH_DISTINCT_H
#define DLPI_MATH_DISTINCT_H

#include <delaplace/status.h>

/* For qsort: doubles ascending. There must be no NaN. */
int dlpi_ascending(const void *a, const void *b);

/* Sorts x (n), without NaN, and puts the distinct numbers first, ascending. Returns how many. */
dlp_index dlpi_distinct(dlp_index n, double *x);

#endif
