/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fitted regression says of rows, block by block. */
#ifndef DLP_CLI_GLM_SCORE_H
#define DLP_CLI_GLM_SCORE_H

#include "cli/glm/rows.h"

/* Predictions of all rows in the order of the blocks; those not asked for are NULL. */
typedef struct cli_glm_scores {
    dlp_glm_prediction out;
    double *memory;
} cli_glm_scores;

/* Which of the outputs of dlp_glm_prediction to compute. */
typedef enum cli_glm_wanted {
    CLI_WANT_PREDICTIONS,  /* eta, means and intervals; or the levels' probabilities */
    CLI_WANT_OBSERVATIONS, /* the same, and intervals of new responses */
    CLI_WANT_SCORES        /* log densities; and means, or the levels' probabilities */
} cli_glm_wanted;

/* Computes them; scores->memory is to be freed. */
dlp_status cli_glm_score(const cli_glm_fit *fit, const cli_glm_rows *rows,
                         cli_glm_wanted wanted, cli_glm_scores *scores, dlp_error *error);

/* A fit, the rows it is applied to, and what it says of them. */
typedef struct cli_glm_applied {
    cli_glm_fit fit;
    cli_glm_rows rows;
    cli_glm_scores scores;
} cli_glm_applied;

/* Reads the fit, then the data, and computes what is wanted; for scores the data need
   the response, and for observations out of trials its columns. */
dlp_status cli_glm_apply(const char *fit_path, const cli_glm_source *source,
                         cli_glm_wanted wanted, cli_glm_applied *applied,
                         dlp_error *error);
/* Frees what it holds; fine on a half-built one. */
void cli_glm_applied_clear(cli_glm_applied *applied);

/* The level of the largest probability of a row; of equals, the first. */
dlp_index cli_glm_best_level(dlp_index levels, const double *probability);

/* glm_separation.c. Whether a fit tells the level of each of its own rows, or for each of
   its rows of trials that all of them end alike. False of families without levels. */
dlp_status cli_glm_separates(const cli_glm_fit *fit, const cli_glm_rows *rows,
                             bool *separates, dlp_error *error);

#endif
