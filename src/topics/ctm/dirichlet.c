/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A document under a Dirichlet prior, as a baseline (Blei, Ng and Jordan 2003; with
 * covariates Mimno and McCallum 2008): pi ~ Dir(alpha), alpha_k = exp(mean_k), and q(pi)
 * = Dir(gamma), found by rounds of
 *
 *     gamma_k = alpha_k + sum_w c_w phi_wk,    phi_wk prop. to exp(digamma(gamma_k)) beta_kw.
 *
 * What the rest calls theta is log gamma, whose softmax is the mean of pi. A Dirichlet
 * variable is the softmax of independent logarithms of gamma variables, with variances
 * trigamma(gamma_k).
 */
#include "topics/ctm/ctm.h"

#include <delaplace/special.h>

#include <math.h>
#include <string.h>

const dlpi_ctm_method dlpi_ctm_dirichlet = {.name = "dirichlet",
                                            .kind = DLP_TOPICS_DIRICHLET};

/* A topic is never left out altogether: a word may be in no other. */
static const double LEAST_SHARE = 1e-120;
/* Rounds are cheap compared with the steps of a climb, and converge more slowly. */
enum { ROUNDS = 5 };

static double sum_of(dlp_index K, const double *x)
{
    double sum = 0;
    for (dlp_index k = 0; k < K; k++) sum += x[k];
    return sum;
}

/* alpha, within the range that can be computed with */
static void set_alpha(const dlpi_ctm_document *doc, double *alpha)
{
    const dlp_index K = doc->shared->K;
    for (dlp_index k = 0; k < K; k++) alpha[k] = fmin(fmax(doc->mean[k], -20), 20);
    dlp_exp_array(K, alpha, alpha);
}

/* e = exp(digamma(gamma) - max), and the words' s and tally with it; digamma (K) is
   room. */
static void weigh_words(dlpi_ctm_document *doc, const double *gamma, double *digamma)
{
    const dlpi_ctm_shared *m = doc->shared;
    dlp_digamma_array(m->K, gamma, digamma);
    doc->max = digamma[0];
    for (dlp_index k = 1; k < m->K; k++) doc->max = fmax(doc->max, digamma[k]);
    for (dlp_index k = 0; k < m->K; k++) doc->e[k] = digamma[k] - doc->max;
    dlp_exp_array(m->K, doc->e, doc->e);
    for (dlp_index k = 0; k < m->K; k++) doc->e[k] = fmax(doc->e[k], LEAST_SHARE);
    dlpi_ctm_words(m->stride, doc->n, doc->term, doc->c, m->beta, doc->e, doc->s,
                   doc->tally);
    doc->optim.evaluations++;
}

/* Rounds, until gamma moves by no more than tol of its sum. */
static dlp_outcome climb(dlpi_ctm_document *doc, double *mu)
{
    const dlp_index K = doc->shared->K;
    double *gamma = doc->spare, *alpha = gamma + K, *room = alpha + K;
    dlp_exp_array(K, mu, gamma);
    set_alpha(doc, alpha);
    const double all = sum_of(K, alpha) + doc->N;
    dlp_outcome outcome = DLP_MAX_ITERATIONS;
    for (int i = 0; i < ROUNDS * doc->max_iter && outcome == DLP_MAX_ITERATIONS; i++) {
        double moved = 0;
        weigh_words(doc, gamma, room);
        for (dlp_index k = 0; k < K; k++) {
            const double next = alpha[k] + doc->e[k] * doc->tally[k];
            moved += fabs(next - gamma[k]);
            gamma[k] = next;
        }
        if (!isfinite(moved)) return DLP_DIVERGED;
        if (moved <= doc->tol * all) outcome = DLP_CONVERGED;
    }
    for (dlp_index k = 0; k < K; k++) mu[k] = log(gamma[k]);
    return outcome;
}

/*
 * At mu: pi; the mean of log pi_k, digamma(gamma_k) - digamma(sum gamma), in doc->off;
 * and the bound
 *
 *     sum_w c_w log sum_k exp(E log pi_k) beta_kw + log Gamma(sum alpha) - sum log Gamma(alpha_k)
 *     - log Gamma(sum gamma) + sum log Gamma(gamma_k) + sum (alpha_k - gamma_k) E log pi_k.
 */
static bool finish(dlpi_ctm_document *doc, const double *mu)
{
    const dlp_index K = doc->shared->K;
    double *gamma = doc->spare, *alpha = gamma + K, *room = alpha + K;
    dlp_exp_array(K, mu, gamma);
    set_alpha(doc, alpha);
    weigh_words(doc, gamma, room);
    const double all = sum_of(K, gamma), digamma_all = dlp_digamma(all);
    double value = dlpi_ctm_log_sum(doc->n, doc->c, doc->s, doc->logs) +
                   doc->N * (doc->max - digamma_all) + dlp_lgamma(sum_of(K, alpha)) -
                   dlp_lgamma(all);
    for (dlp_index k = 0; k < K; k++) {
        doc->off[k] = room[k] - digamma_all;
        doc->pi[k] = gamma[k] / all;
        value += (alpha[k] - gamma[k]) * doc->off[k];
    }
    dlp_lgamma_array(K, gamma, room);
    value += sum_of(K, room);
    dlp_lgamma_array(K, alpha, room);
    doc->objective = doc->value = value - sum_of(K, room);
    if (doc->mean_only) return isfinite(doc->objective);
    memset(doc->Sigma, 0, (size_t)(K * K) * sizeof *doc->Sigma);
    for (dlp_index k = 0; k < K; k++) doc->Sigma[k * (K + 1)] = dlp_trigamma(gamma[k]);
    return isfinite(doc->objective);
}

void dlpi_dirichlet_infer(dlpi_ctm_document *doc, double *mu)
{
    doc->outcome = climb(doc, mu);
    if (finish(doc, mu)) return;
    dlpi_dirichlet_begin(doc, mu);
    doc->outcome = DLP_DIVERGED;
    finish(doc, mu);
}

void dlpi_dirichlet_revisit(dlpi_ctm_document *doc, const double *mu)
{
    doc->outcome = finish(doc, mu) ? DLP_CONVERGED : DLP_DIVERGED;
}

/* gamma = alpha + N / K, the words dealt evenly */
void dlpi_dirichlet_begin(const dlpi_ctm_document *doc, double *mu)
{
    const dlp_index K = doc->shared->K;
    for (dlp_index k = 0; k < K; k++)
        mu[k] = log(exp(fmin(fmax(doc->mean[k], -20), 20)) + doc->N / (double)K);
}

/* Var pi_k = m (1 - m) / (sum gamma + 1), m its mean; the same for sums of them */
double dlpi_dirichlet_sd(dlp_index K, const double *mu, double share)
{
    double all = 0;
    for (dlp_index k = 0; k < K; k++) all += exp(mu[k]);
    return sqrt(fmax(share * (1 - share), 0) / (all + 1));
}
