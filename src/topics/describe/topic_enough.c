/* SPDX-License-Identifier: BSD-3-Clause */
/* How many topics a corpus can tell apart, and what it has too little of for more. */
#include <delaplace/topic_search.h>

#include "core/core.h"
#include "core/hash.h"
#include "topics/describe/topic_enough.h"

#include <string.h>

dlp_index dlpi_topics_enough(dlp_index D)
{
    if (D < 4) return 0;
    return D / 10 > 2 ? D / 10 : 2;
}

dlp_index dlp_topics_usual(dlp_index D)
{
    const dlp_index usual = 20, enough = dlpi_topics_enough(D);
    return enough < usual ? enough : usual;
}

int dlpi_topics_too_many(dlp_index D, dlp_index K)
{
    return K > D / 2;
}

/* ---- documents that differ ---- */

static size_t terms_size(const dlp_corpus *c, dlp_index d)
{
    return (size_t)(c->row[d + 1] - c->row[d]) * sizeof *c->term;
}

/* The terms of documents that have been kept, by their numbers; terms alone are hashed. */
typedef struct kept_documents {
    const dlp_corpus *corpus;
    dlp_index *kept; /* (n) */
    dlp_index n;
    struct dlpi_hash table;
} kept_documents;

/* What is looked for is a document whose terms are at `bytes`. */
static bool is_same(const void *context, int32_t number, const void *bytes, size_t size)
{
    const kept_documents *all = context;
    const dlp_corpus *c = all->corpus;
    const dlp_index at = c->row[all->kept[number]];
    const dlp_index other = (const int32_t *)bytes - c->term;
    return terms_size(c, all->kept[number]) == size &&
           memcmp(c->term + at, bytes, size) == 0 &&
           memcmp(c->count + at, c->count + other, size) == 0;
}

/* Keeps documents that differ until there are `enough`. */
static void keep_different(kept_documents *all, dlp_index enough)
{
    const dlp_corpus *c = all->corpus;
    for (dlp_index d = 0; d < c->D && all->n < enough; d++) {
        const int32_t *term = c->term + c->row[d];
        const size_t size = terms_size(c, d);
        if (size == 0) continue;
        const uint32_t hash = dlpi_hash_of(&all->table, term, size);
        if (dlpi_hash_find(&all->table, hash, is_same, all, term, size) >= 0) continue;
        dlpi_hash_add(&all->table, hash, (int32_t)all->n);
        all->kept[all->n++] = d;
    }
}

/* How many documents with words differ, counted up to `enough`. */
static dlp_status count_different(const dlp_corpus *corpus, dlp_index enough,
                                  dlp_index *different, dlp_error *error)
{
    kept_documents all = {.corpus = corpus,
                          .kept = dlpi_calloc(enough, sizeof *all.kept)};
    const bool room = all.kept && dlpi_hash_reserve(&all.table, (int32_t)enough);
    if (room) keep_different(&all, enough);
    *different = all.n;
    dlpi_hash_clear(&all.table);
    free(all.kept);
    return room ? DLP_OK : dlpi_no_memory(error, "the documents that differ");
}

/* ---- terms ---- */

/* How many terms occur, counted up to `enough`. */
static dlp_status count_terms(const dlp_corpus *corpus, dlp_index enough,
                              dlp_index *terms, dlp_error *error)
{
    char *seen = dlpi_calloc(corpus->V, sizeof *seen);
    if (!seen) return dlpi_no_memory(error, "the terms that occur");
    *terms = 0;
    for (dlp_index i = 0; i < corpus->nnz && *terms < enough; i++) {
        *terms += !seen[corpus->term[i]];
        seen[corpus->term[i]] = 1;
    }
    free(seen);
    return DLP_OK;
}

dlp_status dlp_topics_find_shortage(const dlp_corpus *corpus, dlp_index K,
                                    dlp_topics_shortage *shortage, dlp_error *error)
{
    const dlp_index most = 1000000000;
    dlp_index different, terms;
    *shortage = (dlp_topics_shortage){.enough = dlpi_topics_enough(corpus->D)};
    if (K < 1 || K > most)
        return dlp_fail(error, DLP_EINVAL, "K is %td; it must be 1 to %td", K, most);
    DLP_TRY(count_different(corpus, 2 * K, &different, error));
    DLP_TRY(count_terms(corpus, K + 1, &terms, error));
    if (dlpi_topics_too_many(corpus->D, K)) {
        shortage->of = DLP_SHORT_OF_DOCUMENTS;
        shortage->found = corpus->D;
    } else if (dlpi_topics_too_many(different, K)) {
        shortage->of = DLP_SHORT_OF_DIFFERENCES;
        shortage->found = different;
        shortage->enough = dlpi_topics_enough(different);
    } else if (terms <= K) {
        shortage->of = DLP_SHORT_OF_TERMS;
        shortage->found = terms;
        if (shortage->enough >= terms) shortage->enough = terms > 2 ? terms - 1 : 0;
    }
    return DLP_OK;
}
