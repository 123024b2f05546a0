/* SPDX-License-Identifier: BSD-3-Clause */
/* How a fit of the unigram model is shown on a screen. */
#ifndef DLP_CLI_UNIGRAM_REPORT_H
#define DLP_CLI_UNIGRAM_REPORT_H

#include <delaplace.h>
#include <stdbool.h>

/* A finished fit, and what the user typed; the struct owns nothing. */
typedef struct cli_unigram {
    const char *corpus_path;
    const char *vocab_path; /* NULL when not given */
    const char *output_path;
    const dlp_unigram_fit *fit;
} cli_unigram;

/* Prints a summary with the `top` largest terms to stdout; can only fail with
   DLP_ENOMEM. */
dlp_status cli_unigram_print(const cli_unigram *shown, dlp_index top, bool bars,
                             dlp_error *error);

#endif
