/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Anderson acceleration of an iteration over a Gaussian N(mean, covariance), such as the
 * shared prior of a hierarchy. With covariance = U'U, U upper triangular, it works on
 *
 *     mean_j / U_jj,   log U_jj,   U_ij / U_jj  (i < j):
 *
 * every point of that space is a Gaussian, so that a step cannot lose positive
 * definiteness, and the units of the parameters cancel out. Internal.
 */
#ifndef DLPI_INFER_ANDERSON_GAUSSIAN_H
#define DLPI_INFER_ANDERSON_GAUSSIAN_H

#include "infer/anderson.h"

typedef struct dlpi_anderson_gaussian {
    dlp_index n;
    dlpi_anderson anderson;
    double *from, *to, *next; /* (n + n (n+1)/2) coordinates */
    double *U;                /* (n, n) */
} dlpi_anderson_gaussian;

dlp_status dlpi_anderson_gaussian_alloc(dlpi_anderson_gaussian *a, dlp_index n,
                                        dlp_error *error);
void dlpi_anderson_gaussian_free(
    dlpi_anderson_gaussian *a); /* fine on a zeroed or failed one */

/* Forgets the past. */
void dlpi_anderson_gaussian_reset(dlpi_anderson_gaussian *a);
/* Call after a plain iteration from the first Gaussian to the second. Overwrites the
   second with the estimated fixed point and returns true; returns false and leaves it
   alone while there is too little history. */
bool dlpi_anderson_gaussian_next(dlpi_anderson_gaussian *a, const double *mean_before,
                                 const double *covariance_before, double *mean,
                                 double *covariance);

#endif
