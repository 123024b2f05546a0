/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/json.h"

#include "core/core.h"
#include "core/file.h"
#include "io/number.h"
#include "io/print_file.h"

#include <delaplace/file.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT JSON_ENCODE_ANY

json_t *dlpi_json_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *latin1_text(const char *text)
{
    char *utf8 = malloc(2 * strlen(text) + 1);
    if (!utf8) return NULL;
    char *end = utf8;
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < 0x80) {
            *end++ = *text;
        } else {
            *end++ = (char)(0xC0 | (byte >> 6));
            *end++ = (char)(0x80 | (byte & 0x3F));
        }
    }
    *end = '\0';
    json_t *value = json_string(utf8);
    free(utf8);
    return value;
}

json_t *dlpi_json_text(const char *text)
{
    errno = 0;
    json_t *value = json_string(text); /* NULL when not UTF-8, or without memory */
    return value || errno == ENOMEM ? value : latin1_text(text);
}

json_t *dlpi_json_list(dlp_index n, dlpi_json_item *item, const void *of)
{
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = 0; i < n && !failed; i++)
        failed = json_array_append_new(list, item(of, i)) != 0;
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* ---- writing ---- */

static bool is_container(const json_t *value)
{
    return json_is_array(value) || json_is_object(value);
}

static bool holds_containers(json_t *value)
{
    const char *key;
    json_t *part;
    size_t i;
    json_array_foreach(value, i, part) if (is_container(part)) return true;
    json_object_foreach(value, key, part) if (is_container(part)) return true;
    return false;
}

static void start_line(FILE *out, size_t i, int depth)
{
    fputs(i > 0 ? ",\n" : "\n", out);
    for (int k = 0; k < depth; k++) fputc(' ', out);
}

/* 15 digits if they read back to the same number, as they do for numbers that people
   typed, which would otherwise end in 00001 or 99999; else 17. Like jansson, gives a real
   number a point or an exponent. */
static void dump_real(double x, FILE *out)
{
    char text[DLPI_NUMBER_PRINT], fewer[DLPI_NUMBER_PRINT];
    dlpi_number_print(x, text);
    if (strstr(text, "0000") || strstr(text, "9999")) {
        snprintf(fewer, sizeof fewer, "%.15g", x);
        const bool same = strtod(fewer, NULL) == x;
        dlpi_number_point(fewer);
        if (same) memcpy(text, fewer, sizeof text);
    }
    fputs(text, out);
    if (!strpbrk(text, ".e")) fputs(".0", out);
}

/* Writes text that needs no escapes, as is nearly always the case; false: it needs
   some. */
static bool dump_as_is(const char *text, size_t size, FILE *out)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == '"' || text[i] == '\\')
            return false;
    fputc('"', out);
    fwrite(text, 1, size, out);
    fputc('"', out);
    return true;
}

static void dump_integer(json_int_t value, FILE *out)
{
    char text[24], *at = text + sizeof text;
    unsigned long long left =
        value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) *--at = '-';
    fwrite(at, 1, (size_t)(text + sizeof text - at), out);
}

static int dump_plain(const json_t *value, FILE *out)
{
    const char *text = json_string_value(value);
    if (text && dump_as_is(text, json_string_length(value), out)) return 0;
    if (json_is_real(value))
        dump_real(json_real_value(value), out);
    else if (json_is_integer(value))
        dump_integer(json_integer_value(value), out);
    else
        return json_dumpf(value, out, FORMAT);
    return 0;
}

/* Writes any text, with escapes if it needs them. */
static int dump_key(const char *key, FILE *out)
{
    int failed = 0;
    if (!dump_as_is(key, strlen(key), out)) {
        json_t *text = json_string(key);
        failed = text ? json_dumpf(text, out, FORMAT) : -1;
        json_decref(text);
    }
    fputs(": ", out);
    return failed;
}

/* On one line. */
static int dump_flat(json_t *value, FILE *out)
{
    const char *key;
    json_t *part;
    size_t i;
    int failed = 0;
    if (!is_container(value)) return dump_plain(value, out);
    fputc(json_is_array(value) ? '[' : '{', out);
    json_array_foreach(value, i, part)
    {
        if (i > 0) fputs(", ", out);
        failed |= dump_plain(part, out);
    }
    i = 0;
    json_object_foreach(value, key, part)
    {
        if (i++ > 0) fputs(", ", out);
        failed |= dump_key(key, out);
        failed |= dump_plain(part, out);
    }
    fputc(json_is_array(value) ? ']' : '}', out);
    return failed;
}

/* Lines for readers: an array or object of plain values only (a coefficient, a row of a
   matrix) is on one line. The keys are our own, and need no escapes. */
static int dump(json_t *value, int depth, FILE *out)
{
    const char *key;
    json_t *part;
    size_t i;
    if (!holds_containers(value) && depth > 0) return dump_flat(value, out);
    int failed = 0;
    fputc(json_is_array(value) ? '[' : '{', out);
    json_array_foreach(value, i, part)
    {
        start_line(out, i, depth + 1);
        failed |= dump(part, depth + 1, out);
    }
    i = 0;
    json_object_foreach(value, key, part)
    {
        start_line(out, i++, depth + 1);
        fprintf(out, "\"%s\": ", key);
        failed |= dump(part, depth + 1, out);
    }
    fprintf(out, "\n%*s%c", depth, "", json_is_array(value) ? ']' : '}');
    return failed;
}

json_t *dlpi_json_copy(const json_t *object)
{
    json_t *copy = json_copy((json_t *)object); /* which it does not change */
    if (!copy || json_object_size(copy) == json_object_size(object)) return copy;
    json_decref(copy);
    return NULL;
}

static int add_bytes(const char *bytes, size_t size, void *out)
{
    return fwrite(bytes, 1, size, out) == size ? 0 : -1;
}

char *dlpi_json_dumps(const json_t *value, size_t flags)
{
    char *text = NULL;
    size_t size;
    FILE *out = dlpi_open_text(&text, &size);
    if (!out) return NULL;
    const bool failed = json_dump_callback(value, add_bytes, out, flags) != 0;
    if (dlpi_close_text(out, &text) && !failed) return text;
    free(text);
    return NULL;
}

char *dlpi_json_lines(const json_t *value, size_t *size)
{
    char *text = NULL;
    FILE *out = value ? dlpi_open_text(&text, size) : NULL;
    if (!out) return NULL;
    /* its iterators want a value that may change, and do not change it */
    bool failed = dump((json_t *)value, 0, out) != 0;
    fputc('\n', out);
    if (dlpi_close_text(out, &text) && !failed) return text;
    free(text);
    return NULL;
}

dlp_status dlpi_json_write(const json_t *value, const char *path, dlp_error *error)
{
    size_t size;
    char *lines = dlpi_json_lines(value, &size);
    if (!lines) return dlpi_no_memory(error, "a JSON file");
    const dlp_status status = dlp_file_write(path, lines, size, error);
    free(lines);
    return status;
}
