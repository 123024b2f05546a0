/* SPDX-License-Identifier: BSD-3-Clause */
/* What users read off a topic model: computed once, shown as text or JSON. */
#ifndef DLP_CLI_TOPICS_VIEW_H
#define DLP_CLI_TOPICS_VIEW_H

#include "cli/topics/model.h"

#include <jansson.h>

/* How much to show. */
typedef struct cli_topics_extent {
    dlp_index words;     /* of each topic */
    dlp_index pairs;     /* of topics that go together */
    dlp_index documents; /* with the largest shares of a topic */
    dlp_index topic;     /* the one to show, from 0; -1: all */
    bool bars;
} cli_topics_extent;

/* Zeroed, it is empty. The model was loaded with theta and must outlive it. */
typedef struct cli_topics_view {
    const dlp_topic_model *model;
    const dlp_topics *topics; /* borrowed from the model, like the next two */
    dlp_index D;
    const double *theta;
    cli_topics_extent extent;
    dlp_topic_words probable, frex;
    double *prevalence;    /* (K) */
    dlp_index *order;      /* (K) the most prevalent topic first */
    double *R;             /* (K, K) correlations */
    double *lower, *upper; /* (K, K) their 95 % intervals, without using covariates */
    dlp_topic_pair *pair;  /* (n_pairs) the strongest first */
    dlp_index n_pairs;
    dlp_topic_quality quality; /* coherence NULL without a corpus */
} cli_topics_view;

/* corpus: in the model's terms, or NULL. */
dlp_status cli_topics_view_make(const dlp_topic_model *model,
                                const cli_topics_extent *extent, const dlp_corpus *corpus,
                                cli_topics_view *view, dlp_error *error);
void cli_topics_view_clear(cli_topics_view *view);

/* The prefix, followed by the label of topic k or, without one, the first n words of a
   list, "one, two". The caller frees it; NULL when out of memory. */
char *cli_topics_name(const dlp_topic_model *model, const dlp_topic_words *words,
                      dlp_index k, dlp_index n, const char *prefix);

/* view_print.c */
dlp_status cli_topics_view_print(const cli_topics_view *view, const char *path,
                                 dlp_error *error);
/* view_time.c: topic k over slices of time; nothing, or null, if topics do not
   drift. */
dlp_status cli_topics_time_print(const cli_topics_view *view, dlp_index k,
                                 dlp_error *error);
json_t *cli_topics_time_json(const cli_topics_view *view, dlp_index k);
/* view_content.c: the words of topic k by group, and the words of each group over all
   topics; nothing, or null, if words do not differ by group. In JSON, k < 0 means all
   topics. */
dlp_status cli_topics_content_print(const cli_topics_view *view, dlp_index k,
                                    dlp_error *error);
void cli_topics_content_print_common(const cli_topics_view *view);
json_t *cli_topics_content_json(const cli_topics_view *view, dlp_index k);
/* view_svg.c: which topics go together, as a picture for a paper. */
dlp_status cli_topics_view_write_svg(const cli_topics_view *view, const char *path,
                                     dlp_error *error);
/* view_json.c: NULL when out of memory. */
json_t *cli_topics_view_json(const cli_topics_view *view);

#endif
