/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a table, while it is made. */
#include "table/table.h"

#include "core/spill.h"

#include <inttypes.h>
#include <string.h>

/* A column takes memory of its own, and a text can ask for one with each byte. */
static const dlp_index most_columns = 10000000;

dlp_status dlpi_table_add_columns(dlp_table *table, dlp_index columns, const char *name,
                                  dlp_error *error)
{
    if (columns > most_columns)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has %td columns and a table may have %td; check the "
                        "separator or leave some out",
                        name, columns, most_columns);
    table->column = dlpi_calloc(columns, sizeof *table->column);
    if (!table->column) return dlpi_no_memory(error, "the columns of a table");
    table->columns = columns;
    return DLP_OK;
}

dlp_status dlpi_table_name(dlp_table *table, dlp_index j, struct dlpi_string_set *names,
                           const char *name, size_t length, const struct dlpi_scan *s,
                           dlp_error *error)
{
    int32_t code = 0;
    DLP_TRY(dlpi_string_set_add(names, name, length, &code, error));
    if (code < j) {
        char quoted[64];
        dlpi_quote(name, length, quoted, sizeof quoted);
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: columns %" PRId32
                        " and %td are both called %s; give "
                        "each column a name of its own",
                        s->name, s->line, code + 1, j + 1, quoted);
    }
    char *copy = malloc(length + 1);
    if (!copy) return dlpi_no_memory(error, "the columns of a table");
    memcpy(copy, name, length);
    copy[length] = '\0';
    table->column[j].name = copy;
    return DLP_OK;
}

dlp_status dlpi_table_check_shape(const char *name, dlp_index rows, dlp_index columns,
                                  size_t bytes, dlp_error *error)
{
    const int64_t always = (int64_t)1 << 20, never = (int64_t)1 << 31, each = 1000;
    const int64_t size = (int64_t)bytes;
    int64_t most = size < never / each ? each * size : never;
    if (most < always) most = always;
    if (most < size) most = size;
    if (columns <= most / (rows + 16)) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "%s: %td rows and %td columns are too many to keep with their zeros; "
                    "a text of %zu bytes may have %" PRId64
                    " values; number the columns "
                    "without gaps or leave some out",
                    name, rows, columns, bytes, most);
}

static dlp_status hold(dlp_column *column, dlp_column_kind kind, dlp_index room,
                       dlp_error *error)
{
    const size_t size =
        kind == DLP_NUMERIC ? sizeof *column->number : sizeof *column->code;
    free(column->number);
    free(column->code);
    column->number = NULL;
    column->code = NULL;
    column->kind = kind;
    /* Not dlpi_calloc: zeros that are never read would cost a pass. */
    void *values =
        (size_t)room <= PTRDIFF_MAX / size ? malloc((size_t)room * size) : NULL;
    if (!values) return dlpi_no_memory(error, "the values of a table");
    if (kind == DLP_NUMERIC)
        column->number = values;
    else
        column->code = values;
    return DLP_OK;
}

dlp_status dlpi_table_hold(const dlp_table *table, dlp_index j, dlp_column_kind kind,
                           dlp_index room, dlp_error *error)
{
    dlp_column *column = &table->column[j];
    if (!table->spill) return hold(column, kind, room, error);
    dlpi_rows_free(column->number);
    dlpi_rows_free(column->code);
    column->number = NULL;
    column->code = NULL;
    column->kind = kind;
    if (kind == DLP_NUMERIC)
        column->number = dlpi_rows_alloc(table->spill, room, sizeof *column->number);
    else
        column->code = dlpi_rows_alloc(table->spill, room, sizeof *column->code);
    if (column->number || column->code) return DLP_OK;
    return dlpi_spill_explain(table->spill,
                              dlpi_no_memory(error, "the values of a table"), error);
}

dlp_status dlpi_column_hold_numbers(dlp_column *column, dlp_index room, dlp_error *error)
{
    return hold(column, DLP_NUMERIC, room, error);
}

dlp_status dlpi_column_hold_codes(dlp_column *column, dlp_index room, dlp_error *error)
{
    return hold(column, DLP_CATEGORICAL, room, error);
}

/* All levels in one block, pointers first, so that one free() releases them. */
static char **copy_levels(const struct dlpi_string_set *levels, const int32_t *order)
{
    const size_t pointers = (size_t)levels->count * sizeof(char *);
    const size_t text = levels->count > 0 ? levels->start[levels->count] : 0;
    char **level = dlpi_calloc((dlp_index)(pointers + text), 1);
    if (!level) return NULL;
    char *next = (char *)level + pointers;
    for (int32_t rank = 0; rank < levels->count; rank++) {
        size_t length = 0;
        const char *name = dlpi_string_set_name(levels, order[rank], &length);
        memcpy(next, name, length + 1);
        level[rank] = next;
        next += length + 1;
    }
    return level;
}

/* order and rank have room for all levels. */
static dlp_status put_in_order(dlp_column *column, dlp_index rows,
                               const struct dlpi_string_set *levels, int32_t *order,
                               int32_t *rank, dlp_error *error)
{
    DLP_TRY(dlpi_string_set_sort(levels, order, error));
    column->level = copy_levels(levels, order);
    if (!column->level) return dlpi_no_memory(error, "the levels of a column");
    column->n_levels = levels->count;
    for (int32_t r = 0; r < levels->count; r++) rank[order[r]] = r;
    for (dlp_index i = 0; i < rows; i++)
        if (column->code[i] >= 0) column->code[i] = rank[column->code[i]];
    return DLP_OK;
}

dlp_status dlpi_column_set_levels(dlp_column *column, dlp_index rows,
                                  const struct dlpi_string_set *levels, dlp_error *error)
{
    int32_t *order = dlpi_calloc(levels->count, sizeof *order);
    int32_t *rank = dlpi_calloc(levels->count, sizeof *rank);
    dlp_status status = DLP_ENOMEM;
    if (order && rank)
        status = put_in_order(column, rows, levels, order, rank, error);
    else
        (void)dlpi_no_memory(error, "the levels of a column");
    free(order);
    free(rank);
    return status;
}

/* A smaller block, or the same one where the system has none to give. */
static void *shrink(void *values, dlp_index rows, size_t size)
{
    void *smaller = realloc(values, (size_t)rows * size);
    if (smaller) values = smaller;
    return values;
}

void dlpi_table_end(dlp_table *table, dlp_index rows)
{
    table->rows = rows;
    for (dlp_index j = 0; j < table->columns && !table->spill; j++) {
        dlp_column *column = &table->column[j];
        if (column->number)
            column->number = shrink(column->number, rows, sizeof *column->number);
        if (column->code) column->code = shrink(column->code, rows, sizeof *column->code);
    }
}
