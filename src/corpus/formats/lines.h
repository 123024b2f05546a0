/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain text in which a document is one line, or several in a row: whoever knows where a
 * document begins can read from there on. One process finds where the parts begin, and
 * the others read only theirs. Internal.
 */
#ifndef DLPI_CORPUS_LINES_H
#define DLPI_CORPUS_LINES_H

#include "corpus/formats/format.h"

/* Consecutive documents of a corpus; to be sent to other processes as it is. */
struct dlpi_corpus_part {
    int64_t first, documents; /* from 0; how many */
    int64_t pairs, words;     /* of these documents */
    uint64_t checksum;        /* of them */
    int64_t terms;            /* of the whole corpus */
    int64_t from, to;         /* their bytes */
    int64_t style;            /* what the format must know of the other bytes */
};

/* What a format knows of a text after some of its lines; all zeros and document -1 before
   the first. */
struct dlpi_line_state {
    dlp_index line;   /* how many were read */
    bool headed;      /* for formats whose header may have any number of lines */
    int64_t document; /* that of the last line that was part of one */
    int64_t style;
};

struct dlpi_corpus_lines {
    /* Whether the next line, alone in the scan, is part of a document: which one goes
       into the state. The text is known to be sound. */
    bool (*is_of_document)(struct dlpi_scan line, struct dlpi_line_state *state);
    /* Reads the lines of a part, which may be none. On failure *corpus, NULL at first,
       may be half-built. */
    dlp_status (*parse_part)(struct dlpi_scan s, const struct dlpi_corpus_part *part,
                             dlp_corpus **corpus, dlp_error *error);
};

extern const struct dlpi_corpus_lines dlpi_ldac_lines, dlpi_uci_lines, dlpi_mtx_lines,
    dlpi_svmlight_lines;

/* Documents first..to-1 of a corpus; their bytes are not known yet. */
struct dlpi_corpus_part dlpi_corpus_part_of(const dlp_corpus *corpus, dlp_index first,
                                            dlp_index to);
/* Finds the bytes of n parts of the file at path, which was read in this format. False: it
   cannot be read in parts, as it is compressed or standard input, or its documents are
   scattered. */
bool dlpi_corpus_find_parts(const char *path, const struct dlpi_corpus_format *format,
                            int n, struct dlpi_corpus_part *part);
/* Reads one of them. It fails if these are not the documents that they were. */
dlp_status dlpi_corpus_read_part(const char *path,
                                 const struct dlpi_corpus_format *format,
                                 const struct dlpi_corpus_part *part, dlp_corpus **corpus,
                                 dlp_error *error);

#endif
