/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The columns of a regression orthogonalised to their margins: x:yr less its regression on
 * x, yr and the intercept. With x'_j = sum_k R_jk x_k, R_jj = 1, the predictor is
 * sum_k beta_k x_k = sum_j beta'_j x'_j for beta = R'beta'. Internal.
 */
#ifndef DLPI_REGRESSION_ORTHOGONAL_H
#define DLPI_REGRESSION_ORTHOGONAL_H

#include "regression/prepare/intercept.h"
#include "table/design/margins.h"

/* Empty when zeroed. */
typedef struct dlpi_orthogonal {
    double *sd;     /* (p) sd of x'_j; 0 where it does not vary */
    double *spread; /* (p) the sd or, for an indicator, the distance of its values; or
                       1 */
    double *R;      /* (p, p + 1) the last column is of ones, for cut points */
} dlpi_orthogonal;

/* By least squares with the weights of the rows. A column of which nothing is left keeps
   what it has beyond the intercept. O(N q^2) for q margins. */
dlp_status dlpi_orthogonalise(const dlpi_prepared *prepared,
                              const dlpi_term_margins *margins,
                              const dlpi_intercept *intercept, dlpi_orthogonal *out,
                              dlp_error *error);
void dlpi_orthogonal_clear(dlpi_orthogonal *orthogonal);

#endif
