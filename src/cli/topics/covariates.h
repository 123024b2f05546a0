/* SPDX-License-Identifier: BSD-3-Clause */
/* Covariates for commands: the table, the columns, and the messages about them. */
#ifndef DLP_CLI_TOPICS_COVARIATES_H
#define DLP_CLI_TOPICS_COVARIATES_H

#include <delaplace.h>
#include <stdio.h>

/* Zeroed, there are none. */
typedef struct cli_covariates {
    /* The caller sets the fields from here to references. missing is one of
       cli_table_missing; NULL: the command has no such option, and a missing value is an
       error. */
    const char *missing;
    const char *document;       /* --document; NULL: find the column */
    const unsigned char *among; /* (D) 0: ignore the document; NULL: use all */
    const dlp_index *row;       /* (D) the table's row of each, if known */
    const char *references;     /* --reference; NULL: none */

    dlp_table *table;
    dlp_document_rows rows; /* if row was not known */
    dlp_document_covariates found;
} cli_covariates;

/* The error message for --document without --covariates. */
extern const char cli_document_of_nothing[];

/* Builds the columns of a formula, for a fit. */
dlp_status cli_covariates_build(const char *path, const char *formula,
                                const dlp_corpus *corpus, cli_covariates *covariates,
                                dlp_error *error);
/* Reads only the table, and finds the row of each document, covariates->rows.row. */
dlp_status cli_covariates_rows(const char *path, const dlp_corpus *corpus,
                               cli_covariates *covariates, dlp_error *error);
/* Builds the columns of a model for new documents. If the model has covariates, path
   NULL is misuse. If it has none, a path is misuse, unless the model's words differ by
   group: then this reads only the table, as cli_covariates_rows does. */
dlp_status cli_covariates_rebuild(const char *path, const dlp_topic_model *model,
                                  const dlp_corpus *corpus, cli_covariates *covariates,
                                  dlp_error *error);
/* The same for the documents of the fit. */
dlp_status cli_covariates_own(const char *path, const dlp_topic_model *model,
                              cli_covariates *covariates, dlp_error *error);
/* The covariates, or NULL when there are none. */
const dlp_document_covariates *cli_covariates_of(const cli_covariates *covariates);
void cli_covariates_clear(cli_covariates *covariates);

/* See dlp_covariates_drop. */
dlp_status cli_covariates_drop(cli_covariates *covariates, dlp_corpus **corpus,
                               dlp_index *dropped, dlp_error *error);
/* Prints how many documents were dropped, if any, and which columns of the n
   covariates, all from one table, have missing values. */
void cli_topics_print_dropped(FILE *out, dlp_index dropped, int n,
                              const cli_covariates *const covariates[]);

#endif
