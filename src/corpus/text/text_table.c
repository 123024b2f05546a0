/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The documents of a table: one per row, in one of its columns. Rows are those that
 * csv.c reads, but fields stay text as they are: a name such as 007 is no number here.
 */
#include "core/text.h"
#include "corpus/text/text_builder.h"
#include "table/formats/csv.h"

#include <string.h>

struct rows {
    struct dlpi_csv csv;
    dlp_table table;                /* only the number of columns is used */
    dlp_index column, name;         /* their places; name -1: none */
    struct dlpi_bytes text, called; /* a row's */
};

/* The place of the column in the header, whose fields are counted by the table. */
static dlp_status find_column(struct rows *r, const char *wanted, dlp_index *place,
                              dlp_error *error)
{
    struct dlpi_csv at_header = r->csv;
    struct dlpi_shown_list columns = {.used = 0};
    dlp_status status = DLP_OK;
    *place = -1;
    for (dlp_index j = 0; j < r->table.columns && *place < 0; j++) {
        struct dlpi_csv_field f = {0};
        status = dlpi_csv_next_field(&at_header, &f, error);
        if (status != DLP_OK) break;
        if (f.length == strlen(wanted) && memcmp(f.at, wanted, f.length) == 0) *place = j;
        dlpi_shown_list_add(&columns, dlpi_show_bytes(f.at, f.length));
    }
    r->csv.plain = at_header.plain; /* it may have grown */
    if (status != DLP_OK || *place >= 0) return status;
    dlpi_csv_locate(&r->csv, r->csv.s.at);
    return dlp_fail(error, DLP_EINPUT,
                    "%s:%td: the header has no column '%s'; its columns are %s",
                    r->csv.s.name, r->csv.s.line, dlpi_show(wanted).text, columns.text);
}

static dlp_status skip_header(struct rows *r, dlp_error *error)
{
    for (dlp_index j = 0; j < r->table.columns; j++) {
        struct dlpi_csv_field f = {0};
        DLP_TRY(dlpi_csv_next_field(&r->csv, &f, error));
    }
    return DLP_OK;
}

static dlp_status read_header(struct rows *r, const char *column, const char *name,
                              dlp_error *error)
{
    r->csv.table = &r->table;
    DLP_TRY(dlpi_csv_count_fields(&r->csv, &r->table.columns, error));
    DLP_TRY(find_column(r, column, &r->column, error));
    r->name = -1;
    if (name) DLP_TRY(find_column(r, name, &r->name, error));
    return skip_header(r, error);
}

/* Keeps a field, followed by a NUL: the next field may take its place. */
static dlp_status keep_field(const struct dlpi_csv_field *f, struct dlpi_bytes *copy,
                             dlp_error *error)
{
    while (copy->capacity <= f->length) {
        copy->size = copy->capacity;
        DLP_TRY(dlpi_bytes_grow(copy, error));
    }
    memcpy(copy->data, f->at, f->length);
    copy->data[f->length] = '\0';
    copy->size = f->length;
    return DLP_OK;
}

static dlp_status read_row(struct rows *r, dlp_error *error)
{
    const char *const start = r->csv.s.at;
    for (dlp_index j = 0; j < r->table.columns; j++) {
        struct dlpi_csv_field f = {0};
        DLP_TRY(dlpi_csv_next_field(&r->csv, &f, error));
        if (f.last != (j + 1 == r->table.columns))
            return dlpi_csv_fail_ragged(&r->csv, start, error);
        if (j == r->column) DLP_TRY(keep_field(&f, &r->text, error));
        if (j == r->name) DLP_TRY(keep_field(&f, &r->called, error));
    }
    return DLP_OK;
}

static dlp_status add_rows(struct rows *r, dlp_text_builder *b, dlp_error *error)
{
    for (;;) {
        dlpi_csv_skip_blank_lines(&r->csv);
        if (r->csv.s.at == r->csv.s.end) return DLP_OK;
        DLP_TRY(dlpi_scan_tell(&r->csv.s, error));
        DLP_TRY(read_row(r, error));
        DLP_TRY(
            dlp_text_builder_add(b, r->called.data, r->text.data, r->text.size, error));
    }
}

dlp_status dlpi_text_add_table(dlp_text_builder *b, const char *file, const char *text,
                               size_t size, const char *column, const char *name,
                               dlp_error *error)
{
    struct rows r = {.csv = {.s = dlpi_scan_start(file, text, size)}};
    r.csv.s.progress = b->progress;
    dlpi_scan_step(&r.csv.s, 1);
    dlp_status status = dlpi_csv_start(&r.csv, error);
    if (status == DLP_OK) status = read_header(&r, column, name, error);
    if (status == DLP_OK) status = add_rows(&r, b, error);
    free(r.csv.plain.data);
    free(r.text.data);
    free(r.called.data);
    return status;
}
