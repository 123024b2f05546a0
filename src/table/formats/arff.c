/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ARFF, the format of Weka and Mulan: a header that declares the columns, then rows,
 * whole ("5.1, yes, ?") or sparse ("{0 5.1, 1 yes}"). While they are read, nominal and
 * string columns hold the codes of their attributes' levels; in the end, a nominal
 * column whose levels are all numbers becomes one of numbers.
 */
#include "table/formats/arff.h"

#include "io/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char shape[] =
    "a row is 'value, value, ...' or '{index value, ...}' with indices from 0";

static bool is_missing(const struct dlpi_arff *a, const struct dlpi_arff_word *w)
{
    const char *const own = a->missing.word;
    if (own && strlen(own) == w->length && memcmp(own, w->at, w->length) == 0)
        return true;
    return !w->quoted && w->length == 1 && *w->at == '?';
}

static dlp_status put_number(struct dlpi_arff *a, dlp_index j, dlp_index row,
                             const struct dlpi_arff_word *w, const char *first,
                             dlp_error *error)
{
    dlp_column *column = &a->table->column[j];
    double number = NAN;
    enum dlpi_value value = DLPI_MISSING;
    if (!is_missing(a, w)) value = dlpi_value_of(w->at, w->length, &a->missing, &number);
    if (value == DLPI_TEXT)
        return dlpi_scan_fail(&a->s, first, "a number as the header declares",
                              "write ? for a missing value", error);
    column->number[row] = value == DLPI_NUMBER ? number : NAN;
    column->missing += value != DLPI_NUMBER;
    return DLP_OK;
}

static dlp_status put_code(struct dlpi_arff *a, dlp_index j, dlp_index row,
                           const struct dlpi_arff_word *w, const char *first,
                           dlp_error *error)
{
    struct dlpi_arff_attribute *attribute = &a->attribute[j];
    int32_t *code = &a->table->column[j].code[row];
    *code = -1;
    if (is_missing(a, w)) return DLP_OK;
    if (attribute->type == DLPI_ARFF_STRINGS)
        return dlpi_string_set_add(&attribute->levels, w->at, w->length, code, error);
    *code = dlpi_string_set_find(&attribute->levels, w->at, w->length);
    if (*code < 0)
        return dlpi_scan_fail(&a->s, first, "a level that the header declares",
                              "add it to the attribute's {...}, or write ? for a "
                              "missing value",
                              error);
    return DLP_OK;
}

/* A value of column j, up to one of the characters that end it. */
static dlp_status read_value(struct dlpi_arff *a, dlp_index j, dlp_index row,
                             const char *ends, dlp_error *error)
{
    struct dlpi_arff_word w;
    dlpi_skip_blanks(&a->s);
    const char *const first = a->s.at;
    DLP_TRY(dlpi_arff_next_word(a, ends, &w, error));
    if (w.length == 0 && !w.quoted)
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: expected the value of column %td, found none; write ? "
                        "for a missing value; %s",
                        a->s.name, a->s.line, j + 1, shape);
    return (a->table->column[j].number ? put_number : put_code)(a, j, row, &w, first,
                                                                error);
}

/* The usual value: a bare number right before a comma. */
static inline bool take_number(struct dlpi_arff *a, double *number)
{
    const char *after = dlpi_number_scan(a->s.at, a->s.end, number);
    if (!after || after == a->s.end || *after != ',') return false;
    if (*number == a->missing.number) return false;
    a->s.at = after;
    return true;
}

/* Steps over the comma, or the tab, between two values; false at the line's end. */
static bool pass_separator(struct dlpi_scan *s)
{
    bool tab = false;
    for (; dlpi_at_blank(s); s->at++) tab = tab || *s->at == '\t';
    if (dlpi_arff_at(s, ",")) {
        s->at++;
        return true;
    }
    return tab && !dlpi_at_line_end(s);
}

static dlp_status read_whole_row(struct dlpi_arff *a, dlp_index row, dlp_error *error)
{
    const dlp_index columns = a->table->columns;
    for (dlp_index j = 0; j < columns; j++) {
        double *number = a->table->column[j].number;
        if (!number || !take_number(a, &number[row]))
            DLP_TRY(read_value(a, j, row, ",\t", error));
        const bool more = pass_separator(&a->s);
        if (more != (j + 1 < columns))
            return dlp_fail(error, DLP_EINPUT,
                            "%s:%td: expected %td values as the header declares, found "
                            "%s; %s",
                            a->s.name, a->s.line, columns, more ? "more" : "fewer",
                            shape);
    }
    if (dlpi_at_line_end(&a->s)) return DLP_OK;
    return dlpi_scan_fail(&a->s, a->s.at, "the end of the line", shape, error);
}

/* What a sparse row leaves out is 0, the first level that is declared, or a string that
   is missing. */
static void put_defaults(struct dlpi_arff *a, dlp_index row)
{
    for (dlp_index j = 0; j < a->table->columns; j++) {
        const struct dlpi_arff_attribute *attribute = &a->attribute[j];
        const bool level =
            attribute->type == DLPI_ARFF_NOMINAL && attribute->levels.count > 0;
        if (attribute->type == DLPI_ARFF_NUMBERS)
            a->table->column[j].number[row] = 0;
        else
            a->table->column[j].code[row] = level ? 0 : -1;
    }
}

/* "index value" */
static dlp_status read_sparse_value(struct dlpi_arff *a, dlp_index row, int64_t *previous,
                                    dlp_error *error)
{
    const char *const first = a->s.at;
    int64_t index = 0;
    if (!dlpi_scan_whole(&a->s, &index) || !dlpi_at_blank(&a->s))
        return dlpi_scan_fail(&a->s, first, "'index value'", shape, error);
    if (index <= *previous || index >= a->table->columns)
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: expected an index above the one before and below %td, "
                        "found %" PRId64 "; %s",
                        a->s.name, a->s.line, a->table->columns, index, shape);
    *previous = index;
    return read_value(a, (dlp_index)index, row, ",}", error);
}

static dlp_status read_sparse_row(struct dlpi_arff *a, dlp_index row, dlp_error *error)
{
    int64_t previous = -1;
    put_defaults(a, row);
    a->s.at++;
    dlpi_skip_blanks(&a->s);
    for (bool more = !dlpi_arff_at(&a->s, "}"); more;) {
        dlpi_skip_blanks(&a->s);
        DLP_TRY(read_sparse_value(a, row, &previous, error));
        dlpi_skip_blanks(&a->s);
        more = dlpi_arff_at(&a->s, ",");
        a->s.at += more;
    }
    if (dlpi_arff_at(&a->s, "}")) {
        a->s.at++;
        dlpi_skip_blanks(&a->s);
        if (dlpi_at_line_end(&a->s)) return DLP_OK;
    }
    return dlpi_scan_fail(&a->s, a->s.at, "} at the end of the line", shape, error);
}

static dlp_status read_rows(struct dlpi_arff *a, dlp_error *error)
{
    dlpi_scan_step(&a->s, 1);
    for (dlp_index row = 0; dlpi_arff_find_line(&a->s); row++, dlpi_skip_line(&a->s)) {
        DLP_TRY(dlpi_scan_tell(&a->s, error));
        DLP_TRY((*a->s.at == '{' ? read_sparse_row : read_whole_row)(a, row, error));
    }
    return DLP_OK;
}

/* ---- the whole ---- */

static dlp_status make_room(struct dlpi_arff *a, size_t bytes, dlp_error *error)
{
    dlp_table *table = a->table;
    for (struct dlpi_scan s = a->s; dlpi_arff_find_line(&s); dlpi_skip_line(&s))
        table->rows++;
    if (table->rows == 0)
        return dlp_fail(error, DLP_EINPUT, "%s: has a header and no rows", a->s.name);
    DLP_TRY(dlpi_table_check_shape(a->s.name, table->rows, table->columns, bytes, error));
    for (dlp_index j = 0; j < table->columns; j++)
        DLP_TRY((a->attribute[j].type == DLPI_ARFF_NUMBERS
                     ? dlpi_column_hold_numbers
                     : dlpi_column_hold_codes)(&table->column[j], table->rows, error));
    return DLP_OK;
}

/* The levels as numbers, to be freed; NULL in *value if one of them is not a number. */
static dlp_status levels_as_numbers(const struct dlpi_arff *a,
                                    const struct dlpi_string_set *levels, double **value,
                                    dlp_error *error)
{
    bool numbers = true;
    *value = dlpi_calloc(levels->count, sizeof **value);
    if (!*value) return dlpi_no_memory(error, "the levels of a column");
    for (int32_t code = 0; code < levels->count && numbers; code++) {
        size_t length = 0;
        const char *name = dlpi_string_set_name(levels, code, &length);
        numbers =
            dlpi_value_of(name, length, &a->missing, &(*value)[code]) == DLPI_NUMBER;
    }
    if (numbers) return DLP_OK;
    free(*value);
    *value = NULL;
    return DLP_OK;
}

/* Nominal columns of numbers, such as the {0, 1} of a label, hold those numbers. */
static dlp_status end_codes(const struct dlpi_arff *a, dlp_index j, dlp_error *error)
{
    dlp_column *column = &a->table->column[j];
    const dlp_index rows = a->table->rows;
    double *value = NULL;
    for (dlp_index i = 0; i < rows; i++) column->missing += column->code[i] < 0;
    if (a->attribute[j].type == DLPI_ARFF_NOMINAL)
        DLP_TRY(levels_as_numbers(a, &a->attribute[j].levels, &value, error));
    if (!value)
        return dlpi_column_set_levels(column, rows, &a->attribute[j].levels, error);
    int32_t *code = column->code;
    column->code = NULL;
    const dlp_status status = dlpi_column_hold_numbers(column, rows, error);
    for (dlp_index i = 0; status == DLP_OK && i < rows; i++)
        column->number[i] = code[i] >= 0 ? value[code[i]] : NAN;
    free(code);
    free(value);
    return status;
}

static dlp_status read_table(struct dlpi_arff *a, size_t bytes, dlp_error *error)
{
    DLP_TRY(dlpi_arff_read_header(a, error));
    DLP_TRY(make_room(a, bytes, error));
    DLP_TRY(read_rows(a, error));
    for (dlp_index j = 0; j < a->table->columns; j++)
        if (a->table->column[j].code) DLP_TRY(end_codes(a, j, error));
    return DLP_OK;
}

dlp_status dlpi_table_read_arff(struct dlpi_scan text, const dlp_table_options *options,
                                dlp_table *table, dlp_error *error)
{
    struct dlpi_arff a = {
        .s = text, .missing = dlpi_missing_from(options), .table = table};
    const dlp_status status = read_table(&a, (size_t)(text.end - text.at), error);
    for (dlp_index j = 0; j < table->columns; j++)
        dlpi_string_set_clear(&a.attribute[j].levels);
    free(a.attribute);
    free(a.plain.data);
    return status;
}
