/* SPDX-License-Identifier: BSD-3-Clause */
/* The column that is the x axis of a trend, for the documents of a fit. */
#include "cli/message.h"
#include "cli/report/page.h"
#include "cli/table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* "~`column`", with characters escaped that would end the name; to be freed. */
static char *formula_of(const char *column)
{
    char *formula = malloc(2 * strlen(column) + 8);
    if (!formula) return NULL;
    char *end = formula;
    *end++ = '~';
    *end++ = '`';
    for (; *column; column++) {
        if (*column == '`' || *column == '\\') *end++ = '\\';
        *end++ = *column;
    }
    *end++ = '`';
    *end = '\0';
    return formula;
}

static bool is_missing(const dlp_column *column, dlp_index row)
{
    return column->kind == DLP_NUMERIC ? isnan(column->number[row])
                                       : column->code[row] < 0;
}

static bool is_same(const dlp_column *column, dlp_index a, dlp_index b)
{
    return column->kind == DLP_NUMERIC ? column->number[a] == column->number[b]
                                       : column->code[a] == column->code[b];
}

/* How many different values the documents have in a column; 2 means 2 or more. */
static int count_values(const dlp_column *column, const dlp_index *row, dlp_index D)
{
    dlp_index first = -1;
    for (dlp_index d = 0; d < D; d++) {
        if (is_missing(column, row[d])) continue;
        if (first < 0) first = row[d];
        if (!is_same(column, first, row[d])) return 2;
    }
    return first >= 0 ? 1 : 0;
}

/* Refuses a column that does not exist, or over which there can be no trend. */
static dlp_status check_column(const cli_trend_source *source, const cli_covariates *c,
                               dlp_index D, dlp_error *error)
{
    const dlp_table *table = c->table;
    CLI_TRY(cli_table_check_column(table, source->path, "--by", source->column, error));
    const dlp_column *column = &table->column[dlp_table_find(table, source->column)];
    const dlp_index *row = c->row ? c->row : c->rows.row;
    const int values = row ? count_values(column, row, D) : 2;
    if (values == 2) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT, "%.400s: column '%.80s' is %s; take another for --by",
        source->path, column->name,
        values == 0 ? "empty for every document of the model"
                    : "the same in every document that has it, so there is no trend");
}

/* The user did not type the formula, so errors about the column itself come first. */
dlp_status cli_trend_column(const dlp_topic_model *model, const cli_trend_source *source,
                            cli_covariates *covariates, dlp_error *error)
{
    const dlp_corpus documents = dlp_topic_model_documents(model);
    dlp_error why = {0};
    *covariates = (cli_covariates){
        .document = source->document, .missing = source->missing, .row = source->row};
    char *formula = formula_of(source->column);
    if (!formula) {
        (void)dlp_fail(error, DLP_ENOMEM, "not enough memory for the trends");
        return DLP_ENOMEM; /* a constant, for static analysers */
    }
    const dlp_status status =
        cli_covariates_build(source->path, formula, &documents, covariates, &why);
    free(formula);
    if (covariates->table &&
        (status == DLP_OK || status == DLP_EINPUT || status == DLP_EFORMULA))
        CLI_TRY(check_column(source, covariates, documents.D, error));
    if (status != DLP_OK && error) *error = why;
    return status;
}
