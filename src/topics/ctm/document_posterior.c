/* SPDX-License-Identifier: BSD-3-Clause */
/* The posterior of new documents under a model that has been fitted. */
#include "core/core.h"
#include "core/settings.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"

#include <math.h>
#include <string.h>

struct dlp_document_posterior {
    dlpi_ctm_shared shared;
    dlp_index p;
    double *Gamma; /* (p, K) */
    bool *seen;    /* (V) by training */
    double *mu;    /* (K) of the last document */
    double *Sigma; /* (K, K) */
    int32_t *kept; /* (2 room) its terms that were seen, then their counts */
    dlp_index room;
    dlpi_ctm_document doc;
};

static const dlp_document_settings defaults = {
    .method = "laplace", .tol = 1e-5, .max_iter = 200};

void dlp_document_settings_init(dlp_document_settings *settings, size_t size)
{
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

static void take_topics(dlp_document_posterior *r, const dlp_topics *topics)
{
    const dlp_index K = topics->K, V = topics->V, stride = r->shared.stride;
    for (dlp_index v = 0; v < V; v++)
        for (dlp_index k = 0; k < K; k++) {
            r->shared.beta[v * stride + k] = topics->beta[k * V + v];
            r->seen[v] |= topics->beta[k * V + v] > 0;
        }
}

bool dlpi_document_posterior_set_prior(dlp_document_posterior *r, const double *Gamma,
                                       const double *Sigma0)
{
    const dlp_index K = r->shared.K;
    memcpy(r->shared.Sigma0, Sigma0, (size_t)(K * K) * sizeof *Sigma0);
    memcpy(r->Gamma, Gamma, (size_t)(r->p * K) * sizeof *Gamma);
    return dlpi_ctm_factor_sigma0(&r->shared);
}

static dlp_status allocate(dlp_document_posterior *r, const dlp_topics *topics,
                           const dlp_document_settings *settings, dlp_error *error)
{
    const dlp_index K = topics->K;
    r->p = topics->p;
    DLP_TRY(dlpi_ctm_shared_alloc(K, topics->V, &r->shared, error));
    r->Gamma = dlpi_calloc(dlpi_size(r->p, K, 0), sizeof *r->Gamma);
    r->seen = dlpi_calloc(topics->V, sizeof *r->seen);
    r->mu = dlpi_calloc(K, sizeof *r->mu);
    r->Sigma = dlpi_calloc(dlpi_size(K, K, 0), sizeof *r->Sigma);
    if (!r->Gamma || !r->seen || !r->mu || !r->Sigma)
        return dlpi_no_memory(error, "the document posterior");
    take_topics(r, topics);
    if (!dlpi_document_posterior_set_prior(r, topics->Gamma, topics->Sigma0))
        return dlp_fail(error, DLP_EINPUT,
                        "the covariance of the topics is not positive definite");
    DLP_TRY(dlpi_ctm_document_alloc(&r->shared, settings, &r->doc, error));
    r->doc.mean_only = true;
    return DLP_OK;
}

dlp_status dlp_document_posterior_alloc(const dlp_topics *topics,
                                        const dlp_document_settings *settings,
                                        dlp_document_posterior **posterior,
                                        dlp_error *error)
{
    dlp_document_settings full = defaults;
    *posterior = NULL;
    DLP_TRY(dlpi_settings_take(&full, sizeof full, settings, error));
    DLP_TRY(dlp_topics_check(topics, error));
    DLP_TRY(dlpi_ctm_check_document_settings(&full, error));
    dlp_document_posterior *r = dlpi_calloc(1, sizeof *r);
    if (!r) return dlpi_no_memory(error, "the document posterior");
    const dlp_status status = allocate(r, topics, &full, error);
    if (status != DLP_OK) {
        dlp_document_posterior_free(r);
        return status;
    }
    *posterior = r;
    return DLP_OK;
}

void dlp_document_posterior_free(dlp_document_posterior *r)
{
    if (!r) return;
    dlpi_ctm_document_free(&r->doc);
    dlpi_ctm_shared_free(&r->shared);
    free(r->Gamma);
    free(r->seen);
    free(r->mu);
    free(r->Sigma);
    free(r->kept);
    free(r);
}

static dlp_status make_room(dlp_document_posterior *r, dlp_index n, dlp_error *error)
{
    if (n > r->room) {
        int32_t *kept = dlpi_calloc(dlpi_size(2, n, 0), sizeof *kept);
        if (!kept) return dlpi_no_memory(error, "a document");
        free(r->kept);
        r->kept = kept;
        r->room = n;
    }
    return dlpi_ctm_document_reserve(&r->doc, n, error);
}

/* Leaves out the terms that training never saw. */
static dlp_status take_words(dlp_document_posterior *r, const dlp_document *document,
                             dlp_document_result *result, dlp_error *error)
{
    int32_t *term = r->kept, *count = term + r->room;
    dlp_index n = 0;
    for (dlp_index i = 0; i < document->n; i++) {
        if (document->term[i] < 0 || document->term[i] >= r->shared.V ||
            document->count[i] < 1)
            return dlp_fail(error, DLP_EINPUT,
                            "term %d with count %d: terms are 0 to %td here, counts 1 or "
                            "more",
                            (int)document->term[i], (int)document->count[i],
                            r->shared.V - 1);
        if (r->seen[document->term[i]]) {
            result->words += document->count[i];
            term[n] = document->term[i];
            count[n++] = document->count[i];
        } else {
            result->unseen += document->count[i];
        }
    }
    dlpi_ctm_document_set(&r->doc, n, term, count);
    return DLP_OK;
}

/* m = Gamma' x */
static void set_prior_mean(dlp_document_posterior *r, const double *x)
{
    const dlp_index K = r->shared.K;
    memcpy(r->doc.mean, r->Gamma, (size_t)K * sizeof *r->Gamma);
    for (dlp_index j = 1; x && j < r->p; j++)
        for (dlp_index k = 0; k < K; k++) r->doc.mean[k] += x[j] * r->Gamma[j * K + k];
}

/* Where to begin. The prior mean has not seen the words, so we first take a few rounds
   that see them, each cheaper than an evaluation. Then mu is the log of what they found,
   shifted to the prior's mean. */
static void begin(dlp_document_posterior *r)
{
    enum { ROUNDS = 5 };
    const double PRIOR_WORDS = 3;
    dlpi_ctm_document *doc = &r->doc;
    const dlp_index K = r->shared.K;
    double shift = 0;
    if (doc->method == &dlpi_ctm_dirichlet) {
        dlpi_dirichlet_begin(doc, r->mu);
        return;
    }
    memcpy(r->mu, doc->mean, (size_t)K * sizeof *r->mu);
    if (doc->n == 0 || doc->fit) return; /* Figure 1 begins at the prior mean */
    dlpi_ctm_blend_words(doc, doc->mean, PRIOR_WORDS, ROUNDS);
    for (dlp_index k = 0; k < K; k++) r->mu[k] = log(doc->e[k]);
    for (dlp_index k = 0; k < K; k++) shift += (doc->mean[k] - r->mu[k]) / (double)K;
    for (dlp_index k = 0; k < K; k++) r->mu[k] += shift;
    if (!dlpi_all_finite(K, r->mu)) memcpy(r->mu, doc->mean, (size_t)K * sizeof *r->mu);
}

dlp_status dlp_document_infer(dlp_document_posterior *r, const dlp_document *document,
                              dlp_document_result *result, dlp_error *error)
{
    *result = (dlp_document_result){.mu = r->mu};
    dlpi_ctm_document_set(&r->doc, 0, NULL, NULL); /* what is left after a failure */
    for (dlp_index j = 0; document->x && j < r->p; j++)
        if (!isfinite(document->x[j]))
            return dlp_fail(error, DLP_EINPUT, "covariate %td is %g; it must be finite",
                            j + 1, document->x[j]);
    DLP_TRY(make_room(r, document->n, error));
    DLP_TRY(take_words(r, document, result, error));
    set_prior_mean(r, document->x);
    begin(r);
    r->doc.optim.evaluations = 0;
    dlpi_ctm_infer(&r->doc, r->mu);
    result->outcome = r->doc.outcome;
    result->evaluations = r->doc.optim.evaluations;
    return DLP_OK;
}

int dlp_document_trace(const dlp_document_posterior *r, const dlp_trace_row **trace)
{
    *trace = NULL;
    if (!r->doc.fit) return 0;
    const dlp_result *result = dlp_fit_result(r->doc.fit);
    *trace = result->trace;
    return result->iterations;
}

/* Sigma and the objective at mu, which inference leaves out */
static void revisit(dlp_document_posterior *r)
{
    r->doc.mean_only = false;
    dlpi_ctm_revisit(&r->doc, r->mu);
    r->doc.mean_only = true;
}

double dlp_document_objective(dlp_document_posterior *r)
{
    revisit(r);
    return r->doc.objective;
}

int dlp_document_covariance(dlp_document_posterior *r, int corrected, double *Sigma)
{
    const dlp_index K = r->shared.K;
    dlpi_ctm_document *doc = &r->doc;
    const size_t size = (size_t)(K * K) * sizeof *Sigma;
    if (corrected && doc->method != &dlpi_ctm_dirichlet) {
        dlpi_ctm_curvature_without_z(doc, doc->A);
        const bool defined = dlpi_cholesky(K, doc->A) < 0;
        if (defined) dlpi_cholesky_inverse(K, doc->A, doc->work, Sigma);
        if (dlpi_ctm_bound_covariance(doc, Sigma) || defined) return 1;
    }
    revisit(r);
    memcpy(Sigma, doc->Sigma, size);
    return (!corrected || doc->method == &dlpi_ctm_dirichlet) &&
           doc->outcome == DLP_CONVERGED;
}

void dlpi_document_posterior_shift(dlp_document_posterior *r, const double *Sigma,
                                   double *shift)
{
    memset(shift, 0, (size_t)r->shared.K * sizeof *shift);
    if (r->doc.method == &dlpi_ctm_laplace) dlpi_ctm_mean_shift(&r->doc, Sigma, shift);
}

/* An sd to first order may exceed what a share with this mean can vary, between 0 and 1. */
static double share_sd(double share, double variance)
{
    return sqrt(fmin(fmax(variance, 0), share * (1 - share)));
}

/* pi = softmax(mu); d pi_i / d theta_j = pi_i ([i=j] - pi_j), so the variance of pi_i is
   pi_i^2 (Sigma_ii - 2 (Sigma pi)_i + pi'Sigma pi) */
void dlp_document_proportions(dlp_document_posterior *r, double *pi, double *sd)
{
    const dlp_index K = r->shared.K;
    memcpy(pi, r->doc.pi, (size_t)K * sizeof *pi);
    for (dlp_index k = 0; sd && k < K && r->doc.method == &dlpi_ctm_dirichlet; k++)
        sd[k] = dlpi_dirichlet_sd(K, r->mu, pi[k]);
    if (!sd || r->doc.method == &dlpi_ctm_dirichlet) return;
    double *Sigma_pi = r->doc.spare;
    dlp_document_covariance(r, 1, r->Sigma);
    dlpi_symmetric_multiply(K, r->Sigma, pi, Sigma_pi);
    const double square = dlpi_dot(K, pi, Sigma_pi);
    for (dlp_index i = 0; i < K; i++) {
        const double variance = r->Sigma[i * (K + 1)] - 2 * Sigma_pi[i] + square;
        sd[i] = share_sd(pi[i], pi[i] * pi[i] * variance);
    }
}

/* P_g = sum of pi_i over group g; with v_g that part of pi and s = Sigma pi its variance is
   v_g'Sigma v_g - 2 P_g v_g's + P_g^2 pi's */
void dlpi_document_shares(dlp_document_posterior *r, dlp_index groups,
                          const dlp_index *group, double *shares, double *sd)
{
    const dlp_index K = r->shared.K;
    const double *pi = r->doc.pi;
    double *s = r->doc.spare;
    memset(shares, 0, (size_t)groups * sizeof *shares);
    for (dlp_index i = 0; i < K; i++) shares[group[i]] += pi[i];
    for (dlp_index g = 0; sd && g < groups && r->doc.method == &dlpi_ctm_dirichlet; g++)
        sd[g] = dlpi_dirichlet_sd(K, r->mu, shares[g]);
    if (!sd || r->doc.method == &dlpi_ctm_dirichlet) return;
    dlp_document_covariance(r, 1, r->Sigma);
    dlpi_symmetric_multiply(K, r->Sigma, pi, s);
    const double square = dlpi_dot(K, pi, s);
    for (dlp_index g = 0; g < groups; g++) sd[g] = shares[g] * shares[g] * square;
    for (dlp_index i = 0; i < K; i++) {
        double *variance = &sd[group[i]], within = 0;
        for (dlp_index j = 0; j < K; j++)
            if (group[j] == group[i]) within += r->Sigma[i * K + j] * pi[j];
        *variance += pi[i] * (within - 2 * shares[group[i]] * s[i]);
    }
    for (dlp_index g = 0; g < groups; g++) sd[g] = share_sd(shares[g], sd[g]);
}

dlp_status dlpi_check_groups(dlp_index K, dlp_index groups, const dlp_index *group,
                             dlp_error *error)
{
    for (dlp_index k = 0; k < K; k++)
        if (group[k] < 0 || group[k] >= groups)
            return dlp_fail(error, DLP_EINVAL,
                            "topic %td is in group %td; groups are 0 to %td", k + 1,
                            group[k], groups - 1);
    return DLP_OK;
}

dlp_document dlp_corpus_document(const dlp_corpus *corpus, dlp_index d)
{
    const dlp_index first = corpus->row[d];
    return (dlp_document){.n = corpus->row[d + 1] - first,
                          .term = corpus->term + first,
                          .count = corpus->count + first};
}
