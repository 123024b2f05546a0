/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics divided among processes: which process owns which terms, the counts of terms,
   and the whole beta in process 0. */
#include "topics/ctm/ctm_divide.h"

#include "core/core.h"
#include "corpus/formats/mapped.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <omp.h>
#include <string.h>

typedef struct dlpi_divided divided;
enum { CHUNKS = DLPI_CTM_TERM_CHUNKS, PIECE = 1 << 16 /* numbers */ };

dlp_index dlpi_divided_term(dlp_index V, dlp_index chunk)
{
    return V * chunk / CHUNKS;
}

dlp_index dlpi_divided_chunk(int rank, int size)
{
    return dlpi_tree_begins(CHUNKS, rank, size);
}

/* ---- the plan ---- */

/* Not with slices or seeds, whose M steps differ, nor with a Dirichlet prior, which
   weighs documents in its own way, nor with minibatches, which have their own sums. */
bool dlpi_divided_may(const dlp_ctm *ctm)
{
    const dlp_topics_settings *s = &ctm->settings;
    return ctm->share.comm->size > 1 && !ctm->slices && s->n_seed_words == 0 &&
           s->online == 0 && !s->average && ctm->method != &dlpi_ctm_dirichlet;
}

static dlp_index most_chunks(int size)
{
    dlp_index most = 0;
    for (int rank = 0; rank < size; rank++) {
        const dlp_index n =
            dlpi_divided_chunk(rank + 1, size) - dlpi_divided_chunk(rank, size);
        most = n > most ? n : most;
    }
    return most;
}

/* Rows of the largest slice of `together` chunks */
static dlp_index slice_rows(const dlp_ctm *ctm, dlp_index together)
{
    return together * (ctm->corpus->V / CHUNKS + 1);
}

/* Sums that the tree of a slice holds at once, and beta of the slice */
static dlp_index slice_sums(const dlp_ctm *ctm)
{
    const dlpi_ctm_share *share = &ctm->share;
    const int rank = share->comm->rank, size = share->comm->size;
    return 1 + dlpi_tree_room(dlpi_tree_begins(share->parts, rank, size),
                              dlpi_tree_begins(share->parts, rank + 1, size));
}

dlp_index dlpi_divided_arena(const dlp_ctm *ctm)
{
    const dlp_index sums = slice_sums(ctm) * slice_rows(ctm, ctm->divided->together);
    return ctm->divided->rows > sums ? ctm->divided->rows : sums;
}

/* What all processes have to agree on: the smallest slice and the most batches of any. */
static dlp_status agree_upon(dlp_ctm *ctm, dlp_index batches, dlp_error *error)
{
    divided *d = ctm->divided;
    dlpi_comm *comm = ctm->share.comm;
    int64_t *all = dlpi_calloc(dlpi_size(2, comm->size, 0), sizeof *all);
    DLP_TRY(dlpi_ctm_agree(ctm, all ? DLP_OK : dlpi_no_memory(error, "the processes"),
                           error));
    all[2 * (dlp_index)comm->rank] = batches;
    all[2 * (dlp_index)comm->rank + 1] = d->together;
    const dlp_status status =
        comm->ops->sum_counts(comm, 2 * (dlp_index)comm->size, all, error);
    for (dlp_index rank = 0; rank < comm->size; rank++) {
        if (all[2 * rank] > d->rounds) d->rounds = all[2 * rank];
        if (all[2 * rank + 1] < d->together) d->together = all[2 * rank + 1];
    }
    free(all);
    return status;
}

static dlp_status alloc_terms(dlp_ctm *ctm, dlp_error *error)
{
    divided *d = ctm->divided = dlpi_calloc(1, sizeof *ctm->divided);
    if (!d) return dlpi_no_memory(error, "the topics");
    const dlp_index V = ctm->corpus->V;
    const int rank = ctm->share.comm->rank, size = ctm->share.comm->size;
    d->from = dlpi_divided_term(V, dlpi_divided_chunk(rank, size));
    d->to = dlpi_divided_term(V, dlpi_divided_chunk(rank + 1, size));
    d->blocks = (ctm->share.n + DLPI_CTM_BLOCK - 1) / DLPI_CTM_BLOCK;
    d->begins = dlpi_calloc(d->blocks, 1);
    d->slot = dlpi_calloc(V, sizeof *d->slot);
    d->stamp = dlpi_calloc(V, sizeof *d->stamp);
    return d->begins && d->slot && d->stamp ? DLP_OK
                                            : dlpi_no_memory(error, "the topics");
}

/* Half of the memory at hand is for rows of beta, if that many are needed: the more there
   are, the fewer are sent twice. */
dlp_status dlpi_divided_plan(dlp_ctm *ctm, double at_hand, double *bytes,
                             dlp_error *error)
{
    DLP_TRY(dlpi_ctm_agree(ctm, alloc_terms(ctm, error), error));
    divided *d = ctm->divided;
    const double stride = (double)dlpi_ctm_stride(ctm->settings.K);
    const double own = (double)(d->to - d->from),
                 always = 16 * own * stride + 8 * (double)ctm->corpus->V + 4 * own;
    const dlp_index sums = slice_sums(ctm), most = most_chunks(ctm->share.comm->size);
    const double fit = fmax((at_hand - always) / 2, 0) / (8 * stride);
    dlp_index in_block, in_all;
    dlpi_divided_distinct(ctm, &in_block, &in_all);
    d->rows = in_all < 1 ? 1 : fit > (double)in_all ? in_all : (dlp_index)fit;
    if (d->rows < in_block) d->rows = in_block;
    const double together = fit / (double)(sums * slice_rows(ctm, 1));
    d->together = together > (double)most ? most : together < 1 ? 1 : (dlp_index)together;
    DLP_TRY(agree_upon(ctm, dlpi_divided_batches(ctm), error));
    *bytes = always + 8 * stride * (double)dlpi_divided_arena(ctm) + 8 * (double)d->rows;
    return DLP_OK;
}

static dlp_status alloc_rows(dlp_ctm *ctm, dlp_error *error)
{
    divided *d = ctm->divided;
    const dlp_index stride = ctm->shared.stride, own = d->to - d->from;
    d->piece = stride < PIECE ? PIECE / stride : 1;
    d->counts = dlpi_calloc(dlpi_size(own, stride, 0), sizeof *d->counts);
    d->beta = dlpi_calloc(dlpi_size(own, stride, 0), sizeof *d->beta);
    d->words = dlpi_calloc(ctm->shared.K, sizeof *d->words);
    d->term = dlpi_calloc(d->rows, sizeof *d->term);
    d->ask = dlpi_calloc(d->rows, sizeof *d->ask);
    d->asked = dlpi_calloc(own, sizeof *d->asked);
    d->out = dlpi_calloc(dlpi_size(2 * d->piece, stride, 0), sizeof *d->out);
    if (!d->counts || !d->beta || !d->words || !d->term || !d->ask || !d->asked ||
        !d->out)
        return dlpi_no_memory(error, "the topics");
    d->in = d->out + d->piece * stride;
    return DLP_OK;
}

dlp_status dlpi_divided_alloc(dlp_ctm *ctm, dlp_error *error)
{
    divided *d = ctm->divided;
    const dlp_index V = ctm->shared.V, stride = ctm->shared.stride,
                    n = slice_rows(ctm, d->together) * stride;
    DLP_TRY(alloc_rows(ctm, error));
    d->slice = ctm->shared.beta;
    DLP_TRY(dlpi_tree_alloc_in(&d->tree, ctm->share.comm, ctm->share.parts, n,
                               ctm->settings.threads, d->slice + n, error));
    if (!dlpi_ctm_leads(ctm)) return DLP_OK;
    return dlpi_scratch_alloc(dlpi_size(V, stride, 0),
                              dlpi_scratch_folder(ctm->settings.scratch), &d->whole,
                              error);
}

void dlpi_divided_free(divided *d)
{
    if (!d) return;
    dlpi_tree_free(&d->tree);
    dlpi_scratch_free(&d->whole);
    free(d->counts);
    free(d->beta);
    free(d->words);
    free(d->slot);
    free(d->stamp);
    free(d->term);
    free(d->ask);
    free(d->asked);
    free(d->begins);
    free(d->out);
    free(d);
}

/* ---- what the E step counts ---- */

/* exp(mu_d - max) of documents first..end-1 */
static void weigh_documents(dlp_ctm *ctm, dlp_index first, dlp_index end)
{
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index d = first; d < end; d++) {
        dlpi_ctm_document *doc = &ctm->doc[omp_get_thread_num()];
        dlpi_ctm_weigh(doc, ctm->mu + d * K);
        memcpy(ctm->e + (d - first) * stride, doc->e, (size_t)stride * sizeof *doc->e);
    }
}

/* Counts terms a..b-1 in documents from..to-1, a part of the tree, as infer_part counts
   all. */
static void count_part(dlp_ctm *ctm, dlp_index from, dlp_index to, dlp_index a,
                       dlp_index b, double *sum)
{
    const dlpi_block *block = &ctm->block;
    const dlp_index stride = ctm->shared.stride;
    memset(sum, 0, (size_t)((b - a) * stride) * sizeof *sum);
    for (dlp_index first = from; first < to; first += DLPI_CTM_BLOCK) {
        const dlp_index rest = to - first,
                        end = first + (rest < DLPI_CTM_BLOCK ? rest : DLPI_CTM_BLOCK);
        weigh_documents(ctm, first, end);
        dlpi_block_read_terms(&ctm->block, ctm->corpus, first, end, a, b);
#pragma omp parallel for schedule(dynamic, 32) num_threads(ctm->settings.threads)
        for (dlp_index v = a; v < b; v++)
            dlpi_ctm_term(stride, block->row[v + 1] - block->row[v],
                          block->document + block->row[v], block->count + block->row[v],
                          first, ctm->e, ctm->divided->slice + (v - a) * stride,
                          sum + (v - a) * stride);
        dlpi_corpus_leave(ctm->corpus, first, end);
        dlpi_scratch_leave(&ctm->means, first * ctm->shared.K, end * ctm->shared.K);
    }
}

/* Process 0 collects the sum over all parts, and sends it to the owner. */
static dlp_status give_counts(dlp_ctm *ctm, int owner, dlp_index a)
{
    divided *d = ctm->divided;
    dlpi_comm *comm = ctm->share.comm;
    double *own = d->counts + (a - d->from) * ctm->shared.stride;
    const dlp_index size = d->tree.n * (dlp_index)sizeof *own;
    DLP_TRY(dlpi_tree_collect(&d->tree, &ctm->share.error));
    if (owner == 0 && comm->rank == 0) memcpy(own, d->tree.slot[0], (size_t)size);
    if (owner == 0) return DLP_OK;
    if (comm->rank == 0)
        return comm->ops->send(comm, owner, size, d->tree.slot[0], &ctm->share.error);
    if (comm->rank != owner) return DLP_OK;
    return comm->ops->receive(comm, 0, size, own, &ctm->share.error);
}

/* Counts terms a..b-1, which `owner` owns. */
static dlp_status count_slice(dlp_ctm *ctm, int owner, dlp_index a, dlp_index b)
{
    divided *d = ctm->divided;
    dlpi_tree *tree = &d->tree;
    dlpi_comm *comm = ctm->share.comm;
    const dlpi_ctm_share *share = &ctm->share;
    const dlp_index stride = ctm->shared.stride;
    tree->n = (b - a) * stride;
    const dlp_index size = tree->n * (dlp_index)sizeof *d->slice;
    if (comm->rank == owner)
        memcpy(d->slice, d->beta + (a - d->from) * stride, (size_t)size);
    DLP_TRY(comm->ops->share(comm, owner, size, d->slice, &ctm->share.error));
    dlpi_tree_begin(tree);
    for (dlp_index part = tree->from; part < tree->to; part++) {
        count_part(ctm, dlpi_ctm_part_begins(share->D, share->parts, part) - share->first,
                   dlpi_ctm_part_begins(share->D, share->parts, part + 1) - share->first,
                   a, b, dlpi_tree_open(tree));
        dlpi_tree_close(tree);
    }
    return give_counts(ctm, owner, a);
}

void dlpi_divided_count(dlp_ctm *ctm)
{
    const divided *d = ctm->divided;
    const int size = ctm->share.comm->size;
    const dlp_index V = ctm->shared.V;
    for (int owner = 0; owner < size; owner++) {
        const dlp_index end = dlpi_divided_chunk(owner + 1, size);
        for (dlp_index c = dlpi_divided_chunk(owner, size); c < end; c += d->together) {
            const dlp_index to = c + d->together < end ? c + d->together : end;
            if (ctm->share.status == DLP_OK)
                ctm->share.status = count_slice(ctm, owner, dlpi_divided_term(V, c),
                                                dlpi_divided_term(V, to));
        }
    }
}

/* ---- sums over terms, of the M step ---- */

void dlpi_divided_share_chunks(dlp_ctm *ctm, dlp_index n, double *sums)
{
    dlpi_comm *comm = ctm->share.comm;
    for (int owner = 0; ctm->divided && owner < comm->size; owner++) {
        const dlp_index first = dlpi_divided_chunk(owner, comm->size),
                        end = dlpi_divided_chunk(owner + 1, comm->size);
        if (ctm->share.status == DLP_OK && end > first)
            ctm->share.status =
                comm->ops->share(comm, owner, (end - first) * n * (dlp_index)sizeof *sums,
                                 sums + first * n, &ctm->share.error);
    }
}

void dlpi_divided_own_chunks(const dlp_ctm *ctm, dlp_index *first, dlp_index *end)
{
    const dlpi_comm *comm = ctm->share.comm;
    *first = ctm->divided ? dlpi_divided_chunk(comm->rank, comm->size) : 0;
    *end = ctm->divided ? dlpi_divided_chunk(comm->rank + 1, comm->size) : CHUNKS;
}

/* In the order of terms: each process adds to the sums of the one before it. */
static void add_words(dlp_ctm *ctm)
{
    divided *d = ctm->divided;
    dlpi_ctm_share *share = &ctm->share;
    dlpi_comm *comm = share->comm;
    const dlp_index K = ctm->shared.K, size = K * (dlp_index)sizeof *d->words;
    const int rank = comm->rank;
    memset(d->words, 0, (size_t)size);
    if (rank > 0 && share->status == DLP_OK)
        share->status = comm->ops->receive(comm, rank - 1, size, d->words, &share->error);
    for (dlp_index v = 0; v < d->to - d->from; v++)
        for (dlp_index k = 0; k < K; k++)
            d->words[k] += d->counts[v * ctm->shared.stride + k];
    if (rank + 1 < comm->size && share->status == DLP_OK)
        share->status = comm->ops->send(comm, rank + 1, size, d->words, &share->error);
    if (share->status == DLP_OK)
        share->status =
            comm->ops->share(comm, comm->size - 1, size, d->words, &share->error);
}

/* ---- the whole ---- */

static void move_rows(dlp_ctm *ctm, bool to_owners)
{
    divided *d = ctm->divided;
    dlpi_ctm_share *share = &ctm->share;
    dlpi_comm *comm = share->comm;
    const dlp_index V = ctm->shared.V, stride = ctm->shared.stride;
    for (int owner = 0; owner < comm->size && share->status == DLP_OK; owner++) {
        const dlp_index from =
                            dlpi_divided_term(V, dlpi_divided_chunk(owner, comm->size)),
                        to = dlpi_divided_term(V,
                                               dlpi_divided_chunk(owner + 1, comm->size)),
                        size = (to - from) * stride * (dlp_index)sizeof *d->beta;
        double *rows = comm->rank == 0 ? d->whole.x + from * stride : d->beta;
        const int other = comm->rank == 0 ? owner : 0;
        if (owner == 0 && comm->rank == 0)
            memcpy(to_owners ? d->beta : rows, to_owners ? rows : d->beta, (size_t)size);
        else if (owner > 0 && (comm->rank == 0 || comm->rank == owner))
            share->status =
                (comm->rank == 0) == to_owners
                    ? comm->ops->send(comm, other, size, rows, &share->error)
                    : comm->ops->receive(comm, other, size, rows, &share->error);
        if (comm->rank == 0) dlpi_scratch_leave(&d->whole, from * stride, to * stride);
    }
}

void dlpi_divided_spread(dlp_ctm *ctm)
{
    dlpi_ctm_share *share = &ctm->share;
    if (!ctm->divided) return;
    const dlp_index size = ctm->shared.V * (dlp_index)sizeof *ctm->occurs;
    if (share->status == DLP_OK) /* process 0 has all documents */
        share->status =
            share->comm->ops->broadcast(share->comm, size, ctm->occurs, &share->error);
    move_rows(ctm, true);
}

void dlpi_divided_gather(dlp_ctm *ctm)
{
    if (ctm->divided) move_rows(ctm, false);
}

void dlpi_divided_end(dlp_ctm *ctm)
{
    if (!ctm->divided) return;
    move_rows(ctm, false);
    if (ctm->summed) add_words(ctm);
}

double *dlpi_ctm_whole_beta(const dlp_ctm *ctm)
{
    return ctm->divided ? ctm->divided->whole.x : ctm->shared.beta;
}
