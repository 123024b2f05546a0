/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/division.h"

#include "comm/tree.h"
#include "core/core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

dlp_index dlpi_row_chunks(dlp_index rows)
{
    return (rows + DLPI_ROW_CHUNK - 1) / DLPI_ROW_CHUNK;
}

dlp_index dlpi_row_chunk_begins(dlp_index rows, dlp_index chunks, dlp_index c)
{
    const dlp_index tiles = (rows + DLPI_ROW_TILE - 1) / DLPI_ROW_TILE;
    return c < chunks ? tiles * c / chunks * DLPI_ROW_TILE : rows;
}

/* ---- who has what ---- */

static dlp_index first_chunk(const dlpi_division *d, int rank)
{
    const dlp_index parts = dlpi_tree_parts(d->chunks);
    return d->chunks * dlpi_tree_begins(parts, rank, d->comm->size) / parts;
}

dlp_index dlpi_division_first(const dlpi_division *d, int rank)
{
    return d->begin[first_chunk(d, rank)];
}

static dlpi_division *make(dlp_index chunks, dlpi_comm *comm)
{
    dlpi_division *d = dlpi_calloc(1, sizeof *d);
    if (!d) return NULL;
    d->alone = dlpi_comm_serial();
    d->divided = comm != NULL;
    d->comm = comm ? comm : &d->alone;
    d->chunks = chunks;
    d->begin = dlpi_calloc(chunks + 1, sizeof *d->begin);
    if (d->begin) return d;
    free(d);
    return NULL;
}

static void take_rows(dlpi_division *d)
{
    d->rows = d->begin[d->chunks];
    d->from = dlpi_division_first(d, d->comm->rank);
    d->to = dlpi_division_first(d, d->comm->rank + 1);
}

dlpi_division *dlpi_division_new(dlp_index rows, dlpi_comm *comm)
{
    dlpi_division *d = make(dlpi_row_chunks(rows), comm);
    for (dlp_index c = 0; d && c <= d->chunks; c++)
        d->begin[c] = dlpi_row_chunk_begins(rows, d->chunks, c);
    if (d) take_rows(d);
    return d;
}

/* Where the chunks of items begin, which have `rows` each; returns how many there are. begin
   NULL: only counts them. */
static dlp_index chunk_items(dlp_index n, const dlp_index *rows, dlp_index *begin)
{
    dlp_index chunks = 0, inside = DLPI_ROW_CHUNK;
    for (dlp_index i = 0; i < n; i++) {
        if (inside >= DLPI_ROW_CHUNK) {
            if (begin) begin[chunks] = i;
            chunks++;
            inside = 0;
        }
        inside += rows[i];
    }
    if (begin) begin[chunks] = n;
    return chunks;
}

dlpi_division *dlpi_division_of_items(dlp_index n, const dlp_index *rows, dlpi_comm *comm)
{
    dlpi_division *d = make(chunk_items(n, rows, NULL), comm);
    if (!d) return NULL;
    (void)chunk_items(n, rows, d->begin);
    take_rows(d);
    return d;
}

bool dlpi_division_serves_all(const dlpi_division *d)
{
    return dlpi_tree_parts(d->chunks) >= d->comm->size;
}

void dlpi_division_free(dlpi_division *d)
{
    if (!d) return;
    free(d->begin);
    free(d);
}

/* How many rows each chunk keeps, of those that this process has. */
static void count_kept(const dlpi_division *of, const unsigned char *dropped,
                       int64_t *count)
{
    for (dlp_index c = 0; c < of->chunks; c++) {
        if (of->begin[c] < of->from || of->begin[c] >= of->to) continue;
        for (dlp_index i = of->begin[c]; i < of->begin[c + 1]; i++)
            count[c] += !dropped[i];
    }
}

dlp_status dlpi_division_keep(const dlpi_division *of, const unsigned char *dropped,
                              dlpi_division **kept, dlp_error *error)
{
    int64_t *count = dlpi_calloc(of->chunks, sizeof *count);
    dlpi_division *d = make(of->chunks, of->divided ? of->comm : NULL);
    dlp_status status =
        count && d ? DLP_OK : dlpi_no_memory(error, "the rows of a design");
    if (status == DLP_OK) {
        count_kept(of, dropped, count);
        status = d->comm->ops->sum_counts(d->comm, of->chunks, count, error);
    }
    if (status == DLP_OK) {
        for (dlp_index c = 0; c < d->chunks; c++)
            d->begin[c + 1] = d->begin[c] + (dlp_index)count[c];
        take_rows(d);
        *kept = d;
    } else {
        dlpi_division_free(d);
    }
    free(count);
    return status;
}

void dlpi_divide_groups(dlp_index M, const dlp_index *rows, int size, dlp_index *begin)
{
    double all = 0, before = 0;
    for (dlp_index m = 0; m < M; m++) all += (double)rows[m];
    for (int rank = 0; rank < size; rank++) begin[rank] = 0;
    for (dlp_index m = 0; m < M; m++) {
        before += (double)rows[m];
        for (int rank = 1; rank < size; rank++)
            if (before <= all * rank / size) begin[rank] = m + 1;
    }
    begin[size] = M;
}

/* ---- sums ---- */

/* One chunk at a time. */
typedef struct rows_sum {
    const dlpi_division *division;
    dlpi_rows_add *add;
    const void *context;
    dlp_index n;
    double *chunk; /* (n) */
} rows_sum;

static int sum_chunk(void *context, dlp_index chunk, dlp_index left)
{
    const rows_sum *s = context;
    const dlp_index *begin = s->division->begin + chunk;
    (void)left;
    memset(s->chunk, 0, (size_t)s->n * sizeof *s->chunk);
    s->add(s->context, begin[0], begin[1], s->chunk);
    return 1;
}

static void add_chunk(void *context, int i, double *to)
{
    const rows_sum *s = context;
    (void)i;
    for (dlp_index j = 0; j < s->n; j++) to[j] += s->chunk[j];
}

static dlp_status sum_rows(dlpi_division *d, dlp_index n, dlpi_rows_add *add,
                           const void *context, double *sum)
{
    dlpi_tree tree = {.room = 0};
    rows_sum rows = {d, add, context, n, dlpi_calloc(n + 1, sizeof *rows.chunk)};
    const dlpi_tree_chunks chunks = {d->chunks, sum_chunk, add_chunk, &rows};
    dlp_status status =
        rows.chunk
            ? dlpi_tree_alloc(&tree, d->comm, dlpi_tree_parts(d->chunks), n, 1, &d->error)
            : dlpi_no_memory(&d->error, "the sums of rows");
    if (status == DLP_OK) {
        dlpi_tree_sum_chunks(&tree, &chunks);
        status = dlpi_tree_collect_for_all(&tree, &d->error);
    }
    if (status == DLP_OK && n > 0) memcpy(sum, tree.slot[0], (size_t)n * sizeof *sum);
    dlpi_tree_free(&tree);
    free(rows.chunk);
    return status;
}

void dlpi_division_sum(dlpi_division *d, dlp_index rows, dlp_index n, dlpi_rows_add *add,
                       const void *context, double *sum)
{
    memset(sum, 0, (size_t)n * sizeof *sum);
    if (!d) {
        add(context, 0, rows, sum);
        return;
    }
    if (d->status == DLP_OK) d->status = sum_rows(d, n, add, context, sum);
    if (d->status == DLP_OK) return;
    for (dlp_index i = 0; i < n; i++) sum[i] = NAN;
}

/* ---- questions ---- */

dlp_index dlpi_division_count(dlpi_division *d, dlp_index mine)
{
    int64_t sum = mine;
    if (!dlpi_is_divided(d)) return mine;
    if (d->status == DLP_OK)
        d->status = d->comm->ops->sum_counts(d->comm, 1, &sum, &d->error);
    return (dlp_index)sum;
}

bool dlpi_division_any(dlpi_division *d, bool mine)
{
    return dlpi_division_count(d, mine) > 0;
}

/* Each process has a place among counts, to which the others add 0. */
double dlpi_division_most(dlpi_division *d, double mine)
{
    if (!dlpi_is_divided(d) || d->status != DLP_OK) return mine;
    const int size = d->comm->size;
    int64_t *all = dlpi_calloc(size, sizeof *all);
    double most = mine;
    if (!all) {
        d->status = dlpi_no_memory(&d->error, "the sums of rows");
        return mine;
    }
    memcpy(&all[d->comm->rank], &mine, sizeof mine);
    d->status = d->comm->ops->sum_counts(d->comm, size, all, &d->error);
    for (int rank = 0; rank < size; rank++) {
        double other;
        memcpy(&other, &all[rank], sizeof other);
        most = fmax(most, other);
    }
    free(all);
    return most;
}

dlp_status dlpi_division_agree(dlpi_division *d, dlp_status mine, dlp_error *error)
{
    if (!dlpi_is_divided(d)) return mine;
    return d->comm->ops->agree(d->comm, mine, error);
}

dlp_status dlpi_division_give_up(dlpi_division *d, dlp_error *error)
{
    d->wanted = true;
    return dlp_fail(error, DLP_EINVAL, "this regression needs all rows in each process");
}

dlp_status dlpi_division_check(const dlpi_division *d, dlp_error *error)
{
    if (!d || d->status == DLP_OK) return DLP_OK;
    return dlpi_advise(error, d->error.remedy,
                       dlp_fail(error, d->status, "%s", d->error.message));
}

bool dlpi_division_constant(dlpi_division *d, dlp_index N, const double *x, double *value)
{
    const dlp_index from = dlpi_rows_from(d), to = dlpi_rows_to(d, N);
    bool varies = false;
    for (dlp_index i = from + 1; i < to && !varies; i++) varies = x[i] != x[from];
    if (dlpi_division_any(d, varies)) return false;
    *value = dlpi_division_most(d, from < to ? x[from] : -INFINITY);
    return !dlpi_division_any(d, from < to && x[from] != *value);
}
