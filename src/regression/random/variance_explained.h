/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a response's variance coefficients and levels explain. Internal. */
#ifndef DLPI_REGRESSION_VARIANCE_EXPLAINED_H
#define DLPI_REGRESSION_VARIANCE_EXPLAINED_H

#include "regression/regression.h"

/* For a mixed model, into r->result.variance. O(N (p + q^2)). */
dlp_status dlpi_variance_explained(const dlpi_prepared *prepared, dlp_regression *r,
                                   dlp_error *error);
/* The shares from the variances, where there are any. */
void dlpi_variance_shares(dlp_variance_explained *v);

#endif
