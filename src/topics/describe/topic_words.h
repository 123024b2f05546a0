/* SPDX-License-Identifier: BSD-3-Clause */
/* How the words of topics are ranked. Internal. */
#ifndef DLPI_TOPICS_TOPIC_WORDS_H
#define DLPI_TOPICS_TOPIC_WORDS_H

#include <delaplace/topics.h>
#include <stdint.h>

/* A number by its bits, and its index. */
typedef struct dlpi_ranked {
    uint64_t bits;
    dlp_index at;
} dlpi_ranked;

/* share[i] = how many of x (n), none of them negative or NaN, are no larger than x[i],
   divided by n: the empirical distribution function. work (2 n). O(n). */
void dlpi_shares_below(dlp_index n, const double *x, dlpi_ranked *work, double *share);

/* The terms that training saw, and what their exclusivity is computed from. */
typedef struct dlpi_ranking {
    const dlp_topics *topics;
    dlp_index n;          /* terms seen */
    dlp_index *term;      /* (n) ascending */
    dlp_index *home;      /* (n) the topic where the term is most probable */
    double *total;        /* (n) sum_j beta_jw */
    double *rest;         /* (n) the same without the home */
    double *value;        /* (n) */
    double *common, *own; /* (n) shares of terms no more frequent, no more exclusive */
    dlpi_ranked *sorting; /* (2 n) */
} dlpi_ranking;

/* Prepares {.topics = ...}, and releases it. */
dlp_status dlpi_ranking_start(dlpi_ranking *ranking, dlp_error *error);
void dlpi_ranking_release(dlpi_ranking *ranking);
/* common and own of the words of topic k. */
void dlpi_ranking_shares(dlpi_ranking *ranking, dlp_index k);
/* The n best words of topic k by value, into term and score (n); how many there are. */
dlp_index dlpi_ranking_best(const dlpi_ranking *ranking, dlp_index k, dlp_index n,
                            dlp_index *term, double *score);

#endif
