/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What WinBUGS reads otherwise than JAGS. A model that JAGS would refuse is read once more
 * this way; one that JAGS accepts never is. Internal to src/language.
 */
#ifndef DLPI_BUGS_WINBUGS_H
#define DLPI_BUGS_WINBUGS_H

#include "language/graph_owner.h"

/* How to read a model. All zeros: as JAGS does. */
typedef struct dlpi_manner {
    /* Where 1:n-1 first occurs, which is 1:(n-1) then; JAGS takes it for (1:n)-1. Line 0:
       ranges are as in JAGS. */
    dlpi_position loose_range;
    uint8_t *moved; /* (relations) as if it stood in data{}; NULL: none */
} dlpi_manner;

/* The relations that would have to stand in data{} so that nothing is defined twice and
   nothing depends on itself: y[i] <- sqrt(x[i]) beside y[i] ~ dnorm(mu, tau). They need
   values of the data alone. NULL: that is not what is wrong, or memory ran out. The
   caller frees it. */
uint8_t *dlpi_winbugs_transforms(const dlpi_owner *owner, const dlpi_data *data,
                                 const dlpi_diagnostics *found);

/* Says what was read otherwise than JAGS would or, if there are errors, what may be the
   reason for them. */
void dlpi_winbugs_warn(const dlpi_owner *owner, const dlpi_manner *manner,
                       dlpi_diagnostics *found);

#endif
