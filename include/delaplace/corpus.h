/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus as bags of words: a sparse matrix of counts, documents by terms, stored by
   rows. */
#ifndef DELAPLACE_CORPUS_H
#define DELAPLACE_CORPUS_H

#include <delaplace/export.h>
#include <delaplace/file.h>
#include <delaplace/progress.h>
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
    char **vocab;    /* (V) NUL-terminated terms, or NULL when not known; one
                        allocation */
    char **name;     /* (D) documents' names, or NULL when not known; one
                        allocation */
    char **text;     /* (D) what the documents say, or NULL when not known; one
                        allocation */
    char *origin;    /* how text became these terms, as JSON (docs/file-formats.md), or
                        NULL when not known */
    struct dlp_corpus_file *file; /* the mapped file that row, term and count point into,
                                     read-only; NULL: they are in memory */
} dlp_corpus;

/*
 * Readers. Each accepts plain, gzip, zstd and xz files, and "-" for standard input.
 * Counts of a term listed twice in a document are added up; pairs with count 0 are
 * dropped. Errors name the file, the line, what was expected and what to do. On failure
 * *corpus is NULL.
 *
 * Text: lines may end with CR LF, and the last line needs no line end; words are
 * separated by spaces or tabs; a UTF-8 byte order mark and blank lines at the end are
 * skipped, other blank lines are errors, except in svmlight and CSV. Numbers are digits
 * only, except where a format below allows reals. Ids and counts must fit an int32_t, and
 * so must the total count of a term in a document.
 *
 * Memory grows with V and D, so large ids and headers are limited: V may be at most
 * 10,000,000 or 64 times the number of pairs, whichever is more; D, where it is not the
 * number of lines, at most 1,000,000 or 64 times the number of pairs; both stay below
 * 2^31.
 */

/* Reads a file in any of the formats below, recognised by its content. An LDA-C file is
   told from an svmlight one by its lines, which start with the number of their pairs: at
   least half of the first 1000 must. */
DLP_API dlp_status dlp_corpus_read(const char *path, dlp_corpus **corpus,
                                   dlp_error *error);

/*
 * The formats, from bytes in memory; messages call them `name`. docs/corpus-formats.md
 * shows each by example.
 */

/* "ldac", LDA-C: one document per line, "M term:count term:count ...", ids from 0. V is
   the largest id plus one. An empty document is the line "0". */
DLP_API dlp_status dlp_corpus_parse_ldac(const char *name, const char *text, size_t size,
                                         dlp_corpus **corpus, dlp_error *error);
/* "uci", UCI bag of words: D, V and nnz, each on its own line, then nnz lines "document
   term count", ids from 1, in any order. */
DLP_API dlp_status dlp_corpus_parse_uci(const char *name, const char *text, size_t size,
                                        dlp_corpus **corpus, dlp_error *error);
/* "mtx", Matrix Market: a sparse general matrix, documents by terms, of integers, of
   reals that are whole numbers, or a pattern, whose counts are 1. */
DLP_API dlp_status dlp_corpus_parse_mtx(const char *name, const char *text, size_t size,
                                        dlp_corpus **corpus, dlp_error *error);
/* "svmlight": one document per line, "label term:count ... # comment"; label and comment
   are dropped. Ids count from 1, or from 0 if one of them is 0; counts may be written as
   reals. V follows from the largest id. */
DLP_API dlp_status dlp_corpus_parse_svmlight(const char *name, const char *text,
                                             size_t size, dlp_corpus **corpus,
                                             dlp_error *error);
/* "csv", triplets: a header with document, term and count in any order among other
   columns, then a row for each pair. A column whose values are all whole numbers without
   quotes holds ids, as in svmlight; else it holds names. Named documents are numbered in
   the order of the file, named terms in byte order. */
DLP_API dlp_status dlp_corpus_parse_csv(const char *name, const char *text, size_t size,
                                        dlp_corpus **corpus, dlp_error *error);
/* "dlpc": the arrays of this header as they are in memory, with checksums.
   dlp_corpus_open and dlp_corpus_read map a plain file of 16 MB or more instead of
   reading it, so that a corpus may be larger than memory; the file must not be truncated
   meanwhile. */
DLP_API dlp_status dlp_corpus_parse_dlpc(const char *name, const char *text, size_t size,
                                         dlp_corpus **corpus, dlp_error *error);
/* From a dense table of counts x (D, V), row by row; a copy is taken. */
DLP_API dlp_status dlp_corpus_from_counts(dlp_index D, dlp_index V, const int32_t *x,
                                          dlp_corpus **corpus, dlp_error *error);
/*
 * From compressed sparse rows, as scipy.sparse.csr_matrix and the transpose of a
 * dgCMatrix of R's Matrix hold them; everything is copied. row (D+1) does not decrease,
 * from row[0] = 0; document d has the pairs row[d]..row[d+1]-1 of term (0..V-1) and count
 * (>= 0), both (row[D]), in any order: terms are sorted, repeated ones are added up,
 * zeros dropped. vocab (V) and name (D) may be NULL; else each entry is one line of text
 * that is not blank. Errors name the document, counted from 0. O(nnz log nnz + V + D).
 */
DLP_API dlp_status dlp_corpus_from_csr(dlp_index D, dlp_index V, const dlp_index *row,
                                       const int32_t *term, const int32_t *count,
                                       const char *const *vocab, const char *const *name,
                                       dlp_corpus **corpus, dlp_error *error);
/* Adds the terms' names, one per line: any bytes, but not empty. A file with more lines
   than V increases V (terms that no document uses); one with fewer is an error. On
   failure the corpus is unchanged. */
DLP_API dlp_status dlp_corpus_read_vocab(dlp_corpus *corpus, const char *path,
                                         dlp_error *error);

/* Adds the documents' names, one per line: exactly D lines, none blank. On failure the
   corpus is unchanged. */
DLP_API dlp_status dlp_corpus_read_names(dlp_corpus *corpus, const char *path,
                                         dlp_error *error);

/* How to open a corpus, and how to write it. */
typedef struct dlp_corpus_options {
    size_t size;        /* set by dlp_corpus_options_default */
    const char *format; /* one of dlp_corpus_format_name; NULL: when opening, the content
                           decides, when writing, the path's extension */
    const char *vocab;  /* when opening: the file of the terms; NULL: X.vocab, if it
                           exists */
    /* Called every few megabytes, in phase "reading" with bytes, in phase "writing" with
       documents; if writing is cancelled, no file is written. Default NULL. */
    dlp_progress_call *progress;
    void *context;
    /* When writing: the files are added to this set and appear with its commit, together
       with others. Default NULL: they appear at once. */
    dlp_file_set *files;
    int text; /* when opening, non-zero: also read the documents' text, X.text.jsonl, if
                 it exists. Default 0 */
} dlp_corpus_options;

/* All defaults: NULL and 0. */
DLP_API void dlp_corpus_options_init(dlp_corpus_options *options, size_t size);
static inline dlp_corpus_options dlp_corpus_options_default(void)
{
    dlp_corpus_options options;
    dlp_corpus_options_init(&options, sizeof options);
    return options;
}

/*
 * Files that belong together: a corpus X.ldac (or .uci, .mtx, .csv.gz, ...), its terms
 * X.vocab and its documents' names X.docs; if it was made from text, also how its words
 * were made, X.words.json, and what the documents say, X.text.jsonl, a JSON string per
 * line. X is the path without .gz, .zst or .xz and without its last extension. Beside
 * X.ldac.xz they may be compressed, too: X.vocab.xz is read where there is no X.vocab.
 *
 * Reads the corpus at path, then the names that belong to it, if there are any; options
 * may be NULL. Without names, V may be at most 100,000 or 64 times the number of pairs.
 * Standard input ("-") has no files beside it. A CSV file has names of its own: the other
 * files then give their order, and add terms that no document uses and documents that are
 * empty; a name that is missing from them is an error. Released by dlp_corpus_free; on
 * failure *corpus is NULL.
 */
DLP_API dlp_status dlp_corpus_open(const char *path, const dlp_corpus_options *options,
                                   dlp_corpus **corpus, dlp_error *error);
/* Whether the file at path is the corpus, or one of the files that belong to it. */
DLP_API int dlp_corpus_has_file(const char *corpus, const char *path);
/*
 * Writes the corpus to path, in the format of the options, which may be NULL, or as the
 * path's extension implies (.ldac or .dat, .uci or .docword, .mtx or .mm, .svmlight, .svm
 * or .libsvm, .csv, .dlpc), and X.vocab and X.docs if the corpus has names, X.words.json
 * and X.text.jsonl if it has an origin and text. The files change together
 * (dlp_file_set): dlp_corpus_open sees either all of the new ones or none. The corpus is
 * compressed when the path ends in .gz or .zst. A corpus without names is refused beside
 * an existing X.vocab or X.docs, which would be taken for its own; so is one without text
 * beside an X.text.jsonl. "-" and anything other than a regular file get the corpus only.
 */
DLP_API dlp_status dlp_corpus_write(const dlp_corpus *corpus, const char *path,
                                    const dlp_corpus_options *options, dlp_error *error);

/*
 * Writes a dlpc file as documents arrive; only those of one call are in memory:
 *
 *     dlp_corpus_writer_open(path, V, vocab, &writer, &error), dlp_corpus_writer_add(...) as often
 *     as there are some, dlp_corpus_writer_finish(...), dlp_corpus_writer_free(writer)
 *
 * The file appears when it is finished, whole, with X.vocab beside it if vocab (V) is not
 * NULL; in a set of files, with its commit. If it is never finished, nothing is left.
 * Documents have at most V terms; their names are not kept.
 */
typedef struct dlp_corpus_writer dlp_corpus_writer;
DLP_API dlp_status dlp_corpus_writer_open(const char *path, dlp_index V,
                                          char *const *vocab, dlp_corpus_writer **writer,
                                          dlp_error *error);
DLP_API dlp_status dlp_corpus_writer_add(dlp_corpus_writer *writer,
                                         const dlp_corpus *documents, dlp_error *error);
DLP_API dlp_status dlp_corpus_writer_finish(dlp_corpus_writer *writer,
                                            dlp_file_set *files, dlp_error *error);
DLP_API void dlp_corpus_writer_free(dlp_corpus_writer *writer); /* NULL is fine */

/* The path of a file beside a corpus: X.vocab for X.ldac.gz and ".vocab". Released by
   free(); NULL if memory is short. */
DLP_API char *dlp_corpus_beside(const char *path, const char *extension);
/* The name of the format that the path's extension implies, as in dlp_corpus_write; NULL
   and an error if it implies none. */
DLP_API const char *dlp_corpus_format_of(const char *path, dlp_error *error);
/* The names of the formats, from i = 0; NULL from the end on. */
DLP_API const char *dlp_corpus_format_name(int i);

/* The documents d with keep[d] != 0, in their order, with all terms, as a new corpus.
   keep is (D). It is an error to keep none. */
DLP_API dlp_status dlp_corpus_select(const dlp_corpus *corpus, const unsigned char *keep,
                                     dlp_corpus **selected, dlp_error *error);
/* A new corpus with only the terms that occur in at least min_documents documents and in
   no more than the share max_share of them (0 < max_share <= 1), renumbered in their
   order. All documents stay, even those that lose all their words. Keeping no term is an
   error. */
DLP_API dlp_status dlp_corpus_prune(const dlp_corpus *corpus, dlp_index min_documents,
                                    double max_share, dlp_corpus **pruned,
                                    dlp_error *error);

/* Which documents to test on. */
typedef struct dlp_split_settings {
    size_t size;     /* set by dlp_split_settings_default */
    dlp_index every; /* every n-th document, starting with the n-th: 2 or more; default
                        5 */
    double fraction; /* 0 < fraction < 1: each with this probability instead; default 0 */
    uint64_t seed;   /* for fraction; default 1. A document's draw depends only on the
                        seed and its place */
    dlp_index before; /* for every: the documents this many places earlier instead, 0 to
                         every - 1; default 0 */
} dlp_split_settings;

DLP_API void dlp_split_settings_init(dlp_split_settings *settings, size_t size);
static inline dlp_split_settings dlp_split_settings_default(void)
{
    dlp_split_settings settings;
    dlp_split_settings_init(&settings, sizeof settings);
    return settings;
}

/* The documents to learn from and those to test on, both in their order, with all terms,
   as new corpora; settings may be NULL. DLP_EINPUT if either would be empty. */
DLP_API dlp_status dlp_corpus_split(const dlp_corpus *corpus,
                                    const dlp_split_settings *settings,
                                    dlp_corpus **train, dlp_corpus **test,
                                    dlp_error *error);

/* How large a corpus is, beside D, V, nnz and words. */
typedef struct dlp_corpus_statistics {
    dlp_index empty_documents;
    dlp_index used_terms;        /* that occur at all */
    dlp_index shortest, longest; /* lengths of documents in words, */
    double median;               /*     and their median */
} dlp_corpus_statistics;

/* The corpus must have a document. O(nnz + V + D log D). */
DLP_API dlp_status dlp_corpus_measure(const dlp_corpus *corpus,
                                      dlp_corpus_statistics *statistics,
                                      dlp_error *error);

/* A term, and how often it occurs. */
typedef struct dlp_term_frequency {
    dlp_index term;
    dlp_index words;     /* how often */
    dlp_index documents; /* in how many */
} dlp_term_frequency;

/* All terms into rank (V), the most frequent first, ties in the order of the vocabulary.
   O(nnz + V log V). */
DLP_API void dlp_corpus_rank_terms(const dlp_corpus *corpus, dlp_term_frequency *rank);

/* How many documents have the name of an earlier one; *example is such a name, which
   belongs to the corpus, or NULL. DLP_ENOMEM. O(D log D). */
DLP_API dlp_status dlp_corpus_repeated_names(const dlp_corpus *corpus,
                                             dlp_index *repeated, const char **example,
                                             dlp_error *error);

/* Whether a corpus that a program filled in satisfies all that dlp_corpus says above.
   O(nnz). */
DLP_API dlp_status dlp_corpus_check(const dlp_corpus *corpus, dlp_error *error);

DLP_API void dlp_corpus_free(dlp_corpus *corpus); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
