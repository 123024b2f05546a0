/* SPDX-License-Identifier: BSD-3-Clause */
/* Grouping words with the same stem, by Snowball's stemmers. Internal. */
#ifndef DLPI_CORPUS_TEXT_STEM_H
#define DLPI_CORPUS_TEXT_STEM_H

#include "core/string_set.h"

#include <delaplace/text.h>

/*
 * Which group each word belongs to; a group becomes a term. Without stemming each word is
 * a group of its own.
 */
struct dlpi_stems {
    int32_t groups;
    int32_t *group; /* (words) -1 for words that were dropped before */
    int32_t *shown; /* (groups) the word that names the group */
};

/* Puts words with the same stem into one group, skipping those with group[t] < 0. total
   is how often each word occurs: the most frequent one names the group. */
dlp_status dlpi_stem_words(const char *language, const struct dlpi_string_set *words,
                           const dlp_index *total, struct dlpi_stems *stems,
                           dlp_error *error);

/* One word after the other. */
struct sb_stemmer;
struct sb_stemmer *dlpi_stemmer_alloc(const char *language); /* NULL without memory */
void dlpi_stemmer_free(struct sb_stemmer *stemmer);          /* NULL is fine */
enum { DLPI_STEM_BYTES = 2048 };
/* Writes the stem of a word, or for a phrase the joined stems of its words, to `stem`,
   cut if it does not fit. Returns its size in bytes, or 0 without memory. */
size_t dlpi_stem(struct sb_stemmer *stemmer, const char *word, size_t size,
                 char stem[DLPI_STEM_BYTES]);

/* Finds which of the given terms a word is. Zeroed: not built yet. */
struct dlpi_term_matcher {
    bool ready;
    struct sb_stemmer *stemmer; /* NULL: by name */
    struct dlpi_string_set key; /* the terms' stems, */
    int32_t *term;              /* (key.count) and their terms */
};

/* Matches by the stems of a language; NULL: by name. If nearly all terms are stems
   already, each is its own key; otherwise two terms with one stem are DLP_EINPUT. */
dlp_status dlpi_term_matcher_start(struct dlpi_term_matcher *matcher,
                                   const struct dlpi_string_set *terms,
                                   const char *language, dlp_error *error);
void dlpi_term_matcher_clear(struct dlpi_term_matcher *matcher);
/* The term of a word, or -1; DLP_ENOMEM where stemming had no memory. */
dlp_status dlpi_term_match(struct dlpi_term_matcher *matcher,
                           const struct dlpi_string_set *terms, const char *word,
                           size_t size, int32_t *term, dlp_error *error);

#endif
