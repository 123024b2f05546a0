/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hierarchical language model, the paper's running example (Section 2.2):
 *     theta ~ N(0, I),  z_d ~ Dirichlet(exp theta),  x_d ~ Multinomial(N_d, z_d).
 */
#ifndef DELAPLACE_UNIGRAM_H
#define DELAPLACE_UNIGRAM_H

#include <delaplace/corpus.h>
#include <delaplace/fit.h>
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

/* ---- a fit, with all that belongs to it ---- */

typedef struct dlp_unigram_fit dlp_unigram_fit;

/* Fits a corpus to the end; settings NULL: the defaults of dlp_settings. The corpus is not
   needed afterwards. How it ended is in the result. On failure *fit is NULL;
   DLP_ECANCELLED: cancelled so early that there is no result. */
DLP_API dlp_status dlp_unigram_fit_run(const dlp_corpus *corpus,
                                       const dlp_settings *settings,
                                       dlp_unigram_fit **fit, dlp_error *error);
DLP_API void dlp_unigram_fit_free(dlp_unigram_fit *fit); /* NULL is fine */

/* All of it is the fit's, and lives as long. New fields come last. */
typedef struct dlp_unigram_result {
    dlp_index D, V, words; /* of the corpus */
    const char *method;    /* the settings */
    int diagonal, plain;
    double tol;
    int max_iter;
    const dlp_result *engine;  /* how it ended, the trace, and q(theta) */
    double objective_per_word; /* NaN without words */
    double concentration;      /* the sum of the expected Dirichlet parameters */
    int z_summed_out;          /* what the terms' sds are. 0: that curvature was not
                                  positive definite where the fit stopped, and they are
                                  those of q(theta), which are too small */
} dlp_unigram_result;

DLP_API const dlp_unigram_result *dlp_unigram_fit_result(const dlp_unigram_fit *fit);

/* A component of theta, and exp theta, a parameter of the Dirichlet: log-normal. */
typedef struct dlp_unigram_term {
    const char *name;       /* NULL: the corpus had no vocabulary */
    double mean, sd;        /* of theta, z summed out; */
    double lower, upper;    /*     its middle 95 % */
    double sd_given_z;      /* of q(theta): the paper's */
    double dirichlet;       /* E_q[exp theta], as q(z) has it */
    double parameter;       /* E[exp theta] by the sd above */
    double parameter_sd;    /* the sd of exp theta */
    double parameter_lower; /* the lower end of the middle 95 % of exp theta */
    double parameter_upper; /* the upper end */
} dlp_unigram_term;

/* Of term v, 0..V-1. */
DLP_API dlp_unigram_term dlp_unigram_fit_term(const dlp_unigram_fit *fit, dlp_index v);
/* The terms by their expected Dirichlet parameter, the largest first, of equals the first
   in the vocabulary, into order (V). DLP_ENOMEM is its only failure. O(V log V). */
DLP_API dlp_status dlp_unigram_fit_rank(const dlp_unigram_fit *fit, dlp_index *order,
                                        dlp_error *error);

/* FIT.json, as docs/file-formats.md describes it: whole or not at all. */
DLP_API dlp_status dlp_unigram_fit_save(const dlp_unigram_fit *fit, const char *path,
                                        dlp_error *error);
/* The same as text to be freed; summary non-zero: without terms and trace. */
DLP_API dlp_status dlp_unigram_fit_json(const dlp_unigram_fit *fit, int summary,
                                        char **text, size_t *size, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
