/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The moments of a mixture of Gaussians over (theta, tau), with tau constant in each.
 * Components are added one by one and not stored. Internal.
 */
#ifndef DLPI_INFER_MIXTURE_H
#define DLPI_INFER_MIXTURE_H

#include <delaplace/status.h>

typedef struct dlpi_mixture {
    dlp_index n;     /* of theta and tau */
    double top, sum; /* the highest density so far; sums are scaled by exp(-top) */
    double *origin;  /* (n) a point near all (m, tau) */
    double *off;     /* (n) (m, tau) - origin */
    double *mean;    /* (n) sum of off */
    double *square;  /* (n, n) sum of C + off off', the upper triangle */
} dlpi_mixture;

dlp_status dlpi_mixture_alloc(dlpi_mixture *x, dlp_index n, dlp_error *error);
void dlpi_mixture_free(dlpi_mixture *x); /* fine on a zeroed or failed one */

void dlpi_mixture_clear(dlpi_mixture *x);
/* theta ~ N(m, C) at tau, with the density exp(L). */
void dlpi_mixture_add(dlpi_mixture *x, const double *m, const double *C, double tau,
                      double L);
/* The mean mu (n) and the covariance Sigma (n, n) of the components, at least one. */
void dlpi_mixture_moments(const dlpi_mixture *x, double *mu, double *Sigma);
/* The same without tau: mu (n - 1), Sigma (n - 1, n - 1); room (n, n + 1). Returns the
   log evidence. */
double dlpi_mixture_posterior(const dlpi_mixture *x, double *room, double *mu,
                              double *Sigma);

#endif
