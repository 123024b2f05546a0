/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Least squares of many responses on the same covariates, from sums over rows. Internal.
 *
 * Covariates after the intercept are centred and divided by their standard deviation
 * first, z = (x - center) / unit: otherwise a column of years, and its square, would
 * leave the normal equations without correct digits.
 */
#ifndef DLPI_TOPICS_EFFECTS_REGRESSION_H
#define DLPI_TOPICS_EFFECTS_REGRESSION_H

#include <delaplace/topics.h>

typedef struct dlpi_regression {
    const dlp_covariates *covariates;
    double *center, *unit; /* (p) 0 and 1 for the intercept */
    double *U;             /* (p, p) Z'Z = U'U */
    double *spread; /* (p, p) of the coefficients: their covariance is spread sigma^2 */
    double *work;   /* (2, p, p) */
} dlpi_regression;

/* The covariates must outlive it. Refuses constant columns, columns that follow from
   others, and fewer rows than p + 1. */
dlp_status dlpi_regression_alloc(const dlp_covariates *covariates, dlpi_regression *r,
                                 dlp_error *error);
void dlpi_regression_free(dlpi_regression *r); /* fine on a zeroed or failed one */

/* "covariate 3", or "covariate 3, 'year'," where it has a name. */
enum { DLPI_COVARIATE_TEXT = 160 };
void dlpi_covariate_text(const dlp_covariates *covariates, dlp_index j,
                         char text[DLPI_COVARIATE_TEXT]);

/* Row d as z (p). */
void dlpi_regression_row(const dlpi_regression *r, dlp_index d, double *z);

/* From Zy (p) = sum_d z_d y_d, which becomes the coefficients of the covariates as they
   were given. Returns how much of sum_d y_d^2 the regression explains. */
double dlpi_regression_solve(const dlpi_regression *r, double *Zy);

#endif
