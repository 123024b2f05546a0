/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The E step over a corpus, in parallel and in one fixed order of sums.
 *
 * The corpus is taken in parts, whose sums are added up in a tree (comm/tree.h), and a
 * part in blocks of documents. The documents of a block are inferred first: they are
 * divided into chunks, a thread takes a chunk at a time, and each chunk has sums of its
 * own, added up in order. Then every term adds up its occurrences in the block's
 * documents, in their order, a thread a term. So no sum depends on the number of threads
 * or processes, and exp(theta_d) is kept for one block only.
 */
#include "corpus/formats/mapped.h"
#include "math/dense.h"
#include "topics/ctm/ctm_average.h"

#include <delaplace/special.h>

#include <omp.h>
#include <string.h>

dlp_index dlpi_ctm_sums_size(const dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K;
    return DLPI_CTM_HEAD + K * K + ctm->p * K;
}

dlpi_ctm_sums dlpi_ctm_sums_at(const dlp_ctm *ctm, double *numbers)
{
    const dlp_index K = ctm->shared.K;
    return (dlpi_ctm_sums){.head = numbers,
                           .scatter = numbers + DLPI_CTM_HEAD,
                           .cross = numbers + DLPI_CTM_HEAD + K * K};
}

static void clear(const dlp_ctm *ctm, dlpi_ctm_sums *sums)
{
    memset(sums->head, 0, (size_t)dlpi_ctm_sums_size(ctm) * sizeof *sums->head);
}

static void add(const dlp_ctm *ctm, const dlpi_ctm_sums *from, dlpi_ctm_sums *to)
{
    const dlp_index n = dlpi_ctm_sums_size(ctm);
    for (dlp_index i = 0; i < n; i++) to->head[i] += from->head[i];
}

/* r_d, in doc->off, of the mode of theta, or of its mean, with its covariance in
   doc->Sigma. */
static const double *find_moments(const dlp_ctm *ctm, dlpi_ctm_document *doc)
{
    double *shift = doc->pull;
    if (!ctm->by_mean || !dlpi_ctm_finds_means(doc)) return doc->off;
    dlpi_ctm_mean_shift(doc, doc->Sigma, shift);
    (void)dlpi_ctm_moment_covariance(doc, shift);
    for (dlp_index k = 0; k < doc->shared->K; k++) doc->off[k] += shift[k];
    return doc->off;
}

/* What a document that has been inferred adds. */
static void add_document(const dlp_ctm *ctm, dlpi_ctm_document *doc, dlp_index d,
                         dlpi_ctm_sums *sums)
{
    const dlp_index K = ctm->shared.K;
    const double *r = ctm->average ? doc->off : find_moments(ctm, doc);
    sums->head[DLPI_CTM_OBJECTIVE] += doc->objective;
    sums->head[DLPI_CTM_UNSETTLED] += doc->outcome != DLP_CONVERGED;
    dlpi_ctm_add_cross(ctm, d, r, sums->cross);
    for (dlp_index i = 0; i < K; i++) {
        double *restrict row = sums->scatter + i * K;
        const double *restrict Sigma = doc->Sigma + i * K;
        for (dlp_index j = i; j < K; j++) row[j] += Sigma[j] + r[i] * r[j];
    }
}

static void infer_document(dlp_ctm *ctm, dlpi_ctm_document *doc, dlp_index d, bool climb)
{
    const dlp_corpus *corpus = ctm->corpus;
    const dlp_index first = corpus->row[d], n = corpus->row[d + 1] - first;
    const int32_t *term = corpus->term + first;
    if (ctm->divided) term = dlpi_divided_place(ctm, n, term, doc->placed);
    dlpi_ctm_document_set(doc, n, term, corpus->count + first);
    dlpi_ctm_prior_mean(ctm, d, doc->mean);
    double *mu = ctm->mu + d * ctm->shared.K;
    if (climb) {
        dlpi_ctm_infer(doc, mu);
    } else {
        dlpi_ctm_revisit(doc, mu);
    }
}

/* A request to stop takes effect after the iteration. */
static void tell(dlp_ctm *ctm, dlp_index done)
{
    const dlp_progress progress = {.phase = "fitting",
                                   .unit = "documents",
                                   .done = done,
                                   .total = ctm->share.n,
                                   .iteration = ctm->result.iterations,
                                   .max_iter = ctm->settings.max_iter,
                                   .objective = ctm->result.objective,
                                   .tol = ctm->settings.tol,
                                   .polled = 1};
    (void)dlpi_listener_report_inside(&ctm->listener, progress);
}

/* Documents from..to-1 of the block that begins at `first`. */
static void infer_chunk(dlp_ctm *ctm, dlpi_ctm_sums *sums, dlp_index first,
                        dlp_index from, dlp_index to, bool climb)
{
    dlpi_ctm_document *doc = &ctm->doc[omp_get_thread_num()];
    const dlp_index stride = ctm->shared.stride;
    clear(ctm, sums);
    doc->optim.evaluations = 0;
    for (dlp_index d = from; d < to; d++) {
        infer_document(ctm, doc, d, climb);
        if (ctm->average) dlpi_average_document(doc, dlpi_average_rows(ctm, first, d));
        add_document(ctm, doc, d, sums);
        memcpy(ctm->e + (d - first) * stride, doc->e, (size_t)stride * sizeof *doc->e);
    }
    sums->head[DLPI_CTM_EVALUATIONS] = (double)doc->optim.evaluations;
    tell(ctm, to);
}

/* Adds up term v over the documents of the block, which begins with `first`; in the first
   block of a part the counts start from 0. */
static void count_term(dlp_ctm *ctm, dlp_index v, dlp_index first, double *part,
                       bool begins)
{
    const dlpi_block *b = &ctm->block;
    const dlp_index at = b->row[v], stride = ctm->shared.stride;
    double *counts = part + v * stride;
    if (begins) memset(counts, 0, (size_t)stride * sizeof *counts);
    if (ctm->average)
        dlpi_average_count(ctm, v, first, counts);
    else
        dlpi_ctm_term(stride, b->row[v + 1] - at, b->document + at, b->count + at, first,
                      ctm->e, ctm->shared.beta + v * stride, counts);
}

void dlpi_ctm_infer_chunks(dlp_ctm *ctm, dlp_index n, dlp_index from, dlp_index to,
                           dlp_index at, bool climb)
{
    const dlp_index chunks = ctm->n_chunks, before = n * from / chunks;
#pragma omp parallel for schedule(dynamic) num_threads(ctm->settings.threads)
    for (dlp_index c = from; c < to; c++)
        infer_chunk(ctm, &ctm->chunk[c], at, at + n * c / chunks - before,
                    at + n * (c + 1) / chunks - before, climb);
}

static void add_chunks(const dlp_ctm *ctm, dlpi_ctm_sums *sums)
{
    for (dlp_index c = 0; c < ctm->n_chunks; c++) add(ctm, &ctm->chunk[c], sums);
}

/* All terms in the documents of a block; `begins`: it is the first of its part. */
static void count_block(dlp_ctm *ctm, dlp_index first, dlp_index end, bool begins,
                        double *part)
{
    dlpi_block_read(&ctm->block, ctm->corpus, first, end);
#pragma omp parallel for schedule(dynamic, 32) num_threads(ctm->settings.threads)
    for (dlp_index v = 0; v < ctm->corpus->V; v++)
        count_term(ctm, v, first, part, begins);
}

void dlpi_ctm_infer_part(dlp_ctm *ctm, dlp_index from, dlp_index to, bool climb,
                         double *part)
{
    dlpi_ctm_sums sums = dlpi_ctm_sums_at(ctm, part + ctm->n_counts);
    clear(ctm, &sums);
    for (dlp_index first = from; first < to; first += DLPI_CTM_BLOCK) {
        const dlp_index rest = to - first,
                        end = first + (rest < DLPI_CTM_BLOCK ? rest : DLPI_CTM_BLOCK);
        if (ctm->divided) dlpi_divided_fetch(ctm, first);
        dlpi_ctm_infer_chunks(ctm, end - first, 0, ctm->n_chunks, first, climb);
        add_chunks(ctm, &sums);
        if (!ctm->divided) count_block(ctm, first, end, first == from, part);
        dlpi_corpus_leave(ctm->corpus, first, end);
        dlpi_scratch_leave(&ctm->means, first * ctm->shared.K, end * ctm->shared.K);
    }
}

void dlpi_ctm_sum_block(dlp_ctm *ctm, dlp_index first, dlp_index to, double *part)
{
    dlpi_ctm_sums sums = dlpi_ctm_sums_at(ctm, part + ctm->n_counts);
    clear(ctm, &sums);
    add_chunks(ctm, &sums);
    count_block(ctm, first, to, true, part);
    dlpi_corpus_leave(ctm->corpus, first, to);
    dlpi_scratch_leave(&ctm->means, first * ctm->shared.K, to * ctm->shared.K);
}

void dlpi_ctm_e_step(dlp_ctm *ctm, bool climb)
{
    const dlpi_ctm_share *share = &ctm->share;
    dlpi_tree *tree = &ctm->tree;
    double *const beta = ctm->shared.beta;
    if (ctm->average) ctm->shared.beta = ctm->average->beta;
    if (ctm->divided) dlpi_divided_begin(ctm);
    dlpi_tree_begin(tree);
    for (dlp_index part = tree->from; part < tree->to; part++) {
        dlpi_ctm_infer_part(
            ctm, dlpi_ctm_part_begins(share->D, share->parts, part) - share->first,
            dlpi_ctm_part_begins(share->D, share->parts, part + 1) - share->first, climb,
            dlpi_tree_open(tree));
        dlpi_tree_close(tree);
    }
    if (ctm->divided) dlpi_divided_fetch_none(ctm);
    ctm->shared.beta = beta;
    ctm->sums.head[DLPI_CTM_STOPS] += dlpi_listener_stopped(&ctm->listener);
    dlpi_ctm_share_sums(ctm);
    if (ctm->divided) dlpi_divided_count(ctm);
    ctm->summed = true;
}
