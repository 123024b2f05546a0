/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces Student-t priors by Gaussian ones that have the same effect on the posterior's
 * moments: expectation propagation (Minka, UAI 2001). The curvature of a Student-t at its
 * mode says little about its width, and where the data say nothing about a coefficient,
 * that width is all that is known. Internal.
 */
#ifndef DLPI_GLM_STUDENT_SITES_H
#define DLPI_GLM_STUDENT_SITES_H

#include "glm/prior.h"

#include <stdbool.h>

typedef struct dlpi_student_sites {
    const double *mean, *sd, *df; /* (n) the priors as stated */
    dlpi_prior *prior;            /* (n) the Gaussians in their places */
    double log_ratio; /* log evidence under the stated priors, less that under `prior` */
    double mismatch;  /* how far the moments are from agreeing, in sds */
    double damping;   /* sites move this share of the way: all move at once, and would
                         overshoot */
} dlpi_student_sites;

/* Whether any prior is a Student-t. */
bool dlpi_student_sites_any(const dlpi_prior *stated);
/* Starts with Gaussians in place of prior's Student-ts, with the same means and, for df
   from 2.5 on, the same variances. `stated` is the original prior, kept by
   reference. */
void dlpi_student_sites_start(dlpi_student_sites *sites, const dlpi_prior *stated,
                              dlpi_prior *prior);
/* Given that the posterior under `prior` was N(mu, C), C (n, n): sets log_ratio and
   mismatch for it, and moves `prior` to where the moments agree. */
void dlpi_student_sites_update(dlpi_student_sites *sites, const double *mu,
                               const double *C);

#endif
