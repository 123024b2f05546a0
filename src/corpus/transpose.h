/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus by terms. Internal. */
#ifndef DLPI_CORPUS_TRANSPOSE_H
#define DLPI_CORPUS_TRANSPOSE_H

#include <delaplace/corpus.h>

/* A corpus by columns: where each term occurs. */
typedef struct dlpi_postings {
    dlp_index *row;    /* (V+1) term v holds pairs row[v]..row[v+1]-1 */
    int32_t *document; /* (nnz) ascending and distinct within a term */
    int32_t *count;    /* (nnz) >= 1 */
} dlpi_postings;

/* On failure *postings is NULL. O(nnz + V). */
dlp_status dlpi_corpus_transpose(const dlp_corpus *corpus, dlpi_postings **postings,
                                 dlp_error *error);
void dlpi_postings_free(dlpi_postings *postings); /* NULL is fine */

#endif
