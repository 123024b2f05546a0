/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic proportions of a corpus' documents under a model, as a table. */
#ifndef DLP_CLI_TOPICS_PROPORTIONS_H
#define DLP_CLI_TOPICS_PROPORTIONS_H

#include "cli/topics/input.h"

#include <stdio.h>

/* Prints a header and a row for each document: its name or number, then the proportions
   topic1, ..., topicK, then with uncertainty topic1_sd, ... */
dlp_status cli_topics_print_proportions(const cli_topics_input *input, bool uncertainty,
                                        FILE *out, dlp_inference_result *found,
                                        dlp_error *error);

#endif
