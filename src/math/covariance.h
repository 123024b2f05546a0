/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a matrix may be the covariance of something. Internal. */
#ifndef DLPI_MATH_COVARIANCE_H
#define DLPI_MATH_COVARIANCE_H

#include <delaplace/status.h>
#include <stdbool.h>

/* Whether S (n, n), of finite numbers, is symmetric and positive semidefinite, but for
   rounding: a variance may be 0, and its covariances are 0 then. work (n, n). O(n^3). */
bool dlpi_is_covariance(dlp_index n, const double *S, double *work);

#endif
