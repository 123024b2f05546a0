/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading JSON. */
#include "io/json.h"

#include "core/core.h"
#include "core/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- how many bytes of strings to expect ---- */

/* Counts the bytes of all strings in JSON, as UTF-8, while it is read. */
typedef struct string_bytes {
    size_t bytes;
    enum { OUTSIDE, INSIDE, ESCAPED, CODE } state;
    int digits; /* of a \u escape, still to come */
    unsigned code;
} string_bytes;

/* A pair of surrogates is four bytes, counted with its first half. */
static size_t utf8_bytes(unsigned code)
{
    if (code >= 0xd800 && code < 0xdc00) return 4;
    if (code >= 0xdc00 && code < 0xe000) return 0;
    return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

static void count_escape(string_bytes *s, char c)
{
    if (s->state == ESCAPED) {
        s->state = c == 'u' ? CODE : INSIDE;
        s->digits = 4;
        s->code = 0;
        s->bytes += c != 'u';
        return;
    }
    s->code = 16 * s->code + (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    if (--s->digits > 0) return;
    s->bytes += utf8_bytes(s->code);
    s->state = INSIDE;
}

static void count_bytes(string_bytes *s, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (s->state == OUTSIDE)
            s->state = text[i] == '"' ? INSIDE : OUTSIDE;
        else if (s->state != INSIDE)
            count_escape(s, text[i]);
        else if (text[i] == '"')
            s->state = OUTSIDE;
        else if (text[i] == '\\')
            s->state = ESCAPED;
        else
            s->bytes++;
    }
}

static size_t bytes_of(json_t *value)
{
    size_t bytes = json_string_length(value), i;
    const char *key;
    json_t *part;
    json_array_foreach(value, i, part) bytes += bytes_of(part);
    json_object_foreach(value, key, part) bytes += strlen(key) + bytes_of(part);
    return bytes;
}

/* ---- reading ---- */

static dlp_status cannot_read(const char *name, const char *expected, dlp_error *error)
{
    if (errno == EISDIR)
        return dlp_fail(error, DLP_EINPUT, "%s: is a folder; expected %s", name,
                        expected);
    if (errno == ENOMEM) return dlpi_no_memory_to_read(error, name);
    return dlp_fail(error, dlpi_names_no_file(errno) ? DLP_EINPUT : DLP_EIO,
                    "%s: cannot read: %s; %s", name, strerror(errno),
                    dlpi_names_no_file(errno) ? "check the name" : "try again");
}

static dlp_status wrong_json(const char *name, const char *expected,
                             const json_error_t *wrong, dlp_error *error)
{
    if (json_error_code(wrong) == json_error_out_of_memory)
        return dlpi_no_memory_to_read(error, name);
    const bool at_start = strstr(wrong->text, "'[' or '{' expected") ||
                          strstr(wrong->text, "unable to decode");
    if (wrong->line <= 1 && at_start)
        return dlp_fail(error, DLP_EINPUT, "%s: is %s; expected %s", name,
                        strstr(wrong->text, "end of file") ? "empty" : "not JSON",
                        expected);
    return dlp_fail(error, DLP_EINPUT,
                    "%s:%d:%d: this is not complete JSON: %s; if the file was cut off or "
                    "edited, make it again",
                    name, wrong->line, wrong->column, wrong->text);
}

static void no_memory(json_t **value, json_error_t *wrong)
{
    json_decref(*value);
    *value = NULL;
    wrong->text[0] = '\0';
    wrong->text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_out_of_memory;
}

/* When memory is short, jansson reports a malformed file, or silently loses letters of a
   text. errno, which malloc sets, shows it, unless a later number clears errno; then the
   number of letters shows it. */
static bool is_whole(json_t *value, size_t bytes)
{
    return errno != ENOMEM && (!value || bytes_of(value) == bytes);
}

/* If a key comes twice, one value is dropped and letters are missing without any fault:
   then a second run must give the same. */
json_t *dlpi_json_loadb(const char *text, size_t size, size_t flags, json_error_t *wrong)
{
    json_error_t unasked;
    string_bytes within = {0};
    if (!wrong) wrong = &unasked;
    errno = 0;
    json_t *value = json_loadb(text, size, flags, wrong);
    const size_t end = wrong->position > 0 ? (size_t)wrong->position : size;
    if (value) count_bytes(&within, text, end < size ? end : size);
    if (is_whole(value, within.bytes)) return value;
    json_t *again = errno == ENOMEM ? NULL : json_loadb(text, size, flags, wrong);
    if (!again || !json_equal(value, again)) no_memory(&value, wrong);
    json_decref(again);
    return value;
}

/* A file that is read and counted at once. */
typedef struct counted_file {
    FILE *in;
    string_bytes within;
} counted_file;

static size_t read_counted(void *buffer, size_t size, void *context)
{
    counted_file *file = context;
    const size_t got = fread(buffer, 1, size, file->in);
    count_bytes(&file->within, buffer, got);
    return got > 0 || !ferror(file->in) ? got : (size_t)-1;
}

dlp_status dlpi_json_read(const char *path, const char *expected, json_t **value,
                          dlp_error *error)
{
    const bool standard = !strcmp(path, "-");
    const char *name = standard ? "standard input" : path;
    json_error_t wrong;
    *value = NULL;
    FILE *in = standard ? stdin : fopen(path, "r");
    if (!in) return cannot_read(name, expected, error);
    counted_file file = {.in = in};
    errno = 0;
    *value = json_load_callback(read_counted, &file, JSON_REJECT_DUPLICATES, &wrong);
    if (!is_whole(*value, file.within.bytes)) no_memory(value, &wrong);
    const dlp_status status = *value       ? DLP_OK
                              : ferror(in) ? cannot_read(name, expected, error)
                                           : wrong_json(name, expected, &wrong, error);
    if (!standard) fclose(in);
    return status;
}

dlp_status dlpi_json_parse(const char *name, const char *text, size_t size,
                           const char *expected, json_t **value, dlp_error *error)
{
    json_error_t wrong;
    *value = dlpi_json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong);
    return *value ? DLP_OK : wrong_json(name, expected, &wrong, error);
}
