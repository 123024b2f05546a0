/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Passes over the corpus by minibatches, before EM over all of it. Batch t of S documents
 * has sums s_t; those of the fit move towards what they would be for all D,
 *
 *     s := (1 - rho_t) s + rho_t (D / S) s_t,     rho_t = (tau_0 + t)^-kappa,
 *
 * and an M step follows each (Hoffman, Blei and Bach 2010, for LDA; Cappe and Moulines
 * 2009). Documents are taken in random order, from the seed: in a sorted corpus,
 * consecutive batches would differ.
 */
#include "core/core.h"
#include "core/scratch.h"
#include "corpus/formats/mapped.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_fit.h"

#include <delaplace/random.h>

#include <math.h>
#include <string.h>

static const double TAU_0 = 1, KAPPA = 0.7;
enum { SMALLEST = 16, BATCHES = 64 };

typedef struct online {
    dlp_ctm *ctm; /* over the documents in their new order */
    dlp_corpus *corpus;
    dlp_index *order; /* (D) document d of the new order is document order[d] */
    double *sums;     /* (n) s */
    dlp_index batch;  /* documents */
} online;

static void clear(online *o)
{
    dlp_ctm_free(o->ctm);
    dlp_corpus_free(o->corpus);
    free(o->order);
    free(o->sums);
}

static void draw_order(uint64_t seed, dlp_index D, dlp_index *order)
{
    dlp_rng rng = dlp_rng_at(seed, 0x6f6e6c696e65); /* a stream of its own */
    for (dlp_index d = 0; d < D; d++) {
        const dlp_index at = (dlp_index)(dlp_draw_uniform(&rng) * (double)(d + 1));
        order[d] = order[at];
        order[at] = d;
    }
}

/* Makes room for as many documents and pairs as the corpus has; if that is mapped, in an
   unnamed file that is mapped, too. */
static dlp_status make_room(const dlp_corpus *c, const char *folder, dlp_corpus **made,
                            dlp_error *error)
{
    if (!c->file) {
        *made = dlpi_corpus_alloc(c->D, c->nnz, error);
        return *made ? DLP_OK : DLP_ENOMEM;
    }
    dlpi_scratch s;
    DLP_TRY(dlpi_scratch_alloc(dlpi_size(1, c->D + 1, c->nnz), folder, &s, error));
    struct dlpi_mapping mapping = {.data = (char *)s.x, .size = s.size};
    dlp_corpus *p = *made = dlpi_corpus_alloc_mapped(&mapping);
    if (!p) {
        dlpi_scratch_free(&s);
        return dlpi_no_memory(error, "the documents in another order");
    }
    p->row = (dlp_index *)(void *)s.x;
    p->term = (int32_t *)(void *)(p->row + c->D + 1);
    p->count = p->term + c->nnz;
    return DLP_OK;
}

/* Releases the pages of both, if they are mapped: the next documents to be copied may be
   anywhere. */
static void leave(const dlp_corpus *from, const dlp_corpus *to, dlp_index done)
{
    dlpi_corpus_leave(from, 0, from->D);
    dlpi_corpus_leave(to, 0, done);
}

/* The documents in the new order, without names. */
static dlp_status permute(const dlp_corpus *c, const dlp_index *order, const char *folder,
                          dlp_corpus **made, dlp_error *error)
{
    DLP_TRY(make_room(c, folder, made, error));
    dlp_corpus *p = *made;
    p->D = c->D;
    p->V = c->V;
    p->nnz = c->nnz;
    p->words = c->words;
    for (dlp_index d = 0; d < c->D; d++) {
        const dlp_index first = c->row[order[d]], n = c->row[order[d] + 1] - first;
        memcpy(p->term + p->row[d], c->term + first, (size_t)n * sizeof *c->term);
        memcpy(p->count + p->row[d], c->count + first, (size_t)n * sizeof *c->count);
        p->row[d + 1] = p->row[d] + n;
        if (d % DLPI_CORPUS_STRETCH == 0) leave(c, p, d);
    }
    return DLP_OK;
}

static void copy_topics(const dlp_ctm *from, dlp_ctm *to)
{
    const dlpi_ctm_shared *a = &from->shared;
    dlpi_ctm_shared *b = &to->shared;
    const size_t K = (size_t)a->K, V = (size_t)a->V, stride = (size_t)a->stride;
    memcpy(b->beta, a->beta, V * stride * sizeof *a->beta);
    memcpy(b->Sigma0, a->Sigma0, K * K * sizeof *a->Sigma0);
    memcpy(b->P0, a->P0, K * stride * sizeof *a->P0);
    memcpy(to->Gamma, from->Gamma, K * sizeof *from->Gamma);
    b->log_det = a->log_det;
}

static dlp_status begin(const dlp_ctm *ctm, online *o, dlp_error *error)
{
    const dlp_index D = ctm->corpus->D;
    dlp_topics_settings s = ctm->settings;
    s.online = 0;
    s.progress = NULL;
    o->batch = D / BATCHES < SMALLEST ? SMALLEST : D / BATCHES;
    if (o->batch > DLPI_CTM_BLOCK) o->batch = DLPI_CTM_BLOCK;
    o->order = dlpi_calloc(D, sizeof *o->order);
    if (!o->order) return dlpi_no_memory(error, "the order of documents");
    draw_order(s.seed, D, o->order);
    DLP_TRY(permute(ctm->corpus, o->order, dlpi_scratch_folder(s.scratch), &o->corpus,
                    error));
    DLP_TRY(dlp_ctm_alloc(o->corpus, NULL, &s, &o->ctm, error));
    o->sums = dlpi_calloc(o->ctm->tree.n, sizeof *o->sums);
    if (!o->sums) return dlpi_no_memory(error, "the sums of EM");
    copy_topics(ctm, o->ctm);
    for (int t = 0; t < o->ctm->settings.threads; t++) /* as at the beginning of EM */
        o->ctm->doc[t].tol = 100 * s.document_tol;
    return DLP_OK;
}

/* Updates s, before its M step. */
static void blend(online *o, double rho, double scale)
{
    const double *batch = o->ctm->tree.slot[0];
    const dlp_index n = o->ctm->tree.n;
    for (dlp_index i = 0; i < n; i++) o->sums[i] += rho * (scale * batch[i] - o->sums[i]);
    memcpy(o->ctm->tree.slot[0], o->sums, (size_t)n * sizeof *o->sums);
}

/* Documents first..to-1 of the new order, and an M step. */
static bool take_batch(online *o, dlp_index first, dlp_index to, double rho)
{
    dlp_ctm *ctm = o->ctm;
    dlpi_ctm_infer_part(ctm, first, to, true, ctm->tree.slot[0]);
    blend(o, rho, (double)ctm->share.D / (double)(to - first));
    ctm->summed = true;
    if (!dlpi_ctm_m_step(ctm)) return false;
    dlpi_ctm_move_sums(ctm, ctm->shift, (double)ctm->share.D, o->sums);
    return true;
}

static bool take_pass(online *o, dlp_index pass, dlpi_listener *listener)
{
    dlp_ctm *ctm = o->ctm;
    const dlp_index D = ctm->corpus->D, K = ctm->shared.K,
                    n = (D + o->batch - 1) / o->batch;
    for (dlp_index b = 0; b < n; b++) {
        const dlp_index first = D * b / n, to = D * (b + 1) / n, t = pass * n + b;
        for (dlp_index d = first; pass == 0 && d < to; d++)
            memcpy(ctm->mu + d * K, ctm->Gamma, (size_t)K * sizeof *ctm->mu);
        if (!take_batch(o, first, to, pow(TAU_0 + (double)t, -KAPPA))) return false;
        const dlp_progress now =
            dlpi_progress_count("starting", "documents", pass * D + to, 0);
        if (dlpi_listener_report(listener, now)) return false;
    }
    return true;
}

/* The means of documents, too: the first E step begins at them. */
static void end(const online *o, dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K;
    copy_topics(o->ctm, ctm);
    for (dlp_index d = 0; d < ctm->corpus->D; d++)
        memcpy(ctm->mu + o->order[d] * K, o->ctm->mu + d * K,
               (size_t)K * sizeof *ctm->mu);
}

dlp_status dlpi_ctm_online(dlp_ctm *ctm, dlp_error *error)
{
    online o = {.batch = 0};
    dlp_status status = begin(ctm, &o, error);
    bool good = true;
    for (int pass = 0; status == DLP_OK && good && pass < ctm->settings.online; pass++)
        good = take_pass(&o, pass, &ctm->listener);
    if (status == DLP_OK && good) end(&o, ctm);
    if (status == DLP_OK && !good)
        status = dlpi_listener_stopped(&ctm->listener)
                     ? dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller")
                     : dlp_fail(error, DLP_EINPUT,
                                "the covariance of topics is not positive definite after "
                                "a batch; fit without --online, or fewer topics");
    clear(&o);
    return status;
}
