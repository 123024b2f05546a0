/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/factor_cells.h"

#include "comm/division.h"
#include "core/core.h"
#include "regression/prepare/moments.h"
#include "table/design/design.h"

#include <stdlib.h>
#include <string.h>

/* No real design has larger grids. */
enum { MOST_CELLS = 4 * DLPI_MOST_COLUMNS, MOST_FACTORS = 16 };

static dlp_index levels_of(const dlp_design *d, dlp_index variable)
{
    return d->terms->factor[d->variable[variable].factor].n;
}

/* ---- shares of levels ---- */

typedef struct share_sum {
    const dlp_glm_data *rows;
    const int32_t *code;
    double total;
} share_sum;

static void add_shares(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const share_sum *of = context;
    for (dlp_index i = from; i < to; i++)
        sum[of->code[i]] += dlpi_row_weight(of->rows, i) / of->total;
}

static dlp_status find_shares(dlpi_factor_cells *cells, dlp_error *error)
{
    const dlp_design *d = cells->w->prepared->design;
    const dlp_glm_data *rows = cells->w->data;
    const double total = dlpi_total_weight(rows);
    cells->share = dlpi_calloc(d->n_variables, sizeof *cells->share);
    if (!cells->share) return dlpi_no_memory(error, "the levels");
    for (dlp_index v = 0; v < d->n_variables; v++) {
        if (d->variable[v].factor < 0) continue;
        double *share = dlpi_calloc(levels_of(d, v), sizeof *share);
        cells->share[v] = share;
        if (!share) return dlpi_no_memory(error, "the levels");
        const share_sum of = {rows, d->code[v], total};
        dlpi_division_sum(rows->division, rows->N, levels_of(d, v), add_shares, &of,
                          share);
    }
    return DLP_OK;
}

/* ---- which there are ---- */

static bool is_same(const dlpi_cell_set *a, const dlpi_cell_set *b)
{
    return a->part == b->part && a->n == b->n &&
           !memcmp(a->variable, b->variable, (size_t)a->n * sizeof *a->variable);
}

/* The number of cells, and the variance of all their indicators. */
static void measure(const dlpi_factor_cells *cells, dlpi_cell_set *of)
{
    const dlp_design *d = cells->w->prepared->design;
    dlp_index C = 1;
    bool pairs = true;
    of->variance = 1;
    for (dlp_index a = 0; a < of->n; a++) {
        const dlp_index v = of->variable[a], K = levels_of(d, v);
        const double *share = cells->share[v];
        double left = 1;
        for (dlp_index l = 0; l < K; l++) left -= share[l] * share[l];
        of->variance *= K > 2 ? left : share[0] * share[1];
        pairs = pairs && K == 2;
        C = C > MOST_CELLS ? C : C * K;
    }
    of->C = pairs ? 1 : C;
}

/* Adds the cells of those factors of term t that the bits of `which` select, unless they
   are there already. */
static void add_cells(dlpi_factor_cells *cells, dlp_index t, unsigned long which)
{
    const dlp_design *d = cells->w->prepared->design;
    dlpi_cell_set *to = &cells->of[cells->n];
    *to = (dlpi_cell_set){.part = cells->parts.of[t]};
    dlp_index bit = 0;
    for (dlp_index at = d->term_begin[t]; at < d->term_begin[t + 1]; at++) {
        const dlp_index v = d->term_variable[at];
        if (d->variable[v].factor < 0) continue;
        if (which >> bit++ & 1) to->variable[to->n++] = v;
    }
    for (dlp_index i = 0; i < cells->n; i++)
        if (is_same(&cells->of[i], to)) return;
    measure(cells, to);
    if (to->C > MOST_CELLS) return;
    if (to->C > cells->most) cells->most = to->C;
    cells->n++;
}

/* The number of sets of factors of a term, without the empty one. */
static unsigned long count_sets(const dlp_design *d, dlp_index t)
{
    dlp_index factors = 0;
    for (dlp_index at = d->term_begin[t]; at < d->term_begin[t + 1]; at++)
        factors += d->variable[d->term_variable[at]].factor >= 0;
    return (1UL << (factors < MOST_FACTORS ? factors : MOST_FACTORS)) - 1;
}

static dlp_status list_cells(dlpi_factor_cells *cells, dlp_error *error)
{
    const dlp_design *d = cells->w->prepared->design;
    unsigned long total = 0;
    for (dlp_index t = 0; t < d->n_terms; t++) total += count_sets(d, t);
    cells->of = dlpi_calloc((dlp_index)total + 1, sizeof *cells->of);
    if (!cells->of) return dlpi_no_memory(error, "the levels");
    cells->most = 1;
    for (dlp_index t = 0; t < d->n_terms; t++)
        for (unsigned long which = 1; which <= count_sets(d, t); which++)
            add_cells(cells, t, which);
    return DLP_OK;
}

dlp_status dlpi_factor_cells_find(const dlpi_weak *w, dlpi_factor_cells *cells,
                                  dlp_error *error)
{
    *cells = (dlpi_factor_cells){.w = w};
    DLP_TRY(dlpi_numeric_parts_find(w, &cells->parts, error));
    DLP_TRY(find_shares(cells, error));
    DLP_TRY(list_cells(cells, error));
    cells->cell =
        dlpi_rows_alloc(w->prepared->table->spill, w->data->N, sizeof *cells->cell);
    cells->weight = dlpi_calloc(cells->most, sizeof *cells->weight);
    cells->mean = dlpi_calloc(cells->most, sizeof *cells->mean);
    return cells->cell && cells->weight && cells->mean
               ? DLP_OK
               : dlpi_no_memory(error, "the levels");
}

void dlpi_factor_cells_clear(dlpi_factor_cells *cells)
{
    const dlp_index n = cells->share ? cells->w->prepared->design->n_variables : 0;
    for (dlp_index v = 0; v < n; v++) free(cells->share[v]);
    free(cells->share);
    free(cells->of);
    dlpi_rows_free(cells->cell);
    free(cells->weight);
    free(cells->mean);
    dlpi_numeric_parts_clear(&cells->parts);
    *cells = (dlpi_factor_cells){.w = NULL};
}

/* ---- by the coefficients ---- */

/* A column among cells: its level of each of their factors, -1 if it covers all levels,
   and its part in h'_Y there. */
typedef struct place {
    dlp_index level[DLPI_MOST_ORDER];
    double value;
} place;

static dlp_index axis_of(const dlpi_cell_set *of, dlp_index variable)
{
    for (dlp_index a = 0; a < of->n; a++)
        if (of->variable[a] == variable) return a;
    return -1;
}

static place find_place(const dlpi_factor_cells *cells, const dlpi_cell_set *of,
                        dlp_index j)
{
    const dlpi_prepared *p = cells->w->prepared;
    const dlp_design *d = p->design;
    const dlp_index t = p->assign[j], X = t < 0 ? 0 : cells->parts.of[t];
    place at = {.value = cells->parts.R_inverse[X * cells->parts.n + of->part]};
    for (dlp_index a = 0; a < of->n; a++) at.level[a] = -1;
    for (dlp_index i = 0; t >= 0 && i < d->term_begin[t + 1] - d->term_begin[t]; i++) {
        const dlp_index v = d->term_variable[d->term_begin[t] + i];
        const dlp_index level = d->level[j + d->p - p->data.p][i], a = axis_of(of, v);
        if (level < 0) continue;
        if (a >= 0)
            at.level[a] = level;
        else
            at.value *= cells->share[v][level];
    }
    return at;
}

/* The difference between the two levels of each of the factors. */
static double contrast(const dlpi_cell_set *of, const place *at)
{
    double value = at->value;
    for (dlp_index a = 0; a < of->n; a++)
        value *= at->level[a] < 0 ? 0 : at->level[a] == 0 ? -1 : 1;
    return value;
}

static void fill_places(const dlpi_factor_cells *cells, const dlpi_cell_set *of,
                        const place *at, double *T)
{
    const dlp_design *d = cells->w->prepared->design;
    for (dlp_index c = 0; c < of->C; c++) {
        dlp_index rest = c;
        bool here = true;
        for (dlp_index a = 0; a < of->n; a++) {
            const dlp_index K = levels_of(d, of->variable[a]);
            here = here && (at->level[a] < 0 || at->level[a] == rest % K);
            rest /= K;
        }
        T[c] = here ? at->value : 0;
    }
}

/* ---- by the rows ---- */

static void add_weights(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const dlpi_factor_cells *cells = context;
    for (dlp_index i = from; i < to; i++)
        sum[cells->cell[i]] += dlpi_row_weight(cells->w->data, i);
}

/* The cell of each row, and the weight of the rows in each. */
static void find_rows(const dlpi_factor_cells *cells, const dlpi_cell_set *of)
{
    const dlp_glm_data *rows = cells->w->data;
    const dlp_design *d = cells->w->prepared->design;
    const dlp_index to = dlpi_rows_to(rows->division, rows->N);
    for (dlp_index i = dlpi_rows_from(rows->division); i < to; i++) {
        dlp_index c = 0;
        for (dlp_index a = of->n - 1; a >= 0; a--)
            c = c * levels_of(d, of->variable[a]) + d->code[of->variable[a]][i];
        cells->cell[i] = c;
    }
    dlpi_division_sum(rows->division, rows->N, of->C, add_weights, cells, cells->weight);
}

typedef struct mean_sum {
    const dlpi_factor_cells *cells;
    const double *x;
} mean_sum;

static void add_means(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const mean_sum *of = context;
    const dlpi_factor_cells *cells = of->cells;
    for (dlp_index i = from; i < to; i++) {
        const dlp_index c = cells->cell[i];
        const double w = dlpi_row_weight(cells->w->data, i);
        if (w > 0) sum[c] += w / cells->weight[c] * of->x[i];
    }
}

/* T (C) has the mean of column j in the cells that have rows. */
static void fill_means(const dlpi_factor_cells *cells, const dlpi_cell_set *of,
                       dlp_index j, double *T)
{
    const dlp_glm_data *rows = cells->w->data;
    const mean_sum means = {cells, rows->x[j]};
    dlpi_division_sum(rows->division, rows->N, of->C, add_means, &means, cells->mean);
    for (dlp_index c = 0; c < of->C; c++)
        if (cells->weight[c] > 0) T[c] = cells->mean[c];
}

/* ---- beyond fewer factors ---- */

/* Takes the mean from the levels of one factor, `stride` apart; of two levels, leaves the
   difference in the place of the second. */
static void centre(dlp_index K, dlp_index stride, const double *share, double *T)
{
    double mean = 0;
    for (dlp_index l = 0; l < K; l++) mean += share[l] * T[l * stride];
    for (dlp_index l = 0; l < K && K > 2; l++) T[l * stride] -= mean;
    if (K > 2) return;
    T[stride] -= T[0];
    T[0] = 0;
}

static void centre_all(const dlpi_factor_cells *cells, const dlpi_cell_set *of, double *T)
{
    const dlp_design *d = cells->w->prepared->design;
    dlp_index stride = 1;
    for (dlp_index a = 0; a < of->n; a++) {
        const dlp_index v = of->variable[a], K = levels_of(d, v);
        for (dlp_index c = 0; c < of->C; c++)
            if (c / stride % K == 0) centre(K, stride, cells->share[v], T + c);
        stride *= K;
    }
}

void dlpi_fill_cells(const dlpi_factor_cells *cells, const dlpi_cell_set *of, double *T)
{
    const bool by_rows = of->part == 0 && of->C > 1;
    if (by_rows) find_rows(cells, of);
    for (dlp_index j = 0; j < cells->w->data->p; j++, T += of->C) {
        const place at = find_place(cells, of, j);
        if (of->C == 1) {
            *T = contrast(of, &at);
            continue;
        }
        fill_places(cells, of, &at, T);
        if (by_rows) fill_means(cells, of, j, T);
        centre_all(cells, of, T);
    }
}
