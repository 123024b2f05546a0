/* SPDX-License-Identifier: BSD-3-Clause */
/* Small models that the engine's tests run on, each with what is known about it. */
#ifndef DLP_TESTS_MODELS_H
#define DLP_TESTS_MODELS_H

#include <delaplace.h>

typedef struct test_model {
    const char *name;
    int settles; /* laplace and delta must converge on it */
    /* Builds the model; *memory is what release() gets. */
    dlp_model (*make)(void **memory);
    void (*release)(void *memory);
} test_model;

extern const test_model test_models[];
extern const int n_test_models;

/* theta ~ N(a, P^-1), no z, n = 3: the engine must be exact. log p(x) is
 * `gaussian_evidence`. */
dlp_model make_gaussian(void **memory);
extern const double gaussian_a[3], gaussian_P[9], gaussian_evidence;

/* theta ~ N(0, T), z_i ~ N(theta, S), x_i ~ N(z_i, R), i < 5: conditionally conjugate. */
dlp_model make_normal_chain(void **memory);
enum { CHAIN_N = 5 };
extern const double chain_x[CHAIN_N], chain_T, chain_S, chain_R;

/* y ~ Poisson(exp theta), theta ~ N(0, 1). */
dlp_model make_poisson(void **memory);
/* One coefficient: y_i ~ Bernoulli(sigma(x_i theta)), theta ~ N(0, 1), i < 6. */
dlp_model make_logit(void **memory);
/* Counts along a chain, and those with a mean in common: the same two models in a band, in
   a border, and sparse. */
dlp_model make_band(void **memory);
dlp_model make_bordered(void **memory);
dlp_model make_sparse(void **memory);
dlp_model make_sparse_arrow(void **memory);
void release_counts_chain(void *memory);
/* The language model on a table of 5 documents and 4 terms. */
dlp_model make_unigram(void **memory);

#endif
