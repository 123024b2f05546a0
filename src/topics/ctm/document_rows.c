/* SPDX-License-Identifier: BSD-3-Clause */
/* Which row of a table belongs to which document of a corpus. */
#include <delaplace/covariates.h>

#include "core/core.h"
#include "io/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "document";

enum { NUMBER = 32 };

typedef struct labelled {
    char number[NUMBER]; /* the text of a number */
    const char *text;    /* NULL: it is that number */
    dlp_index row;
} labelled;

static const char *label_of(const labelled *l)
{
    return l->text ? l->text : l->number;
}

static int compare_labels(const void *a, const void *b)
{
    return strcmp(label_of(a), label_of(b));
}

/* ---- names as a column has them ---- */

static labelled label_of_number(double x)
{
    labelled l = {.text = NULL};
    snprintf(l.number, sizeof l.number, "%.15g", x);
    return l;
}

/* A column of numbers does not know how they were written: "007" is 7 in it. */
static labelled label_of_name(const dlp_column *column, const char *name)
{
    char *end;
    const double x = dlpi_number_read(name, &end);
    if (column->kind == DLP_NUMERIC && end != name && !*end) return label_of_number(x);
    return (labelled){.text = name};
}

/* The rows by the name of their document, sorted; to be freed. */
static labelled *label_rows(const dlp_column *column, dlp_index rows)
{
    labelled *label = calloc((size_t)rows, sizeof *label);
    for (dlp_index i = 0; label && i < rows; i++) {
        if (column->kind == DLP_NUMERIC)
            label[i] = label_of_number(column->number[i]);
        else
            label[i].text = column->code[i] >= 0 ? column->level[column->code[i]] : "";
        label[i].row = i;
    }
    if (label) qsort(label, (size_t)rows, sizeof *label, compare_labels);
    return label;
}

/* Finds a label among sorted rows; NULL: none has it. *times: how many have it. */
static const labelled *find_label(const labelled *label, dlp_index rows,
                                  const labelled *wanted, dlp_index *times)
{
    const labelled *found =
        bsearch(wanted, label, (size_t)rows, sizeof *label, compare_labels);
    *times = 0;
    if (!found) return NULL;
    const labelled *first = found, *last = found;
    while (first > label && !compare_labels(first - 1, found)) first--;
    while (last < label + rows - 1 && !compare_labels(last + 1, found)) last++;
    *times = last - first + 1;
    return found;
}

/* ---- the column ---- */

/* Whether the column can have the documents' names, so that it is worth sorting. */
static bool may_name(const dlp_column *column, const dlp_corpus *corpus)
{
    if (column->kind == DLP_CATEGORICAL) return column->n_levels > 1 || corpus->D == 1;
    return label_of_name(column, corpus->name[0]).text == NULL;
}

/* How many documents the column names in exactly one row. */
static dlp_status count_named(const dlp_table *table, const dlp_column *column,
                              const dlp_corpus *corpus, dlp_index *named,
                              dlp_error *error)
{
    *named = 0;
    if (!may_name(column, corpus)) return DLP_OK;
    labelled *label = label_rows(column, table->rows);
    if (!label) return dlpi_no_memory(error, "documents' names");
    for (dlp_index d = 0; d < corpus->D; d++) {
        const labelled wanted = label_of_name(column, corpus->name[d]);
        dlp_index times;
        (void)find_label(label, table->rows, &wanted, &times);
        *named += times == 1;
    }
    free(label);
    return DLP_OK;
}

/* The column that names most documents, if any. */
static dlp_status find_column(const dlp_table *table, const dlp_corpus *corpus,
                              dlp_document_rows *found, dlp_error *error)
{
    for (dlp_index j = 0; j < table->columns && found->named < corpus->D; j++) {
        dlp_index named;
        DLP_TRY(count_named(table, &table->column[j], corpus, &named, error));
        if (named <= found->named) continue;
        found->named = named;
        found->candidate = j;
    }
    return DLP_OK;
}

/* 'corpus build' gives such names to documents without names of their own. */
static bool are_numbers(const dlp_corpus *corpus)
{
    bool same = true;
    for (dlp_index d = 0; d < corpus->D && same; d++) {
        char number[NUMBER];
        snprintf(number, sizeof number, "%td", d + 1);
        same = !strcmp(corpus->name[d], number);
    }
    return same;
}

/* The column with the names by which rows are found, or -1. */
static dlp_status choose_column(const dlp_table *table, const dlp_corpus *corpus,
                                const char *asked, dlp_document_rows *found,
                                dlp_error *error)
{
    if (!corpus->name || corpus->D == 0) return DLP_OK;
    found->column = dlp_table_find(table, asked ? asked : key);
    if (found->column >= 0) return DLP_OK;
    DLP_TRY(find_column(table, corpus, found, error));
    const bool own = table->rows != corpus->D || !are_numbers(corpus);
    if (own && found->named == corpus->D) found->column = found->candidate;
    return DLP_OK;
}

/* ---- the rows ---- */

static dlp_status find_rows(const labelled *label, dlp_index rows,
                            const dlp_column *column, const dlp_corpus *corpus,
                            dlp_index *row, dlp_error *error)
{
    for (dlp_index d = 0; d < corpus->D; d++) {
        const labelled wanted = label_of_name(column, corpus->name[d]);
        dlp_index times;
        const labelled *found = find_label(label, rows, &wanted, &times);
        if (!found)
            return dlp_fail(
                error, DLP_EINPUT,
                "no row has the document '%.80s' in its column '%.80s'; each document of "
                "the corpus needs one, even if its fields are empty",
                corpus->name[d], column->name);
        if (times > 1)
            return dlp_fail(error, DLP_EINPUT,
                            "the document '%.80s' has more than one row; keep one",
                            corpus->name[d]);
        row[d] = found->row;
    }
    return DLP_OK;
}

static dlp_status rows_by_name(const dlp_table *table, const dlp_column *column,
                               const dlp_corpus *corpus, dlp_index *row, dlp_error *error)
{
    labelled *label = label_rows(column, table->rows);
    if (!label) return dlpi_no_memory(error, "documents' names");
    const dlp_status status = find_rows(label, table->rows, column, corpus, row, error);
    free(label);
    return status;
}

static dlp_status check_asked(const dlp_table *table, const dlp_corpus *corpus,
                              const char *asked, dlp_error *error)
{
    if (!asked) return DLP_OK;
    if (!corpus->name)
        return dlp_fail(
            error, DLP_EINVAL,
            "column '%.80s' should have the documents' names, but the corpus has none",
            asked);
    return dlp_table_find(table, asked) >= 0
               ? DLP_OK
               : dlp_fail(error, DLP_EINPUT, "the table has no column '%.80s'", asked);
}

static dlp_status take_rows(const dlp_table *table, const dlp_corpus *corpus,
                            dlp_document_rows *rows, dlp_error *error)
{
    if (rows->column < 0 && table->rows != corpus->D) return DLP_OK;
    rows->row = dlpi_calloc(corpus->D, sizeof *rows->row);
    if (!rows->row) return dlpi_no_memory(error, "documents' rows");
    if (rows->column >= 0)
        return rows_by_name(table, &table->column[rows->column], corpus, rows->row,
                            error);
    for (dlp_index d = 0; d < corpus->D; d++) rows->row[d] = d;
    return DLP_OK;
}

dlp_status dlp_document_rows_find(const dlp_table *table, const dlp_corpus *corpus,
                                  const char *column, dlp_document_rows *rows,
                                  dlp_error *error)
{
    *rows = (dlp_document_rows){.column = -1, .candidate = -1};
    DLP_TRY(check_asked(table, corpus, column, error));
    dlp_status status = choose_column(table, corpus, column, rows, error);
    if (status == DLP_OK) status = take_rows(table, corpus, rows, error);
    if (status != DLP_OK) dlp_document_rows_free(rows);
    return status;
}

void dlp_document_rows_free(dlp_document_rows *rows)
{
    free(rows->row);
    *rows = (dlp_document_rows){.column = -1, .candidate = -1};
}
