/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus as bags of words: documents by terms, counts, stored by rows. */
#ifndef DELAPLACE_CORPUS_H
#define DELAPLACE_CORPUS_H

#include <delaplace/export.h>
#include <delaplace/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_corpus {
    dlp_index D;     /* documents; an empty document is a document */
    dlp_index V;     /* terms in the vocabulary: ids 0..V-1 */
    dlp_index nnz;   /* pairs (term, count) */
    dlp_index words; /* sum of counts */
    dlp_index *row;  /* (D+1) document d holds pairs row[d]..row[d+1]-1 */
    int32_t *term;   /* (nnz) ascending and distinct within a document */
    int32_t *count;  /* (nnz) >= 1 */
    char **vocab;    /* (V) NUL-terminated terms, or NULL when not known; one block */
} dlp_corpus;

/*
 * Readers. Each accepts plain, gzip and zstd files, and "-" for standard input.
 * A term listed twice in a document is added up; a pair of count 0 is dropped.
 * Errors name the file, the line, what was expected and what to do. On failure
 * *corpus is NULL.
 *
 * Text: lines may end with CR LF, the last one with nothing; words are parted by
 * spaces or tabs; a UTF-8 byte order mark and blank lines at the end are skipped,
 * other blank lines are errors. Numbers are digits alone. Ids and counts fit an
 * int32_t, and so do the counts of a term added up over a document.
 *
 * Memory follows V and D, so a large id or header is believed only within reason:
 * V may be 10,000,000 or 64 times the number of pairs, whichever is more, and D in
 * a UCI header 1,000,000 or 64 times; both stay below 2^31.
 */

/* The format by its content: a UCI file begins with three lines of one number
   each, the first not 0, an LDA-C line with its number of pairs. */
DLP_API dlp_status dlp_corpus_read(const char *path, dlp_corpus **corpus,
                                   dlp_error *error);
/* LDA-C: a document a line, "M term:count term:count ...", ids from 0. V is the
   largest id plus one. An empty document is the line "0". */
DLP_API dlp_status dlp_corpus_read_ldac(const char *path, dlp_corpus **corpus,
                                        dlp_error *error);
/* UCI bag of words: D, V, nnz a line each, then nnz times "document term count",
   ids from 1, in any order. */
DLP_API dlp_status dlp_corpus_read_uci(const char *path, dlp_corpus **corpus,
                                       dlp_error *error);
/* The same readers over bytes in memory; name stands for the file in messages. */
DLP_API dlp_status dlp_corpus_parse_ldac(const char *name, const char *text, size_t size,
                                         dlp_corpus **corpus, dlp_error *error);
DLP_API dlp_status dlp_corpus_parse_uci(const char *name, const char *text, size_t size,
                                        dlp_corpus **corpus, dlp_error *error);
/* From a dense table of counts x (D, V), row by row; a copy is taken. */
DLP_API dlp_status dlp_corpus_from_counts(dlp_index D, dlp_index V, const int32_t *x,
                                          dlp_corpus **corpus, dlp_error *error);
/* Adds the terms' names, a line each: any bytes, but not none. A file with more lines
   than V widens V (terms that no document uses); one with fewer is an error. On failure
   the corpus is as it was. */
DLP_API dlp_status dlp_corpus_read_vocab(dlp_corpus *corpus, const char *path,
                                         dlp_error *error);

/* Whether a corpus made by hand keeps the promises above. O(nnz). */
DLP_API dlp_status dlp_corpus_check(const dlp_corpus *corpus, dlp_error *error);

DLP_API void dlp_corpus_free(dlp_corpus *corpus); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
