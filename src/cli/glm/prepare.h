/* SPDX-License-Identifier: BSD-3-Clause */
/* From what is typed to what a fit starts from. */
#ifndef DLP_CLI_GLM_PREPARE_H
#define DLP_CLI_GLM_PREPARE_H

#include "cli/glm/prior.h"
#include "cli/glm/rows.h"

/* The regression that is asked for, in words; NULL where nothing is said. */
typedef struct cli_glm_request {
    const char *formula;
    const char *data, *format;
    const char *missing; /* one of cli_table_missing */
    const char *family, *link;
    const char *levels;     /* the response's, in their order: "low,middle,high" */
    const char *references; /* of factors, as glm_reference.h has them */
    const char *group;      /* a column */
    const char *weights;    /* a column */
    const char *hyperprior; /* "weak", "paper", or NULL: weak */
    const char *scale;      /* "shared", "by-group", or NULL: shared */
    cli_glm_stated_prior prior;
} cli_glm_request;

/*
 * Reads the table and makes the rows of the regression; sets the fit's formula, terms,
 * family, link, columns, shape and prior, with defaults of prior_sd, nu, phi0 and phi1
 * where they are 0. The fit's method and grouping are set already.
 */
dlp_status cli_glm_prepare(const cli_glm_request *asked, const dlp_formula *formula,
                           cli_glm_rows *rows, cli_glm_fit *fit, dlp_error *error);

#endif
