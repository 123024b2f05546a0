/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The correlated topic model (Section 4.1):
 *
 *     theta_d ~ N(Gamma' x_d, Sigma_0),     pi_d = softmax(theta_d),
 *     each word: z ~ pi_d,  w ~ beta_z,
 *
 * with K topics beta over V terms. x_d are the covariates of document d; the plain model
 * has only the intercept, x_d = 1, and then Gamma is the paper's mu_0.
 *
 * These are its parts: EM iteration by iteration, the posterior of a document, held-out
 * likelihood. A model with its words, documents and folder is in topic_model.h.
 *
 *     dlp_topics_settings settings = dlp_topics_settings_default();
 *     settings.K = 20;
 *     dlp_ctm *ctm = NULL;
 *     dlp_topics topics;
 *     if (dlp_ctm_alloc(corpus, NULL, &settings, &ctm, &error) == DLP_OK &&
 *         dlp_ctm_start(ctm, &error) == DLP_OK) {
 *         dlp_ctm_run(ctm);
 *         dlp_ctm_topics(ctm, &topics, &error);  // beta, Gamma, Sigma0
 *     }                                          // dlp_ctm_result(ctm)->mu, ->outcome
 */
#ifndef DELAPLACE_TOPICS_H
#define DELAPLACE_TOPICS_H

#include <delaplace/corpus.h>
#include <delaplace/fit.h>
#include <delaplace/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of a model. */
typedef struct dlp_topics {
    dlp_index K, V, p; /* topics, terms, covariates (1: the intercept alone) */
    double *beta;   /* (K, V) beta[k V + v] = p(term v | topic k); rows sum to 1. A term
                       that training never saw is 0 in every topic */
    double *Gamma;  /* (p, K) */
    double *Sigma0; /* (K, K) */
} dlp_topics;

/* Allocates zeros; released by dlp_topics_free. */
DLP_API dlp_status dlp_topics_alloc(dlp_index K, dlp_index V, dlp_index p,
                                    dlp_topics *topics, dlp_error *error);
DLP_API void dlp_topics_free(dlp_topics *topics); /* fine on a zeroed or failed one */
/* Whether rows of beta sum to 1 and Sigma_0 is symmetric and positive definite. */
DLP_API dlp_status dlp_topics_check(const dlp_topics *topics, dlp_error *error);

typedef enum dlp_topics_method_kind {
    DLP_TOPICS_LAPLACE,
    DLP_TOPICS_DELTA,
    DLP_TOPICS_BLEI_LAFFERTY,
    DLP_TOPICS_PREVIOUS_MEAN,
    DLP_TOPICS_DIRICHLET
} dlp_topics_method_kind;
/* The methods: "laplace", "delta", "blei-lafferty", "previous-mean"; NULL past the last.
   Not listed, but also accepted as a method, is "dirichlet", a different prior for
   comparison: pi_d ~ Dir(alpha_d), alpha_d = exp(Gamma' x_d), which is latent Dirichlet
   allocation or, with covariates, Dirichlet-multinomial regression. Then mu is the
   logarithm of the parameters of q(pi_d), whose softmax is the mean of pi_d, and Sigma_0
   is diagonal, the variances of logarithms of gamma variables. */
DLP_API const char *dlp_topics_method(int i);
/* What a fit can begin with: "spectral", "random"; NULL past the last. */
DLP_API const char *dlp_topics_init(int i);

/* The covariates of the documents: a column of ones first. */
typedef struct dlp_covariates {
    dlp_index D, p;
    const double *X; /* (D, p) row by row */
    const char *const
        *name; /* (p) for messages; NULL: they are called by their numbers */
} dlp_covariates;

/* ---- variational EM ---- */

/* One EM iteration, as the trace keeps it. */
typedef struct dlp_topics_row {
    int iteration;         /* from 1 */
    dlp_index evaluations; /* of the documents' objectives */
    dlp_index unsettled;   /* documents whose own fit ended without convergence */
    double objective; /* sum over documents of eq:monitor, completed, at this E step */
    double change;    /* of the objective, relative to its size; 0 in the first row */
    double moved; /* how far the topics moved: the total variation distance between each
                     and its predecessor, averaged over topics by words; 0 in the first
                     row */
} dlp_topics_row;

/* A term that a topic is to have. */
typedef struct dlp_seed_word {
    dlp_index topic; /* from 0 */
    dlp_index term;
} dlp_seed_word;

typedef struct dlp_topics_settings {
    size_t size;        /* set by dlp_topics_settings_default */
    dlp_index K;        /* topics, 2 to 10000 */
    const char *method; /* how q(theta_d) is found; default "laplace" */
    int plain; /* non-zero: Figure 1 exactly for each document; default 0: climb the
                  objective with z integrated out, which ends at the same mean. Not for
                  blei-lafferty */
    const char *init;        /* "spectral" (default) or "random" topics */
    const dlp_topics *start; /* a model to start from instead; default NULL. init is then
                                its name in model.json. If it has fewer than K topics,
                                they come first, and the others are spectral */
    uint64_t seed;           /* of random topics; default 1 */
    double tol;    /* stop when the objective changes by no more than this, relative to
                      its size, and the topics move by no more than sqrt(tol)/5; default
                      2e-5, so 9e-4 of a topic's words. With Laplace's method, and z
                      integrated out, six more iterations let the prior settle */
    int max_iter;  /* EM iterations; default 500 */
    double smooth; /* added to each expected count of a term in a topic; default 0: 0.1,
                      or less, so that the total added is at most 7 % of all words */
    double shrink; /* 0..1, how far Sigma_0 is shrunk towards its diagonal; default 0 */
    int diagonal;  /* non-zero: Sigma_0 diagonal, for very large K; default 0 */
    double ridge;  /* on Gamma, except intercepts: worth this many documents of evidence
                      for no effect; default 1 */
    double document_tol;   /* a document has converged when its mean moves by no more than
                              this times (1 + ||mu||); default 1e-4 */
    int document_max_iter; /* default 200 */
    int threads; /* the result does not depend on it; default 0: one a processor */
    dlp_progress_call *progress; /* default NULL. Phases "starting" and "fitting"; when
                                    stopped, a fit ends after the current iteration */
    void *context;
    int paper_covariance; /* non-zero: exactly as in the paper. The covariance of theta_d
                             in EM then holds q(z) fixed, which is too small: Sigma_0
                             collapses and correlations are too large; and only the
                             objective decides when EM ends. Default 0: with z integrated
                             out, for "laplace" (the other methods have their own) */
    /* Seed words, which topics begin with and keep (topic_seeds.h). Together those of a
       topic count as seed_weight times the words that a topic has on average. A model to
       start from is not changed by them at the start. */
    dlp_index n_seed_words;         /* default 0 */
    const dlp_seed_word *seed_word; /* (n_seed_words) */
    double seed_weight;             /* 0 or more; default 0.1 */
    /* Topics of `start` whose words stay fixed; their shares are fitted like any
       others. */
    dlp_index n_fixed;      /* default 0 */
    const dlp_index *fixed; /* (n_fixed) from 0, each below start->K */
    /* Topics that drift over slices of time (topic_slices.h). For laplace, delta and
       blei-lafferty; not with start, seeds or fixed topics. */
    dlp_index slices;     /* default 0: topics stay the same */
    const int32_t *slice; /* (D) of each document, from 0 */
    double drift; /* the sd of a step of log beta from slice to slice, 0.001 to 1; default
                     0: fitted */
    const char *time; /* the column that the slices come from, for model.json; default
                         NULL */
    char *const *slice_name; /* (slices) for the model's folder; default NULL: 1, 2,
                                ... */
    /* Words of topics that differ by group of documents (topic_content.h). Not with slices, start,
       seeds or fixed topics. */
    dlp_index content_groups;     /* default 0: words do not differ; else 2 to 100 */
    const int32_t *content_group; /* (D) of each document, from 0 */
    const char *content;          /* the column that the groups come from, for model.json;
                                     default NULL */
    char *const *content_name;    /* (content_groups) like slice_name */
    /* Several processes share the fit (processes.h), and all make the same calls. Process
       0 has the whole corpus, the others their own documents (dlp_topics_share_corpus);
       covariates, slices and groups are those of all documents. The result does not
       depend on how many processes there are, and only process 0 has it. Default NULL:
       this process alone. */
    struct dlp_processes *processes;
    /* Passes over minibatches before EM over all documents (docs/scale.md): in a random
       order of documents given by the seed, with an M step after each batch. Not with
       covariates, slices, groups, seeds, fixed topics or a Dirichlet prior. Default 0. */
    int online;
    /* The folder for the documents' means if they do not fit in memory, in an unnamed
       file. Default NULL: $TMPDIR, or /var/tmp; in dlp_topic_folder_fit, the model's
       folder. */
    const char *scratch;
    /* Non-zero: a word's topics in EM are averages over q(theta_d), and those of its mode
       otherwise; and topics have a posterior. For correlations where documents are short
       for so many topics (docs/topics.md); the objective alone then decides when EM ends.
       For "laplace", not with paper_covariance, slices, groups or online. Default 0. */
    int average;
} dlp_topics_settings;

/* dlp_corpus_open for several processes, which all call it: process 0 gets the whole
   corpus, the others their own documents. If path is mapped dlpc or plain text in which a
   document is a line or several in a row, they read only those; otherwise process 0 sends
   them. */
DLP_API dlp_status dlp_topics_open_corpus(struct dlp_processes *processes,
                                          const char *path,
                                          const dlp_corpus_options *options,
                                          dlp_corpus **corpus, dlp_error *error);
/* The same for processes that look up documents or terms by name: process 0 gets the whole
   corpus, the others one with as many documents, terms and names, but no words. All share
   it afterwards (dlp_topics_share_corpus). */
DLP_API dlp_status dlp_topics_open_names(struct dlp_processes *processes,
                                         const char *path,
                                         const dlp_corpus_options *options,
                                         dlp_corpus **corpus, dlp_error *error);
/* Divides process 0's corpus: it keeps the whole, and sends the others their documents.
   All call it; in the others *corpus, which may be NULL, is freed and replaced. */
DLP_API dlp_status dlp_topics_share_corpus(struct dlp_processes *processes,
                                           dlp_corpus **corpus, dlp_error *error);

DLP_API void dlp_topics_settings_init(dlp_topics_settings *settings, size_t size);
static inline dlp_topics_settings dlp_topics_settings_default(void)
{
    dlp_topics_settings settings;
    dlp_topics_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_topics_result {
    dlp_outcome outcome;
    int iterations;
    double objective;          /* at the last E step */
    double objective_per_word; /* the same over the number of words */
    int decreases;       /* iterations in which the objective decreased: this can happen,
                            since eq:monitor is not a lower bound for laplace and delta */
    dlp_index unsettled; /* documents that did not converge at the last E step */
    const double *mu;    /* (D, K) means of theta_d */
    const dlp_topics_row *trace; /* (iterations) */
} dlp_topics_result;

typedef struct dlp_ctm dlp_ctm;

/* Checks everything and allocates all that the fit will need. corpus, covariates (NULL:
   none) and settings->start must outlive the fit. settings must not be NULL: it has K. */
DLP_API dlp_status dlp_ctm_alloc(const dlp_corpus *corpus,
                                 const dlp_covariates *covariates,
                                 const dlp_topics_settings *settings, dlp_ctm **ctm,
                                 dlp_error *error);
DLP_API void dlp_ctm_free(dlp_ctm *ctm); /* NULL is fine */

/* Computes the initial topics. This, or dlp_ctm_load, must come before the first step.
   Spectral topics take sum_d m_d^2 additions, where m_d is the number of distinct terms
   in document d, and for each topic one to five passes over the corpus. DLP_ECANCELLED if
   progress stopped it; then start again, or free the fit. */
DLP_API dlp_status dlp_ctm_start(dlp_ctm *ctm, dlp_error *error);
/* Loads or saves the whole state between two iterations, in a file of its own format that
   appears whole or not at all. A fit of the same corpus with the same settings (threads,
   tol, max_iter and progress may differ) that loads it continues to the same bits. If
   loading fails, the fit can only be freed. */
DLP_API dlp_status dlp_ctm_load(dlp_ctm *ctm, const char *path, dlp_error *error);
DLP_API dlp_status dlp_ctm_save(const dlp_ctm *ctm, const char *path, dlp_error *error);

/* Runs EM to its end, or one iteration per call while not done. Neither does anything
   before dlp_ctm_start or dlp_ctm_load. */
DLP_API void dlp_ctm_run(dlp_ctm *ctm);
DLP_API void dlp_ctm_step(dlp_ctm *ctm);
DLP_API int dlp_ctm_done(const dlp_ctm *ctm);

/* Valid until the fit is freed; changes with each step. */
DLP_API const dlp_topics_result *dlp_ctm_result(const dlp_ctm *ctm);
/* A copy of the current beta, Gamma and Sigma_0, released by dlp_topics_free. */
DLP_API dlp_status dlp_ctm_topics(const dlp_ctm *ctm, dlp_topics *topics,
                                  dlp_error *error);

/* ---- documents ---- */

/* How q(theta) of a new document is found. */
typedef struct dlp_document_settings {
    size_t size;        /* set by dlp_document_settings_default */
    const char *method; /* default "laplace" */
    int plain;          /* as in dlp_topics_settings */
    double tol;         /* stop when mu moves by no more than tol (1 + ||mu||). Default
                           1e-5: on the AP corpus at 50 topics, proportions are then
                           within 4e-6 of their limit, and a smaller tol only costs time:
                           their standard deviations are about 1e-2 */
    int max_iter;       /* default 200 */
} dlp_document_settings;

DLP_API void dlp_document_settings_init(dlp_document_settings *settings, size_t size);
static inline dlp_document_settings dlp_document_settings_default(void)
{
    dlp_document_settings settings;
    dlp_document_settings_init(&settings, sizeof settings);
    return settings;
}

/* q(theta) of one document after another. It belongs to one thread at a time. */
typedef struct dlp_document_posterior dlp_document_posterior;

/* Copies what it needs of the topics. settings NULL: the defaults. */
DLP_API dlp_status dlp_document_posterior_alloc(const dlp_topics *topics,
                                                const dlp_document_settings *settings,
                                                dlp_document_posterior **posterior,
                                                dlp_error *error);
/* NULL is fine */
DLP_API void dlp_document_posterior_free(dlp_document_posterior *posterior);

/* A document as a corpus holds it: distinct terms with their counts. */
typedef struct dlp_document {
    dlp_index n;
    const int32_t *term, *count; /* (n) */
    const double *x;             /* (p) covariates; NULL: the intercept alone */
} dlp_document;

/* How the inference of a document ended. */
typedef struct dlp_document_result {
    dlp_outcome outcome;
    dlp_index evaluations;
    dlp_index words;  /* in terms that the model knows */
    dlp_index unseen; /* words in terms that training never saw; they are left out */
    const double *mu; /* (K) mean of theta; valid until the next document */
} dlp_document_result;

/* Document d of a corpus. */
DLP_API dlp_document dlp_corpus_document(const dlp_corpus *corpus, dlp_index d);
/* Finds q(theta) of a document. Fails only on terms outside 0..V-1, counts below 1,
   covariates that are not finite, and if memory is short for a longer document than
   before. */
DLP_API dlp_status dlp_document_infer(dlp_document_posterior *posterior,
                                      const dlp_document *document,
                                      dlp_document_result *result, dlp_error *error);
/* After dlp_document_infer: eq:monitor, completed, at q(theta). */
DLP_API double dlp_document_objective(dlp_document_posterior *posterior);
/* After dlp_document_infer with settings.plain: the iterations of Figure 1; returns how
   many, 0 without `plain`. Valid until the next document. */
DLP_API int dlp_document_trace(const dlp_document_posterior *posterior,
                               const dlp_trace_row **trace);
/* After dlp_document_infer: the covariance of theta, into Sigma (K, K). `corrected`
   non-zero: with z integrated out, which is the uncertainty to report; 0: the paper's,
   which holds q(z) fixed and is too small. Returns 1, or 0 if the corrected one is not
   positive definite and the paper's was written instead. */
DLP_API int dlp_document_covariance(dlp_document_posterior *posterior, int corrected,
                                    double *Sigma);
/* After dlp_document_infer: the proportions softmax(mu) into pi (K), and if sd is not
   NULL their standard deviations, to first order in the corrected covariance, but no more
   than sqrt(pi (1 - pi)), the most that a share can vary. */
DLP_API void dlp_document_proportions(dlp_document_posterior *posterior, double *pi,
                                      double *sd);

/* ---- held-out likelihood ---- */

/* Held-out likelihood by document completion: a document's words, sorted by term, are
   dealt alternately into two halves; theta is inferred from the first, and the second is
   scored by log sum_k beta_kw pi_k with pi = softmax(mu)  (Section 5.1). */
typedef struct dlp_completion_settings {
    size_t size;                           /* set by dlp_completion_settings_default */
    const dlp_document_settings *document; /* default NULL: the defaults */
    int threads; /* the result does not depend on it; default 0: one a processor */
    dlp_progress_call *progress; /* phase "evaluating", documents; default NULL */
    void *context;
    int random_halves; /* non-zero: words are assigned to halves at random, the halves
                          being as long as before; default 0: dealt alternately, which
                          needs no seed but is optimistic, since a term that occurs twice
                          in a document is always in both halves */
    uint64_t seed;     /* of random halves, one stream per document; default 1 */
} dlp_completion_settings;

DLP_API void dlp_completion_settings_init(dlp_completion_settings *settings, size_t size);
static inline dlp_completion_settings dlp_completion_settings_default(void)
{
    dlp_completion_settings settings;
    dlp_completion_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_completion {
    dlp_outcome outcome;    /* DLP_CONVERGED, or DLP_CANCELLED without numbers */
    dlp_index documents;    /* with a word to score */
    dlp_index words;        /* scored */
    dlp_index unseen_words; /* of both halves, left out */
    double log_likelihood;  /* sum over the words scored */
    double per_word;        /* the same over their number; NaN without words */
} dlp_completion;

/* Evaluates a corpus in the model's terms. settings may be NULL. */
DLP_API dlp_status dlp_topics_completion(const dlp_topics *topics,
                                         const dlp_completion_settings *settings,
                                         const dlp_corpus *corpus,
                                         const dlp_covariates *covariates,
                                         dlp_completion *completion, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
