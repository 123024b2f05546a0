/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far the mean of beta is from its mode, given psi, and how much wider it is than the
 * curvature there says. To the next order the mean is at
 *
 *     mode + 1/2 S t,   t_i = sum_jk S_jk d^3 f / dx_i dx_j dx_k,
 *
 * of which beta_j's part is a derivative of -Tr{S H} along S e_j; and the sds are those
 * of the curvature at the mean, as in the paper's delta method or, for crossed effects
 * with few rows, to the next order as well. Internal.
 */
#ifndef DLPI_MIXED_SKEWNESS_H
#define DLPI_MIXED_SKEWNESS_H

#include "mixed/block.h"

/* The lean of beta_j is the third derivative of -log p along S e_j, per sd: the skewness of its density
   given psi, to leading order.

   At psi: shift (p) and stretch (p), in sds of beta given psi, which hardly vary with
   psi. Where the expansion cannot be trusted, they are 0 and 1 and this returns false.
   *lean is the largest of a coefficient outside smooths, INFINITY where shift or stretch
   cannot be trusted. */
bool dlpi_mixed_skewness(dlpi_mixed_block *block, int threads, const double *psi,
                         bool is_crossed, double *shift, double *stretch, double *lean);

#endif
