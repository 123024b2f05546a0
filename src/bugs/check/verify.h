/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the posterior that was found is the posterior: importance sampling around it.
 * psi and x are drawn from a t distribution about it, leaves and discrete nodes stay
 * integrated out, and a draw weighs as much as p is there more than the t. Internal.
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
    double pareto_k;          /* the shape of the weights' tail */
    double effective;         /* how many draws they are worth */
} dlpi_verified;

/* How many draws cost about so much time, which is counted and not measured, so that it is the
   same on any machine. 0: not enough to be of use. */
dlp_index dlpi_verify_affordable(const dlpi_groups *groups, double nanoseconds);

/* q is what was found. Leaves result zeroed where there is nothing to verify: no unknowns but
   leaves. */
dlp_status dlpi_verify(const dlpi_groups *groups, const dlpi_posterior *q,
                       const dlpi_verify_settings *settings, dlpi_verified *result,
                       dlp_error *error);
void dlpi_verified_clear(dlpi_verified *verified); /* fine on a zeroed or failed one */

#endif
