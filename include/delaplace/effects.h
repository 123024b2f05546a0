/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effect of covariates on the share of a document that each topic has: regressions of
 * the proportions pi_d = softmax(theta_d) on covariates x_d, with intervals that account
 * for the uncertainty of theta_d.
 *
 * The method of composition (Treier & Jackman 2008; estimateEffect of R's stm): theta_d
 * is drawn `draws` times for every document; each time, and for each topic, pi_dk is
 * regressed on x_d by least squares. Coefficients are the means over the draws; their
 * variance is the mean of the regressions' own variances plus (1 + 1/draws) times the
 * variance between them (Rubin 1987).
 *
 * A prior that ignores x_d shrinks proportions to the mean of all documents, and so
 * effects to 0. Hence the prior mean becomes the model's plus Delta' x_d; Delta and
 * Sigma_0 are fitted to the documents by EM, with the topics fixed. theta_d is drawn
 * around its mean, to second order, with the corrected covariance, and Delta from its
 * observed information. The intervals of dlp_topics_effects do not account for the
 * estimation of the topics; those of dlp_topic_model_effects (topic_model.h) do, by fits
 * to halves of the documents.
 */
#ifndef DELAPLACE_EFFECTS_H
#define DELAPLACE_EFFECTS_H

#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_effects_settings {
    size_t size;   /* set by dlp_effects_settings_default */
    int draws;     /* 2 or more; default 50 */
    uint64_t seed; /* of the draws; document d has the stream d; default 1 */
    int threads;   /* the result does not depend on it; default 0: all processors */
    const dlp_document_settings *document; /* default NULL: the defaults */
    dlp_progress_call *progress; /* phases "fitting", once a pass, and "inferring",
                                    documents; default NULL */
    void *context;
    const dlp_index *group; /* (K) from 0 to groups - 1: topics with the same number are
                               treated as one, whose share is the sum of theirs in every
                               draw; the effects have K = groups. Default NULL: each on
                               its own */
    dlp_index groups;
    int splits; /* for dlp_topic_model_effects: how often to split the documents at random
                   into halves; refits to the halves show how much wider intervals must be
                   since the topics are estimated; 0 to 1000; default 1 */
} dlp_effects_settings;

DLP_API void dlp_effects_settings_init(dlp_effects_settings *settings, size_t size);
static inline dlp_effects_settings dlp_effects_settings_default(void)
{
    dlp_effects_settings settings;
    dlp_effects_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_effects {
    dlp_index K, p;
    double *mean, *sd; /* (K, p) of the coefficients of each topic; the intercept first.
                          Both, and the next two, are in one allocation */
    double *lower, *upper; /* (K, p) ends of 95 % intervals */
    dlp_outcome outcome;   /* DLP_CONVERGED, or DLP_CANCELLED without numbers */
    dlp_index unsettled;   /* documents whose own fit ended without convergence */
    dlp_index uncorrected; /* documents drawn with the paper's covariance: the corrected
                              one is not positive definite */
    double *covariance;    /* (K, p, p) of the coefficients of each topic */
    double moved; /* 0; or the sds by which a coefficient of the documents' prior still
                     moved in the last round: then the effects are in doubt */
    double widened[2]; /* what the sds of the intercepts [0] and of all other coefficients
                          [1] were multiplied by, since the topics are estimated: 1 or
                          more; 0: not determined, so intervals are as if the topics were
                          known */
} dlp_effects;

/*
 * The effects of X, covariates of the corpus's documents, on the topics. `prior` are the
 * covariates of the model, NULL if it has none; they may differ from X. Refused: fewer
 * than p + 1 documents, and linearly dependent columns. Released by dlp_effects_free.
 *
 * Each document is read once for the draws, and up to 50 times before that, usually five
 * to fifteen. Memory: the posteriors and (threads + 2) draws (p + 1) K numbers.
 */
DLP_API dlp_status dlp_topics_effects(const dlp_topics *topics, const dlp_corpus *corpus,
                                      const dlp_covariates *prior,
                                      const dlp_covariates *X,
                                      const dlp_effects_settings *settings,
                                      dlp_effects *effects, dlp_error *error);
/* Whether the intercept of topic k is not a possible share, well below 0 or above 1: then
   some covariate is near 0 in no document, and scale(x) in the formula would put 0 at its
   mean. */
DLP_API int dlp_effects_extrapolates(const dlp_effects *effects, dlp_index k);
DLP_API void dlp_effects_free(dlp_effects *effects); /* fine on a zeroed or failed one */

#ifdef __cplusplus
}
#endif

#endif
