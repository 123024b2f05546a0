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
#ifndef DLPI_MIXED_BEYOND_H
#define DLPI_MIXED_BEYOND_H

#include "mixed/block.h"

typedef struct dlpi_beyond {
    double log_p;    /* to be added to log p(y | psi); 0 where it is not known */
    bool is_trusted; /* it is small enough for the expansion to hold */
} dlpi_beyond;

/* After a search, by so many pairs of draws; x and what was found of leaves are others
   then. */
dlpi_beyond dlpi_mixed_beyond(dlpi_mixed_block *block, int pairs);

#endif
