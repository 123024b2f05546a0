/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of words that topics are to have. */
#include <delaplace/text.h>
#include <delaplace/topic_seeds.h>

#include "core/core.h"
#include "core/string_set.h"
#include "io/input.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 10000 };

struct reader {
    const char *file;
    dlp_index line;
    const dlp_corpus *corpus;
    struct dlpi_string_set terms;
    dlp_text_builder *text; /* reads words as the corpus was made; NULL: not made yet, or
                               cannot be */
    bool tried;             /* to make it */
    dlp_topic_seeds *seeds;
    dlp_index room;
    dlp_error *error;
};

static bool parts(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static dlp_status add_term(struct reader *r, dlp_index term)
{
    dlp_topic_seeds *s = r->seeds;
    for (dlp_index i = s->n; i > 0 && s->word[i - 1].topic == s->topics; i--)
        if (s->word[i - 1].term == term) return DLP_OK;
    if (s->n == r->room) {
        r->room = 2 * r->room + 64;
        dlp_seed_word *more = realloc(s->word, (size_t)r->room * sizeof *more);
        if (!more) return dlpi_no_memory(r->error, "the words of topics");
        s->word = more;
    }
    s->word[s->n++] = (dlp_seed_word){s->topics, term};
    return DLP_OK;
}

/* ---- words in another form ---- */

/* NULL in *text where the terms were not made by this stemmer, or the library has none. */
static dlp_status make_text(const dlp_corpus *c, const char *stem,
                            dlp_text_builder **text, dlp_error *error)
{
    dlp_text_settings settings = dlp_text_settings_default();
    dlp_text_place place;
    dlp_index found;
    settings.stem = stem;
    dlp_status status = dlp_text_builder_alloc(&settings, text, error);
    if (status == DLP_OK && c->origin)
        status = dlp_text_builder_origin(*text, c->origin, error);
    if (status == DLP_OK) status = dlp_text_builder_terms(*text, c->vocab, c->V, error);
    if (status == DLP_OK)
        status = dlp_text_builder_places(*text, "", 0, 1, &place, &found, error);
    if (status == DLP_OK) return DLP_OK;
    dlp_text_builder_free(*text);
    *text = NULL;
    return status == DLP_ENOMEM ? status : DLP_OK;
}

static dlp_status try_text(struct reader *r)
{
    const char *stem = r->corpus->origin ? NULL : "english";
    if (r->tried) return DLP_OK;
    r->tried = true;
    DLP_TRY(make_text(r->corpus, stem, &r->text, r->error));
    return r->text || !stem ? DLP_OK : make_text(r->corpus, NULL, &r->text, r->error);
}

/* The term that this word of a text would count for; -1: none. */
static dlp_status find_form(struct reader *r, const char *word, size_t length,
                            int32_t *term)
{
    dlp_text_place place;
    dlp_index found = 0;
    *term = -1;
    DLP_TRY(try_text(r));
    if (!r->text) return DLP_OK;
    DLP_TRY(dlp_text_builder_places(r->text, word, length, 1, &place, &found, r->error));
    if (found == 1 && place.start == 0 && place.end == length)
        *term = (int32_t)place.term;
    return DLP_OK;
}

static void quote(const char *word, size_t length, char out[64])
{
    snprintf(out, 64, "%.*s", (int)(length < 60 ? length : 60), word);
}

static dlp_status add_form(struct reader *r, const char *word, size_t length)
{
    dlp_topic_seeds *s = r->seeds;
    int32_t term;
    DLP_TRY(find_form(r, word, length, &term));
    if (term < 0) {
        if (s->unknown++ == 0) quote(word, length, s->example);
        return DLP_OK;
    }
    if (s->adapted++ == 0) {
        quote(word, length, s->given);
        quote(r->corpus->vocab[term], strlen(r->corpus->vocab[term]), s->taken);
    }
    return add_term(r, term);
}

static dlp_status add_word(struct reader *r, const char *word, size_t length)
{
    const int32_t term = dlpi_string_set_find(&r->terms, word, length);
    return term >= 0 ? add_term(r, term) : add_form(r, word, length);
}

/* ---- the file ---- */

/* "name: word word, word" */
static dlp_status read_line(struct reader *r, const char *line, size_t length)
{
    const dlp_index before = r->seeds->n;
    const char *colon = memchr(line, ':', length);
    size_t at = colon ? (size_t)(colon + 1 - line) : 0;
    while (at < length) {
        size_t end = at;
        while (end < length && !parts(line[end])) end++;
        if (end > at) DLP_TRY(add_word(r, line + at, end - at));
        at = end + 1;
    }
    if (r->seeds->n == before)
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s:%td: the corpus has none of these words; write words of its "
                        "vocabulary",
                        r->file, r->line);
    if (++r->seeds->topics <= MOST_LINES) return DLP_OK;
    return dlp_fail(r->error, DLP_EINPUT, "%s has more than %d lines", r->file,
                    MOST_LINES);
}

static bool is_blank(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && parts(line[i])) i++;
    return i == length;
}

static dlp_status read_lines(struct reader *r, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *line = text + at, *end = memchr(line, '\n', size - at);
        const size_t length = end ? (size_t)(end - line) : size - at;
        r->line++;
        at += length + 1;
        if (is_blank(line, length) || line[0] == '#') continue;
        DLP_TRY(read_line(r, line, length));
    }
    if (r->seeds->topics > 0) return DLP_OK;
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s has no words; write a line of them for each topic", r->file);
}

static dlp_status read_terms(struct reader *r)
{
    const dlp_corpus *c = r->corpus;
    if (!c->vocab)
        return dlp_fail(r->error, DLP_EINPUT,
                        "words of topics need a corpus that knows its terms; give their "
                        "names in a file X.vocab");
    for (dlp_index v = 0; v < c->V; v++) {
        int32_t code;
        DLP_TRY(dlpi_string_set_add(&r->terms, c->vocab[v], strlen(c->vocab[v]), &code,
                                    r->error));
        if (code != v)
            return dlp_fail(r->error, DLP_EINPUT, "the corpus has the term '%.60s' twice",
                            c->vocab[v]);
    }
    return DLP_OK;
}

dlp_status dlp_topic_seeds_parse(const char *name, const char *text, size_t size,
                                 const dlp_corpus *corpus, dlp_topic_seeds *seeds,
                                 dlp_error *error)
{
    struct reader r = {.file = name, .corpus = corpus, .seeds = seeds, .error = error};
    *seeds = (dlp_topic_seeds){0};
    dlp_status status = read_terms(&r);
    if (status == DLP_OK) status = read_lines(&r, text, size);
    dlpi_string_set_clear(&r.terms);
    dlp_text_builder_free(r.text);
    if (status != DLP_OK) dlp_topic_seeds_free(seeds);
    return status;
}

dlp_status dlp_topic_seeds_read(const char *path, const dlp_corpus *corpus,
                                dlp_topic_seeds *seeds, dlp_error *error)
{
    struct dlpi_bytes bytes = {0};
    *seeds = (dlp_topic_seeds){0};
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    const dlp_status status = dlp_topic_seeds_parse(dlpi_input_name(path), bytes.data,
                                                    bytes.size, corpus, seeds, error);
    free(bytes.data);
    return status;
}

void dlp_topic_seeds_free(dlp_topic_seeds *seeds)
{
    free(seeds->word);
    *seeds = (dlp_topic_seeds){0};
}
