/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the posterior that we found by importance sampling. psi and x are drawn from a t
 * distribution around it, leaves and discrete nodes stay integrated out, and the weight
 * of a draw is the ratio of p to the t density. Internal.
 */
#ifndef DLPI_BUGS_VERIFY_H
#define DLPI_BUGS_VERIFY_H

#include "bugs/posterior/posterior.h"

typedef struct dlpi_verify_settings {
    int threads;
    dlp_index draws; /* how many */
    uint64_t seed;
    dlpi_listener *listener;
    const bool *wanted; /* (n_cells) leaves that have to be drawn; NULL: all */
} dlpi_verify_settings;

typedef struct dlpi_verified {
    dlpi_posterior posterior; /* its draws, with weights */
    double pareto_k;          /* tail shape of the weights */
    double effective;         /* effective number of draws */
    double evaluations;       /* of the density, on average for a draw */
} dlpi_verified;

/* How many draws cost about this much time. The cost is counted, not measured, so that it
   is the same on every machine. 0: too few to be of use. */
dlp_index dlpi_verify_affordable(const dlpi_groups *groups, double nanoseconds);

/* q is the posterior that we found. Leaves the result zeroed if there is nothing to
   verify: no unknowns except leaves. */
dlp_status dlpi_verify(const dlpi_groups *groups, const dlpi_posterior *q,
                       const dlpi_verify_settings *settings, dlpi_verified *result,
                       dlp_error *error);
void dlpi_verified_clear(dlpi_verified *verified); /* fine on a zeroed or failed one */

#endif
