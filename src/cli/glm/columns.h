/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The columns of a hierarchical regression from their means, in their standard deviations
 * (of indicators, in the distance of their values): what a hyperprior says of mu0 and Sigma0
 * is then about numbers of the order of one, whatever the units. The posterior is turned back into what was asked for. The paper's
 * hyperprior is about the columns as they stand.
 */
#ifndef DLP_CLI_GLM_COLUMNS_H
#define DLP_CLI_GLM_COLUMNS_H

#include "cli/glm/rows.h"

/* Zeroed, it changes nothing. */
typedef struct cli_glm_columns {
    dlp_index intercept; /* its column, or -1 */
    double *centre;      /* (p) x = centre + spread x' */
    double *spread;      /* (p) */
    double *X;           /* (p, N) x' */
    const double **x;    /* (blocks, p) as in cli_glm_rows */
} cli_glm_columns;

/* The column of the intercept, or -1. */
dlp_index cli_glm_intercept(const cli_glm_fit *fit);
/* The mean of column j, its standard deviation, and as its spread that or, of an indicator,
   the distance of its two values. Without an intercept to take it, the centre is 0, and an
   indicator one that has the value 0; a column that does not vary stays as it is. */
void cli_glm_measure(const dlp_glm_data *d, dlp_index j, dlp_index intercept,
                     double *centre, double *spread, double *sd);
/* Replaces rows->x, which the caller keeps. */
dlp_status cli_glm_columns_take(const cli_glm_fit *fit, cli_glm_rows *rows,
                                cli_glm_columns *columns, dlp_error *error);
/* The posteriors of the fit as if x had been fitted. */
void cli_glm_columns_give_back(const cli_glm_columns *columns, cli_glm_fit *fit);
void cli_glm_columns_clear(cli_glm_columns *columns);

#endif
