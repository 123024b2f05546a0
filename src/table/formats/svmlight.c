/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * svmlight and libsvm: a row a line, "label [qid:n] index:value ... [# comment]". The
 * text is read twice, by the same functions: first to measure the table, then to fill
 * it.
 */
#include "table/formats/svmlight.h"

#include "io/number.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char shape[] = "a row is 'label index:value ...' with indices that ascend";

struct svmlight {
    struct dlpi_scan s;
    struct dlpi_missing missing;
    dlp_table *table;          /* NULL while measuring */
    dlp_index rows;            /* so far */
    int64_t smallest, largest; /* index; smallest is 1, or 0 where a row has one */
    bool has_qid;
};

/* A number or a word for a missing one, up to a blank, a comment or the line's end. */
static bool scan_value(struct svmlight *v, double *number)
{
    const char *const word = v->s.at;
    while (!dlpi_at_blank(&v->s) && !dlpi_svmlight_at_end(&v->s)) v->s.at++;
    const size_t length = (size_t)(v->s.at - word);
    const enum dlpi_value value = dlpi_value_of(word, length, &v->missing, number);
    if (value == DLPI_MISSING) *number = NAN;
    return length > 0 && (value == DLPI_NUMBER || value == DLPI_MISSING);
}

static void put(struct svmlight *v, dlp_index j, double number)
{
    if (!v->table) return;
    v->table->column[j].number[v->rows] = number;
    v->table->column[j].missing += isnan(number) != 0;
}

static dlp_index first_feature(const struct svmlight *v)
{
    return v->has_qid ? 2 : 1;
}

/* In a row without a qid, its value is missing. */
static dlp_status scan_qid(struct svmlight *v, dlp_error *error)
{
    const char *const word = v->s.at;
    double number = NAN;
    if (dlpi_svmlight_at_qid(&v->s)) {
        v->s.at += 4;
        v->has_qid = true;
        if (!scan_value(v, &number))
            return dlpi_scan_fail(&v->s, word, "'qid:number'", shape, error);
    }
    if (v->has_qid) put(v, 1, number);
    return DLP_OK;
}

static dlp_status scan_pair(struct svmlight *v, int64_t *previous, dlp_error *error)
{
    const char *const word = v->s.at;
    int64_t index = 0;
    double number = NAN;
    bool sound = dlpi_scan_whole(&v->s, &index) && v->s.at < v->s.end && *v->s.at == ':';
    if (sound) {
        v->s.at++;
        sound = scan_value(v, &number);
    }
    if (!sound) return dlpi_scan_fail(&v->s, word, "'index:value'", shape, error);
    if (index >= INT32_MAX)
        return dlpi_scan_fail(&v->s, word, "an index below 2147483647", shape, error);
    if (index <= *previous)
        return dlpi_scan_fail(&v->s, word, "an index larger than the one before", shape,
                              error);
    *previous = index;
    if (index < v->smallest) v->smallest = index;
    if (index > v->largest) v->largest = index;
    put(v, first_feature(v) + (dlp_index)(index - v->smallest), number);
    return DLP_OK;
}

static dlp_status scan_row(struct svmlight *v, dlp_error *error)
{
    const char *const word = v->s.at;
    double label = NAN;
    int64_t previous = -1;
    if (!scan_value(v, &label))
        return dlpi_scan_fail(&v->s, word, "a label, which is a number", shape, error);
    put(v, 0, label);
    dlpi_skip_blanks(&v->s);
    DLP_TRY(scan_qid(v, error));
    for (dlpi_skip_blanks(&v->s); !dlpi_svmlight_at_end(&v->s); dlpi_skip_blanks(&v->s))
        DLP_TRY(scan_pair(v, &previous, error));
    return DLP_OK;
}

static dlp_status scan_rows(struct svmlight *v, dlp_error *error)
{
    for (v->rows = 0; dlpi_svmlight_find_row(&v->s); v->rows++) {
        DLP_TRY(dlpi_scan_tell(&v->s, error));
        DLP_TRY(scan_row(v, error));
    }
    return DLP_OK;
}

/* The columns label, qid where a row has one, and x1, x2, ... after the indices. */
static dlp_status name_columns(const struct svmlight *v, struct dlpi_string_set *names,
                               dlp_table *table, dlp_error *error)
{
    const dlp_index features = first_feature(v);
    for (dlp_index j = 0; j < table->columns; j++) {
        char name[32];
        const int length = j == 0         ? snprintf(name, sizeof name, "label")
                           : j < features ? snprintf(name, sizeof name, "qid")
                                          : snprintf(name, sizeof name, "x%" PRId64,
                                                     v->smallest + (j - features));
        DLP_TRY(dlpi_table_name(table, j, names, name, (size_t)length, &v->s, error));
    }
    return DLP_OK;
}

/* Columns of zeros. */
static dlp_status make_columns(const struct svmlight *v, size_t bytes, dlp_table *table,
                               dlp_error *error)
{
    const dlp_index columns =
        first_feature(v) + (dlp_index)(v->largest - v->smallest + 1);
    struct dlpi_string_set names = {0};
    DLP_TRY(dlpi_table_check_shape(v->s.name, v->rows, columns, bytes, error));
    DLP_TRY(dlpi_table_add_columns(table, columns, v->s.name, error));
    const dlp_status status = name_columns(v, &names, table, error);
    dlpi_string_set_clear(&names);
    DLP_TRY(status);
    for (dlp_index j = 0; j < columns; j++) {
        DLP_TRY(dlpi_column_hold_numbers(&table->column[j], v->rows, error));
        for (dlp_index i = 0; i < v->rows; i++) table->column[j].number[i] = 0;
    }
    return DLP_OK;
}

dlp_status dlpi_table_read_svmlight(struct dlpi_scan text,
                                    const dlp_table_options *options, dlp_table *table,
                                    dlp_error *error)
{
    struct svmlight v = {.s = text,
                         .missing = dlpi_missing_from(options),
                         .smallest = 1,
                         .largest = options->features};
    dlpi_scan_step(&v.s, 0.5);
    DLP_TRY(scan_rows(&v, error));
    if (v.rows == 0)
        return dlp_fail(error, DLP_EINPUT, "%s: is empty; expected rows; %s", text.name,
                        shape);
    DLP_TRY(make_columns(&v, (size_t)(text.end - text.at), table, error));
    v.s = text;
    v.table = table;
    dlpi_scan_step(&v.s, 1);
    DLP_TRY(scan_rows(&v, error));
    dlpi_table_end(table, v.rows);
    return DLP_OK;
}

/* The first line that has more than a label decides. */
bool dlpi_looks_like_svmlight(struct dlpi_scan text)
{
    while (dlpi_svmlight_find_row(&text)) {
        double label = 0;
        int64_t index = 0;
        const char *after = dlpi_number_scan(text.at, text.end, &label);
        if (!after) return false;
        text.at = after;
        if (!dlpi_at_word_end(&text)) return false;
        dlpi_skip_blanks(&text);
        if (dlpi_svmlight_at_end(&text)) continue;
        if (dlpi_svmlight_at_qid(&text)) return true;
        return dlpi_scan_whole(&text, &index) && text.at < text.end && *text.at == ':';
    }
    return false;
}
