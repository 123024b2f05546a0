/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What draws of a mixed model are made of: points of its scales that weigh the same
 * (mixed/support.h), and the Gaussian of the coefficients at each,
 *
 *   beta | point ~ N(m, D R D),  D = diag(sd),
 *
 * with one R for all, by which their mixture has the mean and the covariance of the fit.
 * Internal.
 */
#ifndef DLPI_REGRESSION_SCALE_POINTS_H
#define DLPI_REGRESSION_SCALE_POINTS_H

#include <jansson.h>

#include "mixed/fit.h"
#include "regression/basis.h"
#include "regression/fit_values.h"
#include "regression/regression.h"

struct dlpi_scale_points {
    dlp_index n, m;          /* points, and numbers of each */
    const double *value;     /* (n, m) */
    const int32_t *gaussian; /* (n) which it has */
    dlp_index gaussians, p;  /* how many, of how many parameters: all but the scale */
    const double *mean, *sd; /* (gaussians, p) */
    const double *R;         /* (p, p) */
};

/* How many numbers a point of the regression has. */
dlp_index dlpi_scale_numbers(const dlp_regression_result *result);

/* From a fit, whose coefficients are moved to place (p) and then are those of the basis. */
dlp_status dlpi_scale_points_keep(const dlpi_basis *basis, const dlp_index *place,
                                  const dlpi_mixed_result *found, dlp_regression *out,
                                  dlp_error *error);

/* In FIT.json; files of older versions have none. */
int dlpi_fit_add_scale_points(const dlp_regression *r, json_t *root);
dlp_status dlpi_fit_read_scale_points(const dlpi_fit_reader *r);

#endif
