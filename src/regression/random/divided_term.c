/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/random/divided_term.h"

#include "core/core.h"
#include "mixed/fewer_rows.h"

#include <stdlib.h>

/* ---- who has which levels ---- */

/* A Gaussian response is divided only until it has fewer rows. */
static bool remain_divided(const dlpi_prepared *p, const dlp_index *count)
{
    const dlp_random *random = &p->design->random[0];
    const dlpi_mixed_term term = {.q = random->q};
    const dlpi_mixed_data data = {.p = p->data.p, .n_terms = 1, .term = &term};
    const dlp_index width = dlpi_fewer_rows_width(&data);
    dlp_index kept = 0, rows = 0;
    if (!dlpi_is_gaussian(p->family)) return true;
    for (dlp_index l = 0; l < random->group.n; l++) {
        kept += count[l] < width ? count[l] : width;
        rows += count[l];
    }
    return dlpi_fewer_rows_pay(kept, rows);
}

static dlp_status divide_levels(const dlpi_prepared *p, const dlp_glm_data *data,
                                dlpi_mixed_division *to, dlp_error *error)
{
    const dlp_random *random = &p->design->random[0];
    dlpi_division *rows = data->division;
    const dlp_index L = random->group.n;
    bool worth = false;
    dlp_index *count = dlpi_calloc(L, sizeof *count);
    dlp_status status = dlpi_division_agree(
        rows, count ? DLP_OK : dlpi_no_memory(error, "the random effects"), error);
    if (status != DLP_OK || !count) { /* in every process */
        free(count);
        return status;
    }
    status = dlpi_count_groups(data, random->code, L, count, error);
    if (status == DLP_OK) to->leaves = dlpi_division_of_items(L, count, rows->comm);
    for (dlp_index l = 0; l < L && to->leaves; l++)
        if (count[l] > to->most_rows) to->most_rows = count[l];
    if (status == DLP_OK) worth = remain_divided(p, count);
    free(count);
    if (status == DLP_OK && !to->leaves)
        status = dlpi_no_memory(error, "the random effects");
    to->N = rows->rows;
    DLP_TRY(dlpi_division_agree(rows, status, error));
    worth = worth && dlpi_division_serves_all(to->leaves);
    return worth ? DLP_OK : dlpi_division_give_up(rows, error);
}

/* ---- rows ---- */

/* x (p + q) */
static dlp_status move_rows(const dlp_random *random, const dlp_glm_data *rows,
                            const double **x, dlpi_divided_term *to, dlp_error *error)
{
    dlp_glm_data both = *rows;
    for (dlp_index j = 0; j < rows->p; j++) x[j] = rows->x[j];
    for (dlp_index j = 0; j < random->q; j++) x[rows->p + j] = random->x[j];
    both.p = rows->p + random->q;
    both.x = x;
    return dlpi_grouped_rows_move(&both, random->code, to->division.leaves, &to->rows,
                                  error);
}

/* The levels of this process count from 0, and its columns begin with the first. */
static dlp_status number_levels(const dlp_random *random, const double **x,
                                dlpi_divided_term *to, dlp_error *error)
{
    const dlpi_grouped_rows *rows = &to->rows;
    dlp_index N = 0;
    for (dlp_index m = rows->from; m < rows->to; m++) N += rows->count[m];
    to->code = dlpi_calloc(N, sizeof *to->code);
    if (!to->code) return dlpi_no_memory(error, "the random effects");
    for (dlp_index m = rows->from; m < rows->to; m++)
        for (dlp_index i = 0; i < rows->count[m]; i++)
            to->code[rows->begin[m] + i] = (int32_t)(m - rows->from);
    for (dlp_index j = 0; j < rows->data.p; j++)
        x[j] = rows->x[rows->from * rows->data.p + j];
    to->rows.data.N = N;
    to->term = (dlpi_mixed_term){.L = rows->to - rows->from,
                                 .q = random->q,
                                 .code = to->code,
                                 .x = x + rows->data.p - random->q};
    return DLP_OK;
}

dlp_status dlpi_divided_term_make(const dlpi_prepared *p, const dlp_glm_data *rows,
                                  dlpi_divided_term *to, dlp_error *error)
{
    const dlp_random *random = &p->design->random[0];
    *to = (dlpi_divided_term){.x = NULL};
    DLP_TRY(divide_levels(p, rows, &to->division, error));
    to->x = dlpi_calloc(rows->p + random->q, sizeof *to->x);
    dlp_status status = to->x ? DLP_OK : dlpi_no_memory(error, "the random effects");
    status = dlpi_division_agree(rows->division, status, error);
    if (status != DLP_OK || !to->x) return status;
    to->division.columns = &to->rows.moved;
    DLP_TRY(move_rows(random, rows, to->x, to, error));
    return dlpi_division_agree(rows->division, number_levels(random, to->x, to, error),
                               error);
}

void dlpi_divided_term_clear(dlpi_divided_term *d)
{
    dlpi_grouped_rows_clear(&d->rows);
    dlpi_division_free(d->division.leaves);
    free(d->x);
    free(d->code);
    *d = (dlpi_divided_term){.x = NULL};
}

void dlpi_divided_term_take(const dlpi_divided_term *d, dlpi_mixed_data *data)
{
    const dlp_glm_data *own = &d->rows.data;
    data->N = own->N;
    data->X = d->x;
    data->y = own->y;
    data->trials = own->trials;
    data->weight = own->weight;
    data->offset = own->offset;
    data->term = &d->term;
    data->division = &d->division;
}
