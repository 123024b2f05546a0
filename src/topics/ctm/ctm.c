/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The correlated topic model of one document (Section 4.1, Appendix B):
 *     theta ~ N(m, Sigma_0),  z_n ~ softmax(theta),  w_n ~ beta_{z_n}.
 *
 * In the paper's terms h(z) = 1, t(z) = sum_n z_n, eta(theta) = theta - log sum_k
 * exp theta_k and a = 0. q(z_n) is phi_nk prop. to exp(mu_k) beta_{k,w_n}, the same for
 * every occurrence of a term, so a document is its distinct terms w with counts c_w.
 */
#include "topics/ctm/ctm.h"

#include <delaplace/special.h>

#include "math/dense.h"

#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;
/* A count, which is below 2^31, can be divided twice by anything above this. */
static const double LEAST = 1e-145;

/* e, sum_e, max and pi at theta */
static void softmax(dlpi_ctm_document *doc, const double *theta)
{
    const dlp_index K = doc->shared->K;
    double max = theta[0], sum = 0;
    for (dlp_index k = 1; k < K; k++) max = theta[k] > max ? theta[k] : max;
    for (dlp_index k = 0; k < K; k++) doc->e[k] = theta[k] - max;
    dlp_exp_array(K, doc->e, doc->e);
    for (dlp_index k = 0; k < K; k++) sum += doc->e[k];
    for (dlp_index k = 0; k < K; k++) doc->pi[k] = doc->e[k] / sum;
    doc->max = max;
    doc->sum_e = sum;
}

void dlpi_ctm_weigh(dlpi_ctm_document *doc, const double *mu)
{
    softmax(doc, mu);
}

/* sum_w c_w log sum_k exp(theta_k) beta_kw at the theta of softmax, with s and tally */
static double log_words(dlpi_ctm_document *doc)
{
    const dlpi_ctm_shared *m = doc->shared;
    dlpi_ctm_words(m->stride, doc->n, doc->term, doc->c, m->beta, doc->e, doc->s,
                   doc->tally);
    for (dlp_index w = 0; w < doc->n; w++)
        if (!(doc->s[w] > LEAST)) return -INFINITY; /* no topic with this term is left */
    return dlpi_ctm_log_sum(doc->n, doc->c, doc->s, doc->logs) + doc->N * doc->max;
}

void dlpi_ctm_blend_words(dlpi_ctm_document *doc, const double *theta, double weight,
                          int rounds)
{
    const dlpi_ctm_shared *m = doc->shared;
    softmax(doc, theta);
    for (int i = 0; i < rounds; i++) {
        dlpi_ctm_words(m->stride, doc->n, doc->term, doc->c, m->beta, doc->e, doc->s,
                       doc->tally);
        for (dlp_index k = 0; k < m->K; k++)
            doc->e[k] = weight * doc->pi[k] + doc->e[k] * doc->tally[k];
    }
}

/* 1/2 (theta-m)' P0 (theta-m), with pull = P0 (theta-m) */
static double half_square(dlpi_ctm_document *doc, const double *theta)
{
    const dlpi_ctm_shared *m = doc->shared;
    for (dlp_index k = 0; k < m->K; k++) doc->off[k] = theta[k] - doc->mean[k];
    dlpi_ctm_multiply(m->K, m->stride, m->P0, doc->off, doc->pull);
    return 0.5 * dlpi_dot(m->K, doc->off, doc->pull);
}

double dlpi_ctm_words_and_prior(dlpi_ctm_document *doc, const double *theta, double *grad)
{
    softmax(doc, theta);
    const double value = log_words(doc) - half_square(doc, theta);
    for (dlp_index k = 0; grad && k < doc->shared->K; k++)
        grad[k] = doc->e[k] * doc->tally[k] - doc->pull[k];
    return value;
}

void dlpi_ctm_curvature(const dlpi_ctm_document *doc, double *A)
{
    const dlpi_ctm_shared *m = doc->shared;
    dlpi_ctm_add_softmax(m->K, m->stride, m->P0, doc->N, doc->pi, A);
}

void dlpi_ctm_curvature_without_z(dlpi_ctm_document *doc, double *A)
{
    const dlpi_ctm_shared *m = doc->shared;
    const dlp_index K = m->K;
    double *weight = doc->logs, *outer = doc->pairs;
    for (dlp_index w = 0; w < doc->n; w++)
        weight[w] = doc->c[w] / (doc->s[w] * doc->s[w]);
    memset(outer, 0, (size_t)(K * K) * sizeof *outer);
    dlpi_ctm_outer(K, m->stride, doc->n, doc->term, weight, m->beta, outer);
    dlpi_ctm_curvature_of_pairs(doc, A);
}

void dlpi_ctm_curvature_of_pairs(const dlpi_ctm_document *doc, double *A)
{
    const dlp_index K = doc->shared->K;
    const double *outer = doc->pairs;
    dlpi_ctm_curvature(doc, A);
    for (dlp_index i = 0; i < K; i++) {
        A[i * K + i] -= doc->e[i] * doc->tally[i]; /* sum_w c_w phi_wi */
        for (dlp_index j = i; j < K; j++) {
            A[i * K + j] += doc->e[i] * doc->e[j] * outer[i * K + j];
            A[j * K + i] = A[i * K + j];
        }
    }
}

static double log_prior_constant(const dlpi_ctm_document *doc)
{
    return -0.5 * ((double)doc->shared->K * LOG_2_PI + doc->shared->log_det);
}

static void write_hess(dlpi_ctm_document *doc, dlp_sym *hess)
{
    dlpi_ctm_curvature(doc, dlp_sym_block(hess, 0));
    dlp_sym_negate(hess);
}

/*
 * f = theta' E[t(z)] - N log sum_k exp theta_k + log N(theta; m, Sigma_0)
 *
 * grad = E[t(z)] - N pi - P0 (theta - m),   pi = softmax(theta)
 * hess = -N (diag pi - pi pi') - P0
 */
static double f(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlpi_ctm_document *doc = state;
    const dlp_index K = doc->shared->K;
    softmax(doc, theta);
    const double value = dlpi_dot(K, theta, doc->stats) -
                         doc->N * (doc->max + log(doc->sum_e)) - half_square(doc, theta) +
                         log_prior_constant(doc);
    for (dlp_index k = 0; grad && k < K; k++)
        grad[k] = doc->stats[k] - doc->N * doc->pi[k] - doc->pull[k];
    if (hess) write_hess(doc, hess);
    return value;
}

/* The gradient of Tr{hess f Sigma}: N pi_i [-Sigma_ii + sum_k pi_k Sigma_kk + 2 (Sigma
   pi)_i - 2 pi'Sigma pi]. The published paper has a different one (erratum E1). */
static void trace_grad(void *state, const double *theta, const dlp_sym *Sigma,
                       double *grad)
{
    dlpi_ctm_document *doc = state;
    const dlp_index K = doc->shared->K;
    double *variance = doc->spare, *Sigma_pi = variance + K;
    softmax(doc, theta);
    dlp_sym_get_diagonal(Sigma, variance);
    dlp_sym_multiply(Sigma, doc->pi, Sigma_pi);
    const double shared =
        dlpi_dot(K, doc->pi, variance) - 2 * dlpi_dot(K, doc->pi, Sigma_pi);
    for (dlp_index i = 0; i < K; i++)
        grad[i] = doc->N * doc->pi[i] * (shared - variance[i] + 2 * Sigma_pi[i]);
}

/* E[t(z)]_k = sum_w c_w phi_wk: update_z has left it. */
static void expect_stats(void *state)
{
    (void)state;
}

/* E[eta_k] = mu_k less a number that is the same for all k and does not affect q(z): no
   approximation of E[log sum exp theta] is needed. */
static void expect_eta(void *state, const double *mu, const dlp_sym *Sigma, double *e_eta)
{
    const dlpi_ctm_document *doc = state;
    (void)Sigma;
    memcpy(e_eta, mu, (size_t)doc->shared->K * sizeof *e_eta);
}

/* phi_wk = exp(E[eta_k]) beta_kw / s_w, and with it
   E[log p(x|z)] - E[log q(z)] = sum_w c_w log s_w - E[t(z)]' E[eta] */
static void update_z(void *state, const double *e_eta)
{
    dlpi_ctm_document *doc = state;
    const dlp_index K = doc->shared->K;
    softmax(doc, e_eta);
    const double words = log_words(doc);
    for (dlp_index k = 0; k < K; k++) doc->stats[k] = doc->e[k] * doc->tally[k];
    doc->objective_z = words - dlpi_dot(K, doc->stats, e_eta);
}

static double objective_z(void *state)
{
    const dlpi_ctm_document *doc = state;
    return doc->objective_z;
}

/*
 * log p(x, theta) = sum_w c_w log sum_k pi_k beta_kw + log N(theta; m, Sigma_0)
 *
 * grad is f's with E[t(z)] at theta itself;
 * hess = f's + sum_w c_w (diag phi_w - phi_w phi_w')
 */
static double marginal(void *state, const double *theta, double *grad, dlp_sym *hess)
{
    dlpi_ctm_document *doc = state;
    const double value = dlpi_ctm_words_and_prior(doc, theta, grad) -
                         doc->N * (doc->max + log(doc->sum_e)) + log_prior_constant(doc);
    for (dlp_index k = 0; grad && k < doc->shared->K; k++) grad[k] -= doc->N * doc->pi[k];
    if (hess) {
        dlpi_ctm_curvature_without_z(doc, dlp_sym_block(hess, 0));
        dlp_sym_negate(hess);
    }
    return value;
}

static const dlp_model_type ctm_type = {
    .size = sizeof ctm_type,
    .name = "correlated topic model",
    .f = f,
    .derivatives = 2,
    .trace_grad = trace_grad,
    .expect_stats = expect_stats,
    .expect_eta = expect_eta,
    .update_z = update_z,
    .objective_z = objective_z,
    .marginal = marginal,
};

dlp_model dlpi_ctm_model(dlpi_ctm_document *doc)
{
    return (dlp_model){.type = &ctm_type,
                       .state = doc,
                       .shape = dlp_shape_dense(doc->shared->K),
                       .n_eta = doc->shared->K};
}
