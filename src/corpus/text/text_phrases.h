/* SPDX-License-Identifier: BSD-3-Clause */
/* Phrases: words that follow each other and are one term, joined by underscores. Internal. */
#ifndef DLPI_CORPUS_TEXT_PHRASES_H
#define DLPI_CORPUS_TEXT_PHRASES_H

#include "core/string_set.h"

/* The words of documents in their order, by their codes; DLPI_APART stands between words
   that are no neighbours, and at the end of each document. */
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

/* The phrases that are given, as a tree of words. Zeroed: not asked for yet. */
struct sb_stemmer;
struct dlpi_phrase_trie {
    bool ready;
    struct sb_stemmer *stemmer;  /* words are compared by their stems; NULL: by name */
    struct dlpi_string_set key;  /* of the words of phrases */
    struct dlpi_string_set edge; /* "node key": node 0 is the root, edge i leads to node
                                    i + 1; "node -1": a phrase ends there */
};

/* Phrases are those of both sets with an underscore in them. */
dlp_status dlpi_phrase_trie_start(struct dlpi_phrase_trie *trie,
                                  const struct dlpi_string_set *given,
                                  const struct dlpi_string_set *terms,
                                  const char *language, dlp_error *error);
void dlpi_phrase_trie_clear(struct dlpi_phrase_trie *trie);
/* The key of a word, -1 where no phrase has it, -2 without memory. */
int32_t dlpi_phrase_key(const struct dlpi_phrase_trie *trie, const char *word,
                        size_t size);
/* How many of n keys, from the first, the longest phrase takes; 0: none begins there. */
dlp_index dlpi_phrase_longest(const struct dlpi_phrase_trie *trie, const int32_t *key,
                              dlp_index n);

#endif
