/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether topics would be found again: several fits from different starts, the best of
 * which is kept; and how well fits from other starts, and to halves of the documents,
 * reproduce a model's topics.
 */
#ifndef DELAPLACE_TOPIC_STABILITY_H
#define DELAPLACE_TOPIC_STABILITY_H

#include <delaplace/topic_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Matches the topics of two models over the same terms: match (K) gives each topic of `a`
 * one of `b`, each once, so that the sum of similarities is largest; similarity (K) is
 * the probability mass that two topics have in common, sum_v min(a_kv, b_jv): 1 if they
 * are equal, 0 if they share no word. common (K), which may be NULL: how many of the n
 * most probable words they share. O(K^2 V + K^3).
 */
DLP_API dlp_status dlp_topics_match(const dlp_topics *a, const dlp_topics *b, dlp_index n,
                                    dlp_index *match, double *similarity,
                                    dlp_index *common, dlp_error *error);

/* ---- several starts ---- */

typedef struct dlp_topic_start {
    const char *init; /* "spectral" or "random" */
    uint64_t seed;
    double objective_per_word;
    int iterations;
    dlp_outcome outcome;
    double similarity; /* to the fit that was kept: the mean over its topics */
    int kept;
} dlp_topic_start;

/*
 * dlp_topic_model_fit from n starts, the first as the settings say, the others random
 * with the seeds settings->seed + 1, + 2, ...; the model with the largest objective is
 * kept, the first in a tie, and its model.json lists the starts. settings->start must be
 * NULL. Writes start (n). If cancelled after the first fit, the best so far is kept, and
 * the other starts have the outcome DLP_CANCELLED.
 */
DLP_API dlp_status dlp_topic_model_fit_starts(const dlp_corpus *corpus,
                                              const dlp_document_covariates *covariates,
                                              const dlp_topics_settings *settings, int n,
                                              dlp_topic_start *start,
                                              dlp_topic_model **model, dlp_error *error);

/* ---- stability ---- */

typedef struct dlp_stability_settings {
    size_t size;   /* set by dlp_stability_settings_default */
    int starts;    /* fits to all documents from random topics; default 3 */
    int splits;    /* how often to split the documents into two random halves, each of
                      which is fitted; default 2 */
    uint64_t seed; /* for both; default 1 */
    int threads;   /* the result does not depend on it; default 0: one a processor */
    dlp_progress_call *progress; /* phase "fitting again", fits; default NULL */
    void *context;
} dlp_stability_settings;

DLP_API void dlp_stability_settings_init(dlp_stability_settings *settings, size_t size);
static inline dlp_stability_settings dlp_stability_settings_default(void)
{
    dlp_stability_settings settings;
    dlp_stability_settings_init(&settings, sizeof settings);
    return settings;
}

enum { DLP_STABILITY_WORDS = 10 };

/* For each topic k of a model and each fit i, at [i K + k]: how well the fit reproduced
   it. */
typedef struct dlp_stability {
    dlp_index K;
    int starts, halves;
    double *start,
        *half; /* (starts, K), (halves, K) similarities, as in dlp_topics_match */
    dlp_index *start_common,
        *half_common;           /* how many of the DLP_STABILITY_WORDS most probable
                                   words */
    double *objective_per_word; /* (starts) to compare with the model's own */
} dlp_stability;

/*
 * Fits the model's topics again with its settings, as far as its folder records them, and
 * matches them. The corpus is that of the fit, in the model's terms
 * (dlp_topic_model_align), with its covariates if the model has some (NULL: the new fits
 * have none). If topics are merged, those of the fit are used. DLP_ECANCELLED if progress
 * stopped it. Released by dlp_stability_free.
 */
DLP_API dlp_status dlp_topic_model_stability(const dlp_topic_model *model,
                                             const dlp_corpus *corpus,
                                             const dlp_document_covariates *covariates,
                                             const dlp_stability_settings *settings,
                                             dlp_stability *stability, dlp_error *error);
/* How well the other fits reproduced topic k: the mean and the smallest similarity, and
   the mean number of common words. Without other fits the mean is 0 and the smallest
   1. */
typedef struct dlp_topic_found {
    double mean, least, common;
} dlp_topic_found;
DLP_API dlp_topic_found dlp_stability_of_starts(const dlp_stability *stability,
                                                dlp_index k);
DLP_API dlp_topic_found dlp_stability_of_halves(const dlp_stability *stability,
                                                dlp_index k);
DLP_API void dlp_stability_free(dlp_stability *stability); /* fine on a zeroed one */
/* Stores it in the model, for its model.json ("stability") and the report. */
DLP_API dlp_status dlp_topic_model_keep_stability(dlp_topic_model *model,
                                                  const dlp_stability *stability,
                                                  dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
