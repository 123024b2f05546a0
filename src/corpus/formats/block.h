/* SPDX-License-Identifier: BSD-3-Clause */
/* Some documents of a corpus by columns: where each term occurs in them. A loop that sums
   over documents, with one thread per term, needs only one block of them at a time.
   Internal. */
#ifndef DLPI_CORPUS_BLOCK_H
#define DLPI_CORPUS_BLOCK_H

#include "corpus/corpus.h"

typedef struct dlpi_block {
    int threads;
    dlp_index V, room;    /* terms; pairs that there is room for */
    dlp_index from, to;   /* documents from..to-1; none where both are 0 */
    dlp_index first, end; /* terms first..end-1 of them */
    dlp_index *row;       /* (V+1) term v holds pairs row[v]..row[v+1]-1 */
    int32_t *document;    /* (room) as in the corpus, ascending within a term */
    int32_t *count;       /* (room) */
} dlpi_block;

/* The most pairs in any `documents` consecutive documents. */
dlp_index dlpi_block_most(const dlp_corpus *corpus, dlp_index documents);

dlp_status dlpi_block_alloc(dlp_index V, dlp_index room, int threads, dlpi_block *block,
                            dlp_error *error);
void dlpi_block_free(dlpi_block *block); /* fine on a zeroed or failed one */
/* Reads documents from..to-1, for whose pairs there must be room. */
void dlpi_block_read(dlpi_block *block, const dlp_corpus *corpus, dlp_index from,
                     dlp_index to);
/* The same for terms first..end-1 only: the rows of all others are empty. */
void dlpi_block_read_terms(dlpi_block *block, const dlp_corpus *corpus, dlp_index from,
                           dlp_index to, dlp_index first, dlp_index end);

#endif
