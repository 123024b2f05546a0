/* SPDX-License-Identifier: BSD-3-Clause */
/* Some of the rows of a table, as a table of their own. */
#include "table/table.h"

#include <math.h>
#include <string.h>

static dlp_index count_kept(dlp_index rows, const unsigned char *keep)
{
    dlp_index kept = 0;
    for (dlp_index i = 0; i < rows; i++) kept += keep[i] != 0;
    return kept;
}

/* All of them, in one block, pointers first: a level that no row has any more is a level
   still, as in the corpus of some documents all terms are. */
static dlp_status copy_levels(const dlp_column *from, dlp_column *to, dlp_error *error)
{
    const size_t pointers = (size_t)from->n_levels * sizeof *from->level;
    size_t bytes = 0;
    for (dlp_index k = 0; k < from->n_levels; k++) bytes += strlen(from->level[k]) + 1;
    to->level = dlpi_calloc((dlp_index)(pointers + bytes), 1);
    if (!to->level) return dlpi_no_memory(error, "the levels of a column");
    char *next = (char *)to->level + pointers;
    for (dlp_index k = 0; k < from->n_levels; k++) {
        const size_t size = strlen(from->level[k]) + 1;
        to->level[k] = memcpy(next, from->level[k], size);
        next += size;
    }
    to->n_levels = from->n_levels;
    return DLP_OK;
}

static dlp_status select_numbers(const dlp_table *table, const dlp_column *from,
                                 const unsigned char *keep, dlp_index kept,
                                 dlp_column *to, dlp_error *error)
{
    dlp_index next = 0;
    DLP_TRY(dlpi_column_hold_numbers(to, kept, error));
    for (dlp_index i = 0; i < table->rows; i++) {
        if (!keep[i]) continue;
        to->number[next++] = from->number[i];
        to->missing += isnan(from->number[i]) != 0;
    }
    return DLP_OK;
}

static dlp_status select_codes(const dlp_table *table, const dlp_column *from,
                               const unsigned char *keep, dlp_index kept, dlp_column *to,
                               dlp_error *error)
{
    dlp_index next = 0;
    DLP_TRY(dlpi_column_hold_codes(to, kept, error));
    DLP_TRY(copy_levels(from, to, error));
    for (dlp_index i = 0; i < table->rows; i++) {
        if (!keep[i]) continue;
        to->code[next++] = from->code[i];
        to->missing += from->code[i] < 0;
    }
    return DLP_OK;
}

static dlp_status select_column(const dlp_table *table, const dlp_column *from,
                                const unsigned char *keep, dlp_index kept, dlp_column *to,
                                dlp_error *error)
{
    to->name = strdup(from->name);
    if (!to->name) return dlpi_no_memory(error, "the columns of a table");
    if (from->kind == DLP_NUMERIC)
        return select_numbers(table, from, keep, kept, to, error);
    return select_codes(table, from, keep, kept, to, error);
}

static dlp_status select_rows(const dlp_table *table, const unsigned char *keep,
                              dlp_table *part, dlp_error *error)
{
    part->rows = count_kept(table->rows, keep);
    if (part->rows == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "none of the %td rows is selected; a table needs one",
                        table->rows);
    if (table->source && !(part->source = strdup(table->source)))
        return dlpi_no_memory(error, "a table");
    DLP_TRY(dlpi_table_add_columns(part, table->columns, "the table", error));
    for (dlp_index j = 0; j < table->columns; j++)
        DLP_TRY(select_column(table, &table->column[j], keep, part->rows,
                              &part->column[j], error));
    return DLP_OK;
}

dlp_status dlp_table_select(const dlp_table *table, const unsigned char *keep,
                            dlp_table **selected, dlp_error *error)
{
    if (selected) *selected = NULL;
    if (!table || !keep || !selected)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_table_select: needs a table, rows to keep, and room for "
                        "the result");
    dlp_table *part = dlpi_calloc(1, sizeof *part);
    if (!part) return dlpi_no_memory(error, "a table");
    const dlp_status status = select_rows(table, keep, part, error);
    if (status == DLP_OK)
        *selected = part;
    else
        dlp_table_free(part);
    return status;
}
