/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New documents taken into a topic model, whose own documents are no longer at hand.
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
    size_t size; /* set by dlp_topic_update_settings_default */
    double
        weight; /* what a document of the model counts, where a new one counts 1: 0 to 1;
                       default 1 */
    int keep_terms; /* non-zero: words of terms that the model does not have are left out;
                       default 0: they become terms of it */
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

/* What was taken in. */
typedef struct dlp_topic_update {
    dlp_index documents, words; /* new ones; words without those left out */
    dlp_index new_terms,
        new_words;      /* terms that the model did not have, and their words */
    dlp_index left_out; /* words of terms that the model does not have */
    dlp_index again; /* documents whose names are those of documents that the model has */
} dlp_topic_update;

/*
 * EM over the new documents from the model's topics, in which the model's own documents go on
 * counting as they did in its fit: every M step adds their expected counts, and the moments of
 * their theta, to those of the new ones. There is no chance in it: the same model and corpus give the same bits at
 * any number of threads.
 *
 * *updated has the same topics, labels and merges as the model, terms and documents of both (those of
 * the model first, with the theta that they had), and settings as the model's fit. Its log evidence is
 * NaN, since the former documents are not there to be asked; its trace is of the new documents alone.
 * model was loaded whole. corpus gets the model's numbers of terms, and is not needed afterwards.
 * update may be NULL. Not for models with covariates, topics that drift, words by group or a
 * Dirichlet prior. Cancelled, there is no model, and the status is DLP_ECANCELLED.
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
