/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fetches rows of beta for the documents of this process from the processes that own
 * them. Documents are taken in batches of blocks, such that there is room for the batch's
 * distinct terms; rows that the previous batch also needed stay. All processes fetch in
 * rounds; those with no batch left ask for no rows.
 */
#include "corpus/formats/mapped.h"
#include "topics/ctm/ctm_divide.h"

#include <string.h>

typedef struct dlpi_divided divided;

static dlp_index end_of_block(const dlp_ctm *ctm, dlp_index block)
{
    const dlp_index end = (block + 1) * DLPI_CTM_BLOCK;
    return end < ctm->share.n ? end : ctm->share.n;
}

/* Stamps the terms of a block; returns how many did not have the stamp. */
static dlp_index stamp_block(dlp_ctm *ctm, dlp_index block, int32_t stamp)
{
    const dlp_corpus *c = ctm->corpus;
    divided *d = ctm->divided;
    const dlp_index first = block * DLPI_CTM_BLOCK, end = end_of_block(ctm, block);
    dlp_index distinct = 0;
    for (dlp_index i = c->row[first]; i < c->row[end]; i++) {
        distinct += d->stamp[c->term[i]] != stamp;
        d->stamp[c->term[i]] = stamp;
    }
    dlpi_corpus_leave(c, first, end);
    return distinct;
}

void dlpi_divided_distinct(dlp_ctm *ctm, dlp_index *block, dlp_index *all)
{
    divided *d = ctm->divided;
    *block = *all = 0;
    for (dlp_index b = 0; b < d->blocks; b++) {
        const dlp_index n = stamp_block(ctm, b, ++d->batch);
        *block = n > *block ? n : *block;
    }
    d->batch++;
    for (dlp_index b = 0; b < d->blocks; b++) *all += stamp_block(ctm, b, d->batch);
}

dlp_index dlpi_divided_batches(dlp_ctm *ctm)
{
    divided *d = ctm->divided;
    dlp_index batches = 0, distinct = 0;
    for (dlp_index b = 0; b < d->blocks; b++) {
        distinct += stamp_block(ctm, b, d->batch);
        d->begins[b] = b == 0 || distinct > d->rows;
        if (!d->begins[b]) continue;
        distinct = stamp_block(ctm, b, ++d->batch);
        batches++;
    }
    return batches;
}

/* ---- a round ---- */

/* Gives each term of the batch that has no row one that the batch does not need, and
   lists these terms; returns how many. */
static dlp_index assign(dlp_ctm *ctm)
{
    divided *d = ctm->divided;
    dlp_index n = 0, row = 0;
    for (dlp_index r = 0; r < d->rows; r++) {
        if (d->term[r] < 0 || d->stamp[d->term[r]] == d->batch) continue;
        d->slot[d->term[r]] = -1;
        d->term[r] = -1;
    }
    for (dlp_index v = 0; v < ctm->shared.V; v++) {
        if (d->stamp[v] != d->batch || d->slot[v] >= 0) continue;
        while (d->term[row] >= 0) row++;
        d->term[row] = d->ask[n++] = (int32_t)v;
        d->slot[v] = (int32_t)row;
    }
    return n;
}

static void put_row(dlp_ctm *ctm, int32_t term, const double *row)
{
    const dlp_index stride = ctm->shared.stride;
    memcpy(ctm->shared.beta + ctm->divided->slot[term] * stride, row,
           (size_t)stride * sizeof *row);
}

static const double *own_row(const dlp_ctm *ctm, int32_t term)
{
    return ctm->divided->beta + (term - ctm->divided->from) * ctm->shared.stride;
}

static dlp_index at_most(dlp_index n, dlp_index most)
{
    return n < 0 ? 0 : n < most ? n : most;
}

/* Sends `given` rows that another process asks for, and receives `taken` that we ask for,
   a piece of each at a time. */
static dlp_status swap_rows(dlp_ctm *ctm, int from, dlp_index given, int to,
                            const int32_t *ask, dlp_index taken)
{
    divided *d = ctm->divided;
    dlpi_comm *comm = ctm->share.comm;
    const dlp_index stride = ctm->shared.stride, size = stride * (dlp_index)sizeof *d->in;
    for (dlp_index i = 0; i < given || i < taken; i += d->piece) {
        const dlp_index n = at_most(given - i, d->piece),
                        m = at_most(taken - i, d->piece);
        for (dlp_index j = 0; j < n; j++)
            memcpy(d->out + j * stride, own_row(ctm, d->asked[i + j]), (size_t)size);
        DLP_TRY(comm->ops->swap(comm, from, n * size, d->out, to, m * size, d->in,
                                &ctm->share.error));
        for (dlp_index j = 0; j < m; j++) put_row(ctm, ask[i + j], d->in + j * stride);
    }
    return DLP_OK;
}

/* Fetches those of the n terms of d->ask that the process `ahead` in the ring owns, and
   sends what the process equally far behind asks for. */
static dlp_status fetch_from(dlp_ctm *ctm, dlp_index n, int ahead)
{
    divided *d = ctm->divided;
    dlpi_comm *comm = ctm->share.comm;
    const int to = (comm->rank + ahead) % comm->size,
              from = (comm->rank + comm->size - ahead) % comm->size;
    const dlp_index V = ctm->shared.V,
                    first = dlpi_divided_term(V, dlpi_divided_chunk(to, comm->size)),
                    end = dlpi_divided_term(V, dlpi_divided_chunk(to + 1, comm->size));
    dlp_index at = 0, wanted = 0, given;
    while (at < n && d->ask[at] < first) at++;
    while (at + wanted < n && d->ask[at + wanted] < end) wanted++;
    const int32_t *ask = d->ask + at;
    const dlp_index size = (dlp_index)sizeof *ask;
    if (ahead == 0) {
        for (dlp_index i = 0; i < wanted; i++) put_row(ctm, ask[i], own_row(ctm, ask[i]));
        return DLP_OK;
    }
    DLP_TRY(comm->ops->swap(comm, to, sizeof wanted, &wanted, from, sizeof given, &given,
                            &ctm->share.error));
    DLP_TRY(comm->ops->swap(comm, to, wanted * size, ask, from, given * size, d->asked,
                            &ctm->share.error));
    return swap_rows(ctm, from, given, to, ask, wanted);
}

static void fetch(dlp_ctm *ctm, dlp_index n)
{
    dlpi_ctm_share *share = &ctm->share;
    ctm->divided->round++;
    for (int ahead = 0; ahead < share->comm->size && share->status == DLP_OK; ahead++)
        share->status = fetch_from(ctm, n, ahead);
}

void dlpi_divided_begin(dlp_ctm *ctm)
{
    divided *d = ctm->divided;
    d->round = 0;
    for (dlp_index v = 0; v < ctm->shared.V; v++) d->slot[v] = -1;
    for (dlp_index r = 0; r < d->rows; r++) d->term[r] = -1;
}

void dlpi_divided_fetch(dlp_ctm *ctm, dlp_index document)
{
    divided *d = ctm->divided;
    dlp_index block = document / DLPI_CTM_BLOCK;
    if (!d->begins[block]) return;
    d->batch++;
    do (void)stamp_block(ctm, block++, d->batch);
    while (block < d->blocks && !d->begins[block]);
    fetch(ctm, assign(ctm));
}

void dlpi_divided_fetch_none(dlp_ctm *ctm)
{
    while (ctm->divided->round < ctm->divided->rounds) fetch(ctm, 0);
}

const int32_t *dlpi_divided_place(const dlp_ctm *ctm, dlp_index n, const int32_t *term,
                                  int32_t *placed)
{
    for (dlp_index w = 0; w < n; w++) placed[w] = ctm->divided->slot[term[w]];
    return placed;
}
