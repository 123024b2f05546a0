/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/formats/csv_share.h"

#include "comm/comm.h"
#include "comm/division.h"
#include "core/memory.h"
#include "core/spill.h"

#include <string.h>

/* ---- parts ---- */

/* Where the rows of a process begin: after the first line end of its part of the
   bytes. */
static const char *begin_of(const struct dlpi_csv *c, int rank)
{
    const int size = c->comm->size;
    const char *at = c->s.at, *end = c->s.end;
    if (rank == 0) return at;
    if (rank == size) return end;
    const char *from = at + (end - at) / size * rank;
    const char *line = memchr(from, '\n', (size_t)(end - from));
    return line ? line + 1 : end;
}

void dlpi_csv_take_part(struct dlpi_csv *c)
{
    const int rank = c->comm->rank;
    const char *from = begin_of(c, rank), *to = begin_of(c, rank + 1);
    c->s.at = from;
    c->s.end = to;
}

dlp_status dlpi_csv_all_well(struct dlpi_csv *c, bool *well, dlp_error *error)
{
    int64_t failed = !*well;
    DLP_TRY(c->comm->ops->sum_counts(c->comm, 1, &failed, error));
    *well = failed == 0;
    return DLP_OK;
}

dlp_status dlpi_csv_count_all(const struct dlpi_csv *c, dlp_index own, dlp_index *all,
                              dlp_error *error)
{
    int64_t sum = own;
    DLP_TRY(c->comm->ops->sum_counts(c->comm, 1, &sum, error));
    *all = (dlp_index)sum;
    return DLP_OK;
}

/* ---- what columns hold ---- */

/* As in csv.c for one process: a text makes a column one of text, and so do marks
   alone. */
dlp_status dlpi_csv_share_kinds(const struct dlpi_csv *c, dlp_index rows,
                                struct dlpi_csv_kind *kind, dlp_error *error)
{
    dlp_index all;
    DLP_TRY(dlpi_csv_count_all(c, rows, &all, error));
    for (dlp_index j = 0; j < c->table->columns; j++) {
        const dlp_column *column = &c->table->column[j];
        const dlp_index marks = c->column[j].marks;
        int64_t sum[] = {column->code != NULL, marks,
                         column->missing - (column->code ? 0 : marks)};
        DLP_TRY(c->comm->ops->sum_counts(c->comm, 3, sum, error));
        kind[j].is_text = sum[0] > 0 || (sum[1] > 0 && sum[1] + sum[2] == all);
        kind[j].missing = (dlp_index)(kind[j].is_text ? sum[2] : sum[1] + sum[2]);
    }
    return DLP_OK;
}

/* ---- levels ---- */

/* The names of a process, each with its NUL, to all. */
static dlp_status share_names(struct dlpi_csv *c, int from, struct dlpi_bytes *names,
                              dlp_error *error)
{
    int64_t size = c->comm->rank == from ? (int64_t)names->size : 0;
    DLP_TRY(c->comm->ops->sum_counts(c->comm, 1, &size, error));
    char *data = names->data;
    if (c->comm->rank != from) data = dlpi_calloc((dlp_index)size, 1);
    if (!data) return dlpi_no_memory(error, "the levels of a column");
    names->data = data;
    names->size = (size_t)size;
    return c->comm->ops->share(c->comm, from, (dlp_index)size, data, error);
}

static dlp_status add_names(const struct dlpi_bytes *names, struct dlpi_string_set *all,
                            dlp_error *error)
{
    for (size_t at = 0; at < names->size;) {
        const size_t length = strlen(names->data + at);
        int32_t code;
        DLP_TRY(dlpi_string_set_add(all, names->data + at, length, &code, error));
        at += length + 1;
    }
    return DLP_OK;
}

static dlp_status unite(struct dlpi_csv *c, const struct dlpi_string_set *own,
                        struct dlpi_string_set *all, dlp_error *error)
{
    const size_t used = own->count > 0 ? own->start[own->count] : 0;
    for (int from = 0; from < c->comm->size; from++) {
        const bool mine = from == c->comm->rank;
        struct dlpi_bytes names = {.data = mine ? own->text : NULL, .size = used};
        static char none[1];
        if (mine && !names.data) names.data = none;
        dlp_status status = share_names(c, from, &names, error);
        if (status == DLP_OK) status = add_names(&names, all, error);
        if (!mine) free(names.data);
        DLP_TRY(status);
    }
    return DLP_OK;
}

/* Codes of this process's set become those of the set of all. */
static void recode(const struct dlpi_string_set *own, const struct dlpi_string_set *all,
                   dlp_index rows, int32_t *map, int32_t *code)
{
    for (int32_t i = 0; i < own->count; i++) {
        size_t length;
        const char *name = dlpi_string_set_name(own, i, &length);
        map[i] = dlpi_string_set_find(all, name, length);
    }
    for (dlp_index i = 0; i < rows; i++)
        if (code[i] >= 0) code[i] = map[code[i]];
}

static dlp_status share_levels(struct dlpi_csv *c, dlp_index j, dlp_index rows,
                               dlp_error *error)
{
    struct dlpi_string_set *own = &c->column[j].levels, all = {0};
    int32_t *map = dlpi_calloc(own->count, sizeof *map);
    dlp_status status = map ? unite(c, own, &all, error)
                            : dlpi_no_memory(error, "the levels of a column");
    if (status == DLP_OK) {
        recode(own, &all, rows, map, c->table->column[j].code);
        dlpi_string_set_clear(own);
        *own = all;
    } else {
        dlpi_string_set_clear(&all);
    }
    free(map);
    return status;
}

/* ---- values ---- */

/* Room for the values of all processes, with those of this one in their place. */
static dlp_status widen(struct dlpi_csv *c, dlp_index j, dlp_index own, dlp_index before,
                        dlp_index all, dlp_error *error)
{
    dlp_column *column = &c->table->column[j];
    const bool text = column->code != NULL;
    const size_t size = text ? sizeof *column->code : sizeof *column->number;
    void *values = text ? (void *)column->code : (void *)column->number;
    column->code = NULL;
    column->number = NULL;
    const dlp_status status =
        dlpi_table_hold(c->table, j, text ? DLP_CATEGORICAL : DLP_NUMERIC, all, error);
    char *to = text ? (char *)column->code : (char *)column->number;
    if (status == DLP_OK) memcpy(to + (size_t)before * size, values, (size_t)own * size);
    if (c->table->spill)
        dlpi_rows_free(values);
    else
        free(values);
    return status;
}

/* begin (size + 1): where the rows of each process begin. */
static dlp_status share_values(struct dlpi_csv *c, dlp_index j, const int64_t *begin,
                               dlp_error *error)
{
    enum { PIECE = 1 << 21 }; /* rows at once; then pages may go back to a disk */
    const dlp_column *column = &c->table->column[j];
    const size_t size = column->code ? sizeof *column->code : sizeof *column->number;
    char *values = column->code ? (char *)column->code : (char *)column->number;
    for (int from = 0; from < c->comm->size; from++)
        for (int64_t at = begin[from]; at < begin[from + 1]; at += PIECE) {
            const int64_t left = begin[from + 1] - at, n = left < PIECE ? left : PIECE;
            DLP_TRY(c->comm->ops->share(c->comm, from, (dlp_index)n * (dlp_index)size,
                                        values + (size_t)at * size, error));
            dlpi_spill_tend(c->table->spill);
        }
    return DLP_OK;
}

static dlp_status share_columns(struct dlpi_csv *c, int64_t *begin, dlp_index *rows,
                                bool *well, dlp_error *error)
{
    const int rank = c->comm->rank, size = c->comm->size;
    const dlp_index own = *rows;
    begin[rank + 1] = own;
    DLP_TRY(c->comm->ops->sum_counts(c->comm, size + 1, begin, error));
    for (int i = 0; i < size; i++) begin[i + 1] += begin[i];
    *rows = (dlp_index)begin[size];
    dlp_status status = DLP_OK;
    for (dlp_index j = 0; j < c->table->columns && status == DLP_OK; j++)
        status = widen(c, j, own, (dlp_index)begin[rank], *rows, error);
    *well = status == DLP_OK;
    DLP_TRY(dlpi_csv_all_well(c, well, error));
    for (dlp_index j = 0; j < c->table->columns && *well; j++)
        DLP_TRY(share_values(c, j, begin, error));
    return DLP_OK;
}

dlp_status dlpi_csv_share_levels(struct dlpi_csv *c, dlp_index rows, dlp_error *error)
{
    for (dlp_index j = 0; j < c->table->columns; j++)
        if (c->table->column[j].code) DLP_TRY(share_levels(c, j, rows, error));
    return DLP_OK;
}

dlp_status dlpi_csv_share_rows(struct dlpi_csv *c, dlp_index *rows, bool *well,
                               dlp_error *error)
{
    int64_t *begin = dlpi_calloc(c->comm->size + 1, sizeof *begin);
    if (!begin) return dlpi_no_memory(error, "the columns of a table");
    dlp_status status = dlpi_csv_share_levels(c, *rows, error);
    if (status == DLP_OK) status = share_columns(c, begin, rows, well, error);
    free(begin);
    return status;
}

/* ---- rows that stay divided ---- */

/* The rows that one process has read and another shall have, of a column whose values
   are `read` here and go to their places in `to`. */
static dlp_status move_part(struct dlpi_csv *c, const int64_t *begin, int from, int into,
                            size_t size, const char *read, char *to, dlp_error *error)
{
    const dlpi_division *d = c->table->division;
    const int me = c->comm->rank;
    const int64_t first = dlpi_division_first(d, into),
                  last = dlpi_division_first(d, into + 1),
                  a = begin[from] > first ? begin[from] : first,
                  b = begin[from + 1] < last ? begin[from + 1] : last;
    if (a >= b || (me != from && me != into)) return DLP_OK;
    const char *mine = read + (size_t)(a - begin[me]) * size;
    const size_t bytes = (size_t)(b - a) * size;
    if (from == into)
        memcpy(to + (size_t)a * size, mine, bytes);
    else if (me == from)
        return c->comm->ops->send(c->comm, into, (dlp_index)bytes, mine, error);
    else
        return c->comm->ops->receive(c->comm, from, (dlp_index)bytes,
                                     to + (size_t)a * size, error);
    return DLP_OK;
}

/* All processes go through the pairs in one order, so none waits in vain. */
static dlp_status divide_column(struct dlpi_csv *c, dlp_index j, const int64_t *begin,
                                dlp_error *error)
{
    dlp_column *column = &c->table->column[j];
    const bool text = column->code != NULL;
    const size_t size = text ? sizeof *column->code : sizeof *column->number;
    char *read = text ? (char *)column->code : (char *)column->number;
    column->code = NULL;
    column->number = NULL;
    dlp_status status = dlpi_table_hold(c->table, j, text ? DLP_CATEGORICAL : DLP_NUMERIC,
                                        c->table->division->rows, error);
    char *to = text ? (char *)column->code : (char *)column->number;
    for (int from = 0; from < c->comm->size; from++)
        for (int into = 0; into < c->comm->size && status == DLP_OK; into++)
            status = move_part(c, begin, from, into, size, read, to, error);
    dlpi_rows_free(read);
    return status;
}

static void use_share(const dlp_table *table)
{
    const dlpi_division *d = table->division;
    dlpi_spill_use(table->spill, (double)(d->to - d->from) / (double)d->rows);
}

dlp_status dlpi_csv_divide_rows(struct dlpi_csv *c, dlp_index *rows, bool *well,
                                dlp_error *error)
{
    const int rank = c->comm->rank, size = c->comm->size;
    int64_t *begin = dlpi_calloc(size + 1, sizeof *begin);
    if (!begin) return dlpi_no_memory(error, "the columns of a table");
    begin[rank + 1] = *rows;
    dlp_status status = c->comm->ops->sum_counts(c->comm, size + 1, begin, error);
    for (int i = 0; i < size; i++) begin[i + 1] += begin[i];
    *rows = (dlp_index)begin[size];
    if (status == DLP_OK) c->table->division = dlpi_division_new(*rows, c->comm);
    *well = c->table->division != NULL;
    if (*well) use_share(c->table);
    if (status == DLP_OK) status = dlpi_csv_all_well(c, well, error);
    for (dlp_index j = 0; j < c->table->columns && *well && status == DLP_OK; j++)
        status = divide_column(c, j, begin, error);
    free(begin);
    return status;
}
