/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the correlated topic model's documents, and what they share. */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"

#include <string.h>

dlp_status dlpi_ctm_shared_alloc(dlp_index K, dlp_index V, dlpi_ctm_shared *shared,
                                 dlp_error *error)
{
    return dlpi_ctm_shared_alloc_rows(K, V, V, shared, error);
}

dlp_status dlpi_ctm_shared_alloc_rows(dlp_index K, dlp_index V, dlp_index rows,
                                      dlpi_ctm_shared *shared, dlp_error *error)
{
    const dlp_index stride = dlpi_ctm_stride(K);
    *shared = (dlpi_ctm_shared){.K = K, .stride = stride, .V = V};
    shared->beta = dlpi_calloc(dlpi_size(rows, stride, 0), sizeof *shared->beta);
    shared->Sigma0 =
        dlpi_calloc(dlpi_size(3, dlpi_size(K, K, 0), 0), sizeof *shared->Sigma0);
    shared->P0 = dlpi_calloc(dlpi_size(K, stride, 0), sizeof *shared->P0);
    if (!shared->beta || !shared->Sigma0 || !shared->P0) {
        dlpi_ctm_shared_free(shared);
        return dlpi_no_memory(error, "the topics");
    }
    shared->work = shared->Sigma0 + K * K;
    return DLP_OK;
}

void dlpi_ctm_shared_free(dlpi_ctm_shared *shared)
{
    free(shared->beta);
    free(shared->Sigma0);
    free(shared->P0);
    *shared = (dlpi_ctm_shared){0};
}

bool dlpi_ctm_factor_sigma0(dlpi_ctm_shared *shared)
{
    const dlp_index K = shared->K;
    double *U = shared->work, *inverse = U + K * K;
    memcpy(U, shared->Sigma0, (size_t)(K * K) * sizeof *U);
    if (dlpi_cholesky(K, U) >= 0) return false;
    shared->log_det = dlpi_cholesky_log_det(K, U);
    double *work = shared->P0; /* (K, stride) is room for (K, K) */
    dlpi_cholesky_inverse(K, U, work, inverse);
    memset(shared->P0, 0, (size_t)(K * shared->stride) * sizeof *shared->P0);
    for (dlp_index k = 0; k < K; k++)
        memcpy(shared->P0 + k * shared->stride, inverse + k * K,
               (size_t)K * sizeof *inverse);
    return true;
}

static dlp_status allocate(const dlp_document_settings *settings, dlpi_ctm_document *doc,
                           dlp_error *error)
{
    const dlp_index K = doc->shared->K, stride = doc->shared->stride;
    const dlp_index square = dlpi_size(K, K, 0);
    doc->block = dlpi_calloc(dlpi_size(22, stride, 0), sizeof *doc->block);
    const dlp_index padded = dlpi_size(2, dlpi_size(stride, stride, 0), 0);
    doc->Sigma = dlpi_calloc(dlpi_size(4, square, padded), sizeof *doc->Sigma);
    doc->active = dlpi_calloc(K, sizeof *doc->active);
    if (!doc->block || !doc->Sigma || !doc->active)
        return dlpi_no_memory(error, "a document");
    doc->A = doc->Sigma + square;
    doc->work = doc->A + square;
    doc->pairs = doc->work + square;
    doc->outer = doc->pairs + square;
    doc->bend = doc->outer + stride * stride;
    double **vectors[] = {&doc->e,    &doc->tally, &doc->off,   &doc->mean, &doc->pi,
                          &doc->pull, &doc->stats, &doc->theta, &doc->spare};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = doc->block + (dlp_index)i * stride; /* the last, spare, has four */
    doc->rows = doc->spare + 4 * stride;
    doc->packed_four = doc->rows + 3 * stride;
    /* L-BFGS in a metric of our own needs no Hessian: the smallest shape will do */
    DLP_TRY(dlpi_optim_alloc(&doc->optim, dlp_shape_low_rank(K, 0), dlpi_ctm_objective,
                             doc, error));
    doc->optim.solve = dlpi_ctm_metric_solve;
    if (!settings->plain && !doc->method->by_engine) return DLP_OK;
    dlp_settings engine = dlp_settings_default();
    engine.method = doc->method->name;
    engine.diagonal = !doc->method->full;
    engine.plain = 1;
    engine.tol = doc->tol;
    engine.max_iter = doc->max_iter;
    const dlp_model model = dlpi_ctm_model(doc);
    return dlp_fit_alloc(&model, &engine, &doc->fit, error);
}

dlp_status dlpi_ctm_document_alloc(const dlpi_ctm_shared *shared,
                                   const dlp_document_settings *settings,
                                   dlpi_ctm_document *doc, dlp_error *error)
{
    *doc = (dlpi_ctm_document){.shared = shared,
                               .method = dlpi_ctm_method_find(settings->method),
                               .tol = settings->tol,
                               .max_iter = settings->max_iter};
    const dlp_status status = allocate(settings, doc, error);
    if (status != DLP_OK) dlpi_ctm_document_free(doc);
    return status;
}

void dlpi_ctm_document_free(dlpi_ctm_document *doc)
{
    dlp_fit_free(doc->fit);
    dlpi_optim_free(&doc->optim);
    free(doc->block);
    free(doc->Sigma);
    free(doc->active);
    free(doc->c);
    free(doc->placed);
    *doc = (dlpi_ctm_document){0};
}

dlp_status dlpi_ctm_document_reserve(dlpi_ctm_document *doc, dlp_index n,
                                     dlp_error *error)
{
    if (n <= doc->room) return DLP_OK;
    double *c = dlpi_calloc(dlpi_size(3 + DLPI_CTM_MOST_ACTIVE, n, 0), sizeof *c);
    int32_t *placed = dlpi_calloc(n, sizeof *placed);
    if (!c || !placed) {
        free(c);
        free(placed);
        return dlpi_no_memory(error, "a document");
    }
    free(doc->c);
    free(doc->placed);
    doc->placed = placed;
    doc->c = c;
    doc->s = c + n;
    doc->logs = doc->s + n;
    doc->packed = doc->logs + n;
    doc->room = n;
    return DLP_OK;
}

dlp_index dlpi_ctm_longest(const dlp_corpus *corpus)
{
    dlp_index longest = 0;
    for (dlp_index d = 0; d < corpus->D; d++) {
        const dlp_index n = corpus->row[d + 1] - corpus->row[d];
        longest = n > longest ? n : longest;
    }
    return longest;
}

void dlpi_ctm_document_set(dlpi_ctm_document *doc, dlp_index n, const int32_t *term,
                           const int32_t *count)
{
    doc->n = n;
    doc->term = term;
    doc->N = 0;
    for (dlp_index w = 0; w < n; w++) {
        doc->c[w] = count[w];
        doc->N += count[w];
    }
}
