/* SPDX-License-Identifier: BSD-3-Clause */
/* Covariates as commands name them: a table, its columns, and what to say of them. */
#ifndef DLP_CLI_TOPICS_COVARIATES_H
#define DLP_CLI_TOPICS_COVARIATES_H

#include <delaplace.h>
#include <stdio.h>

/* Zeroed, there are none. */
typedef struct cli_covariates {
    /* To be set before. One of cli_table_missing; NULL: the command has no such option, and
       a missing value is an error */
    const char *missing;
    const char *document;       /* --document; NULL: find the column */
    const unsigned char *among; /* (D) 0: a document that does not count; NULL: all do */
    const dlp_index *row;       /* (D) the table's row of each, where it is known */
    const char *references;     /* --reference; NULL: none */

    dlp_table *table;
    dlp_document_rows rows; /* where row was not known */
    dlp_document_covariates found;
} cli_covariates;

/* The message for --document without --covariates. */
extern const char cli_document_of_nothing[];

/* The columns of a formula, for a fit. */
dlp_status cli_covariates_build(const char *path, const char *formula,
                                const dlp_corpus *corpus, cli_covariates *covariates,
                                dlp_error *error);
/* The table alone, with the row of each document, covariates->rows.row. */
dlp_status cli_covariates_rows(const char *path, const dlp_corpus *corpus,
                               cli_covariates *covariates, dlp_error *error);
/* The columns that a model has, for new documents. A model with covariates must have
   them: path NULL is then misuse; so is a path for a model without, unless its words differ by
   group: then the table is read alone, as cli_covariates_rows does. */
dlp_status cli_covariates_rebuild(const char *path, const dlp_topic_model *model,
                                  const dlp_corpus *corpus, cli_covariates *covariates,
                                  dlp_error *error);
/* The same for the documents of the fit. */
dlp_status cli_covariates_own(const char *path, const dlp_topic_model *model,
                              cli_covariates *covariates, dlp_error *error);
/* NULL when there are none. */
const dlp_document_covariates *cli_covariates_of(const cli_covariates *covariates);
void cli_covariates_clear(cli_covariates *covariates);

/* dlp_covariates_drop */
dlp_status cli_covariates_drop(cli_covariates *covariates, dlp_corpus **corpus,
                               dlp_index *dropped, dlp_error *error);
/* A line that counts them, if there are any, and names the columns whose values the n
   covariates, of one table, miss. */
void cli_topics_print_dropped(FILE *out, dlp_index dropped, int n,
                              const cli_covariates *const covariates[]);

#endif
