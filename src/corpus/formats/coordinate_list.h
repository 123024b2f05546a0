/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of "document term count" with ids from 1, headed by their sizes: what UCI and
   Matrix Market have in common. Internal. */
#ifndef DLPI_CORPUS_COORDINATE_LIST_H
#define DLPI_CORPUS_COORDINATE_LIST_H

#include "corpus/corpus.h"
#include "io/output.h"
#include "io/scan.h"

/* How the count of a triple is written. */
enum dlpi_count_style {
    DLPI_COUNT_WHOLE, /* digits */
    DLPI_COUNT_REAL,  /* any number that is whole */
    DLPI_COUNT_NONE,  /* not at all: it is 1 */
};

struct dlpi_triples {
    int64_t D, V, nnz;                  /* as the header says */
    dlp_index D_line, V_line, nnz_line; /* where it says so */
    int64_t before;                     /* documents before these, in a part of a text */
    enum dlpi_count_style style;
    const char *shape; /* what such a file is, for messages */
};

/* The triples that follow the header, and nothing after them, as a corpus. On failure
   *corpus may be half-built. */
dlp_status dlpi_corpus_scan_triples(struct dlpi_scan *s, const struct dlpi_triples *t,
                                    dlp_corpus **corpus, dlp_error *error);

/* Triples of documents before+1 to before+D, as many as there are, as a corpus of D
   documents. On failure *corpus may be half-built. */
dlp_status dlpi_corpus_scan_some_triples(struct dlpi_scan *s,
                                         const struct dlpi_triples *t,
                                         dlp_corpus **corpus, dlp_error *error);
/* Whether a triple is on the line; sets the document of one that is. */
bool dlpi_corpus_line_of_triple(struct dlpi_scan line, int64_t *document);

/* Sets the rows of a corpus whose nnz pairs belong to the given documents, and brings the
   pairs of each document together where they are scattered. */
dlp_status dlpi_corpus_gather(dlp_corpus *c, const int32_t *document, dlp_error *error);

/* Every pair as a line "document term count" with ids from 1. */
dlp_status dlpi_put_triples(struct dlpi_output *out, const dlp_corpus *c, char separator,
                            dlp_error *error);

#endif
