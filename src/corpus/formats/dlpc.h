/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dlpc, the binary format of a corpus: the arrays of a dlp_corpus as they are in memory,
 * so that a file of any size is mapped instead of read. docs/corpus-formats.md describes
 * the layout. Internal.
 */
#ifndef DLPI_CORPUS_DLPC_H
#define DLPI_CORPUS_DLPC_H

#include "corpus/formats/format.h"
#include "io/mapping.h"

#define DLPI_DLPC_MAGIC "delaplace corpus"

/* What a file begins with; then term (nnz), count (nnz), row (D+1). */
typedef struct dlpi_dlpc_header {
    char magic[16];
    int64_t version; /* 1; with another byte order it is no version that we know */
    int64_t D, V, nnz, words;
    uint64_t pairs, rows; /* checksums of what follows */
    int64_t reserved[6];  /* 0 */
    uint64_t head;        /* the checksum of what is above */
} dlpi_dlpc_header;

/* Checksums of pairs, and of rows: each call continues from the checksum so far. */
#define DLPI_DLPC_BEGIN 0xcbf29ce484222325
uint64_t dlpi_dlpc_hash_pairs(uint64_t hash, dlp_index n, const int32_t *term,
                              const int32_t *count);
uint64_t dlpi_dlpc_hash_rows(uint64_t hash, dlp_index n, const dlp_index *row);
/* Completes a header that has its numbers and the checksums of pairs and rows. */
void dlpi_dlpc_finish(dlpi_dlpc_header *header);

/* The corpus in a mapping, which it takes over. False, with nothing changed, if this is
   not a dlpc file. */
bool dlpi_dlpc_take(const char *name, struct dlpi_mapping *mapping,
                    struct dlpi_progress *progress, dlp_corpus **corpus,
                    dlp_status *status, dlp_error *error);
/* Documents first..to-1, at least one, of a file that another process has checked and
   whose header it has sent. Only the pages of these documents are read. */
dlp_status dlpi_dlpc_open_part(const char *path, const dlpi_dlpc_header *header,
                               dlp_index first, dlp_index to, dlp_corpus **corpus,
                               dlp_error *error);
/* The header of a sound corpus. */
dlpi_dlpc_header dlpi_dlpc_header_of(const dlp_corpus *corpus);

/* For fuzzers: writes valid checksums into bytes that begin as such a file does. */
void dlpi_dlpc_seal(char *bytes, size_t size);

#endif
