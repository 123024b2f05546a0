/* SPDX-License-Identifier: BSD-3-Clause */
/* The logistic function and its logarithm at once, which share an exponential. Internal. */
#ifndef DLPI_MATH_SPECIAL_LOGISTIC_H
#define DLPI_MATH_SPECIAL_LOGISTIC_H

#include <delaplace/status.h>

/* s (n) and log_s (n) of x (n): the bits of dlp_logistic_array and dlp_log_logistic_array. */
void dlpi_logistic_both(dlp_index n, const double *x, double *s, double *log_s);

#endif
