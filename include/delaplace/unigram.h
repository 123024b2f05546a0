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

/* Copies what the model needs from the corpus. Fails if the corpus has no documents or no
   terms, or memory is short; *unigram is then NULL. O(nnz). */
DLP_API dlp_status dlp_unigram_alloc(const dlp_corpus *corpus, dlp_unigram **unigram,
                                     dlp_error *error);
DLP_API void dlp_unigram_free(dlp_unigram *unigram); /* NULL is fine */

/* The model to fit: theta has V components, its Hessian is diagonal plus rank one. */
DLP_API dlp_model dlp_unigram_model(dlp_unigram *unigram);

/* E_q[exp theta] (V), the same for every document: q(z_d) is Dirichlet(E_q[exp theta] +
   x_d). */
DLP_API const double *dlp_unigram_dirichlet(const dlp_unigram *unigram);

/* ---- a fit, with all that belongs to it ---- */

typedef struct dlp_unigram_fit dlp_unigram_fit;

/* Runs a fit to its end; settings NULL: the defaults of dlp_settings. The corpus is not
   needed afterwards. How it ended is in the result. Released by dlp_unigram_fit_free. On
   failure *fit is NULL; DLP_ECANCELLED: it was cancelled before there was a result. */
DLP_API dlp_status dlp_unigram_fit_run(const dlp_corpus *corpus,
                                       const dlp_settings *settings,
                                       dlp_unigram_fit **fit, dlp_error *error);
/* Whether so many terms of a corpus cannot occur in it that they slow a fit down by
   seconds. */
DLP_API int dlp_unigram_is_slowed(const dlp_corpus *corpus);
DLP_API void dlp_unigram_fit_free(dlp_unigram_fit *fit); /* NULL is fine */

/* Everything in it belongs to the fit and lives as long. New fields come last. */
typedef struct dlp_unigram_result {
    dlp_index D, V, words; /* of the corpus */
    const char *method;    /* the settings */
    int diagonal, plain;
    double tol;
    int max_iter;
    const dlp_result *engine;  /* how it ended, the trace, and q(theta) */
    double objective_per_word; /* NaN without words */
    double concentration;      /* the sum of the expected Dirichlet parameters */
    int z_summed_out;          /* non-zero: the terms' sds have z summed out. 0: that
                                  curvature was not positive definite where the fit
                                  stopped, and the sds are those of q(theta), which are
                                  too small */
} dlp_unigram_result;

DLP_API const dlp_unigram_result *dlp_unigram_fit_result(const dlp_unigram_fit *fit);

/* A component of theta, and exp theta, a parameter of the Dirichlet, which is
   log-normal. */
typedef struct dlp_unigram_term {
    const char *name;       /* NULL: the corpus had no vocabulary */
    double mean, sd;        /* of theta, with z summed out, */
    double lower, upper;    /*     its middle 95 % */
    double sd_given_z;      /* the sd of q(theta), the paper's */
    double dirichlet;       /* E_q[exp theta], as used in q(z) */
    double parameter;       /* E[exp theta], from mean and sd above */
    double parameter_sd;    /* the sd of exp theta */
    double parameter_lower; /* the lower end of the middle 95 % of exp theta */
    double parameter_upper; /* the upper end */
} dlp_unigram_term;

/* Term v, 0..V-1. */
DLP_API dlp_unigram_term dlp_unigram_fit_term(const dlp_unigram_fit *fit, dlp_index v);
/* The terms by their expected Dirichlet parameter, the largest first, ties in the order
   of the vocabulary, into order (V). DLP_ENOMEM is its only failure. O(V log V). */
DLP_API dlp_status dlp_unigram_fit_rank(const dlp_unigram_fit *fit, dlp_index *order,
                                        dlp_error *error);

/* Writes FIT.json, as docs/file-formats.md describes it, whole or not at all. */
DLP_API dlp_status dlp_unigram_fit_save(const dlp_unigram_fit *fit, const char *path,
                                        dlp_error *error);
/* The same as *text of *size bytes, released by free(); summary non-zero: without terms
   and trace. */
DLP_API dlp_status dlp_unigram_fit_json(const dlp_unigram_fit *fit, int summary,
                                        char **text, size_t *size, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
