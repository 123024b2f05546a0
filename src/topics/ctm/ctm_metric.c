/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metric in which a document's objective is climbed: the curvature with z integrated
 * out,
 *
 *     P0 + N (diag pi - pi pi') - sum_w c_w (diag phi_w - phi_w phi_w').
 *
 * Words affect only the active topics, those that have some of them, and a document has
 * few. With U the columns of the identity for the active topics the metric is P0 + U M
 * U'. If there are few topics in all, its factor is inverted directly; for many, with S =
 * U' Sigma_0 U = R'R and T = I + R M R', its inverse is
 *
 *     Sigma_0 - Sigma_0 U R^-1 (I - T^-1) R'^-1 U' Sigma_0,
 *
 * which needs no factor of order K.
 */
#include "math/dense.h"
#include "topics/ctm/ctm.h"

#include <math.h>
#include <string.h>

/* A topic with fewer words of the document than this is taken to have none; the bar is
   raised while more topics than this would pass. */
static const double LEAST_WORDS = 0.1;
enum { MOST_ACTIVE = DLPI_CTM_MOST_ACTIVE };
/* With no more topics than this, a factor of order K is the cheaper way. */
enum { FEW_TOPICS = 64 };

static dlp_index count_active(dlpi_ctm_document *doc, double least)
{
    dlp_index n = 0;
    for (dlp_index k = 0; k < doc->shared->K; k++)
        if (doc->N * doc->pi[k] > least || doc->e[k] * doc->tally[k] > least)
            doc->active[n++] = (int32_t)k;
    return n;
}

static bool few_topics(const dlpi_ctm_document *doc)
{
    return doc->shared->K <= FEW_TOPICS;
}

static void find_active(dlpi_ctm_document *doc)
{
    double least = LEAST_WORDS;
    while ((doc->n_active = count_active(doc, least)) > MOST_ACTIVE) least *= 2;
}

/* M (n, n) = N (diag pi - pi pi') over the active topics */
static void prior_part(const dlpi_ctm_document *doc, double *M)
{
    const dlp_index n = doc->n_active;
    for (dlp_index i = 0; i < n; i++) {
        const double n_i = doc->N * doc->pi[doc->active[i]];
        for (dlp_index j = 0; j < n; j++) M[i * n + j] = -n_i * doc->pi[doc->active[j]];
        M[i * n + i] += n_i;
    }
}

/* M -= sum_w c_w (diag phi_w - phi_w phi_w') */
static void subtract_words(dlpi_ctm_document *doc, double *M)
{
    const dlp_index n = doc->n_active, padded = dlpi_ctm_stride(n);
    double *weight = doc->logs, *outer = doc->outer;
    for (dlp_index w = 0; w < doc->n; w++)
        weight[w] = doc->c[w] / (doc->s[w] * doc->s[w]);
    dlpi_ctm_outer_active(n, doc->active, doc->shared->stride, doc->n, doc->term, weight,
                          doc->shared->beta, doc->packed, outer);
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index k = doc->active[i];
        M[i * n + i] -= doc->e[k] * doc->tally[k];
        for (dlp_index j = i; j < n; j++) {
            M[i * n + j] += doc->e[k] * doc->e[doc->active[j]] * outer[i * padded + j];
            M[j * n + i] = M[i * n + j];
        }
    }
}

/* S = U' Sigma_0 U, factored in place: R (n, n) */
static bool factor_sigma0(const dlpi_ctm_document *doc, double *R)
{
    const dlp_index n = doc->n_active, K = doc->shared->K;
    for (dlp_index i = 0; i < n; i++) {
        const double *row = doc->shared->Sigma0 + doc->active[i] * K;
        for (dlp_index j = 0; j < n; j++) R[i * n + j] = row[doc->active[j]];
    }
    return dlpi_cholesky(n, R) < 0;
}

/* M becomes T = I + R M R', factored in place; X (n, n) to work in */
static bool factor_inner(dlp_index n, double *R, double *X, double *M)
{
    dlpi_ctm_congruence(n, R, X, M);
    for (dlp_index i = 0; i < n; i++) M[i * (n + 1)] += 1;
    return dlpi_cholesky(n, M) < 0;
}

/* R is kept in doc->work, the factor of T in doc->A. */
static bool factor_for_many(dlpi_ctm_document *doc, bool with_words)
{
    double *M = doc->A, *R = doc->work, *X = doc->Sigma;
    prior_part(doc, M);
    if (with_words) subtract_words(doc, M);
    return factor_sigma0(doc, R) && factor_inner(doc->n_active, R, X, M);
}

/* The inverse of the factor is kept in doc->outer. */
static bool invert_for_few(dlpi_ctm_document *doc, bool with_words)
{
    const dlp_index n = doc->n_active, K = doc->shared->K;
    double *M = doc->Sigma, *A = doc->A;
    dlpi_ctm_curvature(doc, A);
    if (with_words) {
        memset(M, 0, (size_t)(n * n) * sizeof *M);
        subtract_words(doc, M);
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index j = 0; j < n; j++)
                A[doc->active[i] * K + doc->active[j]] += M[i * n + j];
    }
    if (dlpi_cholesky(K, A) >= 0) return false;
    dlpi_cholesky_invert_factor(K, A, doc->shared->stride, doc->outer);
    return true;
}

void dlpi_ctm_set_metric(dlpi_ctm_document *doc, bool far)
{
    bool (*const set)(dlpi_ctm_document *, bool) =
        few_topics(doc) ? invert_for_few : factor_for_many;
    find_active(doc);
    /* if it is not positive definite with the words, they are left out */
    if ((far || !set(doc, true)) && !set(doc, false)) doc->n_active = -1;
}

static void solve_for_many(const dlpi_ctm_document *doc, const double *v, double *y)
{
    const dlp_index n = doc->n_active, K = doc->shared->K;
    const double *Sigma0 = doc->shared->Sigma0, *T = doc->A, *R = doc->work;
    double *w = y + K, *u = w + K;
    dlpi_symmetric_multiply(K, Sigma0, v, y);
    for (dlp_index i = 0; i < n; i++) w[i] = y[doc->active[i]];
    dlpi_cholesky_forward(n, R, w);
    memcpy(u, w, (size_t)n * sizeof *u);
    dlpi_cholesky_solve(n, T, u);
    for (dlp_index i = 0; i < n; i++) w[i] -= u[i];
    dlpi_cholesky_draw(n, R, w); /* R^-1 */
    for (dlp_index i = 0; i < n; i++) {
        const double *row = Sigma0 + doc->active[i] * K;
#pragma omp simd
        for (dlp_index k = 0; k < K; k++) y[k] -= w[i] * row[k];
    }
}

void dlpi_ctm_metric_solve(void *state, double *v)
{
    const dlpi_ctm_document *doc = state;
    const dlp_index K = doc->shared->K, stride = doc->shared->stride;
    double *y = doc->rows, *padded = y + stride;
    if (doc->n_active < 0) { /* no factor: the prior alone */
        dlpi_symmetric_multiply(K, doc->shared->Sigma0, v, y);
    } else if (few_topics(doc)) {
        memcpy(padded, v, (size_t)K * sizeof *v);
        for (dlp_index k = K; k < stride; k++) padded[k] = 0;
        dlpi_ctm_apply_factor(K, stride, doc->outer, padded, y);
    } else {
        solve_for_many(doc, v, y);
    }
    memcpy(v, y, (size_t)K * sizeof *v);
}
