/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Margins that are far from normal, of regressions of one level: cut points and the gaps between them, and two scales. Internal.
 */
#ifndef DLPI_REGRESSION_MARGINS_H
#define DLPI_REGRESSION_MARGINS_H

#include "regression/prepare/basis.h"
#include "regression/solve.h"

dlp_margin dlpi_normal_margin(double mean, double sd);

/* How many gaps between cut points were taken to have normal logarithms although these are
   too wide for that; widest: the largest of their sds. */
dlp_index dlpi_unfollowed_cuts(const dlp_regression_result *result, double *widest);

/* The means and sds of cut points and gaps, or of two scales, in mu (n) and Sigma (n, n), the posterior of glm, by their
   margins, where it has such and is fitted by the delta method. Of an ordinal one correlations stay, of the other all else
   given the scales. Where a margin cannot be followed they stay as they are. */
dlp_status dlpi_improve_moments(const dlpi_prepared *prepared, dlp_glm *glm, double *mu,
                                double *Sigma, dlpi_solution *end, dlp_error *error);

/* Of a regression with two scales margin (n): of the scales as they are, and of coefficients what mu and Sigma say. */
dlp_status dlpi_scale_margins(dlp_glm *glm, const double *mu, const double *Sigma,
                              dlp_margin *margin, dlp_error *error);

/* Of an ordinal regression margin (n): of cut points in the columns as they stand, where mu and Sigma are the posterior
   of these, and of coefficients what these say. at (n): the posterior mean in the basis, that glm has. */
dlp_status dlpi_cut_margins_by_rows(const dlpi_basis *basis, dlp_glm *glm,
                                    const double *at, const double *mu,
                                    const double *Sigma, dlp_margin *margin,
                                    dlp_error *error);

/* Where the parameters drawn (n) lie in their margins, as normal quantiles z (n). */
dlp_status dlpi_places_in_margins(dlp_glm *glm, const double *mu, const double *Sigma,
                                  const double *drawn, double *z, dlp_error *error);

#endif
