/* SPDX-License-Identifier: BSD-3-Clause */
/* The few rows that processes keep of their levels, to all of them. */
#include "core/core.h"
#include "mixed/fewer_rows.h"

#include <stdlib.h>
#include <string.h>

/* begin (size + 1): where the rows of each process begin. */
static dlp_status share_column(const dlpi_division *d, const int64_t *begin, size_t size,
                               const void *own, void *all, dlp_error *error)
{
    dlpi_comm *comm = d->comm;
    char *to = all;
    memcpy(to + (size_t)begin[comm->rank] * size, own,
           (size_t)(begin[comm->rank + 1] - begin[comm->rank]) * size);
    for (int rank = 0; rank < comm->size; rank++) {
        const dlp_index n = (dlp_index)(begin[rank + 1] - begin[rank]);
        DLP_TRY(comm->ops->share(comm, rank, n * (dlp_index)size,
                                 to + (size_t)begin[rank] * size, error));
    }
    return DLP_OK;
}

static dlp_status share(const dlpi_division *d, const int64_t *begin, dlp_index room,
                        const dlpi_fewer_rows *own, dlpi_fewer_rows *all,
                        dlp_error *error)
{
    const dlp_index K = dlpi_fewer_rows_width(&own->data), N = all->data.N;
    for (dlp_index j = 0; j < K; j++)
        DLP_TRY(share_column(d, begin, sizeof *all->value, own->value + j * room,
                             all->value + j * N, error));
    DLP_TRY(share_column(d, begin, sizeof *all->code, own->code, all->code, error));
    return DLP_OK;
}

dlp_status dlpi_fewer_rows_gather(const dlpi_division *d, dlp_index room,
                                  dlpi_fewer_rows *fewer, dlp_error *error)
{
    const int rank = d->comm->rank, size = d->comm->size;
    const dlp_index K = dlpi_fewer_rows_width(&fewer->data);
    dlpi_fewer_rows all = *fewer;
    int64_t *begin = dlpi_calloc(size + 1, sizeof *begin);
    if (!begin) return dlpi_no_memory(error, "the rows of a mixed model");
    for (dlp_index i = 0; i < fewer->data.N; i++) fewer->code[i] += (int32_t)d->from;
    begin[rank + 1] = fewer->data.N;
    dlp_status status = d->comm->ops->sum_counts(d->comm, size + 1, begin, error);
    for (int i = 0; i < size; i++) begin[i + 1] += begin[i];
    all.data.N = (dlp_index)begin[size];
    all.value = dlpi_calloc(K, (size_t)all.data.N * sizeof *all.value);
    all.code = dlpi_calloc(all.data.N, sizeof *all.code);
    if (status == DLP_OK && (!all.value || !all.code))
        status = dlpi_no_memory(error, "the rows of a mixed model");
    if (status == DLP_OK) status = share(d, begin, room, fewer, &all, error);
    free(begin);
    free(fewer->value);
    free(fewer->code);
    *fewer = all;
    fewer->term[0].L = d->rows;
    fewer->data.division = NULL;
    dlpi_fewer_rows_point(fewer->data.N, fewer);
    return status;
}
