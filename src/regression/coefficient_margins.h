/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intervals of coefficients, and of a scale, that follow the skewness of their margins,
 * for regressions of one level. Means and sds stay those of the fit, since predictions
 * and queries use its Gaussian. Internal.
 */
#ifndef DLPI_REGRESSION_COEFFICIENT_MARGINS_H
#define DLPI_REGRESSION_COEFFICIENT_MARGINS_H

#include "glm/glm_state.h"
#include "regression/prepare/basis.h"

typedef struct dlpi_fitted_rows {
    const dlpi_basis *basis;
    dlp_glm *glm;             /* in the basis, */
    const double *at;         /* (n) the posterior mean there, */
    const double *mu, *Sigma; /* and the posterior in the original columns */
    bool propagated; /* by expectation propagation: with few rows for the columns */
} dlpi_fitted_rows;

/* Sets lower, median and upper of the skewed margins (n) of coefficients, and counts
   them. Margins that cannot be followed stay as they are. */
dlp_status dlpi_coefficient_margins(const dlpi_fitted_rows *of, dlp_margin *margin,
                                    dlp_index *skewed, dlp_error *error);

#endif
