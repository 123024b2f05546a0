/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of separated values: bare or in quotes, up to what ends them. */
#include "table/formats/csv.h"

#include <string.h>

void dlpi_csv_locate(struct dlpi_csv *c, const char *at)
{
    c->s.line = 1 + dlpi_count_lines(c->text, at);
}

static dlp_status fail_at(struct dlpi_csv *c, const char *at, const char *what,
                          dlp_error *error)
{
    dlpi_csv_locate(c, at);
    return dlp_fail(error, DLP_EINPUT, "%s:%td: %s", c->s.name, c->s.line, what);
}

/* Up to the separator or the end of the line, without blanks at its end. */
static struct dlpi_csv_field bare_field(struct dlpi_csv *c)
{
    const char *const first = c->s.at;
    const char *p = first;
    while (p < c->s.end && *p != c->separator && *p != '\n' && *p != '\r') p++;
    c->s.at = p;
    while (p > first && (p[-1] == ' ' || p[-1] == '\t')) p--;
    return (struct dlpi_csv_field){.at = first, .length = (size_t)(p - first)};
}

/* Copies a quoted field with one quote for two. */
static dlp_status undouble(struct dlpi_csv *c, struct dlpi_csv_field *f, dlp_error *error)
{
    const char *const end = f->at + f->length;
    c->plain.size = 0;
    for (const char *p = f->at; p < end; p++) {
        DLP_TRY(dlpi_bytes_grow(&c->plain, error));
        c->plain.data[c->plain.size++] = *p;
        p += *p == '"';
    }
    f->at = c->plain.data;
    f->length = c->plain.size;
    return DLP_OK;
}

/* From a quote to the one that closes it. */
static dlp_status quoted_field(struct dlpi_csv *c, struct dlpi_csv_field *f,
                               dlp_error *error)
{
    const char *const opened = c->s.at++;
    bool doubled = false;
    f->at = c->s.at;
    for (;;) {
        const char *quote = memchr(c->s.at, '"', (size_t)(c->s.end - c->s.at));
        if (!quote)
            return fail_at(c, opened,
                           "a quote is opened and not closed; close it, or double a "
                           "quote that belongs to a field in quotes",
                           error);
        c->s.at = quote + 1;
        if (c->s.at == c->s.end || *c->s.at != '"') {
            f->length = (size_t)(quote - f->at);
            break;
        }
        c->s.at++;
        doubled = true;
    }
    dlpi_csv_skip_blanks(c);
    return doubled ? undouble(c, f, error) : DLP_OK;
}

/* Steps over what ends a field, and notes whether it ends the row. */
static dlp_status pass_delimiter(struct dlpi_csv *c, struct dlpi_csv_field *f,
                                 dlp_error *error)
{
    f->last = dlpi_at_line_end(&c->s);
    if (f->last) {
        dlpi_next_line(&c->s);
    } else if (*c->s.at == c->separator) {
        c->s.at++;
    } else if (*c->s.at == '\r') {
        return fail_at(c, c->s.at,
                       "a carriage return without a line feed; end lines with LF or CR "
                       "LF, or put the field in quotes",
                       error);
    } else {
        dlpi_csv_locate(c, c->s.at);
        return dlpi_scan_fail(&c->s, c->s.at, "a separator after the closing quote",
                              "double a quote that belongs to a field in quotes", error);
    }
    return DLP_OK;
}

dlp_status dlpi_csv_next_field(struct dlpi_csv *c, struct dlpi_csv_field *f,
                               dlp_error *error)
{
    dlpi_csv_skip_blanks(c);
    if (c->s.at < c->s.end && *c->s.at == '"')
        DLP_TRY(quoted_field(c, f, error));
    else
        *f = bare_field(c);
    const char *const here = c->s.at;
    if (memchr(f->at, '\0', f->length))
        return fail_at(
            c, here, "a field contains a zero byte; if this is UTF-16, save it as UTF-8",
            error);
    return pass_delimiter(c, f, error);
}

dlp_status dlpi_csv_count_fields(struct dlpi_csv *c, dlp_index *fields, dlp_error *error)
{
    const char *const start = c->s.at;
    struct dlpi_csv_field f = {0};
    for (*fields = 0; !f.last; ++*fields) DLP_TRY(dlpi_csv_next_field(c, &f, error));
    c->s.at = start;
    return DLP_OK;
}
