/* SPDX-License-Identifier: BSD-3-Clause */
/* How common topics are, and how well they read: coherence and exclusivity of their words. */
#include <delaplace/topic_words.h>

#include "core/core.h"
#include "corpus/transpose.h"
#include "math/symmetric/structure.h"
#include "topics/describe/topic_quality.h"

#include <math.h>
#include <string.h>

/* ---- prevalence ---- */

void dlp_topics_prevalence(dlp_index D, dlp_index K, const double *theta,
                           double *prevalence)
{
    memset(prevalence, 0, (size_t)K * sizeof *prevalence);
    for (dlp_index d = 0; d < D; d++) {
        const double *t = theta + d * K;
        double most = t[0], sum = 0;
        for (dlp_index k = 1; k < K; k++) most = fmax(most, t[k]);
        for (dlp_index k = 0; k < K; k++) sum += exp(t[k] - most);
        for (dlp_index k = 0; k < K; k++) prevalence[k] += exp(t[k] - most) / sum;
    }
    for (dlp_index k = 0; k < K; k++) prevalence[k] /= (double)D;
}

/* ---- coherence ---- */

/* The documents that have each word of a topic, one bit per document. */
typedef struct presence {
    dlp_index D, chunks; /* documents; numbers that hold their bits */
    uint64_t *bits;      /* (n, chunks) */
    double *documents;   /* (n) how many */
} presence;

static void mark(const dlpi_postings *postings, dlp_index n, const dlp_index *term,
                 presence *p)
{
    memset(p->bits, 0, (size_t)(n * p->chunks) * sizeof *p->bits);
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index first = postings->row[term[i]], end = postings->row[term[i] + 1];
        uint64_t *bits = p->bits + i * p->chunks;
        p->documents[i] = (double)(end - first);
        for (dlp_index at = first; at < end; at++)
            bits[postings->document[at] / 64] |= (uint64_t)1
                                                 << (postings->document[at] % 64);
    }
}

static double normalised_information(const presence *p, dlp_index i, dlp_index j)
{
    const uint64_t *a = p->bits + i * p->chunks, *b = p->bits + j * p->chunks;
    const double D = (double)p->D;
    dlp_index both = 0;
    for (dlp_index w = 0; w < p->chunks; w++) both += __builtin_popcountll(a[w] & b[w]);
    if (both == 0) return -1;
    if (both == p->D) return 1; /* in every document: never apart */
    const double together = (double)both / D;
    return log(together / (p->documents[i] / D) / (p->documents[j] / D)) / -log(together);
}

static double coherence_of(const presence *p, dlp_index n)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < i; j++) sum += normalised_information(p, i, j);
    return n < 2 ? NAN : sum / ((double)n * (double)(n - 1) / 2);
}

static dlp_status check_words(const dlp_topic_words *words, const dlp_corpus *corpus,
                              dlp_error *error)
{
    DLP_TRY(dlp_corpus_check(corpus, error));
    for (dlp_index i = 0; i < words->K * words->n; i++)
        if (words->term[i] < 0 || words->term[i] >= corpus->V)
            return dlp_fail(
                error, DLP_EINPUT,
                "a topic has term %td, and the corpus has terms 0 to %td; both "
                "must have the same vocabulary",
                words->term[i], corpus->V - 1);
    return DLP_OK;
}

dlp_status dlp_topics_coherence(const dlp_topic_words *words, const dlp_corpus *corpus,
                                double *coherence, dlp_error *error)
{
    const dlp_index n = words->n;
    dlpi_postings *postings = NULL;
    DLP_TRY(check_words(words, corpus, error));
    DLP_TRY(dlpi_corpus_transpose(corpus, &postings, error));
    presence p = {.D = corpus->D, .chunks = (corpus->D + 63) / 64};
    p.bits = dlpi_calloc(dlpi_size(n, p.chunks, 0), sizeof *p.bits);
    p.documents = dlpi_calloc(n, sizeof *p.documents);
    const bool sound = p.bits && p.documents;
    for (dlp_index k = 0; sound && k < words->K; k++) {
        mark(postings, n, words->term + k * n, &p);
        coherence[k] = coherence_of(&p, n);
    }
    free(p.bits);
    free(p.documents);
    dlpi_postings_free(postings);
    return sound ? DLP_OK : dlpi_no_memory(error, "the coherence of topics");
}

/* ---- exclusivity ---- */

void dlpi_topics_exclusivity(const dlp_topics *topics, const dlp_topic_words *words,
                             double *exclusivity)
{
    const dlp_index n = words->n, V = topics->V;
    for (dlp_index k = 0; k < topics->K; k++) {
        double sum = 0;
        for (dlp_index i = 0; i < n; i++) {
            const dlp_index v = words->term[k * n + i];
            double total = 0;
            for (dlp_index j = 0; j < topics->K; j++) total += topics->beta[j * V + v];
            sum += topics->beta[k * V + v] / total;
        }
        exclusivity[k] = n > 0 ? sum / (double)n : NAN;
    }
}

/* ---- both ---- */

static double mean_of(const double *x, dlp_index n)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

static dlp_status rate(const dlp_topics *topics, const dlp_corpus *corpus,
                       dlp_topic_quality *q, dlp_error *error)
{
    dlp_topic_words words;
    q->exclusivity = dlpi_calloc(topics->K, sizeof *q->exclusivity);
    if (corpus) q->coherence = dlpi_calloc(topics->K, sizeof *q->coherence);
    if (!q->exclusivity || (corpus && !q->coherence))
        return dlpi_no_memory(error, "the quality of topics");
    DLP_TRY(
        dlp_topics_words(topics, DLP_BY_PROBABILITY, DLP_QUALITY_WORDS, &words, error));
    dlpi_topics_exclusivity(topics, &words, q->exclusivity);
    const dlp_status status =
        corpus ? dlp_topics_coherence(&words, corpus, q->coherence, error) : DLP_OK;
    dlp_topic_words_free(&words);
    return status;
}

dlp_status dlp_topics_rate(const dlp_topics *topics, const dlp_corpus *corpus,
                           dlp_topic_quality *quality, dlp_error *error)
{
    *quality = (dlp_topic_quality){.K = topics->K, .mean_coherence = NAN};
    const dlp_status status = rate(topics, corpus, quality, error);
    if (status != DLP_OK) {
        dlp_topic_quality_free(quality);
        return status;
    }
    quality->mean_exclusivity = mean_of(quality->exclusivity, topics->K);
    if (corpus) quality->mean_coherence = mean_of(quality->coherence, topics->K);
    return DLP_OK;
}

void dlp_topic_quality_free(dlp_topic_quality *quality)
{
    free(quality->exclusivity);
    free(quality->coherence);
    *quality = (dlp_topic_quality){0};
}
