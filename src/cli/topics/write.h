/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted topic model, on its way into its folder. */
#ifndef DLP_CLI_TOPICS_WRITE_H
#define DLP_CLI_TOPICS_WRITE_H

#include "cli/topics/covariates.h"
#include "cli/topics/folder.h"

typedef struct cli_topics_fit {
    const char *folder;
    const char *init; /* as it was typed */
    const dlp_corpus *corpus;
    dlp_index dropped; /* documents that miss a covariate, and are not in the corpus */
    const cli_covariates *covariates;
    dlp_topics_settings settings;
    dlp_ctm *ctm;
    double *seconds; /* (iterations) from the start of the program to the end of each;
                        negative: in an earlier run, not known */
    double elapsed;  /* seconds of this run */
} cli_topics_fit;

/* All that a fit's bits depend on; NULL without memory. */
json_t *cli_topics_request_json(const cli_topics_fit *fit);
/* The same and how the fit ended: model.json, but for the files. NULL without memory. */
json_t *cli_topics_info_json(const cli_topics_fit *fit);

/* Whether names can stand one a line; to be asked before long work. */
dlp_status cli_topics_check_names(const dlp_corpus *corpus, dlp_error *error);

/* Writes the folder, which is as it was until all is there (topics_commit.h). */
dlp_status cli_topics_write(const cli_topics_fit *fit, dlp_error *error);

#endif
