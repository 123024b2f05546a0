/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where documents are short, a word's topic at the mode of theta is surer than it is on
 * average over theta, and topics that are fitted to such assignments come out purer than
 * they are (docs/accuracy.md). Here they are averaged over q(theta) = N(m, S). The
 * average of softmax(theta + log beta_w) is the gradient in m of
 *
 *     E[log sum_k exp(theta_k) beta_kw],
 *
 * in place of which stands the bound of Knowles and Minka (2011), whose gradient is the a
 * for which
 *
 *     a_k prop. to beta_kw exp(m_k + S_kk / 2 - (S a)_k).
 *
 * Averages blur topics if their noise counts as words that they share. So the topics are
 * not a point but have a posterior, q(beta_k) = Dirichlet(counts_k + smooth), and
 * documents see exp E[log beta_kw] = exp(psi(counts_kw + smooth) - psi(sum over w)).
 */
#include "topics/ctm/ctm_average.h"

#include <delaplace/special.h>

#include "core/core.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* Rounds of the equation for a, which begins at the mode. */
enum { ROUNDS = 3 };
/* Topics with less of a word than this are left out of S a. */
static const double LEAST_PART = 1e-4;
/* exp(psi(x)) is below 1e-22 here, and soon below all numbers. */
static const double LEAST_COUNT = 0.02;

dlp_status dlpi_average_check(const dlp_topics_settings *s, dlp_error *error)
{
    if (!s->average) return DLP_OK;
    if (dlpi_ctm_method_find(s->method) != &dlpi_ctm_laplace || s->paper_covariance)
        return dlp_fail(error, DLP_EINVAL,
                        "words are assigned on average by Laplace's method, with the "
                        "covariance that has their topics summed out");
    if (s->slices > 0 || s->content_groups > 0 || s->online > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "words are assigned on average to topics without slices or "
                        "groups, and without passes by minibatches");
    return DLP_OK;
}

double dlpi_average_bytes(const dlp_ctm *ctm, dlp_index pairs)
{
    if (!ctm->settings.average) return 0;
    const dlp_index stride = dlpi_ctm_stride(ctm->settings.K);
    return 8 * (double)stride * ((double)ctm->corpus->V + (double)pairs);
}

dlp_status dlpi_average_alloc(dlp_ctm *ctm, dlp_index pairs, dlp_error *error)
{
    if (!ctm->settings.average) return DLP_OK;
    const dlp_index stride = ctm->shared.stride;
    struct dlpi_average *a = ctm->average = dlpi_calloc(1, sizeof *a);
    if (!a) return dlpi_no_memory(error, "the topics");
    a->total = dlpi_calloc(dlpi_size(2, ctm->shared.K, 0), sizeof *a->total);
    a->beta = dlpi_calloc(dlpi_size(ctm->shared.V, stride, 0), sizeof *a->beta);
    a->words = dlpi_calloc(dlpi_size(pairs, stride, 0), sizeof *a->words);
    return a->total && a->beta && a->words ? DLP_OK : dlpi_no_memory(error, "the topics");
}

void dlpi_average_free(struct dlpi_average *average)
{
    if (!average) return;
    free(average->total);
    free(average->beta);
    free(average->words);
    free(average);
}

/* ---- topics ---- */

void dlpi_average_expect(dlp_ctm *ctm)
{
    const struct dlpi_average *a = ctm->average;
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
    double *psi = a->total + K;
    for (dlp_index k = 0; k < K; k++)
        psi[k] = a->total[k] > 0 ? dlp_digamma(a->total[k]) : 0;
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index v = 0; v < ctm->shared.V; v++)
        for (dlp_index k = 0; k < K; k++) {
            const double beta = ctm->shared.beta[v * stride + k];
            const bool sure = a->total[k] <= 0 || (ctm->fixed && ctm->fixed[k]);
            const double count = fmax(beta * a->total[k], LEAST_COUNT);
            a->beta[v * stride + k] =
                sure || beta <= 0 ? beta : exp(dlp_digamma(count) - psi[k]);
        }
}

/* ---- words ---- */

/* pull (K) = S a */
static void multiply(const dlpi_ctm_document *doc, const double *restrict a,
                     double *restrict pull)
{
    const dlp_index K = doc->shared->K;
    memset(pull, 0, (size_t)K * sizeof *pull);
    for (dlp_index j = 0; j < K; j++) {
        const double *restrict S = doc->Sigma + j * K;
        if (a[j] < LEAST_PART) continue;
        for (dlp_index k = 0; k < K; k++) pull[k] += a[j] * S[k];
    }
}

/* a (K) = e * b, scaled to a sum of 1 */
static void assign(dlp_index K, const double *restrict e, const double *restrict b,
                   double *restrict a)
{
    double sum = 0;
    for (dlp_index k = 0; k < K; k++) sum += a[k] = e[k] * b[k];
    for (dlp_index k = 0; k < K; k++) a[k] /= sum;
}

/* One round for one word; level (K) is m_k + S_kk / 2, e (K) to work in. */
static void improve(const dlpi_ctm_document *doc, const double *level, const double *b,
                    double *e, double *a)
{
    const dlp_index K = doc->shared->K;
    double most = -INFINITY, sum = 0;
    multiply(doc, a, e);
    for (dlp_index k = 0; k < K; k++) {
        e[k] = level[k] - e[k];
        if (b[k] > 0) most = fmax(most, e[k]);
    }
    for (dlp_index k = 0; k < K; k++) e[k] = fmin(e[k] - most, 0);
    dlp_exp_array(K, e, e);
    for (dlp_index k = 0; k < K; k++) sum += e[k] * b[k];
    if (sum > 0) assign(K, e, b, a);
}

/* shift (K): from the mode to the mean */
static void assign_words(const dlpi_ctm_document *doc, const double *shift, double *rows)
{
    const dlpi_ctm_shared *m = doc->shared;
    double *level = doc->spare, *e = level + m->stride;
    for (dlp_index k = 0; k < m->K; k++)
        level[k] = doc->theta[k] + shift[k] + 0.5 * doc->Sigma[k * (m->K + 1)];
    for (dlp_index w = 0; w < doc->n; w++) {
        const double *b = m->beta + doc->term[w] * m->stride;
        double *a = rows + w * m->stride;
        assign(m->K, doc->e, b, a);
        for (int i = 0; i < ROUNDS; i++) improve(doc, level, b, e, a);
    }
}

/* The prior follows means; but modes in documents of which mean and covariance are not
   known well, where it would grow with their errors. */
void dlpi_average_document(dlpi_ctm_document *doc, double *rows)
{
    double *shift = doc->pull;
    dlpi_ctm_mean_shift(doc, doc->Sigma, shift);
    const bool known = dlpi_ctm_moment_covariance(doc, shift);
    for (dlp_index k = 0; known && k < doc->shared->K; k++) doc->off[k] += shift[k];
    assign_words(doc, shift, rows);
}

/* ---- counts ---- */

double *dlpi_average_rows(const dlp_ctm *ctm, dlp_index first, dlp_index d)
{
    const dlp_index *row = ctm->corpus->row;
    return ctm->average->words + (row[d] - row[first]) * ctm->shared.stride;
}

/* Where term v is among the terms of document d, which has it. */
static dlp_index place_of(const dlp_corpus *corpus, dlp_index d, dlp_index v)
{
    const int32_t *term = corpus->term + corpus->row[d];
    dlp_index low = 0, high = corpus->row[d + 1] - corpus->row[d] - 1;
    while (low < high) {
        const dlp_index middle = (low + high) / 2;
        if (term[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void dlpi_average_count(const dlp_ctm *ctm, dlp_index v, dlp_index first, double *counts)
{
    const dlpi_block *block = &ctm->block;
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
    for (dlp_index i = block->row[v]; i < block->row[v + 1]; i++) {
        const dlp_index d = block->document[i];
        const double *a =
            dlpi_average_rows(ctm, first, d) + place_of(ctm->corpus, d, v) * stride;
        for (dlp_index k = 0; k < K; k++) counts[k] += block->count[i] * a[k];
    }
}
