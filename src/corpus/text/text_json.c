/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON lines: one object per line, each a document. */
#include "core/text.h"
#include "corpus/text/text_builder.h"
#include "io/json.h"
#include "io/scan.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static dlp_status fail_at(const struct dlpi_scan *s, const char *what, const char *detail,
                          dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT, "%s:%td: %s%s", s->name, s->line, what,
                    dlpi_show(detail).text);
}

static dlp_status fail_parsing(const struct dlpi_scan *s, const json_error_t *wrong,
                               dlp_error *error)
{
    if (json_error_code(wrong) == json_error_out_of_memory)
        return dlpi_no_memory(error, "a line of JSON");
    return dlp_fail(error, DLP_EINPUT,
                    "%s:%td:%d: this is not a line of JSON: %s; write each object on a "
                    "line of its own",
                    s->name, s->line, wrong->column, dlpi_show(wrong->text).text);
}

/* The name of a document: a text or a whole number; else its number does. */
static const char *name_of(const json_t *value, char number[32])
{
    if (json_is_string(value)) return json_string_value(value);
    if (!json_is_integer(value)) return NULL;
    snprintf(number, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return number;
}

/* Adds the document of one object; *found when it has the key. */
static dlp_status add_object(dlp_text_builder *b, const struct dlpi_scan *s,
                             const json_t *object, const char *column, const char *name,
                             bool *found, dlp_error *error)
{
    char number[32];
    if (!json_is_object(object))
        return fail_at(s, "expected a JSON object, in braces", "", error);
    const json_t *text = json_object_get(object, column);
    if (text && !json_is_string(text) && !json_is_null(text))
        return fail_at(s, "expected a text, in quotes, under the key ", column, error);
    const json_t *called = name ? json_object_get(object, name) : NULL;
    *found |= text != NULL;
    return dlp_text_builder_add(b, name_of(called, number), json_string_value(text),
                                json_string_length(text), error);
}

static dlp_status add_line(dlp_text_builder *b, const struct dlpi_scan *s, size_t size,
                           const char *column, const char *name, bool *found,
                           dlp_error *error)
{
    json_error_t wrong;
    json_t *object = dlpi_json_loadb(s->at, size, JSON_ALLOW_NUL, &wrong);
    if (!object) return fail_parsing(s, &wrong, error);
    const dlp_status status = add_object(b, s, object, column, name, found, error);
    json_decref(object);
    return status;
}

/* The keys of the first object, which was read before. */
static struct dlpi_shown_list first_keys(const char *text, size_t size)
{
    struct dlpi_shown_list keys = {.used = 0};
    const char *key;
    json_t *value;
    json_t *object =
        dlpi_json_loadb(text, size, JSON_ALLOW_NUL | JSON_DISABLE_EOF_CHECK, NULL);
    json_object_foreach(object, key, value)
    {
        dlpi_shown_list_add(&keys, dlpi_show(key));
    }
    json_decref(object);
    return keys;
}

static dlp_status fail_without_key(const char *file, const char *text, size_t size,
                                   const char *column, dlp_error *error)
{
    const struct dlpi_scan s = dlpi_scan_start(file, text, size); /* skips a mark */
    const struct dlpi_shown_list keys = first_keys(s.at, (size_t)(s.end - s.at));
    return dlp_fail(error, DLP_EINPUT,
                    "%s: no object has the key '%s'; the keys of the first are %s", file,
                    dlpi_show(column).text, keys.used > 0 ? keys.text : "none");
}

dlp_status dlpi_text_add_json(dlp_text_builder *b, const char *file, const char *text,
                              size_t size, const char *column, const char *name,
                              dlp_error *error)
{
    struct dlpi_scan s = dlpi_scan_start(file, text, size);
    bool found = false;
    s.progress = b->progress;
    dlpi_scan_step(&s, 1);
    while (s.at < s.end) {
        DLP_TRY(dlpi_scan_tell(&s, error));
        struct dlpi_scan first = s;
        dlpi_skip_blanks(&first);
        const char *newline = memchr(s.at, '\n', (size_t)(s.end - s.at));
        const char *end = newline ? newline : s.end;
        if (!dlpi_at_line_end(&first))
            DLP_TRY(add_line(b, &s, (size_t)(end - s.at), column, name, &found, error));
        dlpi_skip_line(&s);
    }
    return found ? DLP_OK : fail_without_key(file, text, size, column, error);
}
