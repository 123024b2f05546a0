/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Margins that are far from normal, in regressions of one level: cut points and the gaps
 * between them, and two scales. Internal.
 */
#ifndef DLPI_REGRESSION_MARGINS_H
#define DLPI_REGRESSION_MARGINS_H

#include "regression/prepare/basis.h"
#include "regression/solve.h"

dlp_margin dlpi_normal_margin(double mean, double sd);

/* The number of gaps between cut points whose logarithms were treated as normal although
   they are too wide for that; widest: the largest of their sds. */
dlp_index dlpi_unfollowed_cuts(const dlp_regression_result *result, double *widest);

/* Replaces the means and sds of cut points and gaps, or of two scales, in mu (n) and
   Sigma (n, n), the posterior of glm, by those of their margins, if it has such
   parameters and is fitted by the delta method. An ordinal model keeps its correlations;
   one with two scales keeps everything else given the scales. Where a margin cannot be
   followed they stay as they are. */
dlp_status dlpi_improve_moments(const dlpi_prepared *prepared, dlp_glm *glm, double *mu,
                                double *Sigma, dlpi_solution *end, dlp_error *error);

/* margin (n) for a regression with two scales: those of the scales themselves, and those
   of coefficients from mu and Sigma. */
dlp_status dlpi_scale_margins(dlp_glm *glm, const double *mu, const double *Sigma,
                              dlp_margin *margin, dlp_error *error);

/* margin (n) for an ordinal regression: those of cut points in the original columns,
   where mu and Sigma are the posterior, and those of coefficients from mu and Sigma. at
   (n): the posterior mean in glm's basis. */
dlp_status dlpi_cut_margins_by_rows(const dlpi_basis *basis, dlp_glm *glm,
                                    const double *at, const double *mu,
                                    const double *Sigma, dlp_margin *margin,
                                    dlp_error *error);

/* The positions of the drawn parameters (n) in their margins, as normal quantiles z
   (n). */
dlp_status dlpi_places_in_margins(dlp_glm *glm, const double *mu, const double *Sigma,
                                  const double *drawn, double *z, dlp_error *error);

#endif
