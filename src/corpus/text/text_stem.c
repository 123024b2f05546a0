/* SPDX-License-Identifier: BSD-3-Clause */
/* Words with the same stem become one term, by Snowball's stemmers. Nobody wants to read
   stems, so a term is named by the most frequent of its words. */
#include "corpus/text/text_stem.h"

#include "core/core.h"

#include <libstemmer.h>
#include <string.h>

const char *dlp_text_stemmer_name(int i)
{
    const char **names = sb_stemmer_list();
    for (int k = 0; k < i && *names; k++) names++;
    return i >= 0 ? *names : NULL;
}

struct sb_stemmer *dlpi_stemmer_alloc(const char *language)
{
    return sb_stemmer_new(language, NULL);
}

void dlpi_stemmer_free(struct sb_stemmer *stemmer)
{
    if (stemmer) sb_stemmer_delete(stemmer);
}

size_t dlpi_stem(struct sb_stemmer *stemmer, const char *word, size_t size,
                 char stem[DLPI_STEM_BYTES])
{
    size_t used = 0;
    for (;;) {
        const char *joint = memchr(word, '_', size);
        const size_t part = joint ? (size_t)(joint - word) : size;
        const sb_symbol *found =
            sb_stemmer_stem(stemmer, (const sb_symbol *)word, (int)part);
        if (!found) return 0;
        const size_t n = (size_t)sb_stemmer_length(stemmer);
        if (used + n + 1 >= DLPI_STEM_BYTES) return used;
        memcpy(stem + used, found, n);
        used += n;
        if (!joint) return used;
        stem[used++] = '_';
        word = joint + 1;
        size -= part + 1;
    }
}

/* Of equally frequent words, the first in the order of bytes. */
static bool is_shown_before(const struct dlpi_string_set *words, const dlp_index *total,
                            int32_t a, int32_t b)
{
    size_t size = 0;
    if (total[a] != total[b]) return total[a] > total[b];
    return strcmp(dlpi_string_set_name(words, a, &size),
                  dlpi_string_set_name(words, b, &size)) < 0;
}

static dlp_status group_words(struct sb_stemmer *stemmer,
                              const struct dlpi_string_set *words, const dlp_index *total,
                              struct dlpi_string_set *found, struct dlpi_stems *stems,
                              dlp_error *error)
{
    for (int32_t t = 0; t < words->count; t++) {
        if (stems->group[t] < 0) continue;
        size_t size = 0;
        char stem[DLPI_STEM_BYTES];
        const char *word = dlpi_string_set_name(words, t, &size);
        const size_t length = dlpi_stem(stemmer, word, size, stem);
        if (length == 0) return dlpi_no_memory(error, "stemming");
        const int32_t before = found->count;
        int32_t group = 0;
        DLP_TRY(dlpi_string_set_add(found, stem, length, &group, error));
        stems->group[t] = group;
        if (group == before || is_shown_before(words, total, t, stems->shown[group]))
            stems->shown[group] = t;
    }
    stems->groups = found->count;
    return DLP_OK;
}

dlp_status dlpi_stem_words(const char *language, const struct dlpi_string_set *words,
                           const dlp_index *total, struct dlpi_stems *stems,
                           dlp_error *error)
{
    struct dlpi_string_set found = {0};
    struct sb_stemmer *stemmer = sb_stemmer_new(language, NULL);
    if (!stemmer) return dlpi_no_memory(error, "a stemmer");
    const dlp_status status = group_words(stemmer, words, total, &found, stems, error);
    dlpi_string_set_clear(&found);
    sb_stemmer_delete(stemmer);
    return status;
}
