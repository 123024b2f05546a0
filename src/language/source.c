/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

dlpi_position dlpi_source_place(const dlpi_source *source, size_t offset)
{
    dlpi_position place = {1, 1, 1};
    if (offset > source->size) offset = source->size;
    size_t start = 0;
    for (size_t i = 0; i < offset; i++)
        if (source->text[i] == '\n') {
            place.line++;
            start = i + 1;
        }
    place.column = (int32_t)(offset - start) + 1;
    return place;
}

/* The text of a line; *size is 0 if there is none. */
static const char *find_line(const dlpi_source *source, int32_t line, size_t *size)
{
    const char *at = source->text, *const end = source->text + source->size;
    *size = 0;
    for (int32_t i = 1; i < line && at < end; i++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    if (at >= end) return NULL;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    if (stop > at && stop[-1] == '\r') stop--;
    *size = (size_t)(stop - at);
    return at;
}

static char printable(char c)
{
    return (char)(c == '\t' ? ' ' : (unsigned char)c < 32 || c == 127 ? '?' : c);
}

enum { SHOWN = 100 }; /* bytes of a line in a message */

/* A long line is shown around its place. */
static void show_line(const dlpi_source *source, dlpi_position place, char *out,
                      size_t size)
{
    size_t length;
    const char *line = find_line(source, place.line, &length);
    const size_t column = (size_t)place.column - 1;
    if (!line || length == 0 || column > length) return;
    const size_t from = column > SHOWN / 2 ? column - SHOWN / 2 : 0;
    if (length - from > SHOWN) length = from + SHOWN;
    char text[SHOWN + 1], caret[2 * SHOWN + 2];
    size_t n = 0, marks = 0;
    for (size_t i = from; i < length; i++) text[n++] = printable(line[i]);
    text[n] = '\0';
    for (size_t i = from; i < column; i++)
        if (((unsigned char)line[i] & 0xC0) != 0x80) caret[marks++] = ' ';
    caret[marks++] = '^';
    for (int32_t i = 1; i < place.length && column + (size_t)i < length; i++)
        caret[marks++] = '~';
    caret[marks] = '\0';
    snprintf(out, size, "\n%5d | %s\n      | %s", place.line, text, caret);
}

void dlpi_source_show(const dlpi_source *source, dlpi_position place,
                      const char *severity, const char *message, char *out, size_t size)
{
    int used;
    if (size == 0) return;
    if (!source)
        used = snprintf(out, size, "%s: %s", severity, message);
    else if (place.line <= 0)
        used = snprintf(out, size, "%s: %s: %s", source->name, severity, message);
    else
        used = snprintf(out, size, "%s:%d:%d: %s: %s", source->name, place.line,
                        place.column, severity, message);
    /* Part of a line would mislead: shows it only if all of it fits. */
    if (source && source->text && place.line > 0 && used >= 0 &&
        (size_t)used + 3 * (size_t)SHOWN + 32 < size)
        show_line(source, place, out + used, size - (size_t)used);
}

static bool is_known(const dlpi_diagnostics *found, const dlpi_source *source,
                     dlpi_position place, const char *format, const char *message)
{
    for (int i = 0; i < found->n; i++) {
        const dlpi_diagnostic *d = &found->item[i];
        if (source && place.line > 0 && d->file &&
            (d->format == format || strcmp(d->message, message) == 0) &&
            strcmp(d->file, source->name) == 0 && d->place.line == place.line &&
            d->place.column == place.column)
            return true;
    }
    return false;
}

static dlpi_diagnostic *add(dlpi_diagnostics *found, bool is_error)
{
    const int count = is_error ? found->n_errors++ : found->n_warnings++;
    if (count >= (is_error ? DLPI_MAX_ERRORS : DLPI_MAX_WARNINGS)) return NULL;
    dlpi_diagnostic *d = &found->item[found->n++];
    *d = (dlpi_diagnostic){.is_error = is_error};
    return d;
}

static const char *keep(dlpi_diagnostics *found, const char *text)
{
    const char *copy = dlpi_pool_copy(&found->pool, text, strlen(text));
    return copy ? copy : "not enough memory for a message";
}

dlpi_diagnostic *dlpi_report(dlpi_diagnostics *found, bool is_error,
                             const dlpi_source *source, dlpi_position place,
                             const char *format, ...)
{
    char message[1024], text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (is_known(found, source, place, format, message)) return NULL;
    dlpi_diagnostic *d = add(found, is_error);
    if (!d) return NULL;
    dlpi_source_show(source, place, is_error ? "error" : "warning", message, text,
                     sizeof text);
    d->place = place;
    d->format = format[0] == '%' && format[1] == 's' && !format[2] ? NULL : format;
    d->text = keep(found, text);
    d->message = keep(found, message);
    d->file = source ? keep(found, source->name) : NULL;
    return d;
}

void dlpi_report_made(dlpi_diagnostics *found, const char *text)
{
    for (int i = 0; i < found->n; i++)
        if (strcmp(found->item[i].text, text) == 0) return;
    dlpi_diagnostic *d = add(found, true);
    if (d) d->text = d->message = keep(found, text);
}

void dlpi_diagnostics_clear(dlpi_diagnostics *found)
{
    dlpi_pool_free(&found->pool);
    *found = (dlpi_diagnostics){0};
}

dlp_status dlpi_diagnostics_status(const dlpi_diagnostics *found, dlp_error *error)
{
    for (int i = 0; i < found->n; i++)
        if (found->item[i].is_error)
            return dlp_fail(error, DLP_EINPUT, "%s", found->item[i].text);
    return DLP_OK;
}

/* ---- names ---- */

struct name {
    int64_t number;
    char text[];
};

const char *dlpi_name(dlpi_names *names, const char *text, size_t size)
{
    names->index.pool = names->pool;
    const dlp_index known = dlpi_name_index_find(&names->index, text, size);
    if (known >= 0) return names->text[known];
    if (names->index.n >= names->room) {
        const dlp_index room = names->room ? 2 * names->room : 64;
        const char **more = dlpi_pool_take(names->pool, room, sizeof *more);
        if (!more) return NULL;
        if (names->room > 0)
            memcpy(more, names->text, (size_t)names->room * sizeof *more);
        names->text = more;
        names->room = room;
    }
    struct name *name =
        dlpi_pool_take(names->pool, (dlp_index)(sizeof *name + size + 1), 1);
    if (!name) return NULL;
    memcpy(name->text, text, size);
    const dlp_index number = dlpi_name_index_add(&names->index, name->text, size);
    if (number < 0) return NULL;
    name->number = number;
    return names->text[number] = name->text;
}

int32_t dlpi_name_number(const char *name)
{
    return (int32_t)((const struct name *)(name - offsetof(struct name, text)))->number;
}
