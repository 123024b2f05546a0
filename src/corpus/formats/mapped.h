/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A corpus whose arrays are a file that is mapped: they may be larger than memory. What reads one
 * from its first document to the last does so by stretches, and leaves each when it is done, which
 * gives its pages back. Of a corpus in memory both cost nothing. Internal.
 */
#ifndef DLPI_CORPUS_MAPPED_H
#define DLPI_CORPUS_MAPPED_H

#include "corpus/corpus.h"
#include "io/mapping.h"

/* Documents of a stretch, at most; it has at most 16 times as many pairs, or is one document. */
enum { DLPI_CORPUS_STRETCH = 1 << 15 };

/* What stands behind dlp_corpus.file. */
struct dlp_corpus_file {
    struct dlpi_mapping mapping;
    bool owned; /* it was written to, and its pages are not those of the file any more */
    dlp_index
        *row; /* (D+1) of a corpus that is a part of the file: in memory; NULL: mapped */
};

/* An empty corpus that has the mapping, which becomes none; NULL without memory. */
dlp_corpus *dlpi_corpus_alloc_mapped(struct dlpi_mapping *mapping);
/* The end of the stretch that begins with document `from`, which is one. */
dlp_index dlpi_corpus_stretch(const dlp_corpus *corpus, dlp_index from);
/* Documents from..to-1 are not needed soon. */
void dlpi_corpus_leave(const dlp_corpus *corpus, dlp_index from, dlp_index to);
/* Their places in the index alone. */
void dlpi_corpus_leave_rows(const dlp_corpus *corpus, dlp_index from, dlp_index to);
/* DLP_EIO where the file was written to since it was read. */
dlp_status dlpi_corpus_unchanged(const dlp_corpus *corpus, dlp_error *error);
/* Makes the arrays of the corpus its own, to be written to: pages that are written to are
   copied, the file stays as it is. */
dlp_status dlpi_corpus_own(dlp_corpus *corpus, dlp_error *error);

#endif
