/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents that miss a value of their covariates, left out. */
#ifndef DLP_CLI_TOPICS_DROP_H
#define DLP_CLI_TOPICS_DROP_H

#include "cli/topics/covariates.h"

#include <stdio.h>

/*
 * Takes documents that one of the n covariates does not know out of *corpus and out of all
 * of them, and counts them. Documents without names are then named by their numbers in the
 * whole corpus, from 1, so that it stays clear which are left. Covariates may be empty.
 */
dlp_status cli_topics_drop(int n, cli_covariates *const covariates[], dlp_corpus **corpus,
                           dlp_index *dropped, dlp_error *error);

/* A line that counts them, if there are any, and names the columns whose values the n
   covariates, of one table, miss. */
void cli_topics_print_dropped(FILE *out, dlp_index dropped, int n,
                              const cli_covariates *const covariates[]);

#endif
