/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fit will hold, and where, decided before it begins. What grows with documents are
 * their means, and in the spectral start their terms. Where memory has no room for all, means are
 * in a file that is mapped, and the start reads the corpus as often as it needs. The bits are the
 * same.
 */
#include "core/core.h"
#include "core/memory.h"
#include "topics/ctm/ctm_fit.h"

#include <math.h>
#include <stdlib.h>

dlp_index dlpi_ctm_chunks(dlp_index K)
{
    const dlp_index fit = ((dlp_index)1 << 22) / (K * K);
    return fit < 8 ? 8 : fit > 64 ? 64 : fit;
}

/* Bytes that do not grow with documents: beta, its counts by the levels of the tree, and the
   model's copy of them, the sums of chunks, each thread's matrices, a block by its terms. */
static double fixed_bytes(const dlp_ctm *ctm, dlp_index p, dlp_index pairs)
{
    const double K = (double)ctm->settings.K, V = (double)ctm->corpus->V;
    const double chunks = (double)dlpi_ctm_chunks(ctm->settings.K);
    const dlpi_ctm_share *share = &ctm->share;
    const double room = dlpi_tree_room(
        dlpi_tree_begins(share->parts, share->comm->rank, share->comm->size),
        dlpi_tree_begins(share->parts, share->comm->rank + 1, share->comm->size));
    const double stride = 8 * ceil(K / 8);
    return 8 * ((2 + room) * V * stride + (chunks + 1) * K * (K + (double)p) +
                7.0 * ctm->settings.threads * K * K + 2 * V + DLPI_CTM_BLOCK * stride +
                (double)pairs);
}

dlp_status dlpi_ctm_plan_memory(dlp_ctm *ctm, dlp_index p, dlp_index pairs,
                                dlp_error *error)
{
    const double used = dlpi_memory_used(), most = dlpi_memory_most(),
                 fixed = fixed_bytes(ctm, p, pairs),
                 means = 8 * (double)ctm->corpus->D * (double)ctm->settings.K;
    DLP_TRY(dlpi_memory_check(
        used + fixed, "a fit of so many topics, terms and documents",
        "ask for fewer topics with -k, or drop rare terms, as 'corpus build --min-docs' "
        "does; a corpus by 'corpus convert --to dlpc' takes none",
        error));
    /* a tenth is for what nobody counts, and threads that are still to come have stacks */
    const double stack = 9e6,
                 left = 0.9 * most - used - fixed - stack * ctm->settings.threads;
    if (means > left) ctm->folder = dlpi_scratch_folder(ctm->settings.scratch);
    ctm->spectral_memory = ctm->folder ? left : left - means;
    return DLP_OK;
}
