/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/grouped_rows.h"

#include "comm/division.h"
#include "core/core.h"
#include "math/symmetric/structure.h"

void dlpi_grouped_rows_clear(dlpi_grouped_rows *rows)
{
    free(rows->begin);
    free(rows->count);
    free(rows->order);
    free(rows->x);
    free(rows->moved);
    *rows = (dlpi_grouped_rows){0};
}

static dlp_index group_of(const dlpi_grouped_rows *rows, const int32_t *group,
                          dlp_index i)
{
    if (!group) return 0;
    return group[i] >= 0 ? group[i] : rows->n - 1;
}

/* Counts the rows of each group; true when those of each group are contiguous already. */
static bool count_rows(dlpi_grouped_rows *rows, const int32_t *group)
{
    bool together = true;
    for (dlp_index i = 0; i < rows->data.N; i++) {
        const dlp_index m = group_of(rows, group, i);
        if (rows->count[m] == 0)
            rows->begin[m] = i;
        else
            together &= group_of(rows, group, i - 1) == m;
        rows->count[m]++;
    }
    return together;
}

static void sort_rows(dlpi_grouped_rows *rows, const int32_t *group)
{
    dlp_index next = 0;
    for (dlp_index m = 0; m < rows->n; m++) {
        rows->begin[m] = next;
        next += rows->count[m];
        rows->count[m] = 0;
    }
    for (dlp_index i = 0; i < rows->data.N; i++) {
        const dlp_index m = group_of(rows, group, i);
        rows->order[rows->begin[m] + rows->count[m]++] = i;
    }
}

/* A copy of a column at `to`, in the order of the groups; NULL stays NULL. */
static const double *move_column(const dlpi_grouped_rows *rows, const double *from,
                                 double *to)
{
    if (!from) return NULL;
    for (dlp_index i = 0; i < rows->data.N; i++) to[i] = from[rows->order[i]];
    return to;
}

/* Copies everything into the order of the groups, column by column. */
static dlp_status move_rows(dlpi_grouped_rows *rows, const int32_t *group,
                            dlp_error *error)
{
    dlp_glm_data *d = &rows->data;
    rows->order = dlpi_calloc(d->N, sizeof *rows->order);
    rows->moved = dlpi_calloc(dlpi_size(d->p + 4, d->N, 0), sizeof *rows->moved);
    if (!rows->order || !rows->moved)
        return dlpi_no_memory(error, "the rows in their groups");
    sort_rows(rows, group);
    for (dlp_index j = 0; j < d->p; j++)
        rows->x[j] = move_column(rows, d->x[j], rows->moved + j * d->N);
    double *rest = rows->moved + d->p * d->N;
    d->y = move_column(rows, d->y, rest);
    d->trials = move_column(rows, d->trials, rest + d->N);
    d->offset = move_column(rows, d->offset, rest + 2 * d->N);
    d->weight = move_column(rows, d->weight, rest + 3 * d->N);
    d->x = rows->x; /* group 0 begins at row 0 */
    return DLP_OK;
}

/* From the last group to the first, because rows->data.x may point to the first. */
static void point_columns(dlpi_grouped_rows *rows)
{
    const dlp_index p = rows->data.p;
    const double *const *x = rows->data.x;
    for (dlp_index m = rows->n - 1; m >= 0; m--)
        for (dlp_index j = 0; j < p; j++) rows->x[m * p + j] = x[j] + rows->begin[m];
}

/* Empty groups. */
static dlp_status alloc_groups(const dlp_glm_data *data, dlp_index n,
                               dlpi_grouped_rows *rows, dlp_error *error)
{
    *rows = (dlpi_grouped_rows){.n = n, .data = *data};
    rows->to = rows->n;
    rows->begin = dlpi_calloc(rows->n, sizeof *rows->begin);
    rows->count = dlpi_calloc(rows->n, sizeof *rows->count);
    rows->x = dlpi_calloc(dlpi_size(rows->n, data->p, 0), sizeof *rows->x);
    if (rows->begin && rows->count && rows->x) return DLP_OK;
    return dlpi_no_memory(error, "the rows in their groups");
}

dlp_status dlpi_grouped_rows_move(const dlp_glm_data *data, const int32_t *group,
                                  dlpi_division *by, dlpi_grouped_rows *rows,
                                  dlp_error *error)
{
    DLP_TRY(alloc_groups(data, by->rows + 1, rows, error));
    return dlpi_grouped_rows_exchange(group, by, rows, error);
}

dlp_status dlpi_grouped_rows_make(const dlp_glm_data *data, const int32_t *group,
                                  dlp_index M, dlpi_grouped_rows *rows, dlp_error *error)
{
    DLP_TRY(alloc_groups(data, group ? M + 1 : 1, rows, error));
    if (group && dlpi_is_divided(data->division))
        return dlpi_grouped_rows_exchange(group, NULL, rows, error);
    if (!count_rows(rows, group)) DLP_TRY(move_rows(rows, group, error));
    point_columns(rows);
    return DLP_OK;
}

/* What belongs to rows, except the columns, from row `at` on. */
static dlp_glm_data from_row(const dlpi_grouped_rows *rows, dlp_index at)
{
    dlp_glm_data d = rows->data;
    d.division = NULL;
    if (d.y) d.y += at;
    if (d.trials) d.trials += at;
    if (d.offset) d.offset += at;
    if (d.weight) d.weight += at;
    return d;
}

dlp_glm_data dlpi_part_of_group(const dlpi_grouped_rows *rows, dlp_index m,
                                dlp_index first, dlp_index n, const double **x)
{
    dlp_glm_data d = from_row(rows, rows->begin[m] + first);
    for (dlp_index j = 0; j < d.p; j++) x[j] = rows->x[m * d.p + j] + first;
    d.N = n;
    d.x = x;
    return d;
}

dlp_glm_data dlpi_rows_of_group(const dlpi_grouped_rows *rows, dlp_index m)
{
    dlp_glm_data d = from_row(rows, rows->begin[m]);
    d.N = rows->count[m];
    if (m < rows->from || m >= rows->to)
        d.x = NULL, d.y = d.trials = d.offset = d.weight = NULL;
    else
        d.x = rows->x + m * d.p;
    return d;
}
