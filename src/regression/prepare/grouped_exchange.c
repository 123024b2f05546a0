/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are divided among processes move to the process that fits their group. There they are
   in the order that they have in a single process: group by group, and within a group as in the
   table. */
#include "comm/division.h"
#include "core/core.h"
#include "math/symmetric/structure.h"
#include "regression/prepare/grouped_rows.h"

#include <string.h>

typedef struct exchange {
    const dlp_glm_data *data;
    dlpi_division
        *by; /* of the groups: who shall have which; NULL: as dlpi_divide_groups */
    const int32_t *group; /* (N) those of this process's rows */
    dlpi_grouped_rows *rows;
    dlpi_comm *comm;
    dlp_index *first; /* (size + 1) where the groups of each process begin */
    int64_t *sent;    /* (size, size) how many rows go from one to another */
    dlp_index own;    /* how many this one gets */
    dlp_index *place; /* (own) where they go, in the order in which they come */
    double *out, *in; /* what goes to another process, and what comes from one */
    double *next;     /* room that is not taken yet, of rows->moved */
} exchange;

static int owner_of(const exchange *e, dlp_index m)
{
    int rank = 0;
    while (e->first[rank + 1] <= m) rank++;
    return rank;
}

/* ---- who gets what ---- */

dlp_status dlpi_count_groups(const dlp_glm_data *data, const int32_t *group, dlp_index M,
                             dlp_index *rows, dlp_error *error)
{
    const dlpi_division *d = data->division;
    const dlp_index to = dlpi_rows_to(d, data->N);
    int64_t *count = dlpi_calloc(M, sizeof *count);
    dlp_status status = DLP_OK;
    if (!count) return dlpi_no_memory(error, "the rows in their groups");
    for (dlp_index i = dlpi_rows_from(d); i < to; i++) count[group[i]]++;
    if (dlpi_is_divided(d)) status = d->comm->ops->sum_counts(d->comm, M, count, error);
    for (dlp_index m = 0; m < M; m++) rows[m] = (dlp_index)count[m];
    free(count);
    return status;
}

static void assign_groups(const exchange *e)
{
    const int size = e->comm->size;
    if (!e->by)
        dlpi_divide_groups(e->rows->n - 1, e->rows->count, size, e->first);
    else
        for (int rank = 0; rank <= size; rank++)
            e->first[rank] = dlpi_division_first(e->by, rank);
}

/* Where the rows of its groups begin in a process that has no others. */
static void place_groups(exchange *e)
{
    dlpi_grouped_rows *rows = e->rows;
    rows->from = e->first[e->comm->rank];
    rows->to = e->first[e->comm->rank + 1];
    for (dlp_index m = rows->from; m < rows->to; m++) {
        rows->begin[m] = e->own;
        e->own += rows->count[m];
    }
}

static dlp_status count_sent(const exchange *e, dlp_error *error)
{
    const dlpi_division *d = e->data->division;
    const int size = e->comm->size;
    int64_t *mine = e->sent + (dlp_index)e->comm->rank * size;
    for (dlp_index i = d->from; i < d->to; i++) mine[owner_of(e, e->group[i])]++;
    return e->comm->ops->sum_counts(e->comm, (dlp_index)size * size, e->sent, error);
}

/* ---- columns ---- */

/* The numbers of this process's rows that go to process `into`, NULL: their groups. */
static void pack(const exchange *e, const double *from, int into)
{
    const dlpi_division *d = e->data->division;
    double *out = e->out;
    for (dlp_index i = d->from; i < d->to; i++) {
        const dlp_index m = e->group[i];
        if (m >= e->first[into] && m < e->first[into + 1])
            *out++ = from ? from[i] : (double)m;
    }
}

/* All processes go through the pairs in one order, so none waits in vain. What this one gets is
   `in`, ordered by who had it. */
static dlp_status pass(const exchange *e, const double *from, dlp_error *error)
{
    const int me = e->comm->rank, size = e->comm->size;
    double *in = e->in;
    for (int giver = 0; giver < size; giver++)
        for (int taker = 0; taker < size; taker++) {
            const dlp_index n = (dlp_index)e->sent[giver * size + taker],
                            bytes = n * (dlp_index)sizeof *in;
            if (me == giver && n > 0) pack(e, from, taker);
            if (me == giver && me == taker)
                memcpy(in, e->out, (size_t)bytes);
            else if (me == giver)
                DLP_TRY(e->comm->ops->send(e->comm, taker, bytes, e->out, error));
            else if (me == taker)
                DLP_TRY(e->comm->ops->receive(e->comm, giver, bytes, in, error));
            if (me == taker) in += n;
        }
    return DLP_OK;
}

/* A column at its place; NULL stays NULL. */
static dlp_status pass_column(exchange *e, const double **column, dlp_error *error)
{
    if (!*column) return DLP_OK;
    DLP_TRY(pass(e, *column, error));
    for (dlp_index i = 0; i < e->own; i++) e->next[e->place[i]] = e->in[i];
    *column = e->next;
    e->next += e->own;
    return DLP_OK;
}

/* Processes come in the order of the table, so the rows of a group do, too. */
static dlp_status find_places(exchange *e, dlp_error *error)
{
    dlpi_grouped_rows *rows = e->rows;
    DLP_TRY(pass(e, NULL, error));
    for (dlp_index i = 0; i < e->own; i++) e->place[i] = rows->begin[(int32_t)e->in[i]]++;
    for (dlp_index m = rows->from; m < rows->to; m++) rows->begin[m] -= rows->count[m];
    return DLP_OK;
}

/* ---- all of it ---- */

static dlp_status allocate(exchange *e, dlp_error *error)
{
    const dlpi_division *d = e->data->division;
    e->place = dlpi_calloc(e->own, sizeof *e->place);
    e->out = dlpi_calloc(d->to - d->from, sizeof *e->out);
    e->in = dlpi_calloc(e->own, sizeof *e->in);
    e->rows->moved =
        dlpi_calloc(dlpi_size(e->data->p + 4, e->own, 0), sizeof *e->rows->moved);
    e->next = e->rows->moved;
    if (e->place && e->out && e->in && e->rows->moved) return DLP_OK;
    return dlpi_no_memory(error, "the rows in their groups");
}

static dlp_status move(exchange *e, dlp_error *error)
{
    dlp_glm_data *d = &e->rows->data;
    DLP_TRY(dlpi_count_groups(e->data, e->group, e->rows->n - 1, e->rows->count, error));
    assign_groups(e);
    place_groups(e);
    DLP_TRY(count_sent(e, error));
    DLP_TRY(allocate(e, error));
    DLP_TRY(find_places(e, error));
    for (dlp_index j = 0; j < d->p; j++) {
        const double *column = d->x[j];
        DLP_TRY(pass_column(e, &column, error));
        for (dlp_index m = e->rows->from; m < e->rows->to; m++)
            e->rows->x[m * d->p + j] = column + e->rows->begin[m];
    }
    DLP_TRY(pass_column(e, &d->y, error));
    DLP_TRY(pass_column(e, &d->trials, error));
    DLP_TRY(pass_column(e, &d->offset, error));
    DLP_TRY(pass_column(e, &d->weight, error));
    d->x = NULL; /* a process without groups has no columns */
    return DLP_OK;
}

dlp_status dlpi_grouped_rows_exchange(const int32_t *group, dlpi_division *by,
                                      dlpi_grouped_rows *rows, dlp_error *error)
{
    const dlp_glm_data data = rows->data;
    dlpi_comm *comm = data.division->comm;
    const int size = comm->size;
    exchange e = {.data = &data, .by = by, .group = group, .rows = rows, .comm = comm};
    e.first = dlpi_calloc(size + 1, sizeof *e.first);
    e.sent = dlpi_calloc((dlp_index)size * size, sizeof *e.sent);
    const dlp_status status = e.first && e.sent
                                  ? move(&e, error)
                                  : dlpi_no_memory(error, "the rows in their groups");
    free(e.first);
    free(e.sent);
    free(e.place);
    free(e.out);
    free(e.in);
    return status;
}
