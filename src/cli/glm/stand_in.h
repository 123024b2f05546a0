/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What takes the level of the linear predictor: the intercept; the cut points of an ordinal
 * regression; without either, a factor that is coded in full, one of whose indicators is 1
 * in every row.
 */
#ifndef DLP_CLI_GLM_STAND_IN_H
#define DLP_CLI_GLM_STAND_IN_H

#include "cli/glm/fit.h"

/* Columns [first, first + n) of the data, n being 0 where nothing takes it. Cut points are
   column p, behind the others. */
typedef struct cli_glm_stand_in {
    dlp_index first, n;
    dlp_index term; /* of a factor; -1 */
} cli_glm_stand_in;

/* O(N p). The columns of the data are the last p of the design. */
cli_glm_stand_in cli_glm_stand_in_of(const dlp_glm_data *data, const dlp_design *design,
                                     const cli_glm_fit *fit);
bool cli_glm_stands_in(const cli_glm_stand_in *level, dlp_index j);

#endif
