/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether topics would be found again. Several fits from different starts, the best of which is
 * kept; and how much of a model's topics other starts and halves of the documents find.
 */
#ifndef DELAPLACE_TOPIC_STABILITY_H
#define DELAPLACE_TOPIC_STABILITY_H

#include <delaplace/topic_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Topics of one model for those of another over the same terms: match (K) has for each topic of
 * `a` one of `b`, each once, so that the sum of similarities is largest; similarity (K) is the
 * part of their words that two have in common, sum_v min(a_kv, b_jv): 1 where they are equal,
 * 0 where they share no word. common (K), which may be NULL: how many of the n most probable words
 * they share. O(K^2 V + K^3).
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
    double similarity; /* to the one that was kept: the mean over its topics */
    int kept;
} dlp_topic_start;

/*
 * dlp_topic_model_fit from n starts, the first as the settings say, the others random with
 * the seeds settings->seed + 1, + 2, ...; the model with the largest objective is kept, of equals
 * the first, and its model.json lists the starts. Without settings->start. start (n).
 * Cancelled after the first fit, what is best so far is kept, and the other starts have the
 * outcome DLP_CANCELLED.
 */
DLP_API dlp_status dlp_topic_model_fit_starts(const dlp_corpus *corpus,
                                              const dlp_document_covariates *covariates,
                                              const dlp_topics_settings *settings, int n,
                                              dlp_topic_start *start,
                                              dlp_topic_model **model, dlp_error *error);

/* ---- stability ---- */

typedef struct dlp_stability_settings {
    size_t size;   /* set by dlp_stability_settings_default */
    int starts;    /* fits of all documents from random topics; default 3 */
    int splits;    /* into two random halves, each of which is fitted; default 2 */
    uint64_t seed; /* of both; default 1 */
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

/* Of each topic k of a model and each fit i, [i K + k]: how much of it was found. */
typedef struct dlp_stability {
    dlp_index K;
    int starts, halves;
    double *start,
        *half; /* (starts, K), (halves, K) similarities, as of dlp_topics_match */
    dlp_index *start_common,
        *half_common;           /* of the DLP_STABILITY_WORDS most probable words */
    double *objective_per_word; /* (starts) beside the model's own */
} dlp_stability;

/*
 * Fits the model's topics again with its settings, as far as its folder knows them, and matches
 * them. The corpus is that of the fit, in the model's terms (dlp_topic_model_align), with
 * its covariates where the model has some (NULL: the fits go without). Of merged topics, those
 * of the fit. DLP_ECANCELLED when progress said so.
 */
DLP_API dlp_status dlp_topic_model_stability(const dlp_topic_model *model,
                                             const dlp_corpus *corpus,
                                             const dlp_document_covariates *covariates,
                                             const dlp_stability_settings *settings,
                                             dlp_stability *stability, dlp_error *error);
/* What the other fits found of topic k: the mean and the least similarity, and the mean number of
   common words. Of no fits the mean is 0 and the least 1. */
typedef struct dlp_topic_found {
    double mean, least, common;
} dlp_topic_found;
DLP_API dlp_topic_found dlp_stability_of_starts(const dlp_stability *stability,
                                                dlp_index k);
DLP_API dlp_topic_found dlp_stability_of_halves(const dlp_stability *stability,
                                                dlp_index k);
DLP_API void dlp_stability_free(dlp_stability *stability); /* fine on a zeroed one */
/* Into the model, for its model.json ("stability") and the report. */
DLP_API dlp_status dlp_topic_model_keep_stability(dlp_topic_model *model,
                                                  const dlp_stability *stability,
                                                  dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
