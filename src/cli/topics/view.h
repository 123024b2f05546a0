/* SPDX-License-Identifier: BSD-3-Clause */
/* What people read off a topic model: computed once, shown as text or JSON. */
#ifndef DLP_CLI_TOPICS_VIEW_H
#define DLP_CLI_TOPICS_VIEW_H

#include "cli/topics/folder.h"

#include <stdbool.h>

/* So many words of a topic count for its coherence and its exclusivity. */
enum { CLI_QUALITY_WORDS = 10 };

/* How much to show. */
typedef struct cli_topics_extent {
    dlp_index words;     /* of each topic */
    dlp_index pairs;     /* of topics that go together */
    dlp_index documents; /* that show a topic most */
    dlp_index topic;     /* the one to show, from 0; -1: all */
    bool bars;
} cli_topics_extent;

/* Zeroed, it is empty. The folder has theta and must outlive it. */
typedef struct cli_topics_view {
    const cli_topics_folder *folder;
    cli_topics_extent extent;
    dlp_topic_words probable, frex;
    double *prevalence;   /* (K) */
    dlp_index *order;     /* (K) the most prevalent topic first */
    double *R;            /* (K, K) correlations */
    dlp_topic_pair *pair; /* (n_pairs) the strongest first */
    dlp_index n_pairs;
    double *exclusivity; /* (K) */
    double *coherence;   /* (K) NULL without a corpus */
} cli_topics_view;

/* corpus, in the model's terms, or NULL. */
dlp_status cli_topics_view_make(const cli_topics_folder *folder,
                                const cli_topics_extent *extent, const dlp_corpus *corpus,
                                cli_topics_view *view, dlp_error *error);
void cli_topics_view_clear(cli_topics_view *view);

/* A document and how much of it a topic takes. */
typedef struct cli_shown_document {
    dlp_index document;
    double share;
} cli_shown_document;

/* The documents that show topic k most, into list (n), of equals the first; returns how
   many there are. */
dlp_index cli_topics_documents(const cli_topics_folder *folder, dlp_index k, dlp_index n,
                               cli_shown_document *list);

/* The pairs of topic k, the strongest first, into list (n); returns how many. */
dlp_index cli_topics_neighbours(const cli_topics_view *view, dlp_index k, dlp_index n,
                                dlp_topic_pair *list);

/* The n first of a list's words of topic k, "one, two", behind a prefix; to be freed. NULL
   without memory. */
char *cli_topics_name(const cli_topics_folder *folder, const dlp_topic_words *words,
                      dlp_index k, dlp_index n, const char *prefix);

/* The mean over topics of coherence or exclusivity. */
double cli_topics_mean(const cli_topics_view *view, const double *of);

/* topics_view_print.c */
dlp_status cli_topics_view_print(const cli_topics_view *view, const char *path,
                                 dlp_error *error);
/* topics_view_svg.c: which topics go together, as a picture for a paper. */
dlp_status cli_topics_view_write_svg(const cli_topics_view *view, const char *path,
                                     dlp_error *error);
/* topics_view_json.c: NULL without memory. */
json_t *cli_topics_view_json(const cli_topics_view *view);

#endif
