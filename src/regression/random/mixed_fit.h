/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression with random effects, from its prepared form to its result. Internal. */
#ifndef DLPI_REGRESSION_MIXED_FIT_H
#define DLPI_REGRESSION_MIXED_FIT_H

#include "infer/listener.h"
#include "regression/prepare/basis.h"
#include "regression/regression.h"

/* glm has the rows, in the basis, and the prior. Fills in the posterior of out: mu and
   Sigma in the variables of the basis, the random effects in the original ones. */
dlp_status dlpi_mixed_regression(const dlpi_prepared *prepared, const dlpi_basis *basis,
                                 dlp_glm *glm, int threads, dlpi_listener *listener,
                                 dlp_regression *out, dlp_error *error);

#endif
