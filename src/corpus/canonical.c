/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents as files list them become documents as the library promises them: terms
   ascending and distinct, counts positive. */
#include "corpus/corpus.h"

/* True when the terms ascend and every count is positive: the usual case. */
static bool is_canonical(const int32_t *term, const int32_t *count, dlp_index n)
{
    for (dlp_index i = 0; i < n; i++)
        if (count[i] == 0 || (i > 0 && term[i] <= term[i - 1])) return false;
    return true;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts n pairs by term, each as one number: the term above, the count below. */
static void sort_pairs(int32_t *term, int32_t *count, dlp_index n, uint64_t *pair)
{
    for (dlp_index i = 0; i < n; i++)
        pair[i] = (uint64_t)(uint32_t)term[i] << 32 | (uint32_t)count[i];
    qsort(pair, (size_t)n, sizeof *pair, compare_pairs);
    for (dlp_index i = 0; i < n; i++) {
        term[i] = (int32_t)(pair[i] >> 32);
        count[i] = (int32_t)(pair[i] & UINT32_MAX);
    }
}

/* Merges those of pairs first..last-1 that have the same term, and writes the result from
   pair `out` on, which is not after first. Returns the end of what was written, or -1
   when a count no longer fits; *lost is then its term. */
static dlp_index merge_pairs(dlp_corpus *c, dlp_index first, dlp_index last,
                             dlp_index out, int32_t *lost)
{
    for (dlp_index i = first; i < last;) {
        const int32_t term = c->term[i];
        int64_t sum = 0;
        for (; i < last && c->term[i] == term && sum <= INT32_MAX; i++)
            sum += c->count[i];
        if (sum > INT32_MAX) {
            *lost = term;
            return -1;
        }
        if (sum == 0) continue;
        c->term[out] = term;
        c->count[out++] = (int32_t)sum;
    }
    return out;
}

/* The length of the longest document that needs work; 0 when none does. */
static dlp_index longest_disordered(const dlp_corpus *c)
{
    dlp_index longest = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        const dlp_index first = c->row[d], n = c->row[d + 1] - first;
        if (n > longest && !is_canonical(c->term + first, c->count + first, n))
            longest = n;
    }
    return longest;
}

/* pair has room for the longest document that needs sorting. */
static dlp_status canonicalise_documents(const char *name, dlp_corpus *c, uint64_t *pair,
                                         dlp_error *error)
{
    dlp_index first = 0, out = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        const dlp_index last = c->row[d + 1], n = last - first;
        if (!is_canonical(c->term + first, c->count + first, n))
            sort_pairs(c->term + first, c->count + first, n, pair);
        int32_t lost = 0;
        out = merge_pairs(c, first, last, out, &lost);
        if (out < 0)
            return dlp_fail(error, DLP_EINPUT,
                            "%s: in document %td (counted from 1) the counts of term id "
                            "%d (from 0) add up to more than 2147483647; check the file",
                            name, d + 1, (int)lost);
        c->row[d + 1] = out;
        first = last;
    }
    return DLP_OK;
}

static dlp_status count_words(const char *name, dlp_corpus *c, dlp_error *error)
{
    c->words = 0;
    for (dlp_index i = 0; i < c->nnz; i++) {
        if (c->count[i] > PTRDIFF_MAX - c->words)
            return dlp_fail(error, DLP_EINPUT,
                            "%s: the counts add up to more than %td; check the file",
                            name, (dlp_index)PTRDIFF_MAX);
        c->words += c->count[i];
    }
    return DLP_OK;
}

dlp_status dlpi_corpus_canonicalise(const char *name, dlp_corpus *corpus,
                                    dlp_error *error)
{
    const dlp_index longest = longest_disordered(corpus);
    if (longest > 0) {
        uint64_t *pair = dlpi_calloc(longest, sizeof *pair);
        if (!pair) return dlpi_no_memory(error, "a corpus");
        const dlp_status status = canonicalise_documents(name, corpus, pair, error);
        free(pair);
        DLP_TRY(status);
    }
    corpus->nnz = corpus->row[corpus->D];
    return count_words(name, corpus, error);
}
