/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How text becomes a table. table.c tells the formats apart, each format has a file that
 * reads it, value.c says what a field holds and columns.c makes the columns. Internal.
 */
#ifndef DLPI_TABLE_H
#define DLPI_TABLE_H

#include "core/string_set.h"
#include "io/scan.h"

#include <delaplace/table.h>

/* Readers: each fills the table, which is empty, from the text of the scan. On failure
   the table may be half-built. */
typedef dlp_status dlpi_table_reader(struct dlpi_scan text,
                                     const dlp_table_options *options, dlp_table *table,
                                     dlp_error *error);
dlpi_table_reader dlpi_table_read_csv, dlpi_table_read_arff, dlpi_table_read_svmlight;

/* True when the text begins as such a file does. */
bool dlpi_looks_like_arff(struct dlpi_scan text);
bool dlpi_looks_like_svmlight(struct dlpi_scan text);

/* ---- what a field holds ---- */

enum dlpi_value {
    DLPI_NUMBER,
    DLPI_MISSING,
    DLPI_MARK, /* missing among numbers, a category among texts: "-", "?", "None" */
    DLPI_TEXT
};

/* The user's own sign of a missing value. */
struct dlpi_missing {
    const char *word; /* NULL: there is none */
    double number;    /* what the word is as a number; NaN when it is none */
};

struct dlpi_missing dlpi_missing_from(const dlp_table_options *options);
/* Blanks around the field do not count. *number is set for DLPI_NUMBER. */
enum dlpi_value dlpi_value_of(const char *field, size_t length,
                              const struct dlpi_missing *missing, double *number);

/* ---- what is kept ---- */

/* Sets table->columns, all without a name and values; name is the file's. */
dlp_status dlpi_table_add_columns(dlp_table *table, dlp_index columns, const char *name,
                                  dlp_error *error);
/*
 * Names column j, the next one without a name; `names` holds those before it. Two columns
 * with the same name are refused, with s as the place of the error.
 */
dlp_status dlpi_table_name(dlp_table *table, dlp_index j, struct dlpi_string_set *names,
                           const char *name, size_t length, const struct dlpi_scan *s,
                           dlp_error *error);
/*
 * A table may need more memory than its text when rows leave out zeros. It may have as
 * many values as the text has bytes; also 1000 times as many, or 2^20, but then no more
 * than 2^31. A column counts as 16 values more than it has rows.
 */
dlp_status dlpi_table_check_shape(const char *name, dlp_index rows, dlp_index columns,
                                  size_t bytes, dlp_error *error);
/* Makes the column one of numbers, or of codes, with room for so many rows; their
   values are not set. What it held is freed. */
dlp_status dlpi_column_hold_numbers(dlp_column *column, dlp_index room, dlp_error *error);
dlp_status dlpi_column_hold_codes(dlp_column *column, dlp_index room, dlp_error *error);
/* The same for a table whose values may be on disk. */
dlp_status dlpi_table_hold(const dlp_table *table, dlp_index j, dlp_column_kind kind,
                           dlp_index room, dlp_error *error);
/* Gives a column of codes its levels in order; its first `rows` codes, which are those
   of the set, follow. */
dlp_status dlpi_column_set_levels(dlp_column *column, dlp_index rows,
                                  const struct dlpi_string_set *levels, dlp_error *error);
/* Of the rows that this process has: the first row that makes a column one of categories: one with text that is neither a
   number nor a mark; without such a row, the first with a value; -1 if all values are
   missing. */
dlp_index dlpi_column_first_text(const dlp_table *table, const dlp_column *column);
/* Whether a column of categories is most likely one of numbers with a typing slip: nearly
   all of its values are numbers, and too many different ones to be names of
   categories; or all but one, in a short table where no two are equal. */
bool dlpi_column_has_slips(const dlp_table *table, const dlp_column *column);

/* How 9 in 10 values of a column of categories are written, where they look like numbers
   but are not read as such. */
enum dlpi_notation {
    DLPI_PLAIN,  /* categories */
    DLPI_COMMAS, /* numbers with decimal commas, or parted by thousands */
    DLPI_UNITS,  /* numbers with a sign for percent or money */
    DLPI_DATES
};
enum dlpi_notation dlpi_column_notation(const dlp_table *table, const dlp_column *column);

/* Gives each process the rows of all, in a table that was divided. */
dlp_status dlpi_table_gather(const dlp_table *table, dlp_error *error);

/* Sets table->rows to what was read and gives back the rest of the room. */
void dlpi_table_end(dlp_table *table, dlp_index rows);

#endif
