/* SPDX-License-Identifier: BSD-3-Clause */
/* The topic proportions of many documents under a model, with several threads. */
#ifndef DELAPLACE_TOPIC_INFERENCE_H
#define DELAPLACE_TOPIC_INFERENCE_H

#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_inference_settings {
    size_t size;                           /* set by dlp_inference_settings_default */
    const dlp_document_settings *document; /* default NULL: the defaults */
    int threads; /* the result does not depend on it; default 0: one a processor */
    dlp_progress_call *progress; /* phase "inferring", documents; default NULL */
    void *context;
    const dlp_index *group; /* (K) from 0 to groups - 1: topics with the same number are
                               treated as one, whose share is the sum of theirs, and pi
                               and sd have `groups` columns. Copied. Default NULL: K
                               columns */
    dlp_index groups;
} dlp_inference_settings;

DLP_API void dlp_inference_settings_init(dlp_inference_settings *settings, size_t size);
static inline dlp_inference_settings dlp_inference_settings_default(void)
{
    dlp_inference_settings settings;
    dlp_inference_settings_init(&settings, sizeof settings);
    return settings;
}

/* Totals over all documents so far. */
typedef struct dlp_inference_result {
    dlp_index documents;
    dlp_index words;     /* in terms that the model knows */
    dlp_index unseen;    /* words in terms that training never saw; they are left out */
    dlp_index unsettled; /* documents whose own fit ended without convergence */
} dlp_inference_result;

typedef struct dlp_inference dlp_inference;

/* Allocates a posterior for each thread. The topics are not needed afterwards; settings
   may be NULL, and settings->document is copied. Memory: threads copies of beta. */
DLP_API dlp_status dlp_inference_alloc(const dlp_topics *topics,
                                       const dlp_inference_settings *settings,
                                       dlp_inference **inference, dlp_error *error);
DLP_API void dlp_inference_free(dlp_inference *inference); /* NULL is fine */

/*
 * The proportions of documents from..to-1 of a corpus in the model's terms, into pi (to -
 * from, K or groups), and if sd is not NULL their standard deviations, as in
 * dlp_document_proportions. covariates are those of all documents of the corpus, or NULL:
 * the intercept only. *result, unless NULL, is added to. DLP_ECANCELLED if progress
 * stopped it.
 */
DLP_API dlp_status dlp_inference_run(dlp_inference *inference, const dlp_corpus *corpus,
                                     const dlp_covariates *covariates, dlp_index from,
                                     dlp_index to, double *pi, double *sd,
                                     dlp_inference_result *result, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
