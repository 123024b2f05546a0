/* SPDX-License-Identifier: BSD-3-Clause */
/* The files next to a corpus that was made from text: the text of its documents, and how
   its words were made. */
#include "corpus/corpus.h"
#include "io/json.h"
#include "io/scan.h"

#include <string.h>

/* Reads one line into the block at *next, which has room: a JSON string is never shorter
   than the text it encodes. A zero byte, which our own files never have, ends the
   text. */
static dlp_status read_line(struct dlpi_scan *s, char **next, dlp_error *error)
{
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    const size_t size = (size_t)((newline ? newline : s->end) - s->at);
    json_error_t wrong;
    json_t *value =
        dlpi_json_loadb(s->at, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &wrong);
    if (!value && json_error_code(&wrong) == json_error_out_of_memory)
        return dlpi_no_memory(error, "the text of a corpus");
    if (!json_is_string(value)) {
        json_decref(value);
        return dlpi_advise(
            error, DLP_REMEDY_BUILD_CORPUS,
            dlp_fail(error, DLP_EINPUT,
                     "%s:%td: this is not a JSON string; a text of documents has one per "
                     "line; make the corpus again",
                     s->name, s->line));
    }
    const size_t length = strlen(json_string_value(value));
    memcpy(*next, json_string_value(value), length + 1);
    *next += length + 1;
    json_decref(value);
    s->at += size;
    if (newline) dlpi_next_line(s);
    return DLP_OK;
}

static dlp_status read_lines(struct dlpi_scan s, dlp_corpus *c, char **text, char *next,
                             dlp_error *error)
{
    dlp_index d = 0;
    for (; s.at < s.end && d < c->D; d++) {
        text[d] = next;
        DLP_TRY(read_line(&s, &next, error));
    }
    if (d == c->D && s.at == s.end) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "%s: has %s than the %td documents of the corpus; build the corpus "
                    "again, or move that file away",
                    s.name, d < c->D ? "fewer texts" : "more texts", c->D);
}

dlp_status dlpi_corpus_read_text(dlp_corpus *c, const char *path, dlp_error *error)
{
    struct dlpi_bytes bytes;
    if (c->text) return DLP_OK;
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    const size_t pointers = (size_t)c->D * sizeof(char *);
    char **text = dlpi_calloc((dlp_index)(pointers + bytes.size + 1), 1);
    dlp_status status = text ? DLP_OK : dlpi_no_memory(error, "the text of a corpus");
    if (text)
        status =
            read_lines(dlpi_scan_start(dlpi_input_name(path), bytes.data, bytes.size), c,
                       text, (char *)text + pointers, error);
    free(bytes.data);
    if (status == DLP_OK)
        c->text = text;
    else
        free(text);
    return status;
}

dlp_status dlpi_corpus_read_origin(dlp_corpus *c, const char *path, dlp_error *error)
{
    json_t *value = NULL;
    size_t size = 0;
    if (c->origin) return DLP_OK;
    DLP_TRY(dlpi_json_read(path, "a description of how words were made", &value, error));
    c->origin = dlpi_json_lines(value, &size);
    json_decref(value);
    return c->origin ? DLP_OK : dlpi_no_memory(error, "a corpus");
}
