/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Student-t priors as Gaussian ones that have the same effect on the posterior's moments:
 * expectation propagation (Minka, UAI 2001). The curvature of a Student-t at its mode says
 * little of its width, and where the data say nothing of a coefficient its width is all
 * there is. Internal.
 */
#ifndef DLPI_GLM_STUDENT_SITES_H
#define DLPI_GLM_STUDENT_SITES_H

#include "glm/prior.h"

#include <stdbool.h>

enum { DLPI_SITE_NODES = 128 };

typedef struct dlpi_student_sites {
    const double *mean, *sd, *df; /* (n) the priors as they are stated */
    dlpi_prior *prior;            /* (n) the Gaussians in their places */
    double log_ratio; /* what the evidence under the one has over that of the other */
    double mismatch;  /* how far the moments are from agreeing, in sds */
    /* A Student-t is a Gaussian whose precision, by 1/sd^2, is lambda: for one df */
    double of_df;
    double log_weight[DLPI_SITE_NODES];
    double variance[DLPI_SITE_NODES]; /* 1/lambda */
} dlpi_student_sites;

/* Whether a prior has Student-ts. */
bool dlpi_student_sites_any(const dlpi_prior *stated);
/* Begins with Gaussians of the same means and variances in the places of the Student-ts of
   prior, of which stated is the original, kept by reference. The variances must exist: df
   > 2. */
void dlpi_student_sites_start(dlpi_student_sites *sites, const dlpi_prior *stated,
                              dlpi_prior *prior);
/* The posterior under prior was N(mu, C), C (n, n): sets log_ratio and mismatch for it,
   and moves prior to where they agree. */
void dlpi_student_sites_update(dlpi_student_sites *sites, const double *mu,
                               const double *C);

#endif
