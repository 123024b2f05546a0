/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Anderson acceleration of an iteration over a Gaussian N(mean, covariance), such as the
 * shared prior of a hierarchy. With covariance = U'U, U upper triangular, it works on
 *
 *     mean_j / U_jj,   log U_jj,   U_ij / U_jj  (i < j):
 *
 * every point of that space is a Gaussian, so that a leap cannot lose positive
 * definiteness, and the units of the parameters cancel out. Internal.
 */
#ifndef DLPI_GLM_PRIOR_LEAP_H
#define DLPI_GLM_PRIOR_LEAP_H

#include "infer/anderson.h"

typedef struct dlpi_prior_leap {
    dlp_index n;
    dlpi_anderson anderson;
    double *from, *to, *next; /* (n + n (n+1)/2) coordinates */
    double *U;                /* (n, n) */
} dlpi_prior_leap;

dlp_status dlpi_prior_leap_alloc(dlpi_prior_leap *leap, dlp_index n, dlp_error *error);
void dlpi_prior_leap_free(dlpi_prior_leap *leap); /* fine on a zeroed or failed one */

/* Forgets the past. */
void dlpi_prior_leap_reset(dlpi_prior_leap *leap);
/* A plain iteration led from the first Gaussian to the second. Overwrites the second by
   where the iteration seems to end, and returns true; or leaves it, while the past does
   not tell. */
bool dlpi_prior_leap_next(dlpi_prior_leap *leap, const double *mean_before,
                          const double *covariance_before, double *mean,
                          double *covariance);

#endif
