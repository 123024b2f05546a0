/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides, before a fit begins, what it will hold and where. Two things grow with the
 * documents: their means and, in the spectral start, their terms. If memory has no room
 * for all, means are in a mapped file, and the start reads the corpus as often as it
 * needs. The results are the same, bit by bit.
 */
#include "core/core.h"
#include "core/memory.h"
#include "topics/ctm/ctm_average.h"
#include "topics/ctm/ctm_divide.h"

#include <math.h>
#include <stdlib.h>

dlp_index dlpi_ctm_chunks(dlp_index K)
{
    const dlp_index fit = ((dlp_index)1 << 22) / (K * K);
    return fit < 8 ? 8 : fit > 64 ? 64 : fit;
}

/* Bytes of the topics: beta, its counts by the levels of the tree, and the model's copy
   of them. */
static double topics_bytes(const dlp_ctm *ctm)
{
    const double K = (double)ctm->settings.K, V = (double)ctm->corpus->V;
    const dlpi_ctm_share *share = &ctm->share;
    const double room = dlpi_tree_room(
        dlpi_tree_begins(share->parts, share->comm->rank, share->comm->size),
        dlpi_tree_begins(share->parts, share->comm->rank + 1, share->comm->size));
    return 8 * (2 + room) * V * 8 * ceil(K / 8);
}

/* Bytes of the rest that does not grow with documents: the sums of chunks, each thread's
   matrices, a block by its terms. */
static double other_bytes(const dlp_ctm *ctm, dlp_index p, dlp_index pairs)
{
    const double K = (double)ctm->settings.K, V = (double)ctm->corpus->V;
    const double chunks = (double)dlpi_ctm_chunks(ctm->settings.K);
    const double stride = 8 * ceil(K / 8);
    return 8 * ((chunks + 1) * K * (K + (double)p) + 7.0 * ctm->settings.threads * K * K +
                2 * V + DLPI_CTM_BLOCK * stride + (double)pairs);
}

/* Divides the topics among processes if they would take more than half of the memory that
   any process has at hand; *topics becomes what they take then. */
static dlp_status divide(dlp_ctm *ctm, double at_hand, double *topics, dlp_error *error)
{
    dlpi_comm *comm = ctm->share.comm;
    int64_t crowded = *topics > at_hand / 2;
    if (!dlpi_divided_may(ctm)) return DLP_OK;
    DLP_TRY(comm->ops->sum_counts(comm, 1, &crowded, error));
    return crowded > 0 ? dlpi_divided_plan(ctm, at_hand, topics, error) : DLP_OK;
}

dlp_status dlpi_ctm_plan_memory(dlp_ctm *ctm, dlp_index p, dlp_index pairs,
                                dlp_error *error)
{
    const double used = dlpi_memory_used(),
                 most = dlpi_memory_share(ctm->share.comm->neighbours),
                 other = other_bytes(ctm, p, pairs) + dlpi_average_bytes(ctm, pairs);
    double topics = topics_bytes(ctm);
    DLP_TRY(divide(ctm, most - used - other, &topics, error));
    const double fixed = other + topics,
                 means = 8 * (double)ctm->corpus->D * (double)ctm->settings.K;
    DLP_TRY(dlpi_advise(
        error, DLP_REMEDY_FEWER_TOPICS,
        dlpi_memory_check(used + fixed,
                          "a fit with this many topics, terms and documents",
                          "ask for fewer topics, or drop rare terms; a corpus in the "
                          "format dlpc takes no memory",
                          error)));
    /* a tenth is for what is not counted; threads that are still to come need stacks */
    const double stack = 9e6,
                 left = 0.9 * most - used - fixed - stack * ctm->settings.threads;
    if (means > left) ctm->folder = dlpi_scratch_folder(ctm->settings.scratch);
    ctm->spectral_memory = ctm->folder ? left : left - means;
    return DLP_OK;
}
