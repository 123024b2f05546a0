/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a file becomes a corpus. io/input.h brings the bytes in, io/scan.h reads words and
 * numbers, each format has a file that parses it, and canonical.c puts every corpus in
 * order. Internal.
 */
#ifndef DLPI_CORPUS_H
#define DLPI_CORPUS_H

#include "io/input.h"

#include <delaplace/corpus.h>

/* A corpus of D empty documents, V = 0, with room for nnz pairs; NULL without memory. */
dlp_corpus *dlpi_corpus_alloc(dlp_index D, dlp_index nnz, dlp_error *error);
/*
 * The last step of every reader, once D, V, row, term and count are filled in (terms in
 * any order, listed twice, with counts of 0): sorts and adds up the terms of each
 * document, drops zeros, and sets nnz and words.
 */
dlp_status dlpi_corpus_canonicalise(const char *name, dlp_corpus *corpus,
                                    dlp_error *error);

/* The most documents and terms that a corpus with this many pairs may claim. Memory use
   depends on these numbers, so they are believed only within reason. */
dlp_index dlpi_corpus_most_documents(dlp_index pairs);
dlp_index dlpi_corpus_most_terms(dlp_index pairs);
/* The same for terms without names, whose number nothing else confirms. */
dlp_index dlpi_corpus_most_unnamed(dlp_index pairs);

/* The last step of what makes a corpus: frees a half-built one on failure. Returns
   status. */
dlp_status dlpi_corpus_parse_end(dlp_status status, dlp_corpus **corpus);

/* corpus_text.c: what a corpus that was made from text has besides counts. Each function
   reads the file at path into the corpus, unless the corpus already has its contents. */
dlp_status dlpi_corpus_read_text(dlp_corpus *corpus, const char *path, dlp_error *error);
dlp_status dlpi_corpus_read_origin(dlp_corpus *corpus, const char *path,
                                   dlp_error *error);

/* dlp_corpus_read_vocab over bytes in memory. */
dlp_status dlpi_corpus_parse_vocab(dlp_corpus *corpus, const char *name, const char *text,
                                   size_t size, dlp_error *error);

#endif
