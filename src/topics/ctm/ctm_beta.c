/* SPDX-License-Identifier: BSD-3-Clause */
/* The topics: their update in an M step, and what leaves the fit. */
#include "core/core.h"
#include "corpus/formats/mapped.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_average.h"
#include "topics/ctm/ctm_divide.h"

#include <math.h>
#include <string.h>

static double *row_of(const dlp_ctm *ctm, double *rows, dlp_index v)
{
    return rows + (v - ctm->first_term) * ctm->shared.stride;
}

/* Smooths the counts of a chunk of the terms seen, and adds them up into sum (K). */
static void smooth_chunk(dlp_ctm *ctm, dlp_index from, dlp_index to, double *sum)
{
    const dlp_index K = ctm->shared.K;
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index v = from; v < to; v++)
        for (dlp_index k = 0; dlpi_ctm_is_seen(ctm, v) && k < K; k++) {
            double *count = row_of(ctm, ctm->counts, v) + k;
            *count += ctm->settings.smooth;
            sum[k] += *count;
        }
}

/* The length of the topics' step, as a multiple of EM's. Near the end of EM, a step
   leaves a fraction of 0 to 1 of the way along each direction; a step less than 2 times
   as long still gets nearer along all of them. The first step has EM's length, as do
   steps by minibatches and steps of the paper. */
static double step_length(const dlp_ctm *ctm)
{
    const double LONGER = 1.8;
    return ctm->result.iterations < 2 || ctm->settings.paper_covariance ? 1 : LONGER;
}

/* For a chunk of terms: beta without the smoothing, after a step of that length, from the
   smoothed counts and their total (K). It still has to be scaled, for which sum (K)
   receives its sums. *moved receives its part of sum_k total_k |EM's beta_k - beta_k
   before|. */
static void move_chunk(dlp_ctm *ctm, dlp_index from, dlp_index to, const double *total,
                       double *sum, double *moved)
{
    const dlp_index K = ctm->shared.K;
    const double further = step_length(ctm) - 1, smooth = ctm->settings.smooth;
    *moved = 0;
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index v = from; v < to; v++) {
        double *beta = row_of(ctm, ctm->beta, v);
        const double *counts = row_of(ctm, ctm->counts, v);
        for (dlp_index k = 0; dlpi_ctm_is_seen(ctm, v) && k < K; k++) {
            if (ctm->fixed && ctm->fixed[k]) continue;
            const double way = counts[k] - total[k] * beta[k];
            *moved += fabs(way);
            beta[k] = fmax(counts[k] - smooth + further * way, 0);
            sum[k] += beta[k];
        }
    }
}

/* beta = (smooth + that, scaled so that its sum is the counts' again) / total */
static void normalise_chunk(dlp_ctm *ctm, dlp_index from, dlp_index to,
                            const double *total, const double *scale)
{
    const dlp_index K = ctm->shared.K;
    for (dlp_index v = from; v < to; v++)
        for (dlp_index k = 0; dlpi_ctm_is_seen(ctm, v) && k < K; k++) {
            double *beta = row_of(ctm, ctm->beta, v) + k;
            if (ctm->fixed && ctm->fixed[k]) continue;
            *beta = (ctm->settings.smooth + scale[k] * *beta) / total[k];
        }
}

static void add_parts(dlp_index K, const double *part, double *sum)
{
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index i = 0; i < DLPI_CTM_TERM_CHUNKS * K; i++) sum[i % K] += part[i];
}

static dlp_index count_seen(const dlp_ctm *ctm)
{
    dlp_index seen = 0;
    for (dlp_index v = 0; v < ctm->shared.V; v++) seen += dlpi_ctm_is_seen(ctm, v);
    return seen;
}

/* beta_kv prop. to smooth + sum_d sum_w [w = v] c_w phi_wk, over the terms seen, or a
   longer step. The sums over terms are taken by chunks whose number does not depend on
   the threads. */
void dlpi_ctm_update_beta(dlp_ctm *ctm)
{
    enum { CHUNKS = DLPI_CTM_TERM_CHUNKS };
    const dlp_index K = ctm->shared.K, V = ctm->shared.V;
    double *part = ctm->term_sums, *total = part + CHUNKS * K, *scale = total + K;
    double moved[CHUNKS], all = 0, words = 0;
    dlp_index first, end;
    dlpi_divided_own_chunks(ctm, &first, &end);
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = first; c < end; c++)
        smooth_chunk(ctm, V * c / CHUNKS, V * (c + 1) / CHUNKS, part + c * K);
    dlpi_divided_share_chunks(ctm, K, part);
    add_parts(K, part, total);
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = first; c < end; c++)
        move_chunk(ctm, V * c / CHUNKS, V * (c + 1) / CHUNKS, total, part + c * K,
                   &moved[c]);
    dlpi_divided_share_chunks(ctm, K, part);
    dlpi_divided_share_chunks(ctm, 1, moved);
    add_parts(K, part, scale);
    const double smoothing = (double)count_seen(ctm) * ctm->settings.smooth;
    for (dlp_index k = 0; k < K; k++)
        scale[k] = scale[k] > 0 ? (total[k] - smoothing) / scale[k] : 0;
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = first; c < end; c++)
        normalise_chunk(ctm, V * c / CHUNKS, V * (c + 1) / CHUNKS, total, scale);
    for (dlp_index c = 0; c < CHUNKS; c++) all += moved[c];
    for (dlp_index k = 0; k < K; k++) words += total[k];
    ctm->moved = 0.5 * all / words;
    if (ctm->average) memcpy(ctm->average->total, total, (size_t)K * sizeof *total);
}
/* beta (K, V), one topic after the other; many terms at a time, as rows are stored */
static void copy_beta(const dlp_ctm *ctm, dlp_index V, const double *from, double *to)
{
    enum { TERMS = 1024 };
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
    for (dlp_index first = 0; first < V; first += TERMS) {
        const dlp_index end = first + TERMS < V ? first + TERMS : V;
        for (dlp_index k = 0; k < K; k++)
            for (dlp_index v = first; v < end; v++) to[k * V + v] = from[v * stride + k];
        if (ctm->divided) dlpi_pages_release(from + first * stride, from + end * stride);
    }
}

dlp_status dlp_ctm_topics(const dlp_ctm *ctm, dlp_topics *topics, dlp_error *error)
{
    return dlpi_ctm_topics_of(ctm, NULL, topics, error);
}

dlp_status dlpi_ctm_topics_of(const dlp_ctm *ctm, dlpi_scratch *words, dlp_topics *topics,
                              dlp_error *error)
{
    const dlp_index K = ctm->shared.K;
    const dlp_index V =
        ctm->slices ? ctm->shared.V / ctm->settings.slices : ctm->shared.V;
    const double *beta = dlpi_ctm_whole_beta(ctm);
    if (!beta)
        return dlp_fail(error, DLP_EINVAL,
                        "topics are divided among processes; process 0 has them");
    DLP_TRY(dlpi_corpus_unchanged(ctm->corpus, error));
    if (words && ctm->divided) {
        DLP_TRY(dlpi_scratch_alloc(dlpi_size(K, V, 0),
                                   dlpi_scratch_folder(ctm->settings.scratch), words,
                                   error));
        DLP_TRY(dlp_topics_alloc(K, 1, ctm->p, topics, error));
        free(topics->beta);
        topics->beta = words->x;
        topics->V = V;
    } else {
        DLP_TRY(dlp_topics_alloc(K, V, ctm->p, topics, error));
    }
    if (ctm->slices)
        dlpi_slices_mean(ctm, topics->beta);
    else
        copy_beta(ctm, V, beta, topics->beta);
    dlpi_ctm_gamma_out(ctm, topics->Gamma);
    memcpy(topics->Sigma0, ctm->shared.Sigma0, (size_t)(K * K) * sizeof *topics->Sigma0);
    return DLP_OK;
}
