/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The covariates of a corpus' documents, from a table and a formula. Where the corpus
 * knows its documents' names and the table has a column "document", rows are found by
 * name; else row i is document i.
 */
#ifndef DLP_CLI_TOPICS_COVARIATES_H
#define DLP_CLI_TOPICS_COVARIATES_H

#include "cli/topics_folder.h"

/* Zeroed, there are none. */
typedef struct cli_covariates {
    dlp_table *table;
    dlp_design *design; /* its name and terms tell the columns */
    double *X;          /* (D, p) */
    dlp_covariates given;
} cli_covariates;

/* The columns of a formula, for a fit. */
dlp_status cli_covariates_build(const char *path, const char *formula,
                                const dlp_corpus *corpus, cli_covariates *covariates,
                                dlp_error *error);
/* The columns that a model has, for new documents. A model with covariates must have
   them: path NULL is then misuse; so is a path for a model without. */
dlp_status cli_covariates_rebuild(const char *path, const cli_topics_folder *folder,
                                  const dlp_corpus *corpus, cli_covariates *covariates,
                                  dlp_error *error);
/* NULL when there are none. */
const dlp_covariates *cli_covariates_of(const cli_covariates *covariates);
void cli_covariates_clear(cli_covariates *covariates);

#endif
