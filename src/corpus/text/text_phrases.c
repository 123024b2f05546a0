/* SPDX-License-Identifier: BSD-3-Clause */
/* Phrases that are given: lists of them, and terms with underscores. */
#include "corpus/text/text_phrases.h"

#include "core/text.h"
#include "corpus/text/text_builder.h"

#include <stdio.h>
#include <string.h>

/* ---- the words in their order ---- */

/* Room for one more number in an array of (*room). */
static bool grow(void **array, dlp_index used, dlp_index *room, size_t size)
{
    if (used < *room) return true;
    const dlp_index wider = *room ? 2 * *room : 1024;
    void *longer = (size_t)wider <= PTRDIFF_MAX / size
                       ? realloc(*array, (size_t)wider * size)
                       : NULL;
    if (!longer) return false;
    *array = longer;
    *room = wider;
    return true;
}

dlp_status dlpi_sequence_put(struct dlpi_sequence *s, int32_t word, dlp_error *error)
{
    void *array = s->word;
    const bool fits = grow(&array, s->size, &s->room, sizeof *s->word);
    s->word = array;
    if (!fits) return dlpi_no_memory(error, "the words of a corpus");
    s->word[s->size++] = word;
    return DLP_OK;
}

dlp_status dlpi_sequence_end(struct dlpi_sequence *s, dlp_error *error)
{
    DLP_TRY(dlpi_sequence_put(s, DLPI_APART, error));
    void *array = s->end;
    const bool fits = grow(&array, s->documents, &s->documents_room, sizeof *s->end);
    s->end = array;
    if (!fits) return dlpi_no_memory(error, "the words of a corpus");
    s->end[s->documents++] = s->size;
    return DLP_OK;
}

void dlpi_sequence_clear(struct dlpi_sequence *s)
{
    free(s->word);
    free(s->end);
    *s = (struct dlpi_sequence){.size = 0};
}

/* ---- lists ---- */

/* The words of a line, joined, into the set; *words is how many. */
static dlp_status add_line(dlp_text_builder *b, const char *line, size_t size, int *words,
                           dlp_error *error)
{
    enum { MOST = 8 };
    char phrase[MOST * (DLPI_WORD_BYTES + 1)];
    size_t used = 0;
    struct dlpi_words w;
    dlpi_words_start(&w, b->settings.keep_numbers != 0);
    dlpi_words_open(&w, line, size);
    for (*words = 0; *words <= MOST && dlpi_words_next(&w); ++*words) {
        if (*words == MOST) continue; /* one too many, which the caller sees */
        if (*words > 0) phrase[used++] = '_';
        memcpy(phrase + used, w.word, w.size);
        used += w.size;
    }
    dlpi_words_end(&w);
    if (w.no_memory) return dlpi_no_memory(error, "finding words");
    if (*words < 2 || *words > MOST) return DLP_OK;
    int32_t code = 0;
    return dlpi_string_set_add(&b->given, phrase, used, &code, error);
}

dlp_status dlp_text_builder_phrases(dlp_text_builder *b, const char *text, size_t size,
                                    dlp_error *error)
{
    if (!b || (!text && size > 0) || b->documents > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "phrases need a builder without documents, and text");
    for (dlp_index line = 1; size > 0; line++) {
        const char *newline = memchr(text, '\n', size);
        const size_t length = newline ? (size_t)(newline - text) : size;
        size_t used = 0;
        int words = 0;
        while (used < length && text[used] != '#' && text[used] != '|') used++;
        DLP_TRY(add_line(b, text, used, &words, error));
        if (words == 1 || words > 8)
            return dlp_fail(error, DLP_EINPUT,
                            "line %td has %s; a phrase has two to eight, on one line",
                            line, words == 1 ? "one word" : "more than eight words");
        const size_t step = newline ? length + 1 : length;
        text += step;
        size -= step;
    }
    return DLP_OK;
}

dlp_status dlp_text_builder_read_phrases(dlp_text_builder *b, const char *path,
                                         dlp_error *error)
{
    struct dlpi_bytes bytes;
    dlp_error why = {0};
    if (!b || !path)
        return dlp_fail(error, DLP_EINVAL, "phrases need a builder and a path");
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    const int32_t before = b->given.count;
    dlp_status status = dlp_text_builder_phrases(b, bytes.data, bytes.size, &why);
    if (status == DLP_OK && b->given.count == before)
        status = dlp_fail(&why, DLP_EINPUT, "holds no phrases; expected one per line");
    free(bytes.data);
    if (status == DLP_OK) return DLP_OK;
    return dlpi_advise(
        error, why.remedy,
        dlp_fail(error, status, "%s: %.900s", dlpi_input_name(path), why.message));
}

/* ---- the tree ---- */

/* The stem of a word, or the word; its size, 0 without memory. */
static size_t key_of(const struct dlpi_phrase_trie *t, const char *word, size_t size,
                     char key[DLPI_STEM_BYTES])
{
    if (t->stemmer) return dlpi_stem(t->stemmer, word, size, key);
    if (size > DLPI_STEM_BYTES) size = DLPI_STEM_BYTES;
    memcpy(key, word, size);
    return size;
}

/* The edge from a node by a key, as a name. */
static size_t name_edge(char name[32], int32_t node, int32_t key)
{
    return (size_t)snprintf(name, 32, "%d %d", (int)node, (int)key);
}

static dlp_status add_phrase(struct dlpi_phrase_trie *t, const char *phrase, size_t size,
                             dlp_error *error)
{
    int32_t node = 0;
    while (size > 0) {
        char key[DLPI_STEM_BYTES], edge[32];
        const char *joint = memchr(phrase, '_', size);
        const size_t part = joint ? (size_t)(joint - phrase) : size;
        const size_t length = part > 0 ? key_of(t, phrase, part, key) : 0;
        int32_t code = 0;
        if (length == 0) return DLP_OK; /* two underscores: no phrase of ours */
        DLP_TRY(dlpi_string_set_add(&t->key, key, length, &code, error));
        DLP_TRY(dlpi_string_set_add(&t->edge, edge, name_edge(edge, node, code), &node,
                                    error));
        node++;
        phrase += joint ? part + 1 : part;
        size -= joint ? part + 1 : part;
    }
    char mark[32];
    int32_t code = 0;
    return dlpi_string_set_add(&t->edge, mark, name_edge(mark, node, -1), &code, error);
}

static dlp_status add_phrases(struct dlpi_phrase_trie *t,
                              const struct dlpi_string_set *set, dlp_error *error)
{
    for (int32_t i = 0; i < set->count; i++) {
        size_t size = 0;
        const char *name = dlpi_string_set_name(set, i, &size);
        if (memchr(name, '_', size)) DLP_TRY(add_phrase(t, name, size, error));
    }
    return DLP_OK;
}

dlp_status dlpi_phrase_trie_start(struct dlpi_phrase_trie *t,
                                  const struct dlpi_string_set *given,
                                  const struct dlpi_string_set *terms,
                                  const char *language, dlp_error *error)
{
    t->ready = true;
    if (language && !(t->stemmer = dlpi_stemmer_alloc(language)))
        return dlpi_no_memory(error, "a stemmer");
    DLP_TRY(add_phrases(t, given, error));
    return add_phrases(t, terms, error);
}

void dlpi_phrase_trie_clear(struct dlpi_phrase_trie *t)
{
    dlpi_stemmer_free(t->stemmer);
    dlpi_string_set_clear(&t->key);
    dlpi_string_set_clear(&t->edge);
    *t = (struct dlpi_phrase_trie){.ready = false};
}

int32_t dlpi_phrase_key(const struct dlpi_phrase_trie *t, const char *word, size_t size)
{
    char key[DLPI_STEM_BYTES];
    const size_t length = key_of(t, word, size, key);
    return length == 0 ? -2 : dlpi_string_set_find(&t->key, key, length);
}

dlp_index dlpi_phrase_longest(const struct dlpi_phrase_trie *t, const int32_t *key,
                              dlp_index n)
{
    dlp_index longest = 0;
    int32_t node = 0;
    for (dlp_index i = 0; i < n && key[i] >= 0; i++) {
        char edge[32];
        node = dlpi_string_set_find(&t->edge, edge, name_edge(edge, node, key[i])) + 1;
        if (node == 0) break;
        if (dlpi_string_set_find(&t->edge, edge, name_edge(edge, node, -1)) >= 0)
            longest = i + 1;
    }
    return longest;
}
