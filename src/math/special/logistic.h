/* SPDX-License-Identifier: BSD-3-Clause */
/* The logistic function and its logarithm at once, which share an exponential. Internal. */
#ifndef DLPI_MATH_SPECIAL_LOGISTIC_H
#define DLPI_MATH_SPECIAL_LOGISTIC_H

#include <delaplace/status.h>

/* s (n) and log_s (n) of x (n): the bits of dlp_logistic_array and dlp_log_logistic_array. */
void dlpi_logistic_both(dlp_index n, const double *x, double *s, double *log_s);

/* The log likelihood of y (n), 0 or 1, where s(x) is the probability of 1: l = log s - (1
   - y) x, and its derivatives in x, l_x = y - s, l_xx = -s (1 - s), l_xxx = l_xx (1 - 2
   s). */
typedef struct dlpi_logistic_rows {
    double *l, *l_x, *l_xx, *l_xxx, *s; /* (n) */
} dlpi_logistic_rows;
void dlpi_logistic_likelihood(dlp_index n, const double *y, const double *x,
                              dlpi_logistic_rows to);

#endif
