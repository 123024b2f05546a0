/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic proportions of a corpus' documents under a model, as a table. */
#ifndef DLP_CLI_TOPICS_INFER_H
#define DLP_CLI_TOPICS_INFER_H

#include "cli/topics/covariates.h"
#include "cli/topics/folder.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_topics_inference {
    const cli_topics_folder *folder;
    const dlp_corpus *corpus;         /* in the model's terms */
    const dlp_covariates *covariates; /* NULL: none */
    bool uncertainty;                 /* standard deviations, too */
    int threads;                      /* the table does not depend on it */
    dlp_index unsettled; /* out: documents whose own fit ended without convergence */
} cli_topics_inference;

/* Prints a header and a row for each document: its name or number, then the proportions
   topic1, ..., topicK, then with uncertainty topic1_sd, ... */
dlp_status cli_topics_infer(cli_topics_inference *inference, FILE *out, dlp_error *error);

#endif
