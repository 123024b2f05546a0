/* SPDX-License-Identifier: BSD-3-Clause */
/* Data drawn from a model whose truth is known. */
#ifndef DELAPLACE_SIMULATE_H
#define DELAPLACE_SIMULATE_H

#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A topic model to draw from, without covariates: each topic a Dirichlet draw with
 * `concentration` (> 0) words' worth of evidence a term around Zipf's law, so that topics
 * share their common terms; mu_0 ~ N(0, 1/4); Sigma_0 with variances near 1 and
 * correlations of both signs. Depends on the arguments alone.
 */
DLP_API dlp_status dlp_simulate_topics(dlp_index K, dlp_index V, double concentration,
                                       uint64_t seed, dlp_topics *topics,
                                       dlp_error *error);

/*
 * A corpus of D documents of `words` words each, with the theta_d that made it into
 * theta (D, K), which may be NULL. covariates NULL: the intercept alone. A document has a
 * stream of random numbers of its own, so the result does not depend on threads, and the
 * first documents do not depend on D.
 */
DLP_API dlp_status dlp_simulate_ctm(const dlp_topics *topics,
                                    const dlp_covariates *covariates, dlp_index D,
                                    dlp_index words, uint64_t seed, int threads,
                                    dlp_corpus **corpus, double *theta, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
