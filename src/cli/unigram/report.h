/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit of the unigram model leaves behind: a file, a JSON summary, a screen. */
#ifndef DLP_CLI_UNIGRAM_REPORT_H
#define DLP_CLI_UNIGRAM_REPORT_H

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>

/* The parts of a finished fit; nothing here is owned. */
typedef struct cli_unigram {
    const char *corpus_path;
    const char *vocab_path; /* NULL when not given */
    const char *output_path;
    const dlp_corpus *corpus;
    const dlp_settings *settings;
    const dlp_result *result;
    const double *sd;         /* (V) of theta, z summed out */
    const double *sd_given_z; /* (V) of q(theta): the paper's */
    bool z_summed_out;        /* false: that curvature was not positive definite where the
                                 fit stopped, and sd is sd_given_z */
    const double *dirichlet;  /* (V) E_q[exp theta] */
} cli_unigram;

/* The objective per word of the corpus; NaN without words. */
double cli_unigram_per_word(const cli_unigram *fit);
/* The sum of the Dirichlet's expected parameters. */
double cli_unigram_concentration(const cli_unigram *fit);

/* How the fit ended, in numbers; NULL without memory. */
json_t *cli_unigram_summary_json(const cli_unigram *fit);
/* The same with every term and the trace: the content of FIT.json. */
json_t *cli_unigram_fit_json(const cli_unigram *fit);
/* The summary for people, on stdout, with the `top` largest terms; DLP_ENOMEM is its
   only failure. */
dlp_status cli_unigram_print(const cli_unigram *fit, dlp_index top, bool bars,
                             dlp_error *error);

#endif
