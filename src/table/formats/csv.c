/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Separated values (RFC 4180, and what people make of it). The usual field, a bare number
 * right before its separator, is read where it stands; every other field goes through
 * csv_fields.c. A column is one of numbers until a field is text. The fields above that
 * one are then read again as text, for all such columns together, in a second pass. A
 * mark such as "-" is a missing number or a category, depending on the rest of its
 * column.
 */
#include "table/formats/csv.h"
#include "table/formats/csv_share.h"

#include "comm/comm.h"
#include "comm/division.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "core/spill.h"
#include "io/mapping.h"
#include "io/number.h"

#include <math.h>
#include <stdio.h>

/* The usual field, up to the delimiter that is due. False leaves it to csv_fields.c. */
static inline bool take_number(struct dlpi_csv *c, char delimiter, double *number)
{
    dlpi_csv_skip_blanks(c);
    const char *after = dlpi_number_scan(c->s.at, c->s.end, number);
    if (!after || after == c->s.end || *after != delimiter) return false;
    if (*number == c->missing.number) return false;
    c->s.at = after + 1;
    return true;
}

void dlpi_csv_skip_blank_lines(struct dlpi_csv *c)
{
    for (;;) {
        const char *const line = c->s.at;
        dlpi_csv_skip_blanks(c);
        if (c->s.at == c->s.end) return;
        if (!dlpi_at_line_end(&c->s)) {
            c->s.at = line;
            return;
        }
        dlpi_next_line(&c->s);
    }
}

dlp_status dlpi_csv_fail_ragged(struct dlpi_csv *c, const char *row, dlp_error *error)
{
    dlp_index found = 0;
    c->s.at = row;
    DLP_TRY(dlpi_csv_count_fields(c, &found, error));
    dlpi_csv_locate(c, row);
    return dlp_fail(error, DLP_EINPUT,
                    "%s:%td: expected %td fields as in the first line, found %td; put "
                    "fields that hold the separator in quotes",
                    c->s.name, c->s.line, c->table->columns, found);
}

/* Writes a field of a column that holds text. A known level is not a missing value; any
   other field has to be checked. */
static dlp_status put_text(struct dlpi_csv *c, dlp_index j, dlp_index row,
                           const struct dlpi_csv_field *f, dlp_error *error)
{
    struct dlpi_string_set *levels = &c->column[j].levels;
    int32_t *code = &c->table->column[j].code[row];
    double number = 0;
    *code = dlpi_string_set_find(levels, f->at, f->length);
    if (*code >= 0 ||
        dlpi_value_of(f->at, f->length, &c->missing, &number) == DLPI_MISSING)
        return DLP_OK;
    return dlpi_string_set_add(levels, f->at, f->length, code, error);
}

/* Makes a column that held numbers one of text, from that row on; marks are text too. */
static dlp_status make_text(struct dlpi_csv *c, dlp_index j, dlp_index row,
                            dlp_error *error)
{
    dlp_column *column = &c->table->column[j];
    c->column[j].first_text = row;
    column->missing -= c->column[j].marks;
    return dlpi_table_hold(c->table, j, DLP_CATEGORICAL, c->room, error);
}

/* A column of marks alone is one of categories: no number suggests that they are missing
   ones. */
static dlp_status make_text_of_marks(struct dlpi_csv *c, dlp_index rows, dlp_error *error)
{
    for (dlp_index j = 0; j < c->table->columns; j++) {
        const dlp_column *column = &c->table->column[j];
        if (column->number && c->column[j].marks > 0 && column->missing == rows)
            DLP_TRY(make_text(c, j, rows, error));
    }
    return DLP_OK;
}

static dlp_status put_field(struct dlpi_csv *c, dlp_index j, dlp_index row,
                            const struct dlpi_csv_field *f, dlp_error *error)
{
    dlp_column *column = &c->table->column[j];
    if (column->number) {
        double number = NAN;
        const enum dlpi_value value =
            dlpi_value_of(f->at, f->length, &c->missing, &number);
        column->number[row] = value == DLPI_NUMBER ? number : NAN;
        column->missing += value == DLPI_MISSING || value == DLPI_MARK;
        c->column[j].marks += value == DLPI_MARK;
        if (value != DLPI_TEXT) return DLP_OK;
        DLP_TRY(make_text(c, j, row, error));
    }
    DLP_TRY(put_text(c, j, row, f, error));
    column->missing += column->code[row] < 0;
    return DLP_OK;
}

static dlp_status read_row(struct dlpi_csv *c, dlp_index row, dlp_error *error)
{
    const char *const start = c->s.at;
    const dlp_index columns = c->table->columns;
    for (dlp_index j = 0; j < columns; j++) {
        double *number = c->table->column[j].number;
        const char delimiter = j + 1 < columns ? c->separator : '\n';
        if (number && take_number(c, delimiter, &number[row])) continue;
        struct dlpi_csv_field f = {0};
        DLP_TRY(dlpi_csv_next_field(c, &f, error));
        if (f.last != (j + 1 == columns)) return dlpi_csv_fail_ragged(c, start, error);
        DLP_TRY(put_field(c, j, row, &f, error));
    }
    return DLP_OK;
}

/* How much of a text is read before progress is reported and the pages of a mapped one
   are released. */
enum { AT_ONCE = 1 << 24 };

static dlp_status read_rows(struct dlpi_csv *c, dlp_index *rows, dlp_error *error)
{
    const char *kept = c->s.at;
    dlpi_scan_step(&c->s, 1);
    DLP_TRY(dlpi_scan_tell(&c->s, error));
    for (*rows = 0;; ++*rows) {
        dlpi_csv_skip_blank_lines(c);
        if (c->s.at == c->s.end) return DLP_OK;
        DLP_TRY(read_row(c, *rows, error));
        if (c->s.at - kept < AT_ONCE) continue;
        DLP_TRY(dlpi_scan_tell(&c->s, error));
        if (c->s.mapped) dlpi_mapping_release(kept, c->s.at);
        dlpi_spill_tend(c->table->spill);
        kept = c->s.at;
    }
}

static dlp_index count_lines(const struct dlpi_scan *s)
{
    dlp_index lines = 0;
    for (const char *from = s->at, *to; from < s->end; from = to) {
        to = s->end - from < AT_ONCE ? s->end : from + AT_ONCE;
        lines += dlpi_count_lines(from, to);
        if (s->mapped) dlpi_mapping_release(from, to);
    }
    return lines;
}

/* Reads again, as text, the fields above the one that made their column text. */
static dlp_status read_text_above(struct dlpi_csv *c, const char *first_row,
                                  dlp_error *error)
{
    dlp_index above = 0;
    for (dlp_index j = 0; j < c->table->columns; j++)
        if (c->column[j].first_text > above) above = c->column[j].first_text;
    c->s.at = first_row;
    for (dlp_index row = 0; row < above; row++) {
        dlpi_csv_skip_blank_lines(c);
        for (dlp_index j = 0; j < c->table->columns; j++) {
            struct dlpi_csv_field f = {0};
            DLP_TRY(dlpi_csv_next_field(c, &f, error));
            if (row < c->column[j].first_text) DLP_TRY(put_text(c, j, row, &f, error));
        }
    }
    return DLP_OK;
}

/* ---- the whole ---- */

/* The separator that the first line has most of, outside of quotes. */
static char find_separator(const struct dlpi_scan *s)
{
    static const char candidates[] = {',', ';', '\t'};
    dlp_index count[sizeof candidates] = {0};
    bool quoted = false;
    for (const char *p = s->at; p < s->end && (quoted || *p != '\n'); p++) {
        if (*p == '"') quoted = !quoted;
        for (size_t i = 0; i < sizeof candidates; i++)
            count[i] += !quoted && *p == candidates[i];
    }
    size_t best = 0;
    for (size_t i = 1; i < sizeof candidates; i++)
        if (count[i] > count[best]) best = i;
    return candidates[best];
}

/* Comments come before everything else: a '#' further down may well be data. */
static void skip_comments(struct dlpi_csv *c)
{
    dlpi_csv_skip_blank_lines(c);
    while (c->s.at < c->s.end && *c->s.at == '#') {
        dlpi_skip_line(&c->s);
        dlpi_csv_skip_blank_lines(c);
    }
}

dlp_status dlpi_csv_start(struct dlpi_csv *c, dlp_error *error)
{
    c->text = c->s.at;
    skip_comments(c);
    if (c->s.at == c->s.end)
        return dlp_fail(error, DLP_EINPUT, "%s: is empty; expected a table", c->s.name);
    if (!c->separator) c->separator = find_separator(&c->s);
    return DLP_OK;
}

/* Names the columns after the header or, without one, V1, V2, ... */
static dlp_status name_columns(struct dlpi_csv *c, bool header,
                               struct dlpi_string_set *names, dlp_error *error)
{
    dlpi_csv_locate(c, c->s.at);
    const struct dlpi_scan here = c->s;
    for (dlp_index j = 0; j < c->table->columns; j++) {
        char number[32];
        struct dlpi_csv_field f = {.length = 0};
        if (header) DLP_TRY(dlpi_csv_next_field(c, &f, error));
        if (f.length == 0) {
            f.at = number;
            f.length = (size_t)snprintf(number, sizeof number, "V%td", j + 1);
        }
        DLP_TRY(dlpi_table_name(c->table, j, names, f.at, f.length, &here, error));
    }
    return DLP_OK;
}

/* Whether memory has no room for the values and what a fit makes of them, which is about
   as much again, and once more while it is prepared. */
static bool is_too_much(const struct dlpi_csv *c, dlp_index rows)
{
    const double values = 8.0 * (double)rows * (double)c->table->columns,
                 left = dlpi_memory_most() - dlpi_memory_used();
    return c->scratch && 3 * values > 0.8 * left;
}

/* Fewer rows than this are not divided, whatever there are of processes. */
enum { LEAST_CHUNKS = 4 };

/* Room for what is left of the text: a row has its line, and a byte for each field; one
   that has fewer is noticed when a part of it is read. */
static dlp_status make_room(struct dlpi_csv *c, dlp_error *error)
{
    const dlp_index lines = 1 + count_lines(&c->s);
    const dlp_index rows = (c->s.end - c->s.at + 1) / c->table->columns + 1;
    dlp_index all = c->room = lines < rows ? lines : rows;
    if (c->comm) DLP_TRY(dlpi_csv_count_all(c, c->room, &all, error));
    c->divide = c->divide && c->comm && dlpi_row_chunks(all) >= LEAST_CHUNKS;
    const bool disk = is_too_much(c, c->divide ? c->room : all);
    const char *folder = disk ? dlpi_scratch_folder(c->scratch) : NULL;
    const double most = dlpi_memory_most();
    if (disk || c->divide) {
        c->table->spill = c->divide ? dlpi_spill_open_sparse(folder, most)
                                    : dlpi_spill_open(folder, most);
        if (!c->table->spill) return dlpi_no_memory(error, "the columns of a table");
    }
    for (dlp_index j = 0; j < c->table->columns; j++)
        DLP_TRY(dlpi_table_hold(c->table, j, DLP_NUMERIC, c->room, error));
    c->column = dlpi_calloc(c->table->columns, sizeof *c->column);
    return c->column ? DLP_OK : dlpi_no_memory(error, "the columns of a table");
}

static dlp_status end_columns(struct dlpi_csv *c, dlp_index rows, dlp_error *error)
{
    for (dlp_index j = 0; j < c->table->columns; j++) {
        dlp_column *column = &c->table->column[j];
        if (column->code)
            DLP_TRY(dlpi_column_set_levels(column, rows, &c->column[j].levels, error));
    }
    dlpi_table_end(c->table, rows);
    return DLP_OK;
}

static dlp_status read_columns(struct dlpi_csv *c, dlp_error *error)
{
    const char *const first_row = c->s.at;
    dlp_index rows = 0;
    DLP_TRY(make_room(c, error));
    DLP_TRY(read_rows(c, &rows, error));
    DLP_TRY(make_text_of_marks(c, rows, error));
    DLP_TRY(read_text_above(c, first_row, error));
    return end_columns(c, rows, error);
}

/* ---- by several processes ---- */

/* Reads this process's rows; columns have the same kind as in all processes. *own is the
   status of this process alone. */
static dlp_status read_part(struct dlpi_csv *c, struct dlpi_csv_kind *kind,
                            dlp_index *rows, dlp_status *own, dlp_error *error)
{
    const char *const first_row = c->s.at;
    bool well;
    *own = read_rows(c, rows, error);
    well = *own == DLP_OK;
    DLP_TRY(dlpi_csv_all_well(c, &well, error));
    if (!well) return DLP_OK;
    DLP_TRY(dlpi_csv_share_kinds(c, *rows, kind, error));
    for (dlp_index j = 0; j < c->table->columns && *own == DLP_OK; j++) {
        dlp_column *column = &c->table->column[j];
        if (kind[j].is_text && column->number) *own = make_text(c, j, *rows, error);
        column->missing = kind[j].missing;
    }
    if (*own == DLP_OK) *own = read_text_above(c, first_row, error);
    return DLP_OK;
}

/* Each keeps its share of the rows, which have their final codes before they move. */
static dlp_status divide(struct dlpi_csv *c, dlp_index rows, bool *read, dlp_error *error)
{
    DLP_TRY(dlpi_csv_share_levels(c, rows, error));
    DLP_TRY(end_columns(c, rows, error));
    DLP_TRY(dlpi_csv_divide_rows(c, &rows, read, error));
    c->table->rows = rows;
    return DLP_OK;
}

/* *read false: they cannot, because rows end in the part of another process, a field is
   wrong, or memory is short; then each reads the whole file, and finds the message. */
static dlp_status read_together(struct dlpi_csv *c, bool *read, dlp_error *error)
{
    struct dlpi_csv_kind *kind = dlpi_calloc(c->table->columns, sizeof *kind);
    if (!kind) return dlpi_no_memory(error, "the columns of a table");
    dlp_index rows = 0;
    dlpi_csv_take_part(c);
    dlp_status own = make_room(c, error);
    *read = own == DLP_OK;
    dlp_status status = dlpi_csv_all_well(c, read, error);
    if (status == DLP_OK && *read) status = read_part(c, kind, &rows, &own, error);
    free(kind);
    DLP_TRY(status);
    if (*read) {
        *read = own == DLP_OK;
        DLP_TRY(dlpi_csv_all_well(c, read, error));
    }
    if (*read && c->divide) return divide(c, rows, read, error);
    if (*read) DLP_TRY(dlpi_csv_share_rows(c, &rows, read, error));
    if (*read) return end_columns(c, rows, error);
    return own == DLP_ECANCELLED ? own : DLP_OK;
}

static dlp_status read_header(struct dlpi_csv *c, bool header, dlp_error *error)
{
    dlp_index columns = 0;
    struct dlpi_string_set names = {0};
    DLP_TRY(dlpi_csv_count_fields(c, &columns, error));
    DLP_TRY(dlpi_table_add_columns(c->table, columns, c->s.name, error));
    const dlp_status status = name_columns(c, header, &names, error);
    dlpi_string_set_clear(&names);
    DLP_TRY(status);
    dlpi_csv_skip_blank_lines(c);
    if (c->s.at == c->s.end)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has a header and no rows; if its first line is a row, write "
                        "a line with the columns' names above it",
                        c->s.name);
    return DLP_OK;
}

static void free_columns(struct dlpi_csv *c)
{
    for (dlp_index j = 0; c->column && j < c->table->columns; j++)
        dlpi_string_set_clear(&c->column[j].levels);
    free(c->column);
    c->column = NULL;
    free(c->plain.data);
    c->plain = (struct dlpi_bytes){.size = 0};
}

/* Frees what was read in vain; the columns keep their names. */
static void forget_rows(struct dlpi_csv *c)
{
    dlp_table *t = c->table;
    free_columns(c);
    for (dlp_index j = 0; j < t->columns; j++) {
        dlp_column *column = &t->column[j];
        if (t->spill) {
            dlpi_rows_free(column->number);
            dlpi_rows_free(column->code);
        } else {
            free(column->number);
            free(column->code);
        }
        free(column->level);
        *column = (dlp_column){.name = column->name};
    }
    dlpi_spill_close(t->spill);
    dlpi_division_free(t->division);
    t->spill = NULL;
    t->division = NULL;
}

dlp_status dlpi_table_read_csv(struct dlpi_scan text, const dlp_table_options *options,
                               dlp_table *table, dlp_error *error)
{
    struct dlpi_csv c = {.s = text,
                         .separator = options->separator,
                         .missing = dlpi_missing_from(options),
                         .scratch = options->scratch,
                         .divide = options->divide != 0,
                         .table = table};
    bool read = false;
    DLP_TRY(dlpi_csv_start(&c, error));
    dlp_status status = read_header(&c, options->header != 0, error);
    if (status == DLP_OK && options->processes && text.mapped) {
        struct dlpi_scan first_row = c.s;
        c.comm = dlpi_processes_comm(options->processes);
        if (c.comm->size > 1) status = read_together(&c, &read, error);
        if (!read) forget_rows(&c);
        c.s = first_row;
        c.comm = NULL;
    }
    if (status == DLP_OK && !read) status = read_columns(&c, error);
    free_columns(&c);
    return status;
}
