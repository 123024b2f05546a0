/* SPDX-License-Identifier: BSD-3-Clause */
/* The distinct ones of some numbers. Internal. */
#ifndef DLPI_MATH_DISTINCT_H
#define DLPI_MATH_DISTINCT_H

#include <delaplace/status.h>

/* Sorts x (n), without NaN, and puts the distinct numbers first, ascending. Returns how many. */
dlp_index dlpi_distinct(dlp_index n, double *x);

#endif
