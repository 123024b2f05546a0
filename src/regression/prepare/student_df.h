/* SPDX-License-Identifier: BSD-3-Clause */
/* The degrees of freedom of a student response, where none are stated. Internal. */
#ifndef DLPI_REGRESSION_STUDENT_DF_H
#define DLPI_REGRESSION_STUDENT_DF_H

#include "regression/solve.h"

/* Whether they are to be chosen: of one regression; of groups and random effects they are
   DLP_GLM_DF. */
bool dlpi_chooses_df(const dlpi_prepared *prepared);

/* Those of a few that have the highest evidence times Juarez and Steel's prior, Gamma(2,
   1/10), as rows->df; mu (n) and Sigma (n, n) are room. Where none can be fitted, rows->df
   stays. */
dlp_status dlpi_choose_df(const dlpi_prepared *prepared, dlp_glm_data *rows,
                          const dlp_settings *settings, double *mu, double *Sigma,
                          dlp_error *error);

#endif
