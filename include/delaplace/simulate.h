/* SPDX-License-Identifier: BSD-3-Clause */
/* Data drawn from a model whose truth is known. */
#ifndef DELAPLACE_SIMULATE_H
#define DELAPLACE_SIMULATE_H

#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A topic model to draw from, without covariates: each topic is a Dirichlet draw around
 * Zipf's law, with an average parameter of `concentration` (> 0) per term, so that topics
 * share their common terms; mu_0 ~ N(0, 1/4); Sigma_0 with variances near 1 and
 * correlations of both signs. Depends only on the arguments. Released by dlp_topics_free.
 */
DLP_API dlp_status dlp_simulate_topics(dlp_index K, dlp_index V, double concentration,
                                       uint64_t seed, dlp_topics *topics,
                                       dlp_error *error);

/* The default `concentration`: distinct topics that share their most common terms. */
#define DLP_SIMULATE_CONCENTRATION 0.05

typedef struct dlp_simulate_settings {
    size_t size;         /* set by dlp_simulate_settings_default */
    dlp_index documents; /* 1 or more */
    dlp_index words;     /* in each document: 0 to 2147483647 */
    uint64_t seed;       /* document d uses stream d; default 1 */
    int threads; /* the result does not depend on it; default 0: one a processor */
    dlp_progress_call *progress; /* phase "drawing", documents; default NULL */
    void *context;
    dlp_index first; /* the first document drawn has this number, and its stream; default
                        0 */
} dlp_simulate_settings;

DLP_API void dlp_simulate_settings_init(dlp_simulate_settings *settings, size_t size);
static inline dlp_simulate_settings dlp_simulate_settings_default(void)
{
    dlp_simulate_settings settings;
    dlp_simulate_settings_init(&settings, sizeof settings);
    return settings;
}

/*
 * A corpus of D = settings->documents documents; the theta_d that it was drawn from go
 * into theta (D, K), which may be NULL. covariates NULL: the intercept only. Each
 * document has its own stream of random numbers, so the first documents do not depend on
 * D.
 */
DLP_API dlp_status dlp_simulate_ctm(const dlp_topics *topics,
                                    const dlp_covariates *covariates,
                                    const dlp_simulate_settings *settings,
                                    dlp_corpus **corpus, double *theta, dlp_error *error);
/* The same documents written to a file in batches: any number in little memory. Without
   covariates. */
DLP_API dlp_status dlp_simulate_ctm_write(const dlp_topics *topics,
                                          const dlp_simulate_settings *settings,
                                          dlp_corpus_writer *writer, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
