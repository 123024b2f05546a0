/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which of the given terms a word is: the one with its name, or with its stem. */
#include "core/core.h"
#include "core/text.h"
#include "corpus/text/text_stem.h"

#include <string.h>

/* In a vocabulary of stems, at least this share are their own stems; among words that
   name their stems, as corpus build writes them, about half are. */
static const double STEMS = 0.85;
enum { FEWEST = 20 }; /* terms that it takes to tell */

/* Whether the terms are stems rather than words. */
static dlp_status are_stems(const struct dlpi_string_set *terms,
                            struct sb_stemmer *stemmer, bool *stems, dlp_error *error)
{
    dlp_index same = 0;
    for (int32_t v = 0; v < terms->count; v++) {
        size_t size = 0;
        char stem[DLPI_STEM_BYTES];
        const char *name = dlpi_string_set_name(terms, v, &size);
        const size_t length = dlpi_stem(stemmer, name, size, stem);
        if (length == 0 && size > 0) return dlpi_no_memory(error, "stemming");
        same += length == size && !memcmp(stem, name, size);
    }
    *stems = terms->count >= FEWEST && (double)same >= STEMS * (double)terms->count;
    return DLP_OK;
}

/* A term that stemming made is named by one of its words, so no two have the same
   stem. */
static dlp_status fail_twice(const struct dlpi_string_set *terms, int32_t a, int32_t b,
                             dlp_error *error)
{
    size_t size = 0;
    return dlp_fail(error, DLP_EINPUT,
                    "the terms '%s' and '%s' have one stem: they were not made by "
                    "stemming, so the text must not be stemmed either",
                    dlpi_show(dlpi_string_set_name(terms, a, &size)).text,
                    dlpi_show(dlpi_string_set_name(terms, b, &size)).text);
}

/* Makes term v's stem its key, or its name if terms are stems already. */
static dlp_status add_key(struct dlpi_term_matcher *m,
                          const struct dlpi_string_set *terms, int32_t v, bool stems,
                          dlp_error *error)
{
    size_t size = 0;
    char stem[DLPI_STEM_BYTES];
    int32_t code = 0;
    const char *name = dlpi_string_set_name(terms, v, &size);
    if (!stems) {
        size = dlpi_stem(m->stemmer, name, size, stem);
        name = stem;
    }
    const int32_t before = m->key.count;
    DLP_TRY(dlpi_string_set_add(&m->key, name, size, &code, error));
    if (code < before) return fail_twice(terms, m->term[code], v, error);
    m->term[code] = v;
    return DLP_OK;
}

dlp_status dlpi_term_matcher_start(struct dlpi_term_matcher *m,
                                   const struct dlpi_string_set *terms,
                                   const char *language, dlp_error *error)
{
    bool stems = false;
    m->ready = true;
    if (!language) return DLP_OK;
    m->stemmer = dlpi_stemmer_alloc(language);
    m->term = dlpi_calloc(terms->count, sizeof *m->term);
    if (!m->stemmer || !m->term) return dlpi_no_memory(error, "a vocabulary");
    DLP_TRY(are_stems(terms, m->stemmer, &stems, error));
    for (int32_t v = 0; v < terms->count; v++)
        DLP_TRY(add_key(m, terms, v, stems, error));
    return DLP_OK;
}

void dlpi_term_matcher_clear(struct dlpi_term_matcher *m)
{
    dlpi_stemmer_free(m->stemmer);
    dlpi_string_set_clear(&m->key);
    free(m->term);
    *m = (struct dlpi_term_matcher){.ready = false};
}

dlp_status dlpi_term_match(struct dlpi_term_matcher *m,
                           const struct dlpi_string_set *terms, const char *word,
                           size_t size, int32_t *term, dlp_error *error)
{
    char stem[DLPI_STEM_BYTES];
    if (!m->stemmer) {
        *term = dlpi_string_set_find(terms, word, size);
        return DLP_OK;
    }
    const size_t length = dlpi_stem(m->stemmer, word, size, stem);
    if (length == 0) return dlpi_no_memory(error, "stemming");
    const int32_t code = dlpi_string_set_find(&m->key, stem, length);
    *term = code < 0 ? -1 : m->term[code];
    return DLP_OK;
}
