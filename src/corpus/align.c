/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/align.h"

#include "core/name_index.h"
#include "core/text.h"

#include <string.h>

/* Numbers the names of a file. */
static dlp_status number_names(const char *path, const struct dlpi_names *names,
                               struct dlpi_name_index *keys, dlp_error *error)
{
    if (names->n > INT32_MAX)
        return dlp_fail(error, DLP_EINPUT, "%s: has more than 2147483647 names", path);
    for (dlp_index i = 0; i < names->n; i++) {
        const dlp_index number = dlpi_name_index_add_text(keys, names->name[i]);
        if (number < 0) return dlpi_no_memory(error, "the names of a corpus");
        if (number < i)
            return dlp_fail(error, DLP_EINPUT,
                            "%s:%td: '%s' is already in line %td; names must be unique "
                            "in a corpus that is read by name",
                            path, i + 1, dlpi_show(names->name[i]).text, number + 1);
    }
    return DLP_OK;
}

/* Finds each of n names of a corpus among those of the file. */
static dlp_status find_places(const char *path, const struct dlpi_name_index *keys,
                              char *const *name, dlp_index n, int32_t *place,
                              dlp_error *error)
{
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index number = dlpi_name_index_find_text(keys, name[i]);
        if (number < 0)
            return dlp_fail(
                error, DLP_EINPUT,
                "%s: '%s' of the corpus is not there; give the names that the "
                "corpus was made with, or move the file away",
                path, dlpi_show(name[i]).text);
        place[i] = (int32_t)number;
    }
    return DLP_OK;
}

/* Reads the names at path and returns the places of the corpus's names among them, to be
   freed. On failure NULL, with the reason in *status. */
static int32_t *read_places(const char *path, const struct dlpi_named *named,
                            char *const *name, dlp_index n, struct dlpi_names *names,
                            dlp_status *status, dlp_error *error)
{
    *status = dlpi_names_read(path, named, names, error);
    if (*status != DLP_OK) return NULL;
    struct dlpi_pool pool = {0};
    struct dlpi_name_index keys = {.pool = &pool};
    int32_t *place = dlpi_calloc(n, sizeof *place);
    *status = number_names(path, names, &keys, error);
    if (*status == DLP_OK)
        *status = place ? find_places(path, &keys, name, n, place, error)
                        : dlpi_no_memory(error, "the names of a corpus");
    dlpi_pool_free(&pool);
    if (*status == DLP_OK) return place;
    free(place);
    free(names->name);
    return NULL;
}

dlp_status dlpi_corpus_align_terms(dlp_corpus *corpus, const char *path, dlp_error *error)
{
    struct dlpi_names names;
    dlp_status status;
    int32_t *place = read_places(path, &dlpi_named_terms, corpus->vocab, corpus->V,
                                 &names, &status, error);
    if (!place) return status;
    for (dlp_index i = 0; i < corpus->nnz; i++) corpus->term[i] = place[corpus->term[i]];
    free(place);
    free(corpus->vocab);
    corpus->vocab = names.name;
    corpus->V = names.n;
    return dlpi_corpus_canonicalise(path, corpus, error);
}

/* Moves the documents of `from` to their places in `to`, whose rows are 0. */
static void place_documents(const dlp_corpus *from, const int32_t *place, dlp_corpus *to)
{
    for (dlp_index d = 0; d < from->D; d++)
        to->row[place[d] + 1] = from->row[d + 1] - from->row[d];
    for (dlp_index d = 0; d < to->D; d++) to->row[d + 1] += to->row[d];
    for (dlp_index d = 0; d < from->D; d++) {
        const dlp_index first = from->row[d], out = to->row[place[d]];
        const size_t n = (size_t)(from->row[d + 1] - first);
        memcpy(to->term + out, from->term + first, n * sizeof *to->term);
        memcpy(to->count + out, from->count + first, n * sizeof *to->count);
    }
}

dlp_status dlpi_corpus_align_documents(dlp_corpus *corpus, const char *path,
                                       dlp_error *error)
{
    struct dlpi_names names;
    dlp_status status;
    int32_t *place = read_places(path, &dlpi_named_documents, corpus->name, corpus->D,
                                 &names, &status, error);
    if (!place) return status;
    dlp_corpus *placed = dlpi_corpus_alloc(names.n, corpus->nnz, error);
    if (!placed) {
        free(place);
        free(names.name);
        return DLP_ENOMEM;
    }
    place_documents(corpus, place, placed);
    free(place);
    placed->V = corpus->V;
    placed->words = corpus->words;
    placed->vocab = corpus->vocab;
    placed->name = names.name;
    corpus->vocab = NULL;
    const dlp_corpus old = *corpus;
    *corpus = *placed;
    *placed = old;
    dlp_corpus_free(placed);
    return DLP_OK;
}
