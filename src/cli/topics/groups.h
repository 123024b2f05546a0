/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of new documents, for a model whose words differ by group. */
#ifndef DLP_CLI_TOPICS_GROUPS_H
#define DLP_CLI_TOPICS_GROUPS_H

#include "cli/topics/covariates.h"

/* If the model has groups, sets those of the corpus from the table that was read with
   the covariates (NULL: none); row (D) is each document's row in it. Notes how many
   documents are read with the mean of the groups. */
dlp_status cli_topics_set_groups(const dlp_topic_model *model, const char *path,
                                 const dlp_table *table, const dlp_index *row,
                                 dlp_corpus *corpus, dlp_error *error);

#endif
