/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which row of a table tells of which document of a corpus. Where the corpus knows its
 * documents' names, rows are found by name: in the column that the user tells, in one
 * called "document", or in one that has each name once. Else row i is document i.
 */
#ifndef DLP_CLI_TOPICS_DOCUMENT_ROWS_H
#define DLP_CLI_TOPICS_DOCUMENT_ROWS_H

#include <delaplace.h>

/* A column with the names of a corpus' documents. */
typedef struct cli_document_column {
    dlp_index index; /* in the table; -1: rows are in the documents' order */
    dlp_index guess; /* the column that has most of the names, where one was looked for;
                        -1: none has any */
    dlp_index named; /* how many it has once */
} cli_document_column;

/* asked: what --document says, a column of the table; NULL: nothing. Names that are no
   more than the documents' numbers in their order are no reason to leave that order. */
dlp_status cli_document_column_find(const dlp_table *table, const dlp_corpus *corpus,
                                    const char *asked, cli_document_column *column,
                                    dlp_error *error);
/* row: room for corpus->D numbers, from 0. Each document must have a row. */
dlp_status cli_document_rows(const dlp_table *table, const dlp_corpus *corpus,
                             const cli_document_column *column, dlp_index *row,
                             dlp_error *error);
/* Says how the rows of the table at path were found, where the user did not tell. */
void cli_document_rows_note(const dlp_table *table, const dlp_corpus *corpus,
                            const cli_document_column *column, const char *path,
                            const char *asked);

#endif
