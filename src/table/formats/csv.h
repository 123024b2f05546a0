/* SPDX-License-Identifier: BSD-3-Clause */
/* What the readers of separated values share: csv.c, csv_fields.c and text_table.c.
   Internal. */
#ifndef DLPI_TABLE_CSV_H
#define DLPI_TABLE_CSV_H

#include "io/input.h"
#include "table/table.h"

/* What a column needs while it is read. */
struct dlpi_csv_column {
    struct dlpi_string_set levels; /* for a column that holds text */
    dlp_index first_text;          /* the row that made it one */
    dlp_index marks;               /* among numbers, counted as missing */
};

struct dlpi_csv {
    struct dlpi_scan s; /* its line is set only for a message: dlpi_csv_locate() */
    const char *text;   /* where the file begins */
    char separator;
    struct dlpi_missing missing;
    struct dlpi_bytes plain; /* a quoted field without its doubled quotes */
    dlp_table *table;
    const char *scratch; /* from the options */
    bool divide;         /* likewise */
    dlp_index room;      /* rows that the columns can hold */
    struct dlpi_csv_column *column;
    struct dlpi_comm
        *comm; /* the processes that read it together; NULL: this one alone */
};

/* Valid until the next one is read. */
struct dlpi_csv_field {
    const char *at;
    size_t length;
    bool last; /* in its row */
};

/* Steps over comments to the first line, and finds the separator when it is 0. */
dlp_status dlpi_csv_start(struct dlpi_csv *c, dlp_error *error);
/* To the next line that holds something, or the end of the text. */
void dlpi_csv_skip_blank_lines(struct dlpi_csv *c);
/* The message for a row, which begins there, that has more or fewer fields than the table
   has columns. */
dlp_status dlpi_csv_fail_ragged(struct dlpi_csv *c, const char *row, dlp_error *error);
/* Sets the line of the scan to that of the byte: lines are counted when one is asked
   for, not while reading. */
void dlpi_csv_locate(struct dlpi_csv *c, const char *at);
/* Reads any field and steps over what ends it. */
dlp_status dlpi_csv_next_field(struct dlpi_csv *c, struct dlpi_csv_field *f,
                               dlp_error *error);
/* How many fields the row has that begins here; the scan stays where it is. */
dlp_status dlpi_csv_count_fields(struct dlpi_csv *c, dlp_index *fields, dlp_error *error);

/* Over blanks that are not the separator. */
static inline void dlpi_csv_skip_blanks(struct dlpi_csv *c)
{
    while (dlpi_at_blank(&c->s) && *c->s.at != c->separator) c->s.at++;
}

#endif
