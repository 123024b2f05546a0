/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression of freed columns (glm_freed.h) in the place of the raw ones: those are far
 * from 0 or nearly collinear, and take the digits that a fit needs. The prior is one of
 * independent coefficients there. The posterior is turned back into what was asked for;
 * the objective is the same, for R has determinant 1.
 */
#ifndef DLP_CLI_GLM_TURN_H
#define DLP_CLI_GLM_TURN_H

#include "cli/glm/rows.h"

typedef struct cli_glm_turn {
    cli_glm_rows rows;  /* as the caller's, but for the columns */
    double *X;          /* (p, N) */
    const double **x;   /* (p) */
    cli_glm_prior *own; /* (p) */
    /* what the fit has in the meantime not */
    cli_glm_prior *own_prior;
    double *prior_covariance;
} cli_glm_turn;

/* rows->freed is there. The fit's prior is the turn's until it is given back. */
dlp_status cli_glm_turn_take(const cli_glm_rows *rows, cli_glm_fit *fit,
                             cli_glm_turn *turn, dlp_error *error);
/* The prior as it was. */
void cli_glm_turn_give_back(const cli_glm_turn *turn, cli_glm_fit *fit);
/* The posteriors of the fit as if x had been fitted. */
dlp_status cli_glm_turn_posterior(const cli_glm_turn *turn, cli_glm_fit *fit,
                                  dlp_error *error);
void cli_glm_turn_clear(cli_glm_turn *turn);

#endif
