/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a text has the given terms: words in their context. */
#include "corpus/text/text_builder.h"

#include <string.h>

/* A word of the text. */
struct seen {
    size_t start, end;
    bool apart;
    int32_t term; /* of the word by itself, or -1 */
    int32_t key;  /* in phrases, or -1 */
};

struct line {
    struct seen *word; /* (room) */
    dlp_index n, room;
};

static dlp_status start(dlp_text_builder *b, dlp_error *error)
{
    if (!b->matcher.ready)
        DLP_TRY(dlpi_term_matcher_start(&b->matcher, &b->terms, b->settings.stem, error));
    if (b->trie.ready) return DLP_OK;
    const struct dlpi_string_set none = {0};
    return dlpi_phrase_trie_start(&b->trie, &none, &b->terms, b->settings.stem, error);
}

static dlp_status keep_word(dlp_text_builder *b, const struct dlpi_words *w,
                            const char *text, struct line *line, dlp_error *error)
{
    if (line->n == line->room) {
        const dlp_index room = line->room ? 2 * line->room : 256;
        struct seen *word = realloc(line->word, (size_t)room * sizeof *word);
        if (!word) return dlpi_no_memory(error, "the words of a text");
        line->word = word;
        line->room = room;
    }
    struct seen *s = &line->word[line->n++];
    *s = (struct seen){.start = (size_t)((const char *)w->start - text),
                       .end = (size_t)((const char *)w->at - text),
                       .apart = w->apart,
                       .key = -1};
    DLP_TRY(dlpi_term_match(&b->matcher, &b->terms, w->word, w->size, &s->term, error));
    if (b->trie.key.count > 0) s->key = dlpi_phrase_key(&b->trie, w->word, w->size);
    return DLP_OK;
}

static dlp_status read_words(dlp_text_builder *b, const char *text, size_t size,
                             struct line *line, dlp_error *error)
{
    struct dlpi_words words;
    dlp_status status = DLP_OK;
    dlpi_words_start(&words, b->settings.keep_numbers != 0);
    dlpi_words_open(&words, text, size);
    while (status == DLP_OK && dlpi_words_next(&words))
        status = keep_word(b, &words, text, line, error);
    if (status == DLP_OK && words.no_memory)
        status = dlpi_no_memory(error, "finding words");
    dlpi_words_end(&words);
    return status;
}

/* The term of the phrase of n words from i on, by its stem or name; or -1. */
static dlp_status match_phrase(dlp_text_builder *b, const struct line *line, dlp_index i,
                               dlp_index n, int32_t *term, dlp_error *error)
{
    char name[DLPI_STEM_BYTES];
    size_t used = 0;
    for (dlp_index k = 0; k < n; k++) {
        size_t size = 0;
        const char *key =
            dlpi_string_set_name(&b->trie.key, line->word[i + k].key, &size);
        if (used + size + 1 > sizeof name) break;
        if (k > 0) name[used++] = '_';
        memcpy(name + used, key, size);
        used += size;
    }
    return dlpi_term_match(&b->matcher, &b->terms, name, used, term, error);
}

/* How many words the phrase at i has; 0: there is none. */
static dlp_index phrase_at(const dlp_text_builder *b, const struct line *line,
                           dlp_index i)
{
    enum { LONGEST = 8 };
    int32_t key[LONGEST];
    dlp_index n = 0;
    while (n < LONGEST && i + n < line->n && (n == 0 || !line->word[i + n].apart)) {
        key[n] = line->word[i + n].key;
        n++;
    }
    return b->trie.key.count > 0 ? dlpi_phrase_longest(&b->trie, key, n) : 0;
}

static dlp_status list_places(dlp_text_builder *b, const struct line *line, dlp_index n,
                              dlp_text_place *place, dlp_index *found, dlp_error *error)
{
    for (dlp_index i = 0, step = 1; i < line->n && *found < n; i += step) {
        int32_t term = line->word[i].term;
        const dlp_index words = phrase_at(b, line, i);
        step = words > 1 ? words : 1;
        if (words > 1) DLP_TRY(match_phrase(b, line, i, words, &term, error));
        if (term < 0) continue;
        place[(*found)++] = (dlp_text_place){
            line->word[i].start, line->word[i + step - 1].end, (dlp_index)term};
    }
    return DLP_OK;
}

dlp_status dlp_text_builder_places(dlp_text_builder *b, const char *text, size_t size,
                                   dlp_index n, dlp_text_place *place, dlp_index *found,
                                   dlp_error *error)
{
    struct line line = {.n = 0};
    if (found) *found = 0;
    if (!b || (!text && size > 0) || !place || n < 0 || !found || b->terms.count == 0)
        return dlp_fail(error, DLP_EINVAL,
                        "places need a builder with terms, text, and room for them");
    dlp_status status = start(b, error);
    if (status == DLP_OK && size > 0) status = read_words(b, text, size, &line, error);
    if (status == DLP_OK) status = list_places(b, &line, n, place, found, error);
    free(line.word);
    return status;
}
