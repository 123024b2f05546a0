/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Minus the Hessian of log p(y | psi) of a Gaussian response, where psi consists of
 * logarithms of sds alone. It replaces differences of the gradient at 2 m other psi.
 * Internal.
 */
#ifndef DLPI_MIXED_INFORMATION_H
#define DLPI_MIXED_INFORMATION_H

#include "mixed/block.h"

/* Whether it is available, and whether exactly: that takes a dense curvature. */
bool dlpi_mixed_has_information(const dlpi_mixed *model, bool exactly);
/* Into I (m, m), after dlpi_mixed_block_gradient() at the same psi, which leaves S and
   sums. If not `exactly`, it is the mean of the observed and the expected information,
   which needs no traces of products and is never indefinite (average information:
   Gilmour, Thompson & Cullis, Biometrics 51, 1995). H and trial are overwritten. */
void dlpi_mixed_block_information(dlpi_mixed_block *block, bool exactly, double *I);

/* gradient.c. sum_r w_r (y - eta)^2 / sd^2 at the mode. */
double dlpi_mixed_block_squares(const dlpi_mixed_block *block);

#endif
