/* SPDX-License-Identifier: BSD-3-Clause */
/* Priors stated for single coefficients, or for all together. Internal. */
#ifndef DLPI_REGRESSION_STATED_PRIOR_H
#define DLPI_REGRESSION_STATED_PRIOR_H

#include "regression/prepare/prepare.h"

/* Sets prior->each and prior->covariance where anything is stated about them; prior has
   sd and df, or its weak priors, for the other coefficients. A row of the table may name
   a column, or a term of the design, which means all its columns. */
dlp_status dlpi_stated_prior(const dlpi_prepared *prepared, dlpi_prior_choice *prior,
                             dlp_error *error);

#endif
