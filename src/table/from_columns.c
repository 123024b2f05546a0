/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of columns that are in memory already. They are checked, and all but numbers
   are copied. */
#include "core/text.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

/* ---- names ---- */

static dlp_status name_column(const dlp_column_data *data, dlp_index j,
                              struct dlpi_string_set *names, dlp_column *column,
                              dlp_error *error)
{
    int32_t code = 0;
    if (!data->name || !data->name[0])
        return dlp_fail(error, DLP_EINVAL, "column %td (counted from 1) has no name",
                        j + 1);
    const size_t length = strlen(data->name);
    DLP_TRY(dlpi_string_set_add(names, data->name, length, &code, error));
    if (code < j)
        return dlp_fail(error, DLP_EINVAL,
                        "columns %td and %td (counted from 1) are both called '%s'; give "
                        "each column a name of its own",
                        (dlp_index)code + 1, j + 1, dlpi_show(data->name).text);
    column->name = malloc(length + 1);
    if (!column->name) return dlpi_no_memory(error, "the columns of a table");
    memcpy(column->name, data->name, length + 1);
    return DLP_OK;
}

/* ---- numbers ---- */

static void borrow_numbers(const dlp_column_data *data, dlp_index rows,
                           dlp_column *column)
{
    column->kind = DLP_NUMERIC;
    column->number = (double *)data->number; /* which nothing writes to */
    column->borrowed = 1;
    for (dlp_index i = 0; i < rows; i++) column->missing += isnan(data->number[i]) != 0;
}

/* ---- codes and levels ---- */

static dlp_status check_level(const dlp_column_data *data, dlp_index k,
                              struct dlpi_string_set *distinct, dlp_error *error)
{
    const char *level = data->level[k];
    int32_t code = 0;
    if (!level)
        return dlp_fail(error, DLP_EINVAL, "column '%s': level %td is NULL",
                        dlpi_show(data->name).text, k);
    DLP_TRY(dlpi_string_set_add(distinct, level, strlen(level), &code, error));
    if (code == k) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "column '%s': levels %d and %td are both '%s'",
                    dlpi_show(data->name).text, (int)code, k, dlpi_show(level).text);
}

static dlp_status check_levels(const dlp_column_data *data, dlp_error *error)
{
    struct dlpi_string_set distinct = {0};
    dlp_status status = DLP_OK;
    for (dlp_index k = 0; k < data->n_levels && status == DLP_OK; k++)
        status = check_level(data, k, &distinct, error);
    dlpi_string_set_clear(&distinct);
    return status;
}

/* All in one block, pointers first. */
static dlp_status copy_levels(const dlp_column_data *data, dlp_column *column,
                              dlp_error *error)
{
    size_t bytes = 0;
    if (data->n_levels < 0 || data->n_levels > INT32_MAX ||
        (data->n_levels > 0 && !data->level))
        return dlp_fail(error, DLP_EINVAL, "column '%s' has codes, but no levels",
                        dlpi_show(data->name).text);
    DLP_TRY(check_levels(data, error));
    for (dlp_index k = 0; k < data->n_levels; k++) bytes += strlen(data->level[k]) + 1;
    const size_t pointers = (size_t)data->n_levels * sizeof(char *);
    column->level = dlpi_calloc((dlp_index)(pointers + bytes), 1);
    if (!column->level) return dlpi_no_memory(error, "the levels of a column");
    char *next = (char *)column->level + pointers;
    for (dlp_index k = 0; k < data->n_levels; k++) {
        const size_t size = strlen(data->level[k]) + 1;
        column->level[k] = memcpy(next, data->level[k], size);
        next += size;
    }
    column->n_levels = data->n_levels;
    return DLP_OK;
}

static dlp_status copy_codes(const dlp_column_data *data, dlp_index rows,
                             dlp_column *column, dlp_error *error)
{
    DLP_TRY(dlpi_column_hold_codes(column, rows, error));
    DLP_TRY(copy_levels(data, column, error));
    for (dlp_index i = 0; i < rows; i++) {
        if (data->code[i] < -1 || data->code[i] >= data->n_levels)
            return dlp_fail(error, DLP_EINVAL,
                            "column '%s' has code %d in row %td (counted from 1); codes "
                            "are 0 to %td, and -1 where missing",
                            dlpi_show(data->name).text, (int)data->code[i], i + 1,
                            data->n_levels - 1);
        column->code[i] = data->code[i];
        column->missing += data->code[i] < 0;
    }
    return DLP_OK;
}

/* ---- texts ---- */

static dlp_status code_texts(const dlp_column_data *data, dlp_index rows,
                             dlp_column *column, struct dlpi_string_set *levels,
                             dlp_error *error)
{
    DLP_TRY(dlpi_column_hold_codes(column, rows, error));
    for (dlp_index i = 0; i < rows; i++) {
        const char *text = data->text[i];
        column->code[i] = -1;
        column->missing += !text;
        if (text)
            DLP_TRY(
                dlpi_string_set_add(levels, text, strlen(text), &column->code[i], error));
    }
    return dlpi_column_set_levels(column, rows, levels, error);
}

/* ---- the whole ---- */

static dlp_status take_column(const dlp_column_data *data, dlp_index rows,
                              dlp_column *column, dlp_error *error)
{
    struct dlpi_string_set levels = {0};
    const int kinds =
        (data->number != NULL) + (data->code != NULL) + (data->text != NULL);
    if (kinds != 1)
        return dlp_fail(error, DLP_EINVAL,
                        "column '%s' has %s; give one of number, code and text",
                        dlpi_show(data->name).text,
                        kinds == 0 ? "no values" : "values of several kinds");
    if (data->number) {
        borrow_numbers(data, rows, column);
        return DLP_OK;
    }
    if (data->code) return copy_codes(data, rows, column, error);
    const dlp_status status = code_texts(data, rows, column, &levels, error);
    dlpi_string_set_clear(&levels);
    return status;
}

static dlp_status take_columns(dlp_index rows, dlp_index columns,
                               const dlp_column_data *column,
                               struct dlpi_string_set *names, dlp_table *table,
                               dlp_error *error)
{
    DLP_TRY(dlpi_table_add_columns(table, columns, "the table", error));
    table->rows = rows;
    for (dlp_index j = 0; j < columns; j++) {
        DLP_TRY(name_column(&column[j], j, names, &table->column[j], error));
        DLP_TRY(take_column(&column[j], rows, &table->column[j], error));
    }
    return DLP_OK;
}

dlp_status dlp_table_from_columns(dlp_index rows, dlp_index columns,
                                  const dlp_column_data *column, dlp_table **table,
                                  dlp_error *error)
{
    struct dlpi_string_set names = {0};
    if (table) *table = NULL;
    if (!table || !column || rows < 1 || columns < 1)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_table_from_columns: needs a table, columns, and a row");
    dlp_table *t = dlpi_calloc(1, sizeof *t);
    if (!t) return dlpi_no_memory(error, "a table");
    const dlp_status status = take_columns(rows, columns, column, &names, t, error);
    dlpi_string_set_clear(&names);
    if (status == DLP_OK)
        *table = t;
    else
        dlp_table_free(t);
    return status;
}
