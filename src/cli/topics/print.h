/* SPDX-License-Identifier: BSD-3-Clause */
/* What 'topics fit' prints at its end. */
#ifndef DLP_CLI_TOPICS_PRINT_H
#define DLP_CLI_TOPICS_PRINT_H

#include <delaplace.h>

#include <jansson.h>

/* Says how a fit ended; start: the kind of topics it began with, seconds: how long it
   took. */
void cli_topics_print_end(const dlp_topic_model_info *info, const char *start,
                          double seconds);
/* What model.json says about a fit, without the files, plus the seconds that this run
   took. */
dlp_status cli_topics_print_json(const dlp_topic_model *model, double seconds,
                                 dlp_error *error);

/* Points out that topics are clusters of documents, or that documents are short for so many
   topics; prints nothing for other fits, or without theta. The second belongs beside
   correlations. */
void cli_topics_print_clusters(const dlp_topic_model *model);
void cli_topics_print_few_words(const dlp_topic_model *model);
/* The numbers behind these doubts; null without theta, NULL when out of memory. */
json_t *cli_topics_mixing_json(const dlp_topic_model *model);

/* Says where the model is, and how to look at it. */
void cli_topics_print_next(const char *folder);

#endif
