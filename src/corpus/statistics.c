/* SPDX-License-Identifier: BSD-3-Clause */
/* How large a corpus is, and which terms it has most of. */
#include "corpus/formats/mapped.h"

#include <stdlib.h>
#include <string.h>

static int by_length(const void *a, const void *b)
{
    const dlp_index x = *(const dlp_index *)a, y = *(const dlp_index *)b;
    return (x > y) - (x < y);
}

/* length has room for D numbers. */
static void measure_documents(const dlp_corpus *c, dlp_index *length,
                              dlp_corpus_statistics *out)
{
    for (dlp_index from = 0, to; from < c->D; from = to) {
        to = dlpi_corpus_stretch(c, from);
        for (dlp_index d = from; d < to; d++) {
            length[d] = 0;
            for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++)
                length[d] += c->count[i];
            out->empty_documents += length[d] == 0;
        }
        dlpi_corpus_leave(c, from, to);
    }
    qsort(length, (size_t)c->D, sizeof *length, by_length);
    out->shortest = length[0];
    out->longest = length[c->D - 1];
    const dlp_index below = (c->D - 1) / 2, above = c->D / 2;
    out->median = 0.5 * ((double)length[below] + (double)length[above]);
}

/* used has room for V bytes, all 0. */
static dlp_index count_used(const dlp_corpus *c, unsigned char *used)
{
    dlp_index n = 0;
    for (dlp_index from = 0, to; from < c->D; from = to) {
        to = dlpi_corpus_stretch(c, from);
        for (dlp_index i = c->row[from]; i < c->row[to]; i++) {
            n += !used[c->term[i]];
            used[c->term[i]] = 1;
        }
        dlpi_corpus_leave(c, from, to);
    }
    return n;
}

dlp_status dlp_corpus_measure(const dlp_corpus *corpus, dlp_corpus_statistics *statistics,
                              dlp_error *error)
{
    if (!corpus || corpus->D < 1 || !statistics)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_corpus_measure: needs a corpus with a document, and room "
                        "for the result");
    *statistics = (dlp_corpus_statistics){0};
    dlp_index *length = dlpi_calloc(corpus->D, sizeof *length);
    unsigned char *used = dlpi_calloc(corpus->V, 1);
    const bool ok = length && used;
    if (ok) measure_documents(corpus, length, statistics);
    if (ok) statistics->used_terms = count_used(corpus, used);
    free(length);
    free(used);
    return ok ? DLP_OK : dlpi_no_memory(error, "the statistics of a corpus");
}

static int by_frequency(const void *a, const void *b)
{
    const dlp_term_frequency *left = a, *right = b;
    if (left->words != right->words) return left->words > right->words ? -1 : 1;
    return left->term < right->term ? -1 : 1;
}

void dlp_corpus_rank_terms(const dlp_corpus *c, dlp_term_frequency *rank)
{
    for (dlp_index v = 0; v < c->V; v++) rank[v] = (dlp_term_frequency){.term = v};
    for (dlp_index from = 0, to; from < c->D; from = to) {
        to = dlpi_corpus_stretch(c, from);
        for (dlp_index i = c->row[from]; i < c->row[to]; i++) {
            rank[c->term[i]].words += c->count[i];
            rank[c->term[i]].documents++;
        }
        dlpi_corpus_leave(c, from, to);
    }
    qsort(rank, (size_t)c->V, sizeof *rank, by_frequency);
}

/* ---- names ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

dlp_status dlp_corpus_repeated_names(const dlp_corpus *c, dlp_index *repeated,
                                     const char **example, dlp_error *error)
{
    *repeated = 0;
    *example = NULL;
    if (!c->name) return DLP_OK;
    const char **name = dlpi_calloc(c->D, sizeof *name);
    if (!name) return dlpi_no_memory(error, "the names of documents");
    for (dlp_index d = 0; d < c->D; d++) name[d] = c->name[d];
    qsort(name, (size_t)c->D, sizeof *name, by_text);
    for (dlp_index d = 1; d < c->D; d++) {
        if (strcmp(name[d - 1], name[d]) != 0) continue;
        if ((*repeated)++ == 0) *example = name[d];
    }
    free(name);
    return DLP_OK;
}
