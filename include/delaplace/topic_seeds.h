/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seed words: words that topics are to have. A file has a line for each topic, beginning
 * with the first: words, separated by blanks or commas, optionally after a name and a
 * colon.
 *
 *     economy: tax taxes budget deficit
 *     war: iraq, troops, surge
 *
 * Empty lines and lines that start with # are ignored. A word that is not among the terms
 * of the corpus counts for the term that its text would count for: in lower case, and
 * with the stemmer that made the corpus (dlp_corpus.origin; if that is not known, with the
 * English one where the terms are stems).
 */
#ifndef DELAPLACE_TOPIC_SEEDS_H
#define DELAPLACE_TOPIC_SEEDS_H

#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_topic_seeds {
    dlp_index topics; /* lines */
    dlp_index n;
    dlp_seed_word *word;       /* (n) each once per topic, topics ascending */
    dlp_index unknown;         /* words that are not in the corpus, which are left out */
    char example[64];          /* one of them, or as much of it as fits */
    dlp_index adapted;         /* words that count for a term of another form, */
    char given[64], taken[64]; /* one of them, and that term */
} dlp_topic_seeds;

/* The corpus must have a vocabulary. Refused: a line without any word of the corpus, and
   more than 10,000 lines. */
DLP_API dlp_status dlp_topic_seeds_read(const char *path, const dlp_corpus *corpus,
                                        dlp_topic_seeds *seeds, dlp_error *error);
/* The same from bytes in memory, which messages call `name`. */
DLP_API dlp_status dlp_topic_seeds_parse(const char *name, const char *text, size_t size,
                                         const dlp_corpus *corpus, dlp_topic_seeds *seeds,
                                         dlp_error *error);
DLP_API void dlp_topic_seeds_free(dlp_topic_seeds *seeds); /* fine on a zeroed one */

#ifdef __cplusplus
}
#endif

#endif
