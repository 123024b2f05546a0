/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of a report's documents, with the terms of the model marked. */
#include "cli/corpus/source.h"
#include "cli/message.h"
#include "cli/report/page.h"
#include "io/json.h"

#include <stdlib.h>
#include <string.h>

/* How many bytes of a document are shown, and how many terms are marked at most. */
enum { LONGEST = 1200, MOST_PLACES = 400 };

struct cli_page_documents {
    dlp_corpus *corpus;
    dlp_text_builder *reader; /* finds the model's terms; NULL: they have no names */
    dlp_index *document;      /* (D) each document's index in the corpus; -1: not there */
    dlp_text_place place[MOST_PLACES]; /* the terms found in one text */
};

void cli_page_documents_free(cli_page_documents *t)
{
    if (!t) return;
    dlp_corpus_free(t->corpus);
    dlp_text_builder_free(t->reader);
    free(t->document);
    free(t);
}

/* ---- which text ---- */

static dlp_status match(cli_page_documents *t, const char *path,
                        const dlp_topic_model *model, dlp_error *error)
{
    const dlp_index D = dlp_topic_model_get_info(model)->D;
    dlp_index found = 0;
    t->document = calloc((size_t)D + 1, sizeof *t->document);
    if (!t->document) return cli_page_no_memory(error);
    CLI_TRY(dlp_topic_model_find_documents(model, t->corpus, t->document, &found, error));
    if (found > 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "%s: none of its %td documents is one of the model's %td, by name or "
                    "number; give the corpus that the model was fitted to",
                    path, t->corpus->D, D);
}

/* ---- terms in it ---- */

static dlp_status start_reader(cli_page_documents *t, const dlp_topic_model *model,
                               dlp_error *error)
{
    char *const *vocab = dlp_topic_model_vocab(model);
    if (!vocab || !dlp_build_facts().text) return DLP_OK;
    CLI_TRY(dlp_text_builder_alloc(NULL, &t->reader, error));
    CLI_TRY(dlp_text_builder_origin(t->reader, dlp_topic_model_json(model), error));
    return dlp_text_builder_terms(t->reader, vocab, dlp_topic_model_get_info(model)->V,
                                  error);
}

dlp_status cli_page_documents_open(const char *path, const dlp_topic_model *model,
                                   cli_page_documents **texts, dlp_error *error)
{
    cli_page_documents *t = *texts = calloc(1, sizeof *t);
    if (!t) return cli_page_no_memory(error);
    dlp_status status = cli_corpus_open_text(path, NULL, NULL, true, &t->corpus, error);
    if (status == DLP_OK && !t->corpus->text)
        status = dlp_fail(error, DLP_EINPUT,
                          "%s: has no text beside it (.text.jsonl); build it with "
                          "'delaplace corpus build', without --no-text",
                          path);
    if (status == DLP_OK) status = match(t, path, model, error);
    if (status == DLP_OK) status = start_reader(t, model, error);
    if (status == DLP_OK) return DLP_OK;
    cli_page_documents_free(t);
    *texts = NULL;
    return status;
}

/* How many bytes to show: whole characters, up to a blank if one is near. */
static size_t cut(const char *text)
{
    const size_t length = strlen(text);
    size_t size = LONGEST;
    if (length <= LONGEST) return length;
    while (size > LONGEST - 60 && text[size] != ' ' && text[size] != '\n') size--;
    if (text[size] != ' ' && text[size] != '\n') size = LONGEST;
    while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) size--;
    return size;
}

static json_t *piece(const char *text, size_t start, size_t end)
{
    char *copy = strndup(text + start, end - start);
    json_t *json = copy ? dlpi_json_text(copy) : NULL;
    free(copy);
    return json;
}

/* Plain text, term, word, plain text, term, word, ..., plain text. */
static json_t *parts_json(cli_page_documents *t, const char *text, cli_page_term *term,
                          const void *of)
{
    const size_t size = cut(text);
    dlp_index n = 0;
    size_t at = 0;
    json_t *list = json_array();
    bool failed = !list;
    if (t->reader)
        failed |= dlp_text_builder_places(t->reader, text, size, MOST_PLACES, t->place,
                                          &n, NULL) != DLP_OK;
    for (dlp_index i = 0; i < n && !failed; i++) {
        failed = json_array_append_new(list, piece(text, at, t->place[i].start)) != 0 ||
                 json_array_append_new(list, term(of, t->place[i].term)) != 0 ||
                 json_array_append_new(
                     list, piece(text, t->place[i].start, t->place[i].end)) != 0;
        at = t->place[i].end;
    }
    failed = failed || json_array_append_new(list, piece(text, at, size)) != 0;
    if (!failed && text[size])
        failed = json_array_append_new(list, json_null()) != 0; /* there is more */
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

json_t *cli_page_text(cli_page_documents *t, dlp_index d, cli_page_term *term,
                      const void *of)
{
    if (!t || t->document[d] < 0) return json_null();
    return parts_json(t, t->corpus->text[t->document[d]], term, of);
}
