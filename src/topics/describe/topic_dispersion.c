/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dispersion of what topics leave of the documents' counts (Taddy 2012). With m_d
 * words and q_d = sum_k pi_dk beta_k, a count x_dv has the mean m q and the variance m q
 * (1 - q), and
 *
 *     sum_dv (x - m q)^2 / (m q (1 - q))  /  (n - D (K-1) - K (V-1))
 *
 * is 1 if the topics explain all there is to explain; n counts the entries that are
 * expected to be above 0.01, and V the terms seen. Above 1, words of a document occur
 * together more than its topics imply.
 */
#include <delaplace/topic_words.h>

#include "core/core.h"
#include "topics/describe/topic_quality.h"

#include <math.h>
#include <string.h>

/* With more documents than this, as many evenly spaced ones are taken. */
enum { MOST_DOCUMENTS = 1000 };
static const double LEAST_EXPECTED = 0.01;

/* q (V) = sum_k softmax(theta)_k beta_k */
static void find_rates(const dlp_topics *topics, const double *theta, double *q)
{
    const dlp_index K = topics->K, V = topics->V;
    double most = theta[0], sum = 0;
    for (dlp_index k = 1; k < K; k++) most = fmax(most, theta[k]);
    for (dlp_index k = 0; k < K; k++) sum += exp(theta[k] - most);
    memset(q, 0, (size_t)V * sizeof *q);
    for (dlp_index k = 0; k < K; k++) {
        const double pi = exp(theta[k] - most) / sum;
        const double *restrict beta = topics->beta + k * V;
        for (dlp_index v = 0; v < V; v++) q[v] += pi * beta[v];
    }
}

/* Adds a document's squares; returns how many of its entries count. */
static double add_document(const dlp_corpus *corpus, dlp_index d, dlp_index V,
                           const double *q, double *squares)
{
    double m = 0, counted = 0;
    for (dlp_index i = corpus->row[d]; i < corpus->row[d + 1]; i++) m += corpus->count[i];
    for (dlp_index v = 0; v < V; v++) {
        counted += m * q[v] > LEAST_EXPECTED;
        if (q[v] < 1) *squares += m * q[v] / (1 - q[v]); /* as if x were 0 */
    }
    for (dlp_index i = corpus->row[d]; i < corpus->row[d + 1]; i++) {
        const double x = corpus->count[i], p = q[corpus->term[i]];
        if (p > 0 && p < 1) *squares += (x * x - 2 * x * m * p) / (m * p * (1 - p));
    }
    return counted;
}

static double seen_terms(const dlp_topics *topics)
{
    double seen = 0;
    for (dlp_index v = 0; v < topics->V; v++) {
        bool any = false;
        for (dlp_index k = 0; k < topics->K && !any; k++)
            any = topics->beta[k * topics->V + v] > 0;
        seen += any;
    }
    return seen;
}

dlp_status dlpi_topics_dispersion(const dlp_topics *topics, const dlp_corpus *corpus,
                                  const double *theta, double *dispersion,
                                  dlp_error *error)
{
    const dlp_index K = topics->K, V = topics->V, D = corpus->D;
    const dlp_index n = D < MOST_DOCUMENTS ? D : MOST_DOCUMENTS;
    *dispersion = NAN;
    DLP_TRY(dlp_corpus_check(corpus, error));
    if (corpus->V > V)
        return dlp_fail(error, DLP_EINPUT,
                        "the corpus has %td terms and the model %td; both must have the "
                        "same vocabulary",
                        corpus->V, V);
    double *q = dlpi_calloc(V, sizeof *q), squares = 0, counted = 0;
    if (!q) return dlpi_no_memory(error, "the dispersion");
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index d = i * D / n;
        find_rates(topics, theta + d * K, q);
        counted += add_document(corpus, d, V, q, &squares);
    }
    free(q);
    const double all = (double)D / (double)n;
    const double freedom = all * counted - (double)D * (double)(K - 1) -
                           (double)K * (seen_terms(topics) - 1);
    if (freedom > 0) *dispersion = all * squares / freedom;
    return DLP_OK;
}
