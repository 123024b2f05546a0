/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From anchors to topics. An anchor word of topic k is one that only topic k uses, so its
 * row of Qbar is that topic's co-occurrence profile, and the row of any word is a mixture
 * of these: Qbar_i = sum_k p(k | i) Qbar_{s_k}. The weights are found word by word, and
 * Bayes' rule turns them into beta_ik = p(i | k).
 */
#include "topics/spectral/spectral.h"

#include "core/core.h"
#include "corpus/formats/mapped.h"
#include "math/dense.h"
#include "topics/spectral/spectral_parts.h"

#include <delaplace/random.h>
#include <math.h>
#include <omp.h>
#include <string.h>

struct dlpi_spectral_settings dlpi_spectral_settings_default(void)
{
    return (struct dlpi_spectral_settings){
        .min_docs = 20, .threads = 1, .smoothing = 0.01, .memory = INFINITY};
}

/* What the steps share; every pointer is owned. */
typedef struct spectral {
    dlp_index V, K;
    dlp_index found; /* topics with an anchor */
    dlpi_cooccurrence Q;
    dlp_index *anchors; /* (K) */
    double *unigram;    /* (V) positive, sums to 1 */
    double *work;       /* (5, V) */
    double *sum;        /* (K) */
    double *A;          /* (found, found) the anchors' coordinates: lower triangular */
    double *G;          /* (found, found) A A' */
    double *numbers;    /* for one hull a thread, and h */
    dlp_index *indices;
    dlpi_hull *hulls; /* (threads) */
} spectral;

static void clear(spectral *s)
{
    dlpi_cooccurrence_clear(&s->Q);
    free(s->anchors);
    free(s->unigram);
    free(s->work);
    free(s->sum);
    free(s->A);
    free(s->G);
    free(s->numbers);
    free(s->indices);
    free(s->hulls);
}

/* The frequencies of the terms, each counted half a time more: none is 0. */
static void find_unigram(const dlp_corpus *corpus, double *unigram)
{
    double sum = 0;
    for (dlp_index i = 0; i < corpus->V; i++) unigram[i] = 0.5;
    for (dlp_index from = 0, to; from < corpus->D; from = to) {
        to = dlpi_corpus_stretch(corpus, from);
        for (dlp_index k = corpus->row[from]; k < corpus->row[to]; k++)
            unigram[corpus->term[k]] += corpus->count[k];
        dlpi_corpus_leave(corpus, from, to);
    }
    for (dlp_index i = 0; i < corpus->V; i++) sum += unigram[i];
    for (dlp_index i = 0; i < corpus->V; i++) unigram[i] /= sum;
}

static dlp_status prepare(spectral *s, const dlp_corpus *corpus,
                          const struct dlpi_spectral_settings *settings, dlp_error *error)
{
    DLP_TRY(dlpi_cooccurrence_init(corpus, settings->memory, settings->threads, &s->Q,
                                   error));
    s->anchors = dlpi_calloc(s->K, sizeof *s->anchors);
    s->unigram = dlpi_calloc(s->V, sizeof *s->unigram);
    s->work = dlpi_calloc(s->V, 5 * sizeof *s->work);
    s->sum = dlpi_calloc(s->K, sizeof *s->sum);
    if (!s->anchors || !s->unigram || !s->work || !s->sum)
        return dlpi_no_memory(error, "the spectral start");
    find_unigram(corpus, s->unigram);
    return DLP_OK;
}

/* A and G of the anchors found, and a hull over them for each thread. */
static dlp_status prepare_recovery(spectral *s, const double *P, dlp_error *error)
{
    const dlp_index n = s->found, threads = s->Q.threads;
    const dlp_index each = dlpi_hull_numbers(n) + n;
    s->A = dlpi_calloc(n * n, sizeof *s->A);
    s->G = dlpi_calloc(n * n, sizeof *s->G);
    s->numbers = dlpi_calloc(each, (size_t)threads * sizeof *s->numbers);
    s->indices = dlpi_calloc(n, (size_t)threads * sizeof *s->indices);
    s->hulls = dlpi_calloc(threads, sizeof *s->hulls);
    if (!s->A || !s->G || !s->numbers || !s->indices || !s->hulls)
        return dlpi_no_memory(error, "the spectral start");
    for (dlp_index k = 0; k < n; k++)
        memcpy(s->A + k * n, P + s->anchors[k] * s->K, (size_t)(k + 1) * sizeof *s->A);
    for (dlp_index k = 0; k < n; k++)
        for (dlp_index l = 0; l <= k; l++)
            s->G[k * n + l] = s->G[l * n + k] =
                dlpi_dot(l + 1, s->A + k * n, s->A + l * n);
    for (dlp_index t = 0; t < threads; t++)
        dlpi_hull_init(&s->hulls[t], n, s->G, s->numbers + t * each, s->indices + t * n);
    return DLP_OK;
}

/* Row i of beta, from its coordinates to sum_j Q_ij p(k | i). */
static void recover_term(spectral *s, dlp_index i, double *row)
{
    const dlp_index n = s->found;
    dlpi_hull *hull = &s->hulls[omp_get_thread_num()];
    double *h = hull->L + dlpi_hull_numbers(n); /* the room behind the hull's */
    for (dlp_index k = 0; k < n; k++) h[k] = dlpi_dot(k + 1, s->A + k * n, row);
    dlpi_hull_nearest(hull, h, row);
    for (dlp_index k = 0; k < n; k++) row[k] *= s->Q.total[i];
}

static void recover(spectral *s, double *beta)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(s->Q.threads)
    for (dlp_index i = 0; i < s->V; i++)
        if (!dlpi_cooccurrence_stops(&s->Q, i)) recover_term(s, i, beta + i * s->K);
}

/* Topics without an anchor: the unigram with every entry moved by up to a half. */
static void complete(const spectral *s, double *beta)
{
    for (dlp_index k = s->found; k < s->K; k++) {
        dlp_rng rng = dlp_rng_at(0, (uint64_t)k);
        for (dlp_index i = 0; i < s->V; i++)
            beta[i * s->K + k] = s->unigram[i] * (0.5 + dlp_draw_uniform(&rng));
    }
}

/* Columns that sum to 1 and hold a share of the unigram: what is 0 here would be 0 after
   any number of EM's iterations. */
static void normalise(const spectral *s, double smoothing, double *beta)
{
    const dlp_index K = s->K;
    for (dlp_index i = 0; i < s->V; i++)
        for (dlp_index k = 0; k < K; k++) s->sum[k] += beta[i * K + k];
    for (dlp_index k = 0; k < K; k++) s->sum[k] = (1 - smoothing) / s->sum[k];
    for (dlp_index i = 0; i < s->V; i++) {
        const double share = smoothing * s->unigram[i];
        double *row = beta + i * K;
        for (dlp_index k = 0; k < K; k++) row[k] = row[k] * s->sum[k] + share;
    }
}

static dlp_status check(const dlp_corpus *corpus, dlp_index K,
                        const struct dlpi_spectral_settings *settings, const double *beta,
                        dlp_error *error)
{
    if (!corpus || !settings || !beta)
        return dlp_fail(error, DLP_EINVAL,
                        "the spectral start needs a corpus, settings and room for beta");
    if (corpus->V < 1 || K < 1)
        return dlp_fail(error, DLP_EINVAL,
                        "the spectral start needs at least one term and one topic; there "
                        "are %td and %td",
                        corpus->V, K);
    if (settings->min_docs < 1 || settings->threads < 1 || !(settings->smoothing > 0) ||
        !(settings->smoothing <= 1))
        return dlp_fail(error, DLP_EINVAL,
                        "the spectral start needs min_docs >= 1, threads >= 1 and "
                        "smoothing above 0 and up to 1; they are %d, %d and %g",
                        settings->min_docs, settings->threads, settings->smoothing);
    return DLP_OK;
}

dlp_status dlpi_spectral_topics(const dlp_corpus *corpus, dlp_index K,
                                const struct dlpi_spectral_settings *settings,
                                double *beta, dlp_index *anchors,
                                struct dlpi_spectral_report *report, dlp_error *error)
{
    DLP_TRY(check(corpus, K, settings, beta, error));
    spectral s = {.V = corpus->V, .K = K};
    struct dlpi_spectral_report made = {0};
    dlp_status status = prepare(&s, corpus, settings, error);
    s.Q.listener = settings->listener;
    if (status == DLP_OK) {
        made = dlpi_anchors_find(&s.Q, K, settings->min_docs, beta, s.anchors, s.work);
        s.found = made.found;
        status = prepare_recovery(&s, beta, error);
    }
    if (status == DLP_OK) {
        if (s.found > 0) recover(&s, beta);
        complete(&s, beta);
        normalise(&s, settings->smoothing, beta);
        for (dlp_index k = 0; anchors && k < K; k++)
            anchors[k] = k < s.found ? s.anchors[k] : -1;
        if (report) *report = made;
    }
    clear(&s);
    if (status == DLP_OK && settings->listener &&
        dlpi_listener_stopped(settings->listener))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
    return status;
}
