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

/* A held-out likelihood a word is close to the best within this part of it. */
#define DLP_SEARCH_CLOSE 0.005

/* How many topics D documents support: one for every ten, and at least 2; 0: they are
   too few for any. */
DLP_API dlp_index dlp_topics_enough(dlp_index D);
/* The number of topics to try first: 20, or as many as D documents support. */
DLP_API dlp_index dlp_topics_usual(dlp_index D);
/* Whether K topics are more than D documents can tell apart: topics of less than two
   documents each are about single documents. */
DLP_API int dlp_topics_too_many(dlp_index D, dlp_index K);

typedef struct dlp_search_settings {
    size_t size;     /* set by dlp_search_settings_default */
    dlp_index every; /* hold out the every-th document, the 2 every-th, ...; default 5 */
    const dlp_topics_settings *topics; /* of the fits, except K; default NULL: the
                                          defaults. Its progress sees their iterations */
    int random_halves; /* of held-out documents, as in dlp_completion_settings, with the
                          seed of topics; default 0 */
    dlp_index
        splits; /* 1 to every: as many fits of each number, each with other documents
                          held out; default 1 */
} dlp_search_settings;

DLP_API void dlp_search_settings_init(dlp_search_settings *settings, size_t size);
static inline dlp_search_settings dlp_search_settings_default(void)
{
    dlp_search_settings settings;
    dlp_search_settings_init(&settings, sizeof settings);
    return settings;
}

/* What a number of topics came to: means over the splits, and their standard deviations over
   them, NaN of one split. */
typedef struct dlp_search_row {
    dlp_index K;
    double objective_per_word; /* of the fit */
    double heldout_per_word;   /* by document completion; NaN when there was no word */
    double coherence, exclusivity; /* means over topics (dlp_topics_rate) */
    int iterations;                /* the most */
    dlp_outcome outcome;           /* the first that is not DLP_CONVERGED */
    double seconds;                /* of the fits alone */
    double dispersion;             /* of the fit's residuals (dlp_topics_dispersion) */
    double heldout_sd, coherence_sd, exclusivity_sd, dispersion_sd;
} dlp_search_row;

typedef struct dlp_topic_search dlp_topic_search;

/* Splits the corpus, which is not needed afterwards, for n fits with K[0], K[1], ...
   topics. Of settings, which may be NULL, all but strings and `start` is copied. Fails
   when the corpus has fewer documents than 2 or than `every`. */
DLP_API dlp_status dlp_topic_search_alloc(const dlp_corpus *corpus, dlp_index n,
                                          const dlp_index *K,
                                          const dlp_search_settings *settings,
                                          dlp_topic_search **search, dlp_error *error);
DLP_API void dlp_topic_search_free(dlp_topic_search *search); /* NULL is fine */

/* The next fit. DLP_ECANCELLED when progress said so: there is no row of it then. */
DLP_API dlp_status dlp_topic_search_next(dlp_topic_search *search, dlp_error *error);
DLP_API int dlp_topic_search_done(const dlp_topic_search *search);

/* The rows found so far, (n); valid until the search is freed. */
DLP_API const dlp_search_row *dlp_topic_search_rows(const dlp_topic_search *search,
                                                    dlp_index *n);
/* The documents of the fits, and those held out: of the first split. */
DLP_API const dlp_corpus *dlp_topic_search_train(const dlp_topic_search *search);
DLP_API const dlp_corpus *dlp_topic_search_test(const dlp_topic_search *search);

/* Numbers of topics, 0 if there is none. */
typedef struct dlp_search_advice {
    dlp_index best_held_out, best_coherence; /* of equals the first */
    dlp_index suggested; /* the fewest whose held-out likelihood is close to the best */
    dlp_index least, largest; /* that were tried */
    int more, fewer; /* whether numbers beyond these are worth trying: held-out is best
                        there, and no other number comes close to it; and for more, coherence is
                        not better with fewer: then topics to read are found among these */
} dlp_search_advice;

DLP_API dlp_search_advice dlp_topic_search_advise(const dlp_topic_search *search);

#ifdef __cplusplus
}
#endif

#endif
