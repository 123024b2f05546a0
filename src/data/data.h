/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a file becomes a corpus. input.c brings the bytes in, unpack.c undoes gzip, zstd
 * and xz, scan.h reads words and numbers, one file a format parses, and tidy.c puts every
 * corpus in order. Internal.
 */
#ifndef DLPI_DATA_H
#define DLPI_DATA_H

#include "data/progress.h"

#include <delaplace/corpus.h>

/* Bytes that grow; data is owned and released by free(). */
struct dlpi_bytes {
    char *data;
    size_t size;     /* bytes in use */
    size_t capacity; /* bytes there is room for */
};

/* Makes room for at least one byte more. */
dlp_status dlpi_bytes_grow(struct dlpi_bytes *bytes, dlp_error *error);

/* The name of a path in messages: "-" is standard input. */
const char *dlpi_input_name(const char *path);
/* The whole file at path, or standard input for "-", unpacked. On failure *bytes is
   empty. A packed file may unpack to 1 GiB and 1100 times its size, which is more
   than gzip can reach and stops small files made to fill the memory. */
dlp_status dlpi_input_read(const char *path, struct dlpi_progress *progress,
                           struct dlpi_bytes *bytes, dlp_error *error);

/* Whether the bytes begin as packed ones that dlpi_unpack unpacks do. */
bool dlpi_is_packed(const struct dlpi_bytes *bytes);
/* Replaces gzip, zstd or xz bytes (any number of members, frames or streams) by what they
   hold, at most limit bytes; leaves plain bytes as they are, and also all bytes on
   failure. */
dlp_status dlpi_unpack(const char *name, struct dlpi_bytes *bytes, size_t limit,
                       struct dlpi_progress *progress, dlp_error *error);

/* A corpus of D empty documents, V = 0, with room for nnz pairs; NULL without memory. */
dlp_corpus *dlpi_corpus_alloc(dlp_index D, dlp_index nnz, dlp_error *error);
/*
 * The last step of every reader, once D, V, row, term and count are filled in (terms in
 * any order, listed twice, with counts of 0): sorts and adds up the terms of each
 * document, drops zeros, and sets nnz and words.
 */
dlp_status dlpi_corpus_tidy(const char *name, dlp_corpus *corpus, dlp_error *error);

/* The most documents and terms that a corpus with so many pairs may claim. Memory
   follows these numbers, so they are believed only within reason. */
dlp_index dlpi_corpus_most_documents(dlp_index pairs);
dlp_index dlpi_corpus_most_terms(dlp_index pairs);

/* The last step of what makes a corpus: frees a half-built one on failure. Returns
   status. */
dlp_status dlpi_corpus_parse_end(dlp_status status, dlp_corpus **corpus);

/* dlp_corpus_read_vocab over bytes in memory. */
dlp_status dlpi_corpus_parse_vocab(dlp_corpus *corpus, const char *name, const char *text,
                                   size_t size, dlp_error *error);

#endif
