/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether a matrix can be a covariance. Internal. */
#ifndef DLPI_MATH_COVARIANCE_H
#define DLPI_MATH_COVARIANCE_H

#include <delaplace/status.h>
#include <stdbool.h>

/* Whether S (n, n), of finite numbers, is symmetric and positive semidefinite up to
   rounding: a variance may be 0 if its covariances are too. work (n, n). O(n^3). */
bool dlpi_is_covariance(dlp_index n, const double *S, double *work);

#endif
