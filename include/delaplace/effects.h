/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effect of covariates on how much of a document each topic takes: regressions of the
 * proportions pi_d = softmax(theta_d) on covariates x_d, with intervals that carry how
 * uncertain theta_d is.
 *
 * The method of composition (Treier & Jackman 2008; estimateEffect of R's stm): theta_d is
 * drawn `draws` times for every document; each time, and for each topic, pi_dk is regressed
 * on x_d by least squares; then means are taken, and the variance is the mean of the
 * regressions' own plus (1 + 1/draws) times the variance between them (Rubin 1987).
 *
 * Under a prior that does not know x_d proportions are drawn to the mean of all documents,
 * and effects to 0. So the prior mean becomes the model's plus Delta' x_d; Delta and Sigma_0
 * are fitted to the documents by EM, with the topics as they are. theta_d is drawn around
 * its mean, to second order, with the corrected covariance, and Delta from its observed
 * information. That the topics are estimated is not in the intervals of dlp_topics_effects;
 * it is in those of dlp_topic_model_effects (topic_model.h), by fits of halves of the documents.
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
    const dlp_index
        *group; /* (K) from 0 to groups - 1: topics of a group are treated as one,
                               whose share is the sum of theirs in every draw; the effects
                               have K = groups. Default NULL: each on its own */
    dlp_index groups;
    int splits; /* of dlp_topic_model_effects: into two halves by chance, whose topics are
                   fitted again and tell how much wider intervals must be, since topics are
                   estimated, too; 0 to 1000; default 1 */
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
                          One block, as the next two */
    double *lower, *upper; /* (K, p) ends of 95 % intervals */
    dlp_outcome outcome;   /* DLP_CONVERGED, or DLP_CANCELLED without numbers */
    dlp_index unsettled;   /* documents whose own fit ended without convergence */
    dlp_index uncorrected; /* documents drawn with the paper's covariance: the corrected
                              one is not positive definite */
    double *covariance;    /* (K, p, p) of the coefficients of each topic */
    double
        moved; /* 0; or by how many sds a coefficient of the documents' prior still moved in
                     the last round: then the effects are in doubt */
    double
        widened[2]; /* by what the sds of intercepts, and of all other coefficients, were
                          multiplied since the topics are estimated: 1 or more; 0: not found
                          out, and intervals are as if the topics were known */
} dlp_effects;

/*
 * The effects of X, covariates of the corpus's documents, on the topics. `prior` are the
 * covariates of the model, NULL where it has none; they may be other ones. Refused: fewer
 * documents than columns and one more, columns that depend on each other.
 *
 * Each document is read once for the draws, and up to 50 times before that, mostly five to
 * fifteen. Memory is that of the posteriors and (threads + 2) draws (p + 1) K numbers.
 */
DLP_API dlp_status dlp_topics_effects(const dlp_topics *topics, const dlp_corpus *corpus,
                                      const dlp_covariates *prior,
                                      const dlp_covariates *X,
                                      const dlp_effects_settings *settings,
                                      dlp_effects *effects, dlp_error *error);
/* Whether the intercept of topic k is no share, being well below 0 or above 1: no document
   is near 0 of some covariate, and scale(x) in the formula would put 0 at its mean. */
DLP_API int dlp_effects_extrapolates(const dlp_effects *effects, dlp_index k);
DLP_API void dlp_effects_free(dlp_effects *effects); /* fine on a zeroed or failed one */

#ifdef __cplusplus
}
#endif

#endif
