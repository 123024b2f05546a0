/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of numbers, and the distinct ones of some. Internal. */
#ifndef DLPI_MATH_DISTINCT_H
#define DLPI_MATH_DISTINCT_H

#include <delaplace/status.h>

/* For qsort: doubles ascending. Numbers that are NaN have no order. */
int dlpi_ascending(const void *a, const void *b);

/* Sorts x (n), without NaN, and puts the distinct numbers first, ascending. Returns how many. */
dlp_index dlpi_distinct(dlp_index n, double *x);

#endif
