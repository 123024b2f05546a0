/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How text became terms, as JSON: kept beside the corpus (X.words.json) and in the
 * model.json of a fit ("origin"), so that new text is read in the same way.
 * docs/file-formats.md has the keys.
 */
#include "corpus/text/text_builder.h"
#include "io/json.h"

#include <string.h>
#include <unistd.h>

#define FORMAT "delaplace-words"
enum { VERSION = 1 };

static json_t *name_or_null(const char *name)
{
    return name ? json_string(name) : json_null();
}

char *dlpi_text_origin(const dlp_text_builder *b, const dlp_text_report *r)
{
    const dlp_text_settings *s = &b->settings;
    const char *segmenter = r->segmented_runs > 0 ? dlpi_segmenter_version() : NULL;
    json_t *origin =
        json_pack("{s:s, s:i, s:o, s:b, s:b, s:o, s:I, s:o, s:s}", "format", FORMAT,
                  "version", VERSION, "stem", name_or_null(s->stem), "keep_numbers",
                  s->keep_numbers != 0, "phrases", b->keeps_order, "stop_words",
                  name_or_null(r->stop_list), "min_length", (json_int_t)s->min_length,
                  "segmenter", name_or_null(segmenter), "markup", s->markup);
    size_t size = 0;
    char *text = dlpi_json_lines(origin, &size);
    json_decref(origin);
    return text;
}

/* ---- taken over ---- */

/* The path beside another: "folder/vocab.txt" and "model.json". */
static char *sibling(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    char *beside = dlpi_calloc((dlp_index)(folder + strlen(name) + 1), 1);
    if (!beside) return NULL;
    memcpy(beside, path, folder);
    memcpy(beside + folder, name, strlen(name) + 1);
    return beside;
}

static bool ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), n = strlen(end);
    return length >= n && !strcmp(path + length - n, end);
}

/* Finds the record of how the terms were made; NULL in *place if there is none. */
static dlp_status find_origin(const char *path, char **place, dlp_error *error)
{
    const bool of_model = ends_with(path, "/vocab.txt") || !strcmp(path, "vocab.txt");
    *place = NULL;
    if (!strcmp(path, "-")) return DLP_OK;
    *place =
        of_model ? sibling(path, "model.json") : dlp_corpus_beside(path, ".words.json");
    if (!*place) return dlpi_no_memory(error, "a file's name");
    if (access(*place, F_OK) == 0) return DLP_OK;
    free(*place);
    *place = NULL;
    return DLP_OK;
}

static bool is_origin(const json_t *origin)
{
    const char *format = json_string_value(json_object_get(origin, "format"));
    return format && !strcmp(format, FORMAT);
}

/* A stem that this library does not have is an error: words would be lost without one. */
static dlp_status take(dlp_text_builder *b, const json_t *origin, const char *place,
                       dlp_error *error)
{
    const char *stem = json_string_value(json_object_get(origin, "stem"));
    const char *known = NULL;
    if (json_is_true(json_object_get(origin, "keep_numbers")) &&
        !b->settings.keep_numbers) {
        b->settings.keep_numbers = 1;
        dlpi_words_start(&b->words, true);
    }
    if (!stem || b->settings.stem) return DLP_OK;
    for (int i = 0; (known = dlp_text_stemmer_name(i)); i++)
        if (!strcmp(known, stem)) break;
    b->settings.stem = known;
    if (known) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT,
        "%s: the terms were made with the stemmer '%.60s', which this library "
        "does not have",
        place, stem);
}

static dlp_status take_json(dlp_text_builder *b, const json_t *root, const char *place,
                            dlp_error *error)
{
    const json_t *origin = is_origin(root) ? root : json_object_get(root, "origin");
    return is_origin(origin) ? take(b, origin, place, error) : DLP_OK;
}

dlp_status dlpi_text_take_origin(dlp_text_builder *b, const char *path, dlp_error *error)
{
    char *place = NULL;
    json_t *root = NULL;
    DLP_TRY(find_origin(path, &place, error));
    if (!place) return DLP_OK;
    dlp_status status =
        dlpi_json_read(place, "a description of how words were made", &root, error);
    if (status == DLP_OK) status = take_json(b, root, place, error);
    json_decref(root);
    free(place);
    return status;
}

dlp_status dlp_text_builder_origin(dlp_text_builder *b, const char *json,
                                   dlp_error *error)
{
    json_t *root = NULL;
    if (!b || !json || b->documents > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "how words are made needs a builder without documents, and JSON");
    DLP_TRY(dlpi_json_parse("the making of words", json, strlen(json),
                            "a description of how words were made", &root, error));
    const dlp_status status = take_json(b, root, "the making of words", error);
    json_decref(root);
    return status;
}
