/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes fit one model. Process 0 has the whole corpus: it chooses the first
 * topics, runs the M steps, keeps checkpoints. In an E step every process reads its own
 * documents, by the topics that process 0 has sent. Sums are added up in the tree of
 * comm/tree.h, whose parts are runs of blocks of documents, so that they are the same at
 * any number of processes.
 *
 * If a message fails, the failure is kept and ends the fit: a process that went on alone
 * would wait for ever.
 */
#include "core/core.h"
#include "topics/ctm/ctm_average.h"

#include <delaplace/processes.h>

#include <string.h>

static void find_documents(const dlpi_ctm_share *share, int rank, dlp_index *first,
                           dlp_index *to)
{
    *first = dlpi_ctm_rank_begins(share->D, rank, share->comm->size);
    *to = dlpi_ctm_rank_begins(share->D, rank + 1, share->comm->size);
}

dlp_status dlpi_ctm_share_take(dlp_ctm *ctm, const dlp_corpus *corpus,
                               dlp_topics_settings *settings, dlp_error *error)
{
    dlpi_ctm_share *share = &ctm->share;
    dlp_index all[3] = {corpus->D, corpus->words, corpus->V}, to;
    dlpi_comm *comm = share->comm;
    DLP_TRY(comm->ops->broadcast(comm, sizeof all, all, error));
    /* it depends on the words of all documents, which callers in other processes do not
       know */
    DLP_TRY(
        comm->ops->broadcast(comm, sizeof settings->smooth, &settings->smooth, error));
    share->D = all[0];
    share->words = all[1];
    share->parts = dlpi_ctm_parts(share->D);
    find_documents(share, comm->rank, &share->first, &to);
    share->n = to - share->first;
    if (corpus->V != all[2] || (comm->rank > 0 && corpus->D != share->n))
        return dlp_fail(error, DLP_EINVAL,
                        "this process has %td documents over %td terms; its part has %td "
                        "over %td: get it from dlp_topics_share_corpus",
                        corpus->D, corpus->V, share->n, all[2]);
    if (settings->slice) settings->slice += share->first;
    if (settings->content_group) settings->content_group += share->first;
    return DLP_OK;
}

dlp_status dlpi_ctm_agree(dlp_ctm *ctm, dlp_status status, dlp_error *error)
{
    if (dlpi_ctm_alone(ctm)) return status;
    return dlp_processes_agree(ctm->settings.processes, status, error);
}

dlp_status dlpi_ctm_failure(const dlp_ctm *ctm, dlp_error *error)
{
    const dlpi_ctm_share *share = &ctm->share;
    return share->status == DLP_OK
               ? DLP_OK
               : dlpi_advise(error, share->error.remedy,
                             dlp_fail(error, share->status, "%s", share->error.message));
}

/* ---- what is sent ---- */

/* Makes the call, unless an earlier one failed. */
#define SHARE(ctm, call)                                                                 \
    do {                                                                                 \
        if ((ctm)->share.status == DLP_OK) (ctm)->share.status = (call);                 \
    } while (0)

static void broadcast(dlp_ctm *ctm, void *data, dlp_index n, size_t size)
{
    dlpi_comm *comm = ctm->share.comm;
    SHARE(ctm, comm->ops->broadcast(comm, n * (dlp_index)size, data, &ctm->share.error));
}

static void broadcast_numbers(dlp_ctm *ctm, double *x, dlp_index n)
{
    broadcast(ctm, x, n, sizeof *x);
}

/* P_0 is sent, too: processors of another kind may compute it with other last bits. */
bool dlpi_ctm_share_topics(dlp_ctm *ctm, bool good)
{
    if (ctm->average && good && dlpi_ctm_leads(ctm)) dlpi_average_expect(ctm);
    if (dlpi_ctm_alone(ctm)) return good;
    dlpi_ctm_shared *s = &ctm->shared;
    double few[] = {good, ctm->moved, s->log_det};
    broadcast_numbers(ctm, few, 3);
    ctm->moved = few[1];
    s->log_det = few[2];
    if (ctm->share.status != DLP_OK || !(few[0] > 0)) return false;
    double *beta = ctm->average ? ctm->average->beta : s->beta;
    if (!ctm->divided) broadcast_numbers(ctm, beta, s->V * s->stride);
    broadcast_numbers(ctm, ctm->Gamma, ctm->p * s->K);
    broadcast_numbers(ctm, s->Sigma0, s->K * s->K);
    broadcast_numbers(ctm, s->P0, s->K * s->stride);
    return ctm->share.status == DLP_OK;
}

void dlpi_ctm_share_sums(dlp_ctm *ctm)
{
    if (dlpi_ctm_alone(ctm)) return;
    double *head = ctm->sums.head;
    SHARE(ctm, dlpi_tree_collect(&ctm->tree, &ctm->share.error));
    broadcast_numbers(ctm, head, DLPI_CTM_HEAD);
    if (head[DLPI_CTM_STOPS] > 0) ctm->share.stop = true;
}

/* The rows of mu of another process, from it or to it. */
static void move_means(dlp_ctm *ctm, int rank, bool to_it)
{
    dlpi_comm *comm = ctm->share.comm;
    dlp_index first, to;
    find_documents(&ctm->share, rank, &first, &to);
    const dlp_index K = ctm->shared.K, n = (to - first) * K * (dlp_index)sizeof *ctm->mu;
    double *rows = ctm->mu + first * K;
    SHARE(ctm, to_it ? comm->ops->send(comm, rank, n, rows, &ctm->share.error)
                     : comm->ops->receive(comm, rank, n, rows, &ctm->share.error));
}

static void exchange_means(dlp_ctm *ctm, bool spread)
{
    dlpi_comm *comm = ctm->share.comm;
    const dlp_index n = ctm->share.n * ctm->shared.K * (dlp_index)sizeof *ctm->mu;
    for (int rank = 1; comm->rank == 0 && rank < comm->size; rank++)
        move_means(ctm, rank, spread);
    if (comm->rank == 0) return;
    SHARE(ctm, spread ? comm->ops->receive(comm, 0, n, ctm->mu, &ctm->share.error)
                      : comm->ops->send(comm, 0, n, ctm->mu, &ctm->share.error));
}

void dlpi_ctm_collect_means(dlp_ctm *ctm)
{
    exchange_means(ctm, false);
}

void dlpi_ctm_collect_state(dlp_ctm *ctm)
{
    dlpi_ctm_collect_means(ctm);
    dlpi_divided_gather(ctm);
}

void dlpi_ctm_spread_means(dlp_ctm *ctm)
{
    exchange_means(ctm, true);
}

bool dlpi_ctm_lead_decides(dlp_ctm *ctm, bool yes)
{
    double answer = yes;
    broadcast_numbers(ctm, &answer, 1);
    return ctm->share.status == DLP_OK && answer > 0;
}

void dlpi_ctm_settle(dlp_ctm *ctm)
{
    const bool diverged = ctm->result.outcome == DLP_DIVERGED;
    if (!dlpi_ctm_alone(ctm)) dlpi_ctm_collect_means(ctm);
    if (ctm->started && !ctm->summed && (ctm->slices || !diverged))
        dlpi_ctm_sum_again(ctm);
    dlpi_divided_end(ctm);
}

dlp_status dlpi_ctm_share_state(dlp_ctm *ctm, dlp_error *error)
{
    if (dlpi_ctm_alone(ctm)) return DLP_OK;
    dlp_topics_result *r = &ctm->result;
    int64_t few[] = {r->iterations, r->decreases, r->unsettled, r->outcome};
    double numbers[] = {r->objective, r->objective_per_word};
    broadcast(ctm, few, 4, sizeof *few);
    broadcast_numbers(ctm, numbers, 2);
    if (!dlpi_ctm_leads(ctm)) {
        r->iterations = (int)few[0];
        r->decreases = (int)few[1];
        r->unsettled = (dlp_index)few[2];
        r->outcome = (dlp_outcome)few[3];
        r->objective = numbers[0];
        r->objective_per_word = numbers[1];
        ctm->started = true;
        ctm->summed = false;
        SHARE(ctm, dlpi_ctm_make_trace(ctm, r->iterations, &ctm->share.error));
    }
    DLP_TRY(dlpi_ctm_agree(ctm, ctm->share.status, error));
    broadcast(ctm, ctm->trace, r->iterations, sizeof *ctm->trace);
    (void)dlpi_ctm_share_topics(ctm, true);
    dlpi_divided_spread(ctm);
    dlpi_ctm_spread_means(ctm);
    return DLP_OK;
}
