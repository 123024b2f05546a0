/* SPDX-License-Identifier: BSD-3-Clause */
/* Points that represent N(0, I) in several dimensions: the mean of a smooth function over
   them is closer to its expectation than over as many draws. Internal. */
#ifndef DLPI_MATH_NORMAL_LATTICE_H
#define DLPI_MATH_NORMAL_LATTICE_H

#include <delaplace/status.h>

/* z (D, n), one row per dimension; n is an odd prime, or 1: the origin. The points
   include each one's mirror image. O(D n^2), the same bits each time. */
dlp_status dlpi_normal_lattice(int n, dlp_index D, double *z, dlp_error *error);

#endif
