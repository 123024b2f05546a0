/* SPDX-License-Identifier: BSD-3-Clause */
/* How precisely the mean that the groups of a hierarchy share is known. Internal. */
#ifndef DLPI_GLM_HIERARCHY_MEAN_H
#define DLPI_GLM_HIERARCHY_MEAN_H

#include <delaplace/status.h>

/*
 * The covariance of mu_0 given Sigma_0, with the theta_m integrated out, into C (n, n).
 * To q(theta_m) = N(mu_m, Sigma_m) the group's data are Gaussian with the precision A_m =
 * Sigma_m^-1 - P, P = Sigma_0^-1, so that they inform mu_0 with the precision (Sigma_0 +
 * A_m^-1)^-1 = P - P Sigma_m P:
 *
 *     C = (I / phi1 + M P - P (sum_m Sigma_m) P)^-1.
 *
 * For a gaussian regression these are the variances of the fixed effects of a linear mixed
 * model. Sigma holds the M covariances (M, n, n); work is (2, n, n).
 */
void dlpi_shared_mean_covariance(dlp_index n, dlp_index M, const double *P,
                                 const double *Sigma, double phi1, double *work,
                                 double *C);

#endif
