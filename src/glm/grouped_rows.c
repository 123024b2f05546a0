/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/grouped_rows.h"

#include "core/core.h"
#include "math/structure.h"

void dlpi_grouped_rows_clear(dlpi_grouped_rows *rows)
{
    free(rows->begin);
    free(rows->count);
    free(rows->order);
    free(rows->x);
    free(rows->moved);
    *rows = (dlpi_grouped_rows){0};
}

static dlp_index group_of(const dlpi_grouped_rows *b, const int32_t *group, dlp_index i)
{
    if (!group) return 0;
    return group[i] >= 0 ? group[i] : b->n - 1;
}

/* Counts the rows of each group; true when they are neighbours already. */
static bool count_rows(dlpi_grouped_rows *b, const int32_t *group)
{
    bool together = true;
    for (dlp_index i = 0; i < b->data.N; i++) {
        const dlp_index m = group_of(b, group, i);
        if (b->count[m] == 0)
            b->begin[m] = i;
        else
            together &= group_of(b, group, i - 1) == m;
        b->count[m]++;
    }
    return together;
}

static void sort_rows(dlpi_grouped_rows *b, const int32_t *group)
{
    dlp_index next = 0;
    for (dlp_index m = 0; m < b->n; m++) {
        b->begin[m] = next;
        next += b->count[m];
        b->count[m] = 0;
    }
    for (dlp_index i = 0; i < b->data.N; i++) {
        const dlp_index m = group_of(b, group, i);
        b->order[b->begin[m] + b->count[m]++] = i;
    }
}

/* A copy of a column at `to`, in the order of the groups; NULL stays NULL. */
static const double *move_column(const dlpi_grouped_rows *b, const double *from,
                                 double *to)
{
    if (!from) return NULL;
    for (dlp_index i = 0; i < b->data.N; i++) to[i] = from[b->order[i]];
    return to;
}

/* Copies everything into the order of the groups, column by column. */
static dlp_status move_rows(dlpi_grouped_rows *b, const int32_t *group, dlp_error *error)
{
    dlp_glm_data *d = &b->data;
    b->order = dlpi_calloc(d->N, sizeof *b->order);
    b->moved = dlpi_calloc(dlpi_size(d->p + 4, d->N, 0), sizeof *b->moved);
    if (!b->order || !b->moved) return dlpi_no_memory(error, "the rows in their groups");
    sort_rows(b, group);
    for (dlp_index j = 0; j < d->p; j++)
        b->x[j] = move_column(b, d->x[j], b->moved + j * d->N);
    double *rest = b->moved + d->p * d->N;
    d->y = move_column(b, d->y, rest);
    d->trials = move_column(b, d->trials, rest + d->N);
    d->offset = move_column(b, d->offset, rest + 2 * d->N);
    d->weight = move_column(b, d->weight, rest + 3 * d->N);
    d->x = b->x; /* group 0 begins at row 0 */
    return DLP_OK;
}

/* From the last group to the first, which b->data.x may point to. */
static void point_columns(dlpi_grouped_rows *b)
{
    const dlp_index p = b->data.p;
    const double *const *x = b->data.x;
    for (dlp_index m = b->n - 1; m >= 0; m--)
        for (dlp_index j = 0; j < p; j++) b->x[m * p + j] = x[j] + b->begin[m];
}

dlp_status dlpi_grouped_rows_make(const dlp_glm_data *data, const int32_t *group,
                                  dlp_index M, dlpi_grouped_rows *b, dlp_error *error)
{
    *b = (dlpi_grouped_rows){.n = group ? M + 1 : 1, .data = *data};
    b->begin = dlpi_calloc(b->n, sizeof *b->begin);
    b->count = dlpi_calloc(b->n, sizeof *b->count);
    b->x = dlpi_calloc(dlpi_size(b->n, data->p, 0), sizeof *b->x);
    if (!b->begin || !b->count || !b->x)
        return dlpi_no_memory(error, "the rows in their groups");
    if (!count_rows(b, group)) DLP_TRY(move_rows(b, group, error));
    point_columns(b);
    return DLP_OK;
}

void dlpi_grouped_rows_replace(dlpi_grouped_rows *b, const dlp_glm_data *data)
{
    b->data = *data;
    point_columns(b);
}

/* What belongs to rows, but the columns, from row `at` on. */
static dlp_glm_data from_row(const dlpi_grouped_rows *b, dlp_index at)
{
    dlp_glm_data d = b->data;
    if (d.y) d.y += at;
    if (d.trials) d.trials += at;
    if (d.offset) d.offset += at;
    if (d.weight) d.weight += at;
    return d;
}

dlp_glm_data dlpi_part_of_group(const dlpi_grouped_rows *b, dlp_index m, dlp_index first,
                                dlp_index n, const double **x)
{
    dlp_glm_data d = from_row(b, b->begin[m] + first);
    for (dlp_index j = 0; j < d.p; j++) x[j] = b->x[m * d.p + j] + first;
    d.N = n;
    d.x = x;
    return d;
}

dlp_glm_data dlpi_rows_of_group(const dlpi_grouped_rows *b, dlp_index m)
{
    dlp_glm_data d = from_row(b, b->begin[m]);
    d.N = b->count[m];
    d.x = b->x + m * d.p;
    return d;
}
