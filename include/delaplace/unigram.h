/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hierarchical language model, the paper's running example (Section 2.2):
 *     theta ~ N(0, I),  z_d ~ Dirichlet(exp theta),  x_d ~ Multinomial(N_d, z_d).
 */
#ifndef DELAPLACE_UNIGRAM_H
#define DELAPLACE_UNIGRAM_H

#include <delaplace/corpus.h>
#include <delaplace/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_unigram dlp_unigram;

/* Copies what the model needs of the corpus. Fails on a corpus without documents or terms,
   and without memory; *unigram is then NULL. O(nnz). */
DLP_API dlp_status dlp_unigram_alloc(const dlp_corpus *corpus, dlp_unigram **unigram,
                                     dlp_error *error);
DLP_API void dlp_unigram_free(dlp_unigram *unigram); /* NULL is fine */

/* The model to fit: theta has V components, its Hessian is diagonal plus rank one. */
DLP_API dlp_model dlp_unigram_model(dlp_unigram *unigram);

/* E_q[exp theta] (V): what every document's Dirichlet shares. q(z_d) is Dirichlet(that +
   x_d). */
DLP_API const double *dlp_unigram_dirichlet(const dlp_unigram *unigram);

#ifdef __cplusplus
}
#endif

#endif
