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
#include "infer/em.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_fit.h"

#include <delaplace/random.h>

#include <math.h>
#include <string.h>

static const double TAU_0 = 1, KAPPA = 0.7;
enum { SMALLEST = 16, BATCHES = 64 };

typedef struct online {
    dlp_ctm *whole; /* the fit, of which this is the beginning */
    dlp_ctm
        *ctm; /* over the documents in their new order, or those of them that this process
                     infers; NULL: it infers none */
    dlp_corpus *corpus;
    dlp_index *order; /* (D) document d of the new order is document order[d] */
    double *sums;     /* (n) s */
    dlp_index D, batches;
    dlp_index taken; /* batches, t */
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

/* A fit of this process alone, to the documents of o->corpus. */
static dlp_status make_fit(online *o, dlp_error *error)
{
    dlp_topics_settings s = o->whole->settings;
    s.online = 0;
    s.progress = NULL;
    s.processes = NULL;
    DLP_TRY(dlp_ctm_alloc(o->corpus, NULL, &s, &o->ctm, error));
    for (int t = 0; t < o->ctm->settings.threads; t++) /* as EM begins */
        o->ctm->doc[t].tol = 100 * s.document_tol;
    return DLP_OK;
}

static void divide_batches(dlp_index D, online *o)
{
    dlp_index batch = D / BATCHES < SMALLEST ? SMALLEST : D / BATCHES;
    if (batch > DLPI_CTM_BLOCK) batch = DLPI_CTM_BLOCK;
    o->D = D;
    o->batches = (D + batch - 1) / batch;
}

static dlp_status begin(const dlp_ctm *ctm, online *o, dlp_error *error)
{
    const dlp_index D = ctm->corpus->D;
    o->order = dlpi_calloc(D, sizeof *o->order);
    if (!o->order) return dlpi_no_memory(error, "the order of documents");
    draw_order(ctm->settings.seed, D, o->order);
    DLP_TRY(permute(ctm->corpus, o->order, dlpi_scratch_folder(ctm->settings.scratch),
                    &o->corpus, error));
    DLP_TRY(make_fit(o, error));
    o->sums = dlpi_calloc(o->ctm->tree.n, sizeof *o->sums);
    if (!o->sums) return dlpi_no_memory(error, "the sums of EM");
    copy_topics(ctm, o->ctm);
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

/* ---- several processes ---- */

/*
 * A batch is inferred in chunks (ctm_estep.c), of which each process has a range. It sends
 * process 0 what they add up to, its documents' means and exp(means), from which process 0
 * counts terms. So the sums are those of one process.
 */
typedef struct range {
    dlp_index from, to; /* chunks */
    dlp_index first, n; /* documents of the new order */
} range;

static range range_of(const online *o, int rank, dlp_index b)
{
    const dlp_index size = o->whole->share.comm->size, chunks = o->whole->n_chunks,
                    begins = o->D * b / o->batches,
                    documents = o->D * (b + 1) / o->batches - begins;
    range r = {.from = chunks * rank / size, .to = chunks * (rank + 1) / size};
    r.first = begins + documents * r.from / chunks;
    r.n = begins + documents * r.to / chunks - r.first;
    return r;
}

static dlp_index documents_of(const online *o, int rank)
{
    dlp_index n = 0;
    for (dlp_index b = 0; b < o->batches; b++) n += range_of(o, rank, b).n;
    return n;
}

static dlp_status send_documents(const online *o, int rank, dlp_error *error)
{
    const dlp_corpus *c = o->corpus;
    dlpi_comm *comm = o->whole->share.comm;
    const dlp_index unit = sizeof *c->term;
    dlp_index pairs = 0;
    for (dlp_index b = 0; b < o->batches; b++) {
        const range r = range_of(o, rank, b);
        pairs += c->row[r.first + r.n] - c->row[r.first];
    }
    DLP_TRY(comm->ops->send(comm, rank, sizeof pairs, &pairs, error));
    for (dlp_index b = 0; b < o->batches; b++) {
        const range r = range_of(o, rank, b);
        const dlp_index *row = c->row + r.first, at = *row, n = row[r.n] - at;
        DLP_TRY(
            comm->ops->send(comm, rank, (r.n + 1) * (dlp_index)sizeof *row, row, error));
        DLP_TRY(comm->ops->send(comm, rank, n * unit, c->term + at, error));
        DLP_TRY(comm->ops->send(comm, rank, n * unit, c->count + at, error));
    }
    return DLP_OK;
}

/* Into p, which has room; row (most + 1) is room for those of a batch. */
static dlp_status receive_batches(const online *o, dlp_index *row, dlp_corpus *p,
                                  dlp_error *error)
{
    dlpi_comm *comm = o->whole->share.comm;
    const dlp_index unit = sizeof *p->term;
    for (dlp_index b = 0; b < o->batches; b++) {
        const range r = range_of(o, comm->rank, b);
        DLP_TRY(
            comm->ops->receive(comm, 0, (r.n + 1) * (dlp_index)sizeof *row, row, error));
        const dlp_index at = p->row[p->D], n = row[r.n] - row[0];
        for (dlp_index d = 0; d < r.n; d++)
            p->row[p->D + d + 1] = at + row[d + 1] - row[0];
        DLP_TRY(comm->ops->receive(comm, 0, n * unit, p->term + at, error));
        DLP_TRY(comm->ops->receive(comm, 0, n * unit, p->count + at, error));
        for (dlp_index i = at; i < at + n; i++) p->words += p->count[i];
        p->D += r.n;
    }
    return DLP_OK;
}

static dlp_status receive_documents(online *o, dlp_error *error)
{
    const dlp_ctm *whole = o->whole;
    dlpi_comm *comm = whole->share.comm;
    dlp_corpus like = {.D = documents_of(o, comm->rank), .file = whole->corpus->file};
    DLP_TRY(comm->ops->receive(comm, 0, sizeof like.nnz, &like.nnz, error));
    DLP_TRY(make_room(&like, dlpi_scratch_folder(whole->settings.scratch), &o->corpus,
                      error));
    o->corpus->D = o->corpus->words = 0;
    o->corpus->V = whole->corpus->V;
    o->corpus->nnz = like.nnz;
    dlp_index *row = dlpi_calloc(DLPI_CTM_BLOCK + 1, sizeof *row);
    if (!row) return dlpi_no_memory(error, "the documents of a batch");
    const dlp_status status = receive_batches(o, row, o->corpus, error);
    free(row);
    return status;
}

static dlp_status share_documents(online *o, dlp_error *error)
{
    const dlpi_comm *comm = o->whole->share.comm;
    for (int rank = 1; comm->rank == 0 && rank < comm->size; rank++)
        if (documents_of(o, rank) > 0) DLP_TRY(send_documents(o, rank, error));
    if (comm->rank == 0 || documents_of(o, comm->rank) == 0) return DLP_OK;
    DLP_TRY(receive_documents(o, error));
    return make_fit(o, error);
}

/* What a process has found out about its documents of a batch: from it, or to process 0.
   Those are documents `at`... of its fit, and `into`... of the batch. */
static dlp_status move_found(const online *o, int rank, const range *r, dlp_index at,
                             dlp_index into, dlp_error *error)
{
    dlp_ctm *ctm = o->ctm;
    dlpi_comm *comm = o->whole->share.comm;
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride, unit = sizeof(double);
    const struct {
        double *x;
        dlp_index n;
    } found[] = {{ctm->chunk[r->from].head, (r->to - r->from) * dlpi_ctm_sums_size(ctm)},
                 {ctm->mu + at * K, r->n * K},
                 {ctm->e + into * stride, r->n * stride}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        DLP_TRY(comm->rank == 0
                    ? comm->ops->receive(comm, rank, found[i].n * unit, found[i].x, error)
                    : comm->ops->send(comm, 0, found[i].n * unit, found[i].x, error));
    return DLP_OK;
}

/* All documents of batch b; false: the processes have lost each other. */
static bool infer_batch(online *o, dlp_index b)
{
    dlp_ctm *ctm = o->ctm, *whole = o->whole;
    const dlp_index first = o->D * b / o->batches,
                    n = o->D * (b + 1) / o->batches - first;
    const range own = range_of(o, 0, b);
    if (!dlpi_ctm_alone(whole)) {
        copy_topics(ctm, whole);
        if (!dlpi_ctm_share_topics(whole, true)) return false;
    }
    dlpi_ctm_infer_chunks(ctm, n, own.from, own.to, first, true);
    for (int rank = 1; rank < whole->share.comm->size; rank++) {
        const range r = range_of(o, rank, b);
        if (documents_of(o, rank) == 0 || whole->share.status != DLP_OK) continue;
        whole->share.status =
            move_found(o, rank, &r, r.first, r.first - first, &whole->share.error);
    }
    return whole->share.status == DLP_OK;
}

/* A process other than 0. */
static void serve(online *o)
{
    dlp_ctm *ctm = o->ctm, *whole = o->whole;
    const dlp_index K = whole->shared.K;
    const int rank = whole->share.comm->rank;
    for (dlp_index t = 0, at = 0; dlpi_ctm_share_topics(whole, false); t++) {
        const dlp_index b = t % o->batches;
        const range r = range_of(o, rank, b);
        if (!ctm) continue;
        if (b == 0) at = 0;
        copy_topics(whole, ctm);
        for (dlp_index d = at; t < o->batches && d < at + r.n; d++)
            memcpy(ctm->mu + d * K, ctm->Gamma, (size_t)K * sizeof *ctm->mu);
        const dlp_index first = o->D * b / o->batches,
                        n = o->D * (b + 1) / o->batches - first;
        dlpi_ctm_infer_chunks(ctm, n, r.from, r.to, at, true);
        whole->share.status = move_found(o, rank, &r, at, 0, &whole->share.error);
        at += r.n;
    }
}

/* ---- the passes ---- */

/* The batch whose turn it is, documents first..to-1 of the new order. */
typedef struct batch {
    dlp_index pass, number, first, to;
} batch;

static batch batch_of(const online *o)
{
    const dlp_index b = o->taken % o->batches;
    return (batch){.pass = o->taken / o->batches,
                   .number = b,
                   .first = o->D * b / o->batches,
                   .to = o->D * (b + 1) / o->batches};
}

/* s_t. A batch's own objective says little of the corpus; a pass ends with its last batch. */
static dlp_status e_step(void *model, double *objective, dlp_error *error)
{
    online *o = model;
    dlp_ctm *ctm = o->ctm;
    const batch now = batch_of(o);
    const dlp_index K = ctm->shared.K;
    for (dlp_index d = now.first; now.pass == 0 && d < now.to; d++)
        memcpy(ctm->mu + d * K, ctm->Gamma, (size_t)K * sizeof *ctm->mu);
    if (!infer_batch(o, now.number)) return dlpi_ctm_failure(o->whole, error);
    dlpi_ctm_sum_block(ctm, now.first, now.to, ctm->tree.slot[0]);
    *objective = 0;
    return DLP_OK;
}

static bool m_step(void *model)
{
    online *o = model;
    dlp_ctm *ctm = o->ctm;
    const batch now = batch_of(o);
    const double rho = pow(TAU_0 + (double)o->taken, -KAPPA);
    blend(o, rho, (double)ctm->share.D / (double)(now.to - now.first));
    ctm->summed = true;
    if (!dlpi_ctm_m_step(ctm)) return false;
    dlpi_ctm_move_sums(ctm, ctm->shift, (double)ctm->share.D, o->sums);
    return true;
}

/* Tells the caller of the fit, for whom all of this is one beginning. */
static double record(void *model, int iteration, double objective)
{
    online *o = model;
    const batch now = batch_of(o);
    (void)iteration;
    (void)objective;
    o->taken++;
    (void)dlpi_listener_report(
        &o->whole->listener,
        dlpi_progress_count("starting", "documents", now.pass * o->D + now.to, 0));
    return 0;
}

static dlp_outcome ended(const void *model)
{
    const online *o = model;
    return dlpi_listener_stopped(&o->whole->listener) ? DLP_CANCELLED : DLP_RUNNING;
}

static const dlpi_em_type minibatches = {
    .e_step = e_step, .m_step = m_step, .record = record, .ended = ended};

static dlp_status take_batches(online *o, dlp_error *error)
{
    dlpi_listener nobody = {.call = NULL};
    dlpi_em em = {.type = &minibatches,
                  .model = o,
                  .listener = &nobody,
                  .max_iter = o->whole->settings.online * (int)o->batches,
                  .outcome = DLP_RUNNING};
    DLP_TRY(dlpi_em_run(&em, error));
    if (em.outcome == DLP_CANCELLED)
        return dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
    if (em.outcome == DLP_DIVERGED)
        return dlpi_advise(error, DLP_REMEDY_NOT_ONLINE,
                           dlp_fail(error, DLP_EINPUT,
                                    "the covariance of topics is not positive definite "
                                    "after a batch; fit fewer topics, or all documents "
                                    "at once"));
    return DLP_OK;
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

static dlp_status prepare(online *o, dlp_error *error)
{
    dlp_ctm *ctm = o->whole;
    divide_batches(ctm->share.D, o);
    const dlp_status status = dlpi_ctm_leads(ctm) ? begin(ctm, o, error) : DLP_OK;
    DLP_TRY(dlpi_ctm_agree(ctm, status, error));
    return dlpi_ctm_agree(ctm, share_documents(o, error), error);
}

/* Process 0 tells the others when it is over. */
static dlp_status take_part(online *o, dlp_error *error)
{
    serve(o);
    return dlpi_ctm_failure(o->whole, error);
}

static dlp_status lead(online *o, dlp_error *error)
{
    dlp_ctm *ctm = o->whole;
    const dlp_status status = take_batches(o, error);
    if (!dlpi_ctm_alone(ctm)) (void)dlpi_ctm_share_topics(ctm, false);
    if (status == DLP_OK) end(o, ctm);
    return status == DLP_OK ? dlpi_ctm_failure(ctm, error) : status;
}

dlp_status dlpi_ctm_online(dlp_ctm *ctm, dlp_error *error)
{
    online o = {.whole = ctm};
    dlp_status status = prepare(&o, error);
    if (status == DLP_OK)
        status = dlpi_ctm_leads(ctm) ? lead(&o, error) : take_part(&o, error);
    clear(&o);
    return status;
}
