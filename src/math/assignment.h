/* SPDX-License-Identifier: BSD-3-Clause */
/* The assignment problem: pairs rows with columns one to one. Internal. */
#ifndef DLPI_MATH_ASSIGNMENT_H
#define DLPI_MATH_ASSIGNMENT_H

#include <delaplace/status.h>

/* match (n): assigns each row i of gain (n, n) its own column, so that the sum of gain[i
   n + match[i]] is largest. The numbers are finite. O(n^3). */
dlp_status dlpi_assign(dlp_index n, const double *gain, dlp_index *match,
                       dlp_error *error);

#endif
