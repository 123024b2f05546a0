/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside the correlated topic model: the part that documents share, and one document.
 * Internal.
 */
#ifndef DLPI_TOPICS_CTM_H
#define DLPI_TOPICS_CTM_H

#include <delaplace/topics.h>

#include "optim/optim.h"
#include "topics/ctm/ctm_kernel.h"

/* What is the same for all documents during an E step. */
typedef struct dlpi_ctm_shared {
    dlp_index K, stride, V;
    double *beta;   /* (V, stride) by term: beta[v stride + k] */
    double *Sigma0; /* (K, K) */
    double *P0;     /* (K, stride) Sigma_0^-1 */
    double log_det; /* log |Sigma_0| */
    double *work;   /* (2, K, K) */
} dlpi_ctm_shared;

dlp_status dlpi_ctm_shared_alloc(dlp_index K, dlp_index V, dlpi_ctm_shared *shared,
                                 dlp_error *error);
/* The same with room for so many rows of beta instead of V. */
dlp_status dlpi_ctm_shared_alloc_rows(dlp_index K, dlp_index V, dlp_index rows,
                                      dlpi_ctm_shared *shared, dlp_error *error);
void dlpi_ctm_shared_free(dlpi_ctm_shared *shared);
/* P0 and log_det from Sigma_0; false when it is not positive definite. */
bool dlpi_ctm_factor_sigma0(dlpi_ctm_shared *shared);

typedef struct dlpi_ctm_document dlpi_ctm_document;

/*
 * A method for one document. With z integrated out, each of them maximises
 *
 *     sum_w c_w log sum_k exp(theta_k) beta_kw - 1/2 (theta-m)' P0 (theta-m) + spread(theta)
 *
 * over theta, where c_w counts term w and m is the prior mean; they differ in how they
 * approximate -N E[log sum_k exp theta_k] and the entropy. The maximum is mu.
 */
typedef struct dlpi_ctm_method {
    const char *name;
    dlp_topics_method_kind kind;
    /* Returns the term spread(theta); where grad is not NULL, adds its gradient. Called
       with doc->e, sum_e and pi current. */
    double (*spread)(dlpi_ctm_document *doc, const double *theta, double *grad);
    /* At mu: writes Sigma (K, K), whole or its diagonal alone, into doc->Sigma and
       returns what the objective still lacks. NAN: not positive definite. */
    double (*finish)(dlpi_ctm_document *doc);
    bool full;      /* Sigma is not diagonal */
    bool by_engine; /* there is no climb: Figure 1 to the letter, by the engine */
} dlpi_ctm_method;

extern const dlpi_ctm_method dlpi_ctm_laplace, dlpi_ctm_delta, dlpi_ctm_blei_lafferty,
    dlpi_ctm_previous_mean;

/* A Dirichlet prior instead of the logistic normal: a method in name only, as its
   documents have functions of their own. There mean is log alpha, mu log gamma, off E log
   pi. dirichlet.c */
extern const dlpi_ctm_method dlpi_ctm_dirichlet;
void dlpi_dirichlet_infer(dlpi_ctm_document *doc, double *mu);
void dlpi_dirichlet_revisit(dlpi_ctm_document *doc, const double *mu);
void dlpi_dirichlet_begin(const dlpi_ctm_document *doc, double *mu);
/* The sd of a share, or of a sum of shares, under q at mu (K). */
double dlpi_dirichlet_sd(dlp_index K, const double *mu, double share);

/* The method of that name, or NULL. */
const dlpi_ctm_method *dlpi_ctm_method_find(const char *name);

dlp_status dlpi_ctm_check_document_settings(const dlp_document_settings *settings,
                                            dlp_error *error);

/* Checks that the covariates are p finite columns of D documents, small enough to be
   squared. */
dlp_status dlpi_ctm_check_covariates(const dlp_covariates *covariates, dlp_index D,
                                     dlp_index p, dlp_error *error);

/* One document, with the workspace of the thread that reads it. */
struct dlpi_ctm_document {
    const dlpi_ctm_shared *shared;
    const dlpi_ctm_method *method;
    double tol;
    int max_iter;
    bool mean_only; /* dlpi_ctm_infer leaves Sigma and the objective alone */
    bool marginal;  /* Laplace's Sigma has z integrated out */

    dlp_index n, room;   /* distinct terms; how many there is room for */
    const int32_t *term; /* (n) rows of beta */
    int32_t *placed;     /* (room) the same, if rows are not in the order of terms */
    double *c;           /* (room) counts */
    double N;            /* sum of c */
    double *mean;        /* (K) prior mean of theta */

    double *theta; /* (K) where the objective was evaluated last */
    double value;  /* its value there */
    double *e;     /* (stride) exp(theta - max), zero in the padding */
    double max;    /* max_k theta_k */
    double sum_e;  /* sum_k e_k */
    double *pi;    /* (K) softmax(theta) */
    double *tally; /* (stride) sum_w c_w b_w / s_w */
    double *off;   /* (stride) theta - mean, zero in the padding */
    double *pull;  /* (K) P0 (theta - mean) */
    double *rows;  /* (3, stride) for the metric */
    double *outer; /* (stride, stride) for the metric */
    double
        *pairs; /* (K, K) upper triangle: sum_w c_w b_w b_w' / s_w^2, of the curvature */
    double *bend;        /* (stride, stride) for the shift to the mean */
    double *packed_four; /* (4, stride) likewise */
    double *spare;       /* (4, stride) for spread */
    double *s;           /* (room) s_w = e'b_w */
    double *logs;        /* (room) */
    double *packed;      /* (room, DLPI_CTM_MOST_ACTIVE) for the metric */
    dlp_index n_active;
    int32_t *active;    /* (K) topics with words in the document */
    double *stats;      /* (K) E[t(z)], for Figure 1 */
    double objective_z; /* E[log p(x|z)] - E[log q(z)], for Figure 1 */
    double *block;      /* the one allocation behind the vectors over topics */

    dlpi_optim optim;
    double *Sigma; /* (K, K) of q(theta) */
    double *A;     /* (K, K) */
    double *work;  /* (K, K) */

    dlp_outcome outcome;
    double objective; /* eq:monitor, completed */
    dlp_fit *fit;     /* the engine, for Figure 1 exactly; else NULL */
};

dlp_status dlpi_ctm_document_alloc(const dlpi_ctm_shared *shared,
                                   const dlp_document_settings *settings,
                                   dlpi_ctm_document *doc, dlp_error *error);
void dlpi_ctm_document_free(dlpi_ctm_document *doc); /* fine on a zeroed or failed one */
dlp_status dlpi_ctm_document_reserve(dlpi_ctm_document *doc, dlp_index n,
                                     dlp_error *error);
/* The most distinct terms in a document. */
dlp_index dlpi_ctm_longest(const dlp_corpus *corpus);
/* Takes the words of a document with n <= room; doc->mean is the caller's to fill. */
void dlpi_ctm_document_set(dlpi_ctm_document *doc, dlp_index n, const int32_t *term,
                           const int32_t *count);

/* Finds q(theta), starting from mu (K), which receives the mean; sets doc->Sigma, outcome
   and objective. Uses the fast climb, or the engine. ctm_climb.c */
void dlpi_ctm_infer(dlpi_ctm_document *doc, double *mu);
/* The same at the mean mu, where it was found before. */
void dlpi_ctm_revisit(dlpi_ctm_document *doc, const double *mu);
/* Sets doc->e to what both of these leave there at mu, without reading the words; not for
   a Dirichlet prior. ctm.c */
void dlpi_ctm_weigh(dlpi_ctm_document *doc, const double *mu);
/* sum_w c_w log sum_k exp(theta_k) beta_kw - 1/2 (theta-m)' P0 (theta-m) with its
   gradient; -INFINITY outside the domain. Leaves e, sum_e, pi current. ctm.c */
double dlpi_ctm_words_and_prior(dlpi_ctm_document *doc, const double *theta,
                                double *grad);
/* From pi = softmax(theta), rounds of  e_k = weight pi_k + E[t(z)]_k,  with q(z) at e:
   expected counts of topics, which see the words. Leaves them in doc->e. */
void dlpi_ctm_blend_words(dlpi_ctm_document *doc, const double *theta, double weight,
                          int rounds);
/* What the climb maximises; the Hessian is not written. ctm_climb.c */
dlp_function dlpi_ctm_objective;
/* A0 = P0 + N (diag pi - pi pi'), which is -hess f, into A (K, K). */
void dlpi_ctm_curvature(const dlpi_ctm_document *doc, double *A);
/* The curvature with z integrated out: A0 - sum_w c_w (diag phi_w - phi_w phi_w'), into
   A (K, K), after an evaluation. Leaves doc->pairs. */
void dlpi_ctm_curvature_without_z(dlpi_ctm_document *doc, double *A);
/* The same again, from doc->pairs as they are. */
void dlpi_ctm_curvature_of_pairs(const dlpi_ctm_document *doc, double *A);

/* After dlpi_ctm_curvature_without_z at the mode, with Sigma (K, K) its inverse: how far
   the mean of theta is from the mode, by second order, into shift (K). ctm_shift.c */
void dlpi_ctm_mean_shift(dlpi_ctm_document *doc, const double *Sigma, double *shift);
/* After that, with Sigma in doc->Sigma: replaces it by the covariance to the same order,
   unless that is not positive definite or log ratios vary too much for it, when it returns
   false. ctm_moments.c */
bool dlpi_ctm_moment_covariance(dlpi_ctm_document *doc, const double *shift);

/* After dlpi_ctm_curvature_without_z at the mode, with Sigma (K, K) the inverse, if it
   is positive definite: bounds Sigma by the prior's covariance. Uses doc->A, doc->work,
   doc->Sigma and doc->spare. false: it could not, by rounding. document_bound.c */
bool dlpi_ctm_bound_covariance(dlpi_ctm_document *doc, double *Sigma);

/* Whether a fit is to use that: with Laplace's method, where mu is the mode. */
static inline bool dlpi_ctm_finds_means(const dlpi_ctm_document *doc)
{
    return doc->marginal && doc->method->full;
}

/* The metric of the climb accounts for the words of at most this many topics. */
enum { DLPI_CTM_MOST_ACTIVE = 32 };
/* The metric of the climb, near the curvature with z integrated out at the point
   evaluated last, and v := M^-1 v in it (state: the document). `far` from the end a
   rougher one is enough. ctm_metric.c */
void dlpi_ctm_set_metric(dlpi_ctm_document *doc, bool far);
void dlpi_ctm_metric_solve(void *state, double *v);

/* Gives the posterior another prior, with the same number of covariates; false if its
   Sigma_0 is not positive definite. document_posterior.c */
bool dlpi_document_posterior_set_prior(dlp_document_posterior *posterior,
                                       const double *Gamma, const double *Sigma0);

/* After dlp_document_infer: the difference between the mean of theta and mu, given the
   corrected covariance; 0 for the methods whose mu is not a mode. document_posterior.c */
void dlpi_document_posterior_shift(dlp_document_posterior *posterior, const double *Sigma,
                                   double *shift);

/* After inference: the shares of groups of topics, group (K) from 0 to groups - 1, and,
   where sd is not NULL, their standard deviations, as dlp_document_proportions gives them
   for topics. */
void dlpi_document_shares(dlp_document_posterior *posterior, dlp_index groups,
                          const dlp_index *group, double *shares, double *sd);
dlp_status dlpi_check_groups(dlp_index K, dlp_index groups, const dlp_index *group,
                             dlp_error *error);

/* The paper's model of one document, for the engine. */
dlp_model dlpi_ctm_model(dlpi_ctm_document *doc);

#endif
