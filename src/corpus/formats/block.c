/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/formats/block.h"

#include "core/core.h"
#include "corpus/formats/mapped.h"

dlp_index dlpi_block_most(const dlp_corpus *c, dlp_index documents)
{
    dlp_index most = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        const dlp_index to = c->D - d < documents ? c->D : d + documents,
                        n = c->row[to] - c->row[d];
        most = n > most ? n : most;
        if (d % DLPI_CORPUS_STRETCH == 0 && d > 0)
            dlpi_corpus_leave_rows(c, d - DLPI_CORPUS_STRETCH, d);
    }
    return most;
}

dlp_status dlpi_block_alloc(dlp_index V, dlp_index room, int threads, dlpi_block *b,
                            dlp_error *error)
{
    *b = (dlpi_block){.threads = threads, .V = V, .room = room};
    b->row = dlpi_calloc(V + 1, sizeof *b->row);
    b->document = dlpi_calloc(room, sizeof *b->document);
    b->count = dlpi_calloc(room, sizeof *b->count);
    if (b->row && b->document && b->count) return DLP_OK;
    dlpi_block_free(b);
    return dlpi_no_memory(error, "documents by their terms");
}

void dlpi_block_free(dlpi_block *b)
{
    free(b->row);
    free(b->document);
    free(b->count);
    *b = (dlpi_block){.threads = 0};
}

/* Sorts terms first..end-1 of those wanted, by a counting sort as in transpose.c. Each
   thread looks at all pairs and keeps those of its own terms, so that none waits for
   another. */
static void sort_terms(dlpi_block *b, const dlp_corpus *c, dlp_index first, dlp_index end)
{
    dlp_index *row = b->row, before = 0;
    for (dlp_index v = first; v < end; v++) row[v] = 0;
    for (dlp_index i = c->row[b->from]; i < c->row[b->to]; i++) {
        before += c->term[i] >= b->first && c->term[i] < first;
        if (c->term[i] >= first && c->term[i] < end) row[c->term[i]]++;
    }
    for (dlp_index v = first; v < end; v++) {
        const dlp_index n = row[v];
        row[v] = before;
        before += n;
    }
    for (dlp_index d = b->from; d < b->to; d++)
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
            if (c->term[i] < first || c->term[i] >= end) continue;
            const dlp_index place = row[c->term[i]]++;
            b->document[place] = (int32_t)d;
            b->count[place] = c->count[i];
        }
}

void dlpi_block_read(dlpi_block *b, const dlp_corpus *c, dlp_index from, dlp_index to)
{
    dlpi_block_read_terms(b, c, from, to, 0, b->V);
}

void dlpi_block_read_terms(dlpi_block *b, const dlp_corpus *c, dlp_index from,
                           dlp_index to, dlp_index first, dlp_index end)
{
    const dlp_index n = end - first, parts = b->threads;
    if (b->from == from && b->to == to && to > from && b->first == first && b->end == end)
        return; /* it has been read already */
    b->from = from;
    b->to = to;
    b->first = first;
    b->end = end;
#pragma omp parallel for schedule(static) num_threads(b->threads)
    for (dlp_index t = 0; t < parts; t++)
        sort_terms(b, c, first + n * t / parts, first + n * (t + 1) / parts);
    for (dlp_index v = end; v > first; v--)
        b->row[v] = b->row[v - 1]; /* each became the end of its term */
    b->row[first] = 0;
}
