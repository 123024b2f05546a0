/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The language of a text, by its stop words: in running text they are a third to a half
 * of all words, and other languages' lists hold few of them.
 */
#include "corpus/text/text_builder.h"

#include <string.h>

/* A language is accepted only if stop words make up this share of the text, and there are
   this many of them. */
static const double LEAST_SHARE = 0.12;
enum { LEAST_WORDS = 5 };
/* In a text of no more words than this, it is no surprise that none is. */
enum { SHORT_TEXT = 200 };

/* How many of the text's words are on the list of a language. */
static dlp_status count_hits(const char *list, const struct dlpi_string_set *words,
                             const dlp_index *total, dlp_index *hits, dlp_error *error)
{
    struct dlpi_string_set stop = {0};
    const dlp_status status = dlpi_text_stop_set(list, &stop, error);
    *hits = 0;
    for (int32_t i = 0; status == DLP_OK && i < stop.count; i++) {
        size_t size = 0;
        const char *word = dlpi_string_set_name(&stop, i, &size);
        const int32_t t = dlpi_string_set_find(words, word, size);
        if (t >= 0) *hits += total[t];
    }
    dlpi_string_set_clear(&stop);
    return status;
}

dlp_status dlpi_text_language(const struct dlpi_string_set *words, const dlp_index *total,
                              dlp_text_language *found, dlp_error *error)
{
    dlp_index all = 0, most = 0, next = 0;
    const char *name = NULL;
    *found = (dlp_text_language){.name = NULL};
    for (int32_t t = 0; t < words->count; t++) all += total[t];
    for (int i = 0; (name = dlp_text_stop_list_name(i)) && all > 0; i++) {
        dlp_index hits = 0;
        DLP_TRY(count_hits(name, words, total, &hits, error));
        if (hits > most) {
            next = most;
            found->second = found->name;
            most = hits;
            found->name = name;
        } else if (hits > next) {
            next = hits;
            found->second = name;
        }
    }
    found->share = all > 0 ? (double)most / (double)all : 0;
    found->second_share = all > 0 ? (double)next / (double)all : 0;
    if (2 * next <= most) found->second = NULL;
    if (most >= LEAST_WORDS && found->share >= LEAST_SHARE) return DLP_OK;
    found->name = found->second = NULL;
    found->unclear = most > 0 && all > SHORT_TEXT;
    return DLP_OK;
}

const char *dlpi_text_language_of_stemmer(const char *stemmer)
{
    const char *name = stemmer && !strcmp(stemmer, "porter") ? "english" : stemmer;
    return dlp_text_stop_list(name) ? name : NULL;
}
