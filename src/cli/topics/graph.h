/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which topics go together: the lines and colours of their graph. Reports and pictures
 * share this code, so that both show the same graph for the same model. Correlations are
 * rounded to thousandths, as reports print them, so that both compare the same numbers.
 */
#ifndef DLP_CLI_TOPICS_GRAPH_H
#define DLP_CLI_TOPICS_GRAPH_H

#include "cli/topics/view.h"

typedef struct cli_topics_graph {
    dlp_index K;
    dlp_topic_association *pair; /* (K (K - 1) / 2) topics i < j, row by row */
    int threshold;               /* in hundredths: intervals above it get lines */
    int *group;                  /* (K) the colour, from 0; -1: a topic without lines */
} cli_topics_graph;

/* X: the model's own covariates, which make the correlations more certain, or NULL. On
   failure the graph is left empty. */
dlp_status cli_topics_graph_make(const cli_topics_view *view,
                                 const dlp_document_covariates *X,
                                 cli_topics_graph *graph, dlp_error *error);
void cli_topics_graph_clear(cli_topics_graph *graph);

/* The pair of two different topics, in any order. */
const dlp_topic_association *cli_topics_graph_pair(const cli_topics_graph *graph,
                                                   dlp_index i, dlp_index j);
/* Whether there is a line between them. */
bool cli_topics_graph_joins(const cli_topics_graph *graph, dlp_index i, dlp_index j);

#endif
