/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/document_rows.h"

#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "document";

typedef struct labelled {
    char number[32]; /* the text of a number */
    const char *level;
    dlp_index row;
} labelled;

static const char *label_of(const labelled *l)
{
    return l->level ? l->level : l->number;
}

static int compare_labels(const void *a, const void *b)
{
    return strcmp(label_of(a), label_of(b));
}

/* The rows by the name of their document, sorted; to be freed. */
static labelled *label_rows(const dlp_column *column, dlp_index rows)
{
    labelled *label = calloc((size_t)rows, sizeof *label);
    for (dlp_index i = 0; label && i < rows; i++) {
        label[i].row = i;
        if (column->kind == DLP_NUMERIC)
            snprintf(label[i].number, sizeof label[i].number, "%.15g", column->number[i]);
        else
            label[i].level = column->code[i] >= 0 ? column->level[column->code[i]] : "";
    }
    if (label) qsort(label, (size_t)rows, sizeof *label, compare_labels);
    return label;
}

static dlp_status check_distinct(const labelled *label, dlp_index rows, dlp_error *error)
{
    for (dlp_index i = 1; i < rows; i++)
        if (!strcmp(label_of(&label[i - 1]), label_of(&label[i])))
            return dlp_fail(error, DLP_EINPUT,
                            "the document '%.80s' has more than one row; leave one",
                            label_of(&label[i]));
    return DLP_OK;
}

static dlp_status find_rows(const labelled *label, dlp_index rows,
                            const dlp_corpus *corpus, dlp_index *row, dlp_error *error)
{
    for (dlp_index d = 0; d < corpus->D; d++) {
        const labelled wanted = {.level = corpus->name[d]};
        const labelled *found =
            bsearch(&wanted, label, (size_t)rows, sizeof *label, compare_labels);
        if (!found)
            return dlp_fail(error, DLP_EINPUT,
                            "no row has the document '%.80s' in its column '%s'; each "
                            "document of the corpus needs one, if with empty fields",
                            corpus->name[d], key);
        row[d] = found->row;
    }
    return DLP_OK;
}

static dlp_status rows_by_name(const dlp_table *table, const dlp_column *column,
                               const dlp_corpus *corpus, dlp_index *row, dlp_error *error)
{
    labelled *label = label_rows(column, table->rows);
    if (!label) {
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory for documents' names");
        return DLP_ENOMEM; /* literally, for analysers */
    }
    dlp_status status = check_distinct(label, table->rows, error);
    if (status == DLP_OK) status = find_rows(label, table->rows, corpus, row, error);
    free(label);
    return status;
}

static dlp_status rows_in_order(const dlp_table *table, const dlp_corpus *corpus,
                                dlp_index *row, dlp_error *error)
{
    if (table->rows != corpus->D)
        return dlp_fail(
            error, DLP_EINPUT,
            "has %td rows, and the corpus %td documents; give a row for each, "
            "in their order, or names in a column '%s' and in the corpus",
            table->rows, corpus->D, key);
    for (dlp_index d = 0; d < corpus->D; d++) row[d] = d;
    return DLP_OK;
}

bool cli_document_rows_have_names(const dlp_table *table, const dlp_corpus *corpus)
{
    return corpus->name && dlp_table_find(table, key) >= 0;
}

dlp_status cli_document_rows(const dlp_table *table, const dlp_corpus *corpus,
                             dlp_index *row, dlp_error *error)
{
    if (!cli_document_rows_have_names(table, corpus))
        return rows_in_order(table, corpus, row, error);
    return rows_by_name(table, &table->column[dlp_table_find(table, key)], corpus, row,
                        error);
}
