/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds new documents to a topic model whose own documents are no longer available.
 *
 *     dlp_topic_model *model = NULL, *updated = NULL;
 *     if (dlp_topic_model_load("model", DLP_LOAD_ALL, &model, &error) == DLP_OK &&
 *         dlp_topic_model_update(model, corpus, NULL, NULL, &updated, &error) == DLP_OK)
 *         dlp_topic_model_save(updated, "model", &error);
 */
#ifndef DELAPLACE_TOPIC_UPDATE_H
#define DELAPLACE_TOPIC_UPDATE_H

#include <delaplace/topic_model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_topic_update_settings {
    size_t size;    /* set by dlp_topic_update_settings_default */
    double weight;  /* the weight of a document of the model, relative to a new one: 0 to
                       1; default 1 */
    int keep_terms; /* non-zero: words that are not terms of the model are left out;
                       default 0: they become terms */
    double tol;     /* as in dlp_topics_settings; default 0: the model's */
    int max_iter;   /* default 0: that of dlp_topics_settings */
    int threads;    /* the result does not depend on it; default 0: one a processor */
    dlp_progress_call *progress; /* default NULL. Phase "fitting" */
    void *context;
} dlp_topic_update_settings;

DLP_API void dlp_topic_update_settings_init(dlp_topic_update_settings *settings,
                                            size_t size);
static inline dlp_topic_update_settings dlp_topic_update_settings_default(void)
{
    dlp_topic_update_settings settings;
    dlp_topic_update_settings_init(&settings, sizeof settings);
    return settings;
}

/* What was added. */
typedef struct dlp_topic_update {
    dlp_index documents, words; /* new ones; words does not include those left out */
    dlp_index new_terms,
        new_words;      /* terms that the model did not have, and their words */
    dlp_index left_out; /* words that are not terms of the model */
    dlp_index again;    /* new documents with the same name as one that the model already
                           has */
} dlp_topic_update;

/*
 * Runs EM over the new documents from the model's topics. The model's own documents keep
 * contributing as they did in its fit: every M step adds their expected counts, and the
 * moments of their theta, to those of the new ones. Nothing is random: the same model and
 * corpus give the same bits at any number of threads.
 *
 * *updated has the labels, merges and settings of the model, its topics updated, and the
 * terms and documents of both (those of the model first, with the theta that they had).
 * Its log evidence is NaN, since it would need the former documents; its trace is that of
 * the new documents only. The model must have been loaded with DLP_LOAD_ALL. The terms of
 * corpus are renumbered as in the model; it is not needed afterwards. update may be NULL.
 * Not for models with covariates, topics that drift, words by group or a Dirichlet prior.
 * If cancelled, there is no model, and the status is DLP_ECANCELLED.
 */
DLP_API dlp_status dlp_topic_model_update(const dlp_topic_model *model,
                                          dlp_corpus *corpus,
                                          const dlp_topic_update_settings *settings,
                                          dlp_topic_update *update,
                                          dlp_topic_model **updated, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
