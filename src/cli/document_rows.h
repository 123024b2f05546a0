/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which row of a table tells of which document of a corpus. Where the corpus knows its
 * documents' names and the table has a column "document", rows are found by name; else row
 * i is document i.
 */
#ifndef DLP_CLI_DOCUMENT_ROWS_H
#define DLP_CLI_DOCUMENT_ROWS_H

#include <delaplace.h>

#include <stdbool.h>

bool cli_document_rows_have_names(const dlp_table *table, const dlp_corpus *corpus);
/* row: room for corpus->D numbers, from 0. Each document must have a row. */
dlp_status cli_document_rows(const dlp_table *table, const dlp_corpus *corpus,
                             dlp_index *row, dlp_error *error);

#endif
