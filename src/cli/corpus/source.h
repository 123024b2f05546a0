/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by commands that read a corpus: format names, and the files that belong to a
   corpus. */
#ifndef DLP_CLI_CORPUS_SOURCE_H
#define DLP_CLI_CORPUS_SOURCE_H

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>

/* The formats of a corpus for --format, beginning with "auto"; NULL past the end. */
const char *cli_corpus_format(int i);

/* Calls dlp_corpus_open with what the user typed. With the format "auto" or NULL, the
   content decides; vocab may be NULL. */
dlp_status cli_corpus_open(const char *path, const char *format, const char *vocab,
                           dlp_corpus **corpus, dlp_error *error);

/* The same, also reading the documents' text if it exists and is wanted. */
dlp_status cli_corpus_open_text(const char *path, const char *format, const char *vocab,
                                bool text, dlp_corpus **corpus, dlp_error *error);

/* For several processes: each gets its own documents (dlp_topics_open_corpus), or the names
   of all (dlp_topics_open_names). */
dlp_status cli_corpus_open_shared(dlp_processes *processes, bool names, const char *path,
                                  const char *format, const char *vocab,
                                  dlp_corpus **corpus, dlp_error *error);

/* Calls dlp_corpus_write and shows progress. Adds to the set of files, or writes
   immediately if that is NULL. */
dlp_status cli_corpus_write(const dlp_corpus *corpus, const char *path,
                            const char *format, dlp_file_set *files, dlp_error *error);
/* Refuses a path that cannot be written, or, if no format is given, one whose name does
   not imply a format: better now than after the work. */
dlp_status cli_corpus_try(const char *path, const char *format, dlp_error *error);

/* Returns true, after reporting it, when both names are standard input. */
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
