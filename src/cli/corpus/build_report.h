/* SPDX-License-Identifier: BSD-3-Clause */
/* What `corpus build` made of a text: on a screen, and as JSON. */
#ifndef DLP_CLI_CORPUS_BUILD_REPORT_H
#define DLP_CLI_CORPUS_BUILD_REPORT_H

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>

/* The parts of a finished build; the struct owns none of them. */
typedef struct cli_corpus_build {
    const dlp_text_builder *builder;
    const char *source_path;
    const char *output_path;
    const char *vocab_path; /* --vocab; NULL: not given */
    const dlp_text_settings *settings;
    const dlp_text_report *report;
    bool named;       /* --name was given */
    bool all_invalid; /* name every document that is not UTF-8, not just a few */
    const dlp_corpus *corpus;
} cli_corpus_build;

/* Prints the summary with the `top` most frequent terms; can only fail with
   DLP_ENOMEM. */
dlp_status cli_corpus_build_print(const cli_corpus_build *build, dlp_index top,
                                  dlp_error *error);
/* The same as JSON; NULL when out of memory. */
json_t *cli_corpus_build_json(const cli_corpus_build *build, dlp_index top);

/* build_notes.c: the part of the summary that points out oddities. */
void cli_corpus_build_print_notes(const cli_corpus_build *build);

#endif
