/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of a corpus: one table, one file per format. Internal. */
#ifndef DLPI_CORPUS_FORMAT_H
#define DLPI_CORPUS_FORMAT_H

#include "corpus/corpus.h"
#include "io/output.h"
#include "io/scan.h"

/* Reads the text of the scan, which is not blank. On failure *corpus, NULL at first, may
   be half-built. */
typedef dlp_status dlpi_corpus_parser(struct dlpi_scan s, dlp_corpus **corpus,
                                      dlp_error *error);
/* Puts a sound corpus, and reports how many of its pairs are put; fails only if the
   format cannot express it, or the caller cancels. */
typedef dlp_status dlpi_corpus_putter(const dlp_corpus *c, struct dlpi_output *out,
                                      dlp_error *error);
/* True when the text begins as such a file does. */
typedef bool dlpi_corpus_detector(const char *text, size_t size);

struct dlpi_corpus_lines;

struct dlpi_corpus_format {
    const char *name;
    const char *extension[3]; /* of its files; NULL where there are fewer */
    dlpi_corpus_detector *detect;
    dlpi_corpus_parser *parse;
    dlpi_corpus_putter *put;
    const struct dlpi_corpus_lines
        *lines; /* how it is read in parts (lines.h), or NULL */
};

dlpi_corpus_detector dlpi_looks_like_ldac, dlpi_looks_like_uci, dlpi_looks_like_mtx,
    dlpi_looks_like_svmlight_counts, dlpi_looks_like_triplets, dlpi_looks_like_dlpc;
dlpi_corpus_parser dlpi_corpus_parse_ldac, dlpi_corpus_parse_uci, dlpi_corpus_parse_mtx,
    dlpi_corpus_parse_svmlight, dlpi_corpus_parse_csv, dlpi_corpus_parse_dlpc;
dlpi_corpus_putter dlpi_corpus_put_ldac, dlpi_corpus_put_uci, dlpi_corpus_put_mtx,
    dlpi_corpus_put_svmlight, dlpi_corpus_put_csv, dlpi_corpus_put_dlpc;

/* The format of that name, or NULL after a failure. */
const struct dlpi_corpus_format *dlpi_corpus_format_named(const char *name,
                                                          dlp_error *error);
/* The format by the path's extension, or NULL after a failure. */
const struct dlpi_corpus_format *dlpi_corpus_format_of_path(const char *path,
                                                            dlp_error *error);
/* X.vocab.xz for X.ldac.xz and ".vocab": a file beside a corpus, compressed as it is. To be
   freed; NULL without memory. */
char *dlpi_corpus_beside_compressed(const char *path, const char *extension);
/* The format by how the text looks. */
const struct dlpi_corpus_format *dlpi_corpus_format_of_text(const char *text,
                                                            size_t size);

/* What the caller gives, over the defaults. */
dlp_corpus_options dlpi_corpus_options_take(const dlp_corpus_options *given);

/* Reads the file at path, in any format for *format NULL, which becomes the one that it
   has; *corpus is NULL. */
dlp_status dlpi_corpus_read(const char *path, const struct dlpi_corpus_format **format,
                            struct dlpi_progress *progress, dlp_corpus **corpus,
                            dlp_error *error);

/* dlp_corpus_open, which also says in which format the file is. */
dlp_status dlpi_corpus_open(const char *path, const dlp_corpus_options *options,
                            const struct dlpi_corpus_format **format, dlp_corpus **corpus,
                            dlp_error *error);

/* ---- what LDA-C and svmlight share ---- */

/* An empty corpus with room for all that the text can hold: each document takes a line,
   and each pair a colon. */
dlp_corpus *dlpi_corpus_alloc_for_lines(const struct dlpi_scan *s, dlp_error *error);
/* The pair that was read at word, id < 0 if it is none, into *term and *count. shape says
   what a line looks like. */
dlp_status dlpi_take_pair(const struct dlpi_scan *s, const char *word, int64_t id,
                          int64_t n, const char *shape, int32_t *term, int32_t *count,
                          dlp_error *error);
/* " term:count" for each pair of a document, with ids from `first`. */
void dlpi_put_pairs(struct dlpi_output *out, const dlp_corpus *c, dlp_index d, int first);

#endif
