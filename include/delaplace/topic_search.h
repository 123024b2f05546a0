/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many topics a corpus has: fits with several numbers of topics, compared on
 * documents held out.
 *
 *     dlp_topic_search *search = NULL;
 *     const dlp_index K[] = {5, 10, 20};
 *     dlp_status status = dlp_topic_search_alloc(corpus, 3, K, NULL, &search, &error);
 *     while (status == DLP_OK && !dlp_topic_search_done(search))
 *         status = dlp_topic_search_next(search, &error);
 *     ... dlp_topic_search_rows(search, &n), dlp_topic_search_advise(search).suggested
 *     dlp_topic_search_free(search);
 */
#ifndef DELAPLACE_TOPIC_SEARCH_H
#define DELAPLACE_TOPIC_SEARCH_H

#include <delaplace/topic_words.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A held-out log likelihood per word is close to the best if it differs by less than this
   fraction. */
#define DLP_SEARCH_CLOSE 0.005

/* The number of topics to try first: 20, or as many as D documents support. */
DLP_API dlp_index dlp_topics_usual(dlp_index D);
/* What there is too little of in a corpus to tell K topics apart. */
typedef enum dlp_topics_short_of {
    DLP_SHORT_OF_NOTHING,
    DLP_SHORT_OF_DOCUMENTS,   /* there are fewer than two for each topic */
    DLP_SHORT_OF_DIFFERENCES, /* so many documents are the same as others, word for word,
                                 that those that differ are too few, likewise */
    DLP_SHORT_OF_TERMS        /* no more terms occur than there are topics */
} dlp_topics_short_of;

typedef struct dlp_topics_shortage {
    dlp_topics_short_of of;
    dlp_index found;  /* how many there are, of documents that differ, or terms */
    dlp_index enough; /* a number of topics for which there are enough; 0: none is */
} dlp_topics_shortage;

/* The first shortage in that order, for K topics. Fails only if K is not 1 to 1e9, or if
   memory is short. */
DLP_API dlp_status dlp_topics_find_shortage(const dlp_corpus *corpus, dlp_index K,
                                            dlp_topics_shortage *shortage,
                                            dlp_error *error);

typedef struct dlp_search_settings {
    size_t size;     /* set by dlp_search_settings_default */
    dlp_index every; /* hold out the every-th document, the 2 every-th, ...; default 5 */
    const dlp_topics_settings *topics; /* settings of the fits, except K; default NULL:
                                          the defaults. Its progress is called during the
                                          fits */
    int random_halves; /* of held-out documents, as in dlp_completion_settings, with the
                          seed of topics; default 0 */
    dlp_index splits;  /* 1 to every: how many fits for each number of topics, each with
                          different documents held out; default 1 */
} dlp_search_settings;

DLP_API void dlp_search_settings_init(dlp_search_settings *settings, size_t size);
static inline dlp_search_settings dlp_search_settings_default(void)
{
    dlp_search_settings settings;
    dlp_search_settings_init(&settings, sizeof settings);
    return settings;
}

/* The results for a number of topics: means over the splits, and standard deviations over
   them, NaN for one split. */
typedef struct dlp_search_row {
    dlp_index K;
    double objective_per_word;     /* of the fit */
    double heldout_per_word;       /* by document completion; NaN if there was no word to
                                      score */
    double coherence, exclusivity; /* means over topics (dlp_topics_rate) */
    int iterations;                /* the largest number */
    dlp_outcome outcome;           /* the first that is not DLP_CONVERGED */
    double seconds;                /* of the fits only */
    double dispersion; /* of the residuals (Taddy 2012): 1 if the topics explain the
                                      counts, more if words occur together more often */
    double heldout_sd, coherence_sd, exclusivity_sd, dispersion_sd;
} dlp_search_row;

typedef struct dlp_topic_search dlp_topic_search;

/* Splits the corpus, which is not needed afterwards, for n fits with K[0], K[1], ...
   topics. settings may be NULL; everything in it is copied except strings and `start`.
   Fails if the corpus has fewer than 2, or fewer than `every`, documents. */
DLP_API dlp_status dlp_topic_search_alloc(const dlp_corpus *corpus, dlp_index n,
                                          const dlp_index *K,
                                          const dlp_search_settings *settings,
                                          dlp_topic_search **search, dlp_error *error);
DLP_API void dlp_topic_search_free(dlp_topic_search *search); /* NULL is fine */

/* Runs the next fit. DLP_ECANCELLED if progress stopped it: then it has no row. */
DLP_API dlp_status dlp_topic_search_next(dlp_topic_search *search, dlp_error *error);
DLP_API int dlp_topic_search_done(const dlp_topic_search *search);

/* The rows found so far, (n); valid until the search is freed. */
DLP_API const dlp_search_row *dlp_topic_search_rows(const dlp_topic_search *search,
                                                    dlp_index *n);
/* The training and the held-out documents of the first split. */
DLP_API const dlp_corpus *dlp_topic_search_train(const dlp_topic_search *search);
DLP_API const dlp_corpus *dlp_topic_search_test(const dlp_topic_search *search);

/* Numbers of topics, 0 if there is none. */
typedef struct dlp_search_advice {
    dlp_index best_held_out, best_coherence; /* the first in a tie */
    dlp_index suggested; /* the fewest whose held-out likelihood is close to the best */
    dlp_index least, largest; /* numbers that were tried */
    int more, fewer; /* whether larger or smaller numbers are worth trying: the held-out
                        likelihood is best at that end, and no other number comes close.
                        `more` also requires that coherence is not better with fewer
                        topics, which are then better to read */
} dlp_search_advice;

DLP_API dlp_search_advice dlp_topic_search_advise(const dlp_topic_search *search);

#ifdef __cplusplus
}
#endif

#endif
