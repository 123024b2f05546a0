/* SPDX-License-Identifier: BSD-3-Clause */
/* Renumbers a corpus that was read by name, in the order of a file of names. Internal. */
#ifndef DLPI_CORPUS_ALIGN_H
#define DLPI_CORPUS_ALIGN_H

#include "corpus/names.h"

/*
 * Reads the names at path and gives each term, or document, of the corpus, which must
 * have names for them, the number of its line there. Every name of the corpus must be
 * listed; listed names that it does not have become terms that no document uses, or empty
 * documents. A name listed twice is an error. On failure the corpus is unchanged, or fit
 * only to be freed.
 */
dlp_status dlpi_corpus_align_terms(dlp_corpus *corpus, const char *path,
                                   dlp_error *error);
dlp_status dlpi_corpus_align_documents(dlp_corpus *corpus, const char *path,
                                       dlp_error *error);

#endif
