/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A corpus whose arrays are a mapped file, so that they may be larger than memory. Code
 * that reads one from the first document to the last does so in stretches, and leaves
 * each when it is done, which gives its pages back. For a corpus in memory both cost
 * nothing. Internal.
 */
#ifndef DLPI_CORPUS_MAPPED_H
#define DLPI_CORPUS_MAPPED_H

#include "corpus/corpus.h"
#include "io/mapping.h"

/* The most documents in a stretch. It has at most 16 times as many pairs, unless it is a
   single document. */
enum { DLPI_CORPUS_STRETCH = 1 << 15 };

/* What dlp_corpus.file points to. */
struct dlp_corpus_file {
    struct dlpi_mapping mapping;
    bool owned; /* it was written to: its pages are no longer those of the file */
    dlp_index
        *row; /* (D+1) of a corpus that is a part of the file: in memory; NULL: mapped */
};

/* An empty corpus that takes over the mapping, zeroing the caller's; NULL without
   memory. */
dlp_corpus *dlpi_corpus_alloc_mapped(struct dlpi_mapping *mapping);
/* The end of the stretch that begins with document `from`, which must exist. */
dlp_index dlpi_corpus_stretch(const dlp_corpus *corpus, dlp_index from);
/* Documents from..to-1 are not needed soon. */
void dlpi_corpus_leave(const dlp_corpus *corpus, dlp_index from, dlp_index to);
/* The same for their entries in `row` alone. */
void dlpi_corpus_leave_rows(const dlp_corpus *corpus, dlp_index from, dlp_index to);
/* DLP_EIO where the file was written to since it was read. */
dlp_status dlpi_corpus_unchanged(const dlp_corpus *corpus, dlp_error *error);
/* Makes the arrays of the corpus its own, to be written to: pages that are written to are
   copied, the file stays as it is. */
dlp_status dlpi_corpus_own(dlp_corpus *corpus, dlp_error *error);

#endif
