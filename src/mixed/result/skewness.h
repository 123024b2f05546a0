/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far the mean of beta is from its mode, given psi, and how much wider it is than the
 * curvature there says. To the next order the mean is at
 *
 *     mode + 1/2 S t,   t_i = sum_jk S_jk d^3 f / dx_i dx_j dx_k,
 *
 * of which beta_j's part is a derivative of -Tr{S H} along S e_j; and the sds are those by
 * the curvature at the mean, as in the paper's delta method; or, of crossed effects with few rows, to the
 * next order, too. Internal.
 */
#ifndef DLPI_MIXED_SKEWNESS_H
#define DLPI_MIXED_SKEWNESS_H

#include "mixed/block.h"

/* At psi, in sds of beta given psi, which differ little from one psi to another: shift (p)
   and stretch (p). Where the expansion cannot be trusted, 0 and 1: returns false. */
bool dlpi_mixed_skewness(dlpi_mixed_block *block, int threads, const double *psi,
                         bool is_crossed, double *shift, double *stretch);

#endif
