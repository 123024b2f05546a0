/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Laplace's approximation of the integral over x leaves out, to the next order: with
 * d = f(x) - f(mode) + 1/2 (x - mode)'H (x - mode) under N(mode, H^-1), E[exp d] is about
 *
 *   exp{E[d] + 1/2 Var[d]},
 *
 * which are the terms f_4 S S / 8 and f_3 f_3 S S S (1/8 + 1/12) of the usual expansion, for
 * any pattern of x. Expectations are means over a few draws, each with its mirror image, the
 * same at every psi: what they miss hardly varies with psi. Internal.
 */
#ifndef DLPI_MIXED_LAPLACE_CORRECTION_H
#define DLPI_MIXED_LAPLACE_CORRECTION_H

#include "mixed/block.h"

typedef struct dlpi_beyond {
    double log_p;    /* to be added to log p(y | psi); 0 where it is not known */
    bool is_trusted; /* it is small enough for the expansion to hold */
} dlpi_beyond;

/* Call after a search, with so many pairs of draws; the workspace of the leaves is
   overwritten. If shift is not NULL: how far the means of x (n) and of the leaves'
   effects (L, q) are from the mode. */
dlpi_beyond dlpi_mixed_beyond(dlpi_mixed_block *block, int pairs, double *shift);

/* The part of that shift that does not follow beta, whose mean is corrected separately:
   shift less Cov[., beta] Var[beta]^-1 times beta's. Call after a search. */
void dlpi_mixed_beyond_beta(dlpi_mixed_block *block, double *shift);

#endif
