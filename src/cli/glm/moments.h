/* SPDX-License-Identifier: BSD-3-Clause */
/* How the numbers of a column lie, by the weights of their rows. */
#ifndef DLP_CLI_GLM_MOMENTS_H
#define DLP_CLI_GLM_MOMENTS_H

#include <delaplace.h>
#include <stdbool.h>

/* x (N): the mean of x, and of (x - centre)^2. */
double cli_glm_mean(const dlp_glm_data *d, const double *x);
double cli_glm_variance(const dlp_glm_data *d, const double *x, double centre);

/* The distance between the two values of a column that has no others where rows count;
   else 0. Such a column is an indicator, whatever the share of its rows: where nothing
   takes its level, one that has the value 0. */
double cli_glm_step(const dlp_glm_data *d, const double *x, bool centred);

#endif
