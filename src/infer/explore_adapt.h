/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Points for a non-normal density of five or more hyperparameters. The square root phi
 * of an sd is closer to normal than its logarithm, whose density falls slowly towards 0.
 * So the points are those of N(centre, spread spread') in phi: in the first round from
 * the shape around the mode, in the second from the mean and covariance of a polynomial
 * through the first points. Internal.
 */
#ifndef DLPI_INFER_EXPLORE_ADAPT_H
#define DLPI_INFER_EXPLORE_ADAPT_H

#include "infer/explore.h"
#include "infer/psi_polynomial.h"

/* Runs the rounds and evaluates their points; only the last round is weighted. *found
   false: there are no points, since no covariance is known. */
dlp_status dlpi_explore_adapt(dlpi_explore *e, bool *found, dlp_error *error);

/* phi (m) at zeta (m), and psi (m) there; returns log |dpsi / dphi|, NAN if an sd would
   be negative or nearly 0. */
double dlpi_adapted_psi(const dlpi_explore *e, const double *zeta, double *phi,
                        double *psi);
/* How far log p(phi) is from that of N(0, I) in zeta, from all points. */
dlp_status dlpi_adapted_polynomial(const dlpi_explore *e, dlpi_polynomial *p,
                                   dlp_error *error);

#endif
