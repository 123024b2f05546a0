/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of new documents, for a model whose words differ by group. */
#ifndef DLP_CLI_TOPICS_GROUPS_H
#define DLP_CLI_TOPICS_GROUPS_H

#include "cli/topics/covariates.h"

/* Gives the corpus its groups, if the model has any, from the table that was read with
   the covariates, row (D) of it; table NULL: there is none. Notes for how many documents
   the mean of the groups is used. */
dlp_status cli_topics_set_groups(const dlp_topic_model *model, const char *path,
                                 const dlp_table *table, const dlp_index *row,
                                 dlp_corpus *corpus, dlp_error *error);

#endif
