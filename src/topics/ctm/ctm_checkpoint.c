/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of EM between two iterations, in a file. Beta, Gamma, Sigma_0 and the
 * documents' means are all there is to it: the sums of the last E step follow from them,
 * bit by bit. The file is for the same machine and version; what it belongs to (corpus,
 * covariates, settings) is kept as a fingerprint, and a checksum ends it.
 */
#include "core/core.h"
#include "core/file.h"
#include "core/file_call.h"
#include "corpus/formats/mapped.h"
#include "topics/ctm/ctm_average.h"
#include "topics/ctm/ctm_slices.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAGIC "delaplace ctm 4\n"

typedef struct header {
    char magic[16];
    uint64_t fingerprint; /* of all that the bits of the fit depend on */
    int64_t iterations, decreases;
    int64_t K, V, D, p;
    double objective, objective_per_word;
    double drift; /* of topics over slices; 0: they do not drift */
} header;

/* FNV-1a, over 8 bytes at a time while there are that many */
static uint64_t hash(uint64_t h, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        h = (h ^ word) * 0x100000001b3;
        h ^= h >> 32;
    }
    for (; i < size; i++) h = (h ^ bytes[i]) * 0x100000001b3;
    return h;
}

/* The same for pages that may be mapped, which are released. */
static uint64_t hash_pages(uint64_t h, const void *data, size_t size, bool mapped)
{
    const size_t most = (size_t)1 << 24; /* whole words */
    const char *at = data;
    for (size_t n; size > 0; at += n, size -= n) {
        n = size < most ? size : most;
        h = hash(h, at, n);
        if (mapped) dlpi_pages_release(at, at + n);
    }
    return h;
}

static const uint64_t HASH_START = 0xcbf29ce484222325;

/* The model to start from */
static uint64_t hash_start(uint64_t h, const dlp_topics *start)
{
    const size_t K = (size_t)start->K, V = (size_t)start->V, p = (size_t)start->p;
    h = hash(h, start->beta, K * V * sizeof *start->beta);
    h = hash(h, start->Gamma, p * K * sizeof *start->Gamma);
    return hash(h, start->Sigma0, K * K * sizeof *start->Sigma0);
}

static uint64_t fingerprint_of(const dlp_ctm *ctm)
{
    const dlp_topics_settings *s = &ctm->settings;
    const dlp_corpus *c = ctm->corpus;
    const double numbers[] = {
        s->document_tol, s->document_max_iter, s->plain,           s->smooth,
        s->shrink,       s->diagonal,          s->ridge,           (double)ctm->shared.K,
        (double)ctm->p,  (double)c->V,         s->paper_covariance};
    uint64_t h = hash(HASH_START, numbers, sizeof numbers);
    h = hash(h, s->method, strlen(s->method));
    if (s->online > 0) h = hash(h, &s->online, sizeof s->online);
    if (s->n_seed_words > 0) {
        h = hash(h, s->seed_word, (size_t)s->n_seed_words * sizeof *s->seed_word);
        h = hash(h, &s->seed_weight, sizeof s->seed_weight);
    }
    if (s->average) h = hash(h, "average", 7);
    if (s->content_groups > 0)
        h = hash(h, "content", 7);
    else if (ctm->slices)
        h = hash(h, &s->drift, sizeof s->drift);
    if (ctm->fixed) h = hash(h, ctm->fixed, (size_t)ctm->shared.K * sizeof *ctm->fixed);
    if (s->start) {
        h = hash_start(h, s->start);
    } else {
        h = hash(h, s->init, strlen(s->init));
        h = hash(h, &s->seed, sizeof s->seed);
    }
    const bool mapped = c->file && !c->file->owned;
    h = hash_pages(h, c->row, (size_t)(c->D + 1) * sizeof *c->row, mapped);
    h = hash_pages(h, c->term, (size_t)c->nnz * sizeof *c->term, mapped);
    h = hash_pages(h, c->count, (size_t)c->nnz * sizeof *c->count, mapped);
    return hash(h, ctm->X, (size_t)(c->D * (ctm->p - 1)) * sizeof *ctm->X);
}

/* The parts of the file, in their order. */
enum { PARTS = 8 };
typedef struct part {
    void *data;
    size_t size;
    bool mapped;
} part;

static void parts_of(const dlp_ctm *ctm, header *h, part parts[PARTS])
{
    const size_t K = (size_t)ctm->shared.K, V = (size_t)ctm->shared.V;
    const size_t D = (size_t)ctm->corpus->D, p = (size_t)ctm->p;
    size_t n_content;
    double *content = dlpi_content_state(ctm, &n_content);
    const part all[PARTS] = {
        {h, sizeof *h, false},
        {dlpi_ctm_whole_beta(ctm), V * (size_t)ctm->shared.stride * sizeof(double),
         ctm->divided != NULL},
        {ctm->Gamma, p * K * sizeof(double), false},
        {ctm->shared.Sigma0, K * K * sizeof(double), false},
        {ctm->mu, D * K * sizeof(double), ctm->means.on_disk},
        {ctm->trace, (size_t)h->iterations * sizeof *ctm->trace, false},
        {content ? content : (void *)h, n_content,
         false}, /* of size 0 where there is none */
        {ctm->average ? ctm->average->total : (void *)h,
         ctm->average ? K * sizeof(double) : 0, false},
    };
    memcpy(parts, all, sizeof all);
}

dlp_status dlp_ctm_save(const dlp_ctm *ctm, const char *path, dlp_error *error)
{
    const dlp_topics_result *r = &ctm->result;
    header h = {.fingerprint = fingerprint_of(ctm),
                .iterations = r->iterations,
                .decreases = r->decreases,
                .K = ctm->shared.K,
                .V = ctm->shared.V,
                .D = ctm->corpus->D,
                .p = ctm->p,
                .objective = r->objective,
                .objective_per_word = r->objective_per_word,
                .drift = ctm->slices ? *dlpi_slices_drift(ctm->slices) : 0};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    part parts[PARTS];
    struct dlpi_piece pieces[PARTS + 1];
    uint64_t checksum = HASH_START;
    parts_of(ctm, &h, parts);
    for (int i = 0; i < PARTS; i++) {
        checksum = hash_pages(checksum, parts[i].data, parts[i].size, parts[i].mapped);
        pieces[i] = (struct dlpi_piece){parts[i].data, parts[i].size, parts[i].mapped};
    }
    pieces[PARTS] = (struct dlpi_piece){&checksum, sizeof checksum, false};
    return dlpi_file_write_pieces(path, pieces, PARTS + 1, error);
}

static dlp_status damaged(const char *path, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "%s: this checkpoint is damaged; remove it and fit again", path);
}

static dlp_status unreadable(FILE *file, const char *path, dlp_error *error)
{
    if (!ferror(file)) return damaged(path, error);
    return dlpi_fail_errno(error, DLP_EIO, path, "read", errno,
                           "is it the checkpoint of an interrupted fit?");
}

static dlp_status check_header(const dlp_ctm *ctm, const header *h, const char *path,
                               dlp_error *error)
{
    if (memcmp(h->magic, MAGIC, sizeof h->magic) != 0)
        return dlp_fail(
            error, DLP_EINPUT,
            "%s: this is not a checkpoint of this version; remove it and fit again",
            path);
    if (h->K != ctm->shared.K || h->V != ctm->shared.V || h->D != ctm->corpus->D ||
        h->p != ctm->p || h->fingerprint != fingerprint_of(ctm))
        return dlp_fail(error, DLP_EINPUT,
                        "%s: this checkpoint belongs to another corpus or to other "
                        "settings; give the same ones, or fit again without it",
                        path);
    if (h->iterations < 1 || h->iterations > 1000000 || h->decreases < 0 ||
        h->decreases > h->iterations)
        return damaged(path, error);
    return DLP_OK;
}

dlp_status dlpi_ctm_make_trace(dlp_ctm *ctm, int64_t iterations, dlp_error *error)
{
    if (iterations <= ctm->settings.max_iter) return DLP_OK;
    dlp_topics_row *trace = dlpi_calloc(iterations, sizeof *trace);
    if (!trace) return dlpi_no_memory(error, "the trace");
    free(ctm->trace);
    ctm->trace = trace;
    ctm->result.trace = trace;
    return DLP_OK;
}

static bool read_pages(const part *p, FILE *file, const char *path)
{
    const size_t most = (size_t)1 << 24;
    char *data = p->data;
    for (size_t at = 0, n; at < p->size; at += n) {
        n = p->size - at < most ? p->size - at : most;
        if (dlpi_file_read(path, file, data + at, n) != n) return false;
        if (p->mapped) dlpi_pages_release(data + at, data + at + n);
    }
    return true;
}

/* ---- what was read ---- */

/* A checksum tells that a file is as it was written, not that it is the checkpoint of a
   fit: numbers that no fit has would end in topics that are none. */

enum { SIDE_BY_SIDE = 64 }; /* topics of which sums are taken at once */

static bool are_finite(const part *p)
{
    const size_t most = (size_t)1 << 21, n = p->size / sizeof(double);
    const double *x = p->data;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
        if (p->mapped && (i + 1) % most == 0)
            dlpi_pages_release(x + i + 1 - most, x + i + 1);
    }
    return true;
}

/* The probabilities of V terms add up to 1 in each of n topics. */
static bool are_probabilities(const double *beta, dlp_index V, dlp_index stride,
                              dlp_index n)
{
    double sum[SIDE_BY_SIDE] = {0};
    for (dlp_index v = 0; v < V; v++)
        for (dlp_index k = 0; k < n; k++) {
            if (!(beta[v * stride + k] >= 0)) return false;
            sum[k] += beta[v * stride + k];
        }
    for (dlp_index k = 0; k < n; k++)
        if (!(fabs(sum[k] - 1) < 1e-6)) return false;
    return true;
}

/* In each slice or group. */
static bool are_topics(const dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride,
                    parts = ctm->slices ? ctm->slices->T : 1, V = ctm->shared.V / parts;
    const double *beta = dlpi_ctm_whole_beta(ctm);
    for (dlp_index t = 0; t < parts; t++)
        for (dlp_index k = 0; k < K; k += SIDE_BY_SIDE)
            if (!are_probabilities(beta + t * V * stride + k, V, stride,
                                   K - k < SIDE_BY_SIDE ? K - k : SIDE_BY_SIDE))
                return false;
    return true;
}

static bool is_symmetric(dlp_index K, const double *A)
{
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < i; j++)
            if (!(fabs(A[i * K + j] - A[j * K + i]) <= 1e-9 * (1 + fabs(A[i * K + j]))))
                return false;
    return true;
}

static bool is_trace(const dlp_topics_row *row, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(row[i].objective) || !isfinite(row[i].change) ||
            !isfinite(row[i].moved) || row[i].iteration != i + 1)
            return false;
    return true;
}

static bool is_of_a_fit(const dlp_ctm *ctm, const header *h, const part parts[PARTS])
{
    enum { TRACE = 5 };
    for (int i = 1; i < PARTS; i++)
        if (i != TRACE && !are_finite(&parts[i])) return false;
    return isfinite(h->objective) && isfinite(h->objective_per_word) && h->drift >= 0 &&
           h->drift <= 1 && is_trace(ctm->trace, h->iterations) &&
           is_symmetric(ctm->shared.K, ctm->shared.Sigma0) && are_topics(ctm);
}

static dlp_status read_parts(dlp_ctm *ctm, header *h, FILE *file, const char *path,
                             dlp_error *error)
{
    part parts[PARTS];
    uint64_t checksum = hash(HASH_START, h, sizeof *h), written;
    parts_of(ctm, h, parts);
    for (int i = 1; i < PARTS; i++) {
        if (!read_pages(&parts[i], file, path)) return unreadable(file, path, error);
        checksum = hash_pages(checksum, parts[i].data, parts[i].size, parts[i].mapped);
    }
    if (dlpi_file_read(path, file, &written, sizeof written) != sizeof written ||
        written != checksum || !is_of_a_fit(ctm, h, parts) ||
        !dlpi_ctm_factor_sigma0(&ctm->shared))
        return damaged(path, error);
    if (ctm->average) dlpi_average_expect(ctm);
    return DLP_OK;
}

static dlp_status load(dlp_ctm *ctm, FILE *file, const char *path, dlp_error *error)
{
    header h;
    if (dlpi_file_read(path, file, &h, sizeof h) != sizeof h)
        return unreadable(file, path, error);
    DLP_TRY(check_header(ctm, &h, path, error));
    DLP_TRY(dlpi_ctm_make_trace(ctm, h.iterations, error));
    DLP_TRY(read_parts(ctm, &h, file, path, error));
    dlp_topics_result *r = &ctm->result;
    r->iterations = (int)h.iterations;
    r->decreases = (int)h.decreases;
    r->objective = h.objective;
    r->objective_per_word = h.objective_per_word;
    if (ctm->slices) *dlpi_slices_drift(ctm->slices) = h.drift;
    r->unsettled = ctm->trace[h.iterations - 1].unsettled;
    r->outcome = dlpi_ctm_ended(ctm);
    ctm->summed = false;
    ctm->started = true;
    atomic_store(&ctm->listener.stopped, false);
    return DLP_OK;
}

static dlp_status load_file(dlp_ctm *ctm, const char *path, dlp_error *error)
{
    FILE *file = dlpi_file_stream(path);
    if (!file)
        return dlpi_fail_errno(error, DLP_EIO, path, "read", errno,
                               "is it the checkpoint of an interrupted fit?");
    const dlp_status status = load(ctm, file, path, error);
    fclose(file);
    return status;
}

/* Process 0 reads it, and the others learn what it holds. */
dlp_status dlp_ctm_load(dlp_ctm *ctm, const char *path, dlp_error *error)
{
    const dlp_status status = dlpi_ctm_leads(ctm) ? load_file(ctm, path, error) : DLP_OK;
    DLP_TRY(dlpi_ctm_agree(ctm, status, error));
    DLP_TRY(dlpi_ctm_share_state(ctm, error));
    return dlpi_ctm_failure(ctm, error);
}
