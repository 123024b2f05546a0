/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus that was read by name takes the numbers that files of names give. Internal. */
#ifndef DLPI_CORPUS_ALIGN_H
#define DLPI_CORPUS_ALIGN_H

#include "corpus/names.h"

/*
 * Reads the names at path and renumbers the terms, or the documents, of a corpus that has
 * names for them after their places there. Each must be there; names that the corpus does
 * not have become terms that no document uses, or empty documents. A name that stands
 * twice is an error. On failure the corpus is as it was, or fit only to be freed.
 */
dlp_status dlpi_corpus_align_terms(dlp_corpus *corpus, const char *path,
                                   dlp_error *error);
dlp_status dlpi_corpus_align_documents(dlp_corpus *corpus, const char *path,
                                       dlp_error *error);

#endif
