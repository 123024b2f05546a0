/* SPDX-License-Identifier: BSD-3-Clause */
/* What a simulated corpus was drawn from, as the folder of a topic model
   (topics_folder.h), so that whatever reads a fit reads the truth. */
#ifndef DLP_CLI_SIMULATE_TRUTH_H
#define DLP_CLI_SIMULATE_TRUTH_H

#include "cli/topics/folder.h"

typedef struct cli_truth {
    const dlp_topics *topics; /* without covariates */
    const dlp_corpus *corpus; /* with the terms' names, where they are known */
    const double *theta;      /* (D, K) that drew the documents */
    dlp_index seed;
    double concentration; /* of topics that were drawn, too; NaN: they were given */
} cli_truth;

/* Writes it to a folder that is claimed (topics_commit.h). */
dlp_status cli_truth_write(const cli_truth *truth, const char *folder, dlp_error *error);

#endif
