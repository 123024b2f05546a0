/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The M step of a Dirichlet prior, alpha_dk = exp(lambda_k' x_d), which maximises
 *
 *     sum_d log Gamma(sum_k alpha_dk) - sum_k log Gamma(alpha_dk) + sum_k alpha_dk E[log pi_dk]
 *     - ridge/2 sum lambda^2,  the intercepts apart.
 *
 * log Gamma is convex, so that digamma(A_d) alpha_dk, with A_d the present sum, may
 * replace the first term (Minka 2000). Then topics separate, and lambda_k has the
 * gradient sum_d x_d alpha_dk (digamma(A_d) - digamma(alpha_dk) + E log pi_dk) and the
 * expected curvature sum_d x_d x_d' alpha_dk^2 trigamma(alpha_dk). A few such steps are
 * taken in each M step.
 */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_fit.h"

#include <delaplace/special.h>

#include <math.h>
#include <string.h>

enum { ROUNDS = 5, CHUNKS = 64 };
static const double MOST_STEP = 1, LEAST_LOG = -12, MOST_LOG = 12;

struct dlpi_dirichlet {
    dlp_index n;    /* numbers of a chunk's sums: K p (p + 1) */
    double *log_pi; /* (D, K) E log pi_d */
    double *part; /* (CHUNKS, n): of each topic the gradient (p), the curvature (p, p) */
    double *room; /* (CHUNKS, 4 K) */
};

dlp_status dlpi_dirichlet_alloc(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_index K = ctm->shared.K, p = ctm->p;
    struct dlpi_dirichlet *a = ctm->dirichlet = dlpi_calloc(1, sizeof *a);
    if (!a) return dlpi_no_memory(error, "the Dirichlet prior");
    a->n = dlpi_size(K, dlpi_size(p, p + 1, 0), 0);
    a->log_pi = dlpi_calloc(dlpi_size(ctm->corpus->D, K, 0), sizeof *a->log_pi);
    a->part = dlpi_calloc(dlpi_size(CHUNKS, a->n, 0), sizeof *a->part);
    a->room = dlpi_calloc(dlpi_size(CHUNKS, 4 * K, 0), sizeof *a->room);
    if (a->log_pi && a->part && a->room) return DLP_OK;
    return dlpi_no_memory(error, "the Dirichlet prior");
}

void dlpi_dirichlet_free(struct dlpi_dirichlet *a)
{
    if (!a) return;
    free(a->log_pi);
    free(a->part);
    free(a->room);
    free(a);
}

/* Sigma_0 of a Dirichlet variable, seen as a softmax, at the mean of covariates */
static bool set_sigma0(dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K;
    memset(ctm->shared.Sigma0, 0, (size_t)(K * K) * sizeof *ctm->shared.Sigma0);
    for (dlp_index k = 0; k < K; k++)
        ctm->shared.Sigma0[k * (K + 1)] = dlp_trigamma(exp(ctm->Gamma[k]));
    return dlpi_ctm_factor_sigma0(&ctm->shared);
}

bool dlpi_dirichlet_start(dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K;
    for (dlp_index k = 0; k < K; k++) ctm->Gamma[k] = -log((double)K);
    return set_sigma0(ctm);
}

static dlp_index first_of(const dlp_ctm *ctm, dlp_index chunk)
{
    return ctm->corpus->D * chunk / CHUNKS;
}

static void set_log_pi(const dlp_ctm *ctm, dlp_index chunk)
{
    const dlp_index K = ctm->shared.K;
    const struct dlpi_dirichlet *a = ctm->dirichlet;
    double *gamma = a->room + chunk * 4 * K;
    for (dlp_index d = first_of(ctm, chunk); d < first_of(ctm, chunk + 1); d++) {
        double *log_pi = a->log_pi + d * K, all = 0;
        dlp_exp_array(K, ctm->mu + d * K, gamma);
        for (dlp_index k = 0; k < K; k++) all += gamma[k];
        const double digamma = dlp_digamma(all);
        dlp_digamma_array(K, gamma, log_pi);
        for (dlp_index k = 0; k < K; k++) log_pi[k] -= digamma;
    }
}

/* x_d with the intercept: 1, then those standardised. */
static double x_of(const dlp_ctm *ctm, dlp_index d, dlp_index j)
{
    return j == 0 ? 1 : ctm->X[d * (ctm->p - 1) + j - 1];
}

static void add_document(const dlp_ctm *ctm, dlp_index d, const double *slope,
                         const double *bend, double *sums)
{
    const dlp_index p = ctm->p;
    for (dlp_index k = 0; k < ctm->shared.K; k++) {
        double *grad = sums + k * p * (p + 1), *curve = grad + p;
        for (dlp_index i = 0; i < p; i++) {
            const double x = x_of(ctm, d, i);
            grad[i] += slope[k] * x;
            for (dlp_index j = i; j < p; j++)
                curve[i * p + j] += bend[k] * x * x_of(ctm, d, j);
        }
    }
}

static void add_chunk(const dlp_ctm *ctm, dlp_index chunk)
{
    const dlp_index K = ctm->shared.K;
    const struct dlpi_dirichlet *a = ctm->dirichlet;
    double *alpha = a->room + chunk * 4 * K, *digamma = alpha + K, *bend = digamma + K,
           *slope = bend + K, *sums = a->part + chunk * a->n;
    memset(sums, 0, (size_t)a->n * sizeof *sums);
    for (dlp_index d = first_of(ctm, chunk); d < first_of(ctm, chunk + 1); d++) {
        double all = 0;
        dlpi_ctm_prior_mean(ctm, d, alpha);
        for (dlp_index k = 0; k < K; k++) alpha[k] = fmin(fmax(alpha[k], -20), 20);
        dlp_exp_array(K, alpha, alpha);
        for (dlp_index k = 0; k < K; k++) all += alpha[k];
        dlp_digamma_array(K, alpha, digamma);
        dlp_trigamma_array(K, alpha, bend);
        const double of_all = dlp_digamma(all);
        for (dlp_index k = 0; k < K; k++) {
            slope[k] = alpha[k] * (of_all - digamma[k] + a->log_pi[d * K + k]);
            bend[k] *= alpha[k] * alpha[k];
        }
        add_document(ctm, d, slope, bend, sums);
    }
}

/* A step of topic k from its sums. */
static void move_topic(dlp_ctm *ctm, dlp_index k, double *sums)
{
    const dlp_index K = ctm->shared.K, p = ctm->p;
    double *grad = sums, *curve = sums + p, most = 0;
    for (dlp_index j = 1; j < p; j++) {
        grad[j] -= ctm->settings.ridge * ctm->Gamma[j * K + k];
        curve[j * (p + 1)] += ctm->settings.ridge;
    }
    if (dlpi_cholesky(p, curve) >= 0) return;
    dlpi_cholesky_solve(p, curve, grad);
    for (dlp_index j = 0; j < p; j++) most = fmax(most, fabs(grad[j]));
    if (!isfinite(most)) return;
    for (dlp_index j = 0; j < p; j++)
        ctm->Gamma[j * K + k] += grad[j] * (most > MOST_STEP ? MOST_STEP / most : 1);
    ctm->Gamma[k] = fmin(fmax(ctm->Gamma[k], LEAST_LOG), MOST_LOG);
}

static void move_prior(dlp_ctm *ctm)
{
    const struct dlpi_dirichlet *a = ctm->dirichlet;
    const dlp_index each = ctm->p * (ctm->p + 1);
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index chunk = 0; chunk < CHUNKS; chunk++) add_chunk(ctm, chunk);
    for (dlp_index chunk = 1; chunk < CHUNKS; chunk++)
        for (dlp_index i = 0; i < a->n; i++) a->part[i] += a->part[chunk * a->n + i];
    for (dlp_index k = 0; k < ctm->shared.K; k++) move_topic(ctm, k, a->part + k * each);
}

bool dlpi_dirichlet_update_prior(dlp_ctm *ctm)
{
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index chunk = 0; chunk < CHUNKS; chunk++) set_log_pi(ctm, chunk);
    for (int i = 0; i < ROUNDS; i++) move_prior(ctm);
    return set_sigma0(ctm);
}
