/* SPDX-License-Identifier: BSD-3-Clause */
/* The degrees of freedom of a student response, where none are stated. Internal. */
#ifndef DLPI_REGRESSION_STUDENT_DF_H
#define DLPI_REGRESSION_STUDENT_DF_H

#include "regression/solve.h"

/* The points at which they are tried, and the logarithms of the prior's weights there. */
enum { DLPI_DF_POINTS = 13 };
double dlpi_df_at(int k);
double dlpi_df_log_prior(int k);

/* Whether they are integrated out: in a single regression; with groups or random effects
   they are fixed at DLP_GLM_DF. */
bool dlpi_integrates_df(const dlpi_prepared *prepared);

/* The posterior with them integrated out: the moments mu (n) and Sigma (n, n) of the fits
   at all points, weighted by their evidence. rows->df becomes exp of the mean of log
   df. */
dlp_status dlpi_integrate_df(const dlpi_prepared *prepared, dlp_glm_data *rows,
                             const dlp_settings *settings, struct dlpi_comm *comm,
                             int threads, double *mu, double *Sigma, dlpi_solution *end,
                             dlp_error *error);

#endif
