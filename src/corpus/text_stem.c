/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of one stem become one term, by Snowball's stemmers. Nobody wants to read stems,
   so that a term is shown as the most frequent of its words. */
#include "corpus/text_builder.h"

#include <libstemmer.h>
#include <string.h>

const char *dlp_text_stemmer_name(int i)
{
    const char **names = sb_stemmer_list();
    for (int k = 0; k < i && *names; k++) names++;
    return i >= 0 ? *names : NULL;
}

/* Of words as frequent, the first in the order of bytes. */
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
        const char *word = dlpi_string_set_name(words, t, &size);
        const sb_symbol *stem =
            sb_stemmer_stem(stemmer, (const sb_symbol *)word, (int)size);
        if (!stem) return dlpi_no_memory(error, "stemming");
        const int32_t before = found->count;
        int32_t group = 0;
        DLP_TRY(dlpi_string_set_add(found, (const char *)stem,
                                    (size_t)sb_stemmer_length(stemmer), &group, error));
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
