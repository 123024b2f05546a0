/* SPDX-License-Identifier: BSD-3-Clause */
/* The prior that a command line states for single coefficients, or for all together. */
#ifndef DLP_CLI_GLM_PRIOR_H
#define DLP_CLI_GLM_PRIOR_H

#include "cli/glm/fit.h"

/* As asked for; NULL or 0 where nothing is said. */
typedef struct cli_glm_stated_prior {
    const char *file;       /* CSV: term,mean,sd,df */
    const char *covariance; /* CSV: Sigma_0, its columns named as the coefficients */
    double intercept_sd;
} cli_glm_stated_prior;

/* Sets fit->own_prior and fit->prior_covariance where anything is stated. The fit has its
   columns, and prior_sd and prior_df for the coefficients of which nothing is said. A
   line of the file may name a column, or a term of the design, which is all its columns.
 */
dlp_status cli_glm_prior_take(const cli_glm_stated_prior *stated,
                              const dlp_design *design, cli_glm_fit *fit,
                              dlp_error *error);

#endif
