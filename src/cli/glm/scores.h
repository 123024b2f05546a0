/* SPDX-License-Identifier: BSD-3-Clause */
/* How well fits predict rows that they have not seen: what 'glm compare' and 'glm cv'
   share. */
#ifndef DLP_CLI_GLM_SCORES_H
#define DLP_CLI_GLM_SCORES_H

#include "cli/options.h"

#include <delaplace.h>
#include <jansson.h>

/* {"value": ..., "se": ...} */
json_t *cli_score_json(dlp_score_sum sum);
/* Row by row: the table's row, from 1, its elpd and k. */
json_t *cli_score_rows_json(const dlp_scores *scores);

#define CLI_SCORE_DRAWS(at)                                                              \
    {                                                                                    \
        .name = "draws", .letter = 'n', .type = CLI_COUNT, .value = "N", .offset = (at), \
        .of_library = true, .min = 100, .max = 1e6,                                      \
        .help = "How many draws of each posterior to weight."                            \
    }
#define CLI_SCORE_ROWS(at)                                                               \
    {                                                                                    \
        .name = "rows", .offset = (at),                                                  \
        .help = "With --json: also the elpd and k of every row."                         \
    }

#endif
