/* SPDX-License-Identifier: BSD-3-Clause */
/* What commands that read a corpus share: its format by name, and the files that belong
   to it. */
#ifndef DLP_CLI_CORPUS_SOURCE_H
#define DLP_CLI_CORPUS_SOURCE_H

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>

/* The formats of a corpus for --format, beginning with "auto"; NULL past the end. */
const char *cli_corpus_format(int i);

/* dlp_corpus_open for what was typed: with the format "auto" (or NULL) the content
   decides; vocab may be NULL. */
dlp_status cli_corpus_open(const char *path, const char *format, const char *vocab,
                           dlp_corpus **corpus, dlp_error *error);

/* The same, with the documents' text if it is there and wanted. */
dlp_status cli_corpus_open_text(const char *path, const char *format, const char *vocab,
                                bool text, dlp_corpus **corpus, dlp_error *error);

/* For several processes, each its own documents: dlp_topics_open_corpus. */
dlp_status cli_corpus_open_own(dlp_processes *processes, const char *path,
                               const char *format, const char *vocab, dlp_corpus **corpus,
                               dlp_error *error);

/* dlp_corpus_write, with progress; into a set of files, or immediately if that is
   NULL. */
dlp_status cli_corpus_write(const dlp_corpus *corpus, const char *path,
                            const char *format, dlp_file_set *files, dlp_error *error);
/* Refuses a path that cannot be written, or whose name does not imply a format where none
   is given: better now than after the work. */
dlp_status cli_corpus_try(const char *path, const char *format, dlp_error *error);

/* Reports it and returns true when both names are standard input. */
bool cli_corpus_reads_stdin_twice(const char *command, const char *corpus,
                                  const char *vocab);

/* dlp_corpus_rank_terms for all V terms, to be freed; NULL when out of memory. */
dlp_term_frequency *cli_corpus_rank(const dlp_corpus *corpus);
/* The first `top` of them as a list of {term, words, documents}; NULL when out of
   memory. */
json_t *cli_corpus_rank_json(const dlp_corpus *corpus, const dlp_term_frequency *rank,
                             dlp_index top);
/* The name of a term: its word when the vocabulary is known, else its id from 0, written
   to number. */
const char *cli_corpus_term(const dlp_corpus *corpus, dlp_index v, char number[32]);

#endif
