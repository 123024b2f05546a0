/* SPDX-License-Identifier: BSD-3-Clause */
/* Phrases: consecutive words that make one term, joined by underscores. Internal. */
#ifndef DLPI_CORPUS_TEXT_PHRASES_H
#define DLPI_CORPUS_TEXT_PHRASES_H

#include "core/string_set.h"

/* The words of documents in order, as codes. DLPI_APART separates words that are not
   neighbours, and ends each document. */
enum { DLPI_APART = -1 };
struct dlpi_sequence {
    int32_t *word; /* (room) */
    dlp_index size, room;
    dlp_index *end; /* (documents_room) of each document */
    dlp_index documents, documents_room;
};

dlp_status dlpi_sequence_put(struct dlpi_sequence *sequence, int32_t word,
                             dlp_error *error);
dlp_status dlpi_sequence_end(struct dlpi_sequence *sequence, dlp_error *error);
void dlpi_sequence_clear(struct dlpi_sequence *sequence);

/* The phrases that the user gave, as a tree of words. Zeroed: not built yet. */
struct sb_stemmer;
struct dlpi_phrase_trie {
    bool ready;
    struct sb_stemmer *stemmer;  /* words are compared by their stems; NULL: by name */
    struct dlpi_string_set key;  /* of the words of phrases */
    struct dlpi_string_set edge; /* "node key": node 0 is the root, edge i leads to node
                                    i + 1; "node -1": a phrase ends there */
};

/* The phrases are the members of both sets that have an underscore. */
dlp_status dlpi_phrase_trie_start(struct dlpi_phrase_trie *trie,
                                  const struct dlpi_string_set *given,
                                  const struct dlpi_string_set *terms,
                                  const char *language, dlp_error *error);
void dlpi_phrase_trie_clear(struct dlpi_phrase_trie *trie);
/* The key of a word, -1 where no phrase has it, -2 without memory. */
int32_t dlpi_phrase_key(const struct dlpi_phrase_trie *trie, const char *word,
                        size_t size);
/* The length, in words, of the longest phrase that begins the n keys; 0: none does. */
dlp_index dlpi_phrase_longest(const struct dlpi_phrase_trie *trie, const int32_t *key,
                              dlp_index n);

#endif
