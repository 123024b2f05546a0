/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Posteriors that are far from Gaussian: those of a long-tailed response with few rows,
 * and of counts that are all 0. The mean and the sds of a fit may be a quarter of an sd
 * off there, and draws around it give better ones. Internal.
 */
#ifndef DLPI_REGRESSION_IMPROVE_H
#define DLPI_REGRESSION_IMPROVE_H

#include "regression/solve.h"

/* Whether the response is all 0, or all successes, so that only the prior bounds a
   rate. */
bool dlpi_is_one_sided(const dlpi_prepared *prepared, const dlp_glm_data *rows);

/* Replaces mu (n), Sigma (n, n) and the evidence by those of draws, where they differ by
   more than the error of the draws and the draws are good. Elsewhere the fit is kept,
   which unlike draws does not depend on how columns are coded. over_df: for a student
   response. */
dlp_status dlpi_improve(const dlpi_prepared *prepared, const dlp_glm_data *rows,
                        bool over_df, double *mu, double *Sigma, dlpi_solution *end,
                        dlp_error *error);

#endif
