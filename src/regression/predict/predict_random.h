/* SPDX-License-Identifier: BSD-3-Clause */
/* What random effects add to the linear predictor of rows. Internal. */
#ifndef DLPI_REGRESSION_PREDICT_RANDOM_H
#define DLPI_REGRESSION_PREDICT_RANDOM_H

#include <delaplace/prediction.h>

#include "regression/random/process_of.h"

/* DLP_EINPUT where the design of new rows has other random effects than the fit, which
   happens only if its file was edited. */
dlp_status dlpi_check_random(const dlp_regression_result *fit, const dlp_design *design,
                             dlp_error *error);

/* Rows to predict. */
typedef struct dlpi_random_rows {
    const double *const *x; /* (p) columns, each (N), as in the fit */
    double *mean;           /* (N, D), D linear predictors */
    double *variance;       /* (N, D, D) */
    double *with_cuts;      /* (N, levels - 1) of an ordinal regression, else NULL */
} dlpi_random_rows;

/* Adds to mean and variance what turns those of x'beta into those of x'beta + z'b, and
   adds Cov[z'b, delta] to with_cuts. What is added to a variance may be negative, since
   effects may covary negatively with beta. O(p q) a row, and for two terms O(log of their
   pairs). *apart: how many rows have known levels that the fit has not seen together.
   DLP_ENOMEM. */
dlp_status dlpi_add_random(const dlp_regression_result *fit, const dlp_design *design,
                           dlp_effects_of effects, const dlpi_random_rows *rows,
                           int *apart, dlp_error *error);

/* The effects of a term in row i as a sum over levels, and the share of their variance
   that remains. */
dlpi_process_place dlpi_place_of(const dlp_random_effects *effects_of_term,
                                 const dlp_random *random, dlp_effects_of effects,
                                 dlp_index i);

#endif
