/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariates of a corpus' documents, from a table (document_rows.h) and a formula. */
#ifndef DLP_CLI_TOPICS_COVARIATES_H
#define DLP_CLI_TOPICS_COVARIATES_H

#include "cli/topics/folder.h"

/* Zeroed, there are none. */
typedef struct cli_covariates {
    /* To be set before. One of cli_table_missing; NULL: the command has no such option, and
       a missing value is an error */
    const char *missing;
    const char *document; /* --document: the column of the documents' names; NULL: find it
                             (document_rows.h) */
    const unsigned char *among; /* (D) 0: a document that does not count; NULL: all do */
    dlp_index left_out; /* of the documents of a fit: how many it left out for missing
                           values; a table in their order may have those rows, too */

    dlp_index *row; /* (D) the table's row of each; found unless set before */
    dlp_table *table;
    dlp_design *design;   /* its name and terms tell the columns */
    double *X;            /* (D, p) */
    unsigned char *known; /* (D) whether a document counts and misses no value */
    dlp_covariates given;
} cli_covariates;

/* What to say of --document without --covariates. */
extern const char cli_document_of_nothing[];

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
