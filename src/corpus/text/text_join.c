/* SPDX-License-Identifier: BSD-3-Clause */
/* The documents' words once more, with phrases as words. */
#include "corpus/text/text_builder.h"

#include <string.h>

static dlp_status copy_set(const struct dlpi_string_set *from, struct dlpi_string_set *to,
                           dlp_error *error)
{
    for (int32_t i = 0; i < from->count; i++) {
        size_t size = 0;
        int32_t code = 0;
        const char *name = dlpi_string_set_name(from, i, &size);
        DLP_TRY(dlpi_string_set_add(to, name, size, &code, error));
    }
    return DLP_OK;
}

/* ---- phrases that are given ---- */

/* key (words): of each distinct word in the tree. */
static dlp_status find_keys(const struct dlpi_phrase_trie *trie,
                            const struct dlpi_string_set *words, int32_t *key,
                            dlp_error *error)
{
    for (int32_t t = 0; t < words->count; t++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(words, t, &size);
        key[t] = dlpi_phrase_key(trie, word, size);
        if (key[t] == -2) return dlpi_no_memory(error, "stemming");
    }
    return DLP_OK;
}

/* The words from i on that are neighbours, n of them, as one word of the set. */
static dlp_status name_phrase(const struct dlpi_sequence *s, dlp_index i, dlp_index n,
                              struct dlpi_string_set *words, int32_t *code,
                              dlp_error *error)
{
    char name[8 * (DLPI_WORD_BYTES + 1)];
    size_t used = 0;
    for (dlp_index k = 0; k < n; k++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(words, s->word[i + k], &size);
        if (used + size + 1 > sizeof name) break;
        if (k > 0) name[used++] = '_';
        memcpy(name + used, word, size);
        used += size;
    }
    return dlpi_string_set_add(words, name, used, code, error);
}

enum { LONGEST = 8 };

/* How many words the phrase at i takes; 0: none. */
static dlp_index phrase_at(const struct dlpi_phrase_trie *trie,
                           const struct dlpi_sequence *s, const int32_t *key, dlp_index i)
{
    int32_t ahead[LONGEST];
    dlp_index n = 0;
    while (n < LONGEST && i + n < s->size && s->word[i + n] >= 0) {
        ahead[n] = key[s->word[i + n]];
        if (ahead[n++] < 0) break;
    }
    return n > 0 && ahead[0] >= 0 ? dlpi_phrase_longest(trie, ahead, n) : 0;
}

static dlp_status join_given(const struct dlpi_phrase_trie *trie, const int32_t *key,
                             struct dlpi_string_set *words, struct dlpi_sequence *s,
                             dlp_error *error)
{
    dlp_index next = 0;
    for (dlp_index i = 0, d = 0; i < s->size;) {
        const dlp_index n = phrase_at(trie, s, key, i);
        int32_t word = s->word[i];
        if (n > 1) DLP_TRY(name_phrase(s, i, n, words, &word, error));
        i += n > 1 ? n : 1;
        s->word[next++] = word;
        for (; d < s->documents && s->end[d] == i; d++) s->end[d] = next;
    }
    s->size = next;
    return DLP_OK;
}

static dlp_status join_by_trie(const dlp_text_builder *b, struct dlpi_string_set *words,
                               struct dlpi_sequence *s, dlp_error *error)
{
    struct dlpi_phrase_trie trie = {.ready = false};
    int32_t *key = dlpi_calloc(words->count, sizeof *key);
    dlp_status status =
        key ? dlpi_phrase_trie_start(&trie, &b->given, &b->terms, b->settings.stem, error)
            : dlpi_no_memory(error, "phrases");
    if (status == DLP_OK && trie.key.count > 0) {
        status = find_keys(&trie, words, key, error);
        if (status == DLP_OK) status = join_given(&trie, key, words, s, error);
    }
    free(key);
    dlpi_phrase_trie_clear(&trie);
    return status;
}

/* ---- counted anew ---- */

static dlp_status count_document(dlp_text_builder *to,
                                 const struct dlpi_string_set *words,
                                 const struct dlpi_sequence *s, dlp_index first,
                                 dlp_index last, dlp_error *error)
{
    for (dlp_index i = first; i < last; i++) {
        size_t size = 0;
        int32_t code = 0;
        if (s->word[i] < 0) continue;
        const char *word = dlpi_string_set_name(words, s->word[i], &size);
        DLP_TRY(dlpi_text_count(to, word, size, &code, error));
    }
    return dlpi_text_end_document(to, 0, 0, error);
}

/* Copies what the report states and what the rules need. */
static dlp_status copy_rest(const dlp_text_builder *b, dlp_text_builder *to,
                            dlp_error *error)
{
    to->settings = b->settings;
    to->stop_auto = b->stop_auto;
    to->bytes = b->bytes;
    to->words.invalid_bytes = b->words.invalid_bytes;
    to->words.runs_too_long = b->words.runs_too_long;
    to->words.segmented = b->words.segmented;
    to->words.unsegmented = b->words.unsegmented;
    to->hidden_skipped = b->hidden_skipped;
    to->binary_skipped = b->binary_skipped;
    to->unnamed = b->unnamed;
    to->html = b->html;
    to->xml = b->xml;
    to->mail = b->mail;
    to->markup_kept = b->markup_kept;
    DLP_TRY(copy_set(&b->stop_words, &to->stop_words, error));
    return copy_set(&b->terms, &to->terms, error);
}

static dlp_status copy_sequence(const struct dlpi_sequence *from,
                                struct dlpi_sequence *to, dlp_error *error)
{
    *to = (struct dlpi_sequence){.word = dlpi_calloc(from->size, sizeof *to->word),
                                 .size = from->size,
                                 .room = from->size,
                                 .end = dlpi_calloc(from->documents, sizeof *to->end),
                                 .documents = from->documents,
                                 .documents_room = from->documents};
    if (!to->word || !to->end) return dlpi_no_memory(error, "phrases");
    memcpy(to->word, from->word, (size_t)from->size * sizeof *to->word);
    memcpy(to->end, from->end, (size_t)from->documents * sizeof *to->end);
    return DLP_OK;
}

static dlp_status fill(const dlp_text_builder *b, const struct dlpi_string_set *stop,
                       struct dlpi_string_set *words, struct dlpi_sequence *s,
                       dlp_text_builder *to, dlp_error *error)
{
    DLP_TRY(copy_set(&b->vocabulary, words, error));
    DLP_TRY(copy_sequence(&b->sequence, s, error));
    DLP_TRY(join_by_trie(b, words, s, error));
    if (b->settings.phrases && b->terms.count == 0)
        DLP_TRY(dlpi_text_collocate(&b->settings, stop, words, s, error));
    dlp_index first = 0;
    for (dlp_index d = 0; d < s->documents; d++) {
        DLP_TRY(count_document(to, words, s, first, s->end[d], error));
        first = s->end[d];
    }
    return copy_rest(b, to, error);
}

dlp_status dlpi_text_join(const dlp_text_builder *b, const struct dlpi_string_set *stop,
                          dlp_text_builder **joined, dlp_error *error)
{
    struct dlpi_string_set words = {0};
    struct dlpi_sequence sequence = {.size = 0};
    dlp_text_settings settings = dlp_text_settings_default();
    settings.stop_words = NULL;
    dlp_status status = dlp_text_builder_alloc(&settings, joined, error);
    if (status == DLP_OK) status = fill(b, stop, &words, &sequence, *joined, error);
    dlpi_string_set_clear(&words);
    dlpi_sequence_clear(&sequence);
    if (status == DLP_OK) {
        (*joined)->named_by = b;
        return DLP_OK;
    }
    dlp_text_builder_free(*joined);
    *joined = NULL;
    return status;
}
