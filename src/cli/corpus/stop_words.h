/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What --stop-words names: "none", "auto", a built-in list, a file, or several lists and
 * files, separated by commas. A file whose own name has commas is one file.
 */
#ifndef DLP_CLI_CORPUS_STOP_WORDS_H
#define DLP_CLI_CORPUS_STOP_WORDS_H

#include <delaplace.h>
#include <stdbool.h>

/* Whether one of them is "auto": the builder then detects the text's language. */
bool cli_stop_words_are_auto(const char *typed);
/* Whether one of them is standard input. */
bool cli_stop_words_need_stdin(const char *typed);
/* Adds all of them to the builder. */
dlp_status cli_stop_words_add(const char *typed, dlp_text_builder *builder,
                              dlp_error *error);

#endif
