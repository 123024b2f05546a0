/* SPDX-License-Identifier: BSD-3-Clause */
/* What topics fit says at its end. */
#ifndef DLP_CLI_TOPICS_PRINT_H
#define DLP_CLI_TOPICS_PRINT_H

#include "cli/topics/write.h"

/* A fit that is written: how it ended. */
void cli_topics_print_fit(const cli_topics_fit *fit);
/* What model.json says of a fit, but for the files, and the seconds that this run took. */
dlp_status cli_topics_print_json(json_t *info, double seconds, dlp_error *error);

/* Where the model is, and how to look at it. */
void cli_topics_print_next(const char *folder);

#endif
