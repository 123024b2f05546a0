/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The columns of a regression freed of what they share with their parents: x:yr of its
 * regression on x, yr and the level. With x'_j = sum_k R_jk x_k, R_jj = 1, the predictor
 * is sum_k beta_k x_k = sum_j beta'_j x'_j for beta = R'beta'.
 */
#ifndef DLP_CLI_GLM_FREED_H
#define DLP_CLI_GLM_FREED_H

#include "cli/glm/stand_in.h"
#include "table/margins.h"

/* Zeroed, it is empty. */
typedef struct cli_glm_freed {
    double *sd;     /* (p) of x'_j; 0 where it does not vary */
    double *spread; /* (p) that or, of an indicator, the distance of its values; or 1 */
    double *R;      /* (p, p + 1) the last column is of ones, for cut points */
} cli_glm_freed;

/* By least squares with the weights of the rows. Where nothing is left of a column it keeps
   what it has from its level on. O(N q^2) for q parents. */
dlp_status cli_glm_free_columns(const dlp_glm_data *data, const dlp_design *design,
                                const dlpi_margins *margins,
                                const cli_glm_stand_in *level, cli_glm_freed *freed,
                                dlp_error *error);
void cli_glm_freed_clear(cli_glm_freed *freed);

#endif
