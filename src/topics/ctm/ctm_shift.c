/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From the mode of a document's theta to its mean. Where log p(x, theta) has the third
 * derivatives T at the mode, the mean is by second order (Tierney and Kadane 1986)
 *
 *     theta + 1/2 Sigma g,   g_i = sum_jk T_ijk Sigma_jk,
 *
 * and the words and the normaliser, both log sums of exponentials, have
 *
 *     g = sum_w c_w t(phi_w) - N t(pi),
 *     t(phi)_i = phi_i [Sigma_ii - s - 2 ((Sigma phi)_i - phi'Sigma phi)],
 *     s = sum_k phi_k Sigma_kk,
 *
 * the gradient of tr{(diag phi - phi phi') Sigma}. With phi_w = e * b_w / s_w the sum over
 * words of phi_i (Sigma phi)_i is that over topics of Sigma_ij times the pairs that the
 * curvature has: only phi'Sigma phi is still to be found for each word.
 */
#include "topics/ctm/ctm.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

/* Topics with fewer words of the document than this are left out of phi'Sigma phi. */
static const double LEAST_WORDS = 1e-3;

static void list_topics(dlpi_ctm_document *doc)
{
    doc->n_active = 0;
    for (dlp_index k = 0; k < doc->shared->K; k++)
        if (doc->e[k] * doc->tally[k] > LEAST_WORDS)
            doc->active[doc->n_active++] = (int32_t)k;
}

/* B_ij = e_i Sigma_ij e_j over these topics, the lower triangle folded onto the upper */
static void fold(dlpi_ctm_document *doc, const double *Sigma)
{
    const dlp_index n = doc->n_active, p = dlpi_ctm_stride(n), K = doc->shared->K;
    memset(doc->bend, 0, (size_t)(p * p) * sizeof *doc->bend);
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index k = doc->active[i];
        const double *restrict row = Sigma + k * K;
        double *restrict B = doc->bend + i * p;
        for (dlp_index j = i; j < n; j++)
            B[j] = 2 * doc->e[k] * row[doc->active[j]] * doc->e[doc->active[j]];
        B[i] *= 0.5;
    }
}

/* g_i = sum_w c_w phi_i (2 phi'Sigma phi - s); v (stride) to work in */
static void add_squares(dlpi_ctm_document *doc, const double *Sigma, double *v, double *g)
{
    const dlpi_ctm_shared *m = doc->shared;
    const dlp_index K = m->K;
    memset(v, 0, (size_t)m->stride * sizeof *v);
    for (dlp_index k = 0; k < K; k++) v[k] = doc->e[k] * Sigma[k * (K + 1)];
    list_topics(doc);
    fold(doc, Sigma);
    dlpi_ctm_bend(doc->n_active, doc->active, m->stride, doc->n, doc->term, doc->c,
                  m->beta, doc->bend, v, doc->e, doc->packed_four, g);
    for (dlp_index k = 0; k < K; k++) g[k] *= doc->e[k];
}

/* g_i += sum_w c_w phi_i [Sigma_ii - 2 (Sigma phi)_i]; sum (K) to work in */
static void add_pairs(const dlpi_ctm_document *doc, const double *Sigma, double *sum,
                      double *g)
{
    const dlp_index K = doc->shared->K;
    const double *restrict e = doc->e;
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index i = 0; i < K; i++) {
        const double *restrict pairs = doc->pairs + i * K, *restrict row = Sigma + i * K;
        sum[i] += e[i] * pairs[i] * row[i];
        for (dlp_index j = i + 1; j < K; j++) {
            const double both = pairs[j] * row[j];
            sum[i] += e[j] * both;
            sum[j] += e[i] * both;
        }
    }
    for (dlp_index k = 0; k < K; k++)
        g[k] += e[k] * (doc->tally[k] * Sigma[k * (K + 1)] - 2 * sum[k]);
}

/* g -= N t(pi); Sigma_pi (K) to work in */
static void add_normaliser(const dlpi_ctm_document *doc, const double *Sigma,
                           double *Sigma_pi, double *g)
{
    const dlp_index K = doc->shared->K;
    const double *pi = doc->pi;
    double s = 0;
    dlpi_symmetric_multiply(K, Sigma, pi, Sigma_pi);
    for (dlp_index k = 0; k < K; k++) s += pi[k] * Sigma[k * (K + 1)];
    const double square = dlpi_dot(K, pi, Sigma_pi);
    for (dlp_index k = 0; k < K; k++)
        g[k] -= doc->N * pi[k] * (Sigma[k * (K + 1)] - s - 2 * (Sigma_pi[k] - square));
}

/* The expansion fails when the shift is as long as an sd: such a shift is halved. */
static void damp(dlp_index K, const double *g, double *shift)
{
    const double square = 0.5 * dlpi_dot(K, g, shift) / (double)K; /* shift'A shift / K */
    for (dlp_index k = 0; k < K; k++) shift[k] /= 1 + fmax(square, 0);
}

void dlpi_ctm_mean_shift(dlpi_ctm_document *doc, const double *Sigma, double *shift)
{
    const dlp_index K = doc->shared->K;
    double *g = doc->spare, *work = g + doc->shared->stride;
    add_squares(doc, Sigma, work, g);
    add_pairs(doc, Sigma, work, g);
    add_normaliser(doc, Sigma, work, g);
    dlpi_symmetric_multiply(K, Sigma, g, shift);
    for (dlp_index k = 0; k < K; k++) shift[k] *= 0.5;
    damp(K, g, shift);
}
