/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Points for a density of five hyperparameters or more that is not normal. Of an sd the square root, phi,
 * is nearer to normal than its logarithm, whose density falls slowly towards 0: points are those of
 * N(centre, spread spread') in phi, first by what the mode and its surroundings tell, then by what a
 * polynomial through the first of them says of mean and covariance. Internal.
 */
#ifndef DLPI_INFER_EXPLORE_ADAPT_H
#define DLPI_INFER_EXPLORE_ADAPT_H

#include "infer/explore.h"
#include "infer/psi_polynomial.h"

/* Both rounds of points, evaluated; the second alone weighs. *found false: there are none, since
   nothing is known of a covariance. */
dlp_status dlpi_explore_adapt(dlpi_explore *e, bool *found, dlp_error *error);

/* phi (m) at zeta (m), and psi (m) there; returns log |dpsi / dphi|, NAN: there is no such sd. */
double dlpi_adapted_psi(const dlpi_explore *e, const double *zeta, double *phi,
                        double *psi);
/* How far log p(phi) is from that of N(0, I) in zeta, by all points. */
dlp_status dlpi_adapted_polynomial(const dlpi_explore *e, dlpi_polynomial *p,
                                   dlp_error *error);

#endif
