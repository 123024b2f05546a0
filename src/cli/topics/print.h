/* SPDX-License-Identifier: BSD-3-Clause */
/* What topics fit says at its end. */
#ifndef DLP_CLI_TOPICS_PRINT_H
#define DLP_CLI_TOPICS_PRINT_H

#include <delaplace.h>

/* How a fit ended, from topics that are called so, after so many seconds. */
void cli_topics_print_end(const dlp_topic_model_info *info, const char *start,
                          double seconds);
/* What model.json says of a fit, but for the files, and the seconds that this run took. */
dlp_status cli_topics_print_json(const dlp_topic_model *model, double seconds,
                                 dlp_error *error);

/* Where the model is, and how to look at it. */
void cli_topics_print_next(const char *folder);

#endif
