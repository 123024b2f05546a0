/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/levels/ordinal.h"

#include "core/core.h"

#include <string.h>

/* A row of the binary regression: whether row `from` lies above a cut point. */
typedef struct side {
    dlp_index from, cut;
    bool above;
} side;

static dlp_index count_sides(const dlpi_mixed_data *of, dlp_index J)
{
    dlp_index n = 0;
    for (dlp_index r = 0; r < of->N; r++) n += (of->y[r] > 0) + (of->y[r] < (double)J);
    return n;
}

static void list_sides(const dlpi_mixed_data *of, dlp_index J, side *to)
{
    for (dlp_index r = 0; r < of->N; r++) {
        const dlp_index y = (dlp_index)of->y[r];
        if (y > 0) *to++ = (side){r, y - 1, true};
        if (y < J) *to++ = (side){r, y, false};
    }
}

/* How many columns the terms have. */
static dlp_index count_effects(const dlpi_mixed_data *of)
{
    dlp_index sum = 0;
    for (dlp_index t = 0; t < of->n_terms; t++) sum += of->term[t].q;
    return sum;
}

static bool take_room(const dlpi_mixed_data *of, dlp_index J, dlp_index N,
                      dlpi_ordinal_rows *rows)
{
    const dlp_index columns = of->p + J + count_effects(of);
    rows->term = dlpi_calloc(of->n_terms, sizeof *rows->term);
    rows->smooth = dlpi_calloc(of->n_smooths, sizeof *rows->smooth);
    rows->column = dlpi_calloc(columns, sizeof *rows->column);
    rows->code = dlpi_calloc(N, (size_t)of->n_terms * sizeof *rows->code);
    rows->numbers = dlpi_calloc(N, (size_t)(columns + 3) * sizeof *rows->numbers);
    if (!rows->numbers) return false;
    double *times = dlpi_calloc(J, sizeof *times);
    rows->data.gaps.times = times;
    return rows->term && rows->smooth && rows->column && rows->code && times;
}

/* A column of the sides; NULL: ones. */
static void spread(dlp_index N, const side *s, const double *x, double *to)
{
    for (dlp_index i = 0; i < N; i++) to[i] = x ? x[s[i].from] : 1;
}

/* Fixed columns, cut points, smooths. */
static double *fill_columns(const dlpi_mixed_data *of, dlp_index J, dlp_index N,
                            const side *s, double *to, const double **column)
{
    const dlp_index fixed = dlpi_mixed_fixed(of);
    for (dlp_index j = 0; j < of->p + J; j++, to += N) {
        *column++ = to;
        if (j < fixed) spread(N, s, of->X[j], to);
        if (j >= fixed + J) spread(N, s, of->X[j - J], to);
        for (dlp_index i = 0; i < N && j >= fixed && j < fixed + J; i++)
            to[i] = j - fixed <= s[i].cut ? -1 : 0;
    }
    return to;
}

static void fill_terms(const dlpi_mixed_data *of, dlp_index N, const side *s, double *to,
                       const double **column, dlpi_ordinal_rows *rows)
{
    int32_t *code = rows->code;
    for (dlp_index t = 0; t < of->n_terms; t++, code += N) {
        rows->term[t] = of->term[t];
        rows->term[t].code = code;
        rows->term[t].x = column;
        for (dlp_index i = 0; i < N; i++) code[i] = of->term[t].code[s[i].from];
        for (dlp_index j = 0; j < of->term[t].q; j++, to += N) {
            spread(N, s, of->term[t].x[j], to);
            *column++ = to;
        }
    }
}

static void fill(const dlpi_mixed_data *of, dlp_index J, dlp_index N, const side *s,
                 dlpi_ordinal_rows *rows)
{
    const dlp_index fixed = dlpi_mixed_fixed(of);
    double *y = rows->numbers, *weight = y + N, *offset = weight + N,
           *times = (double *)rows->data.gaps.times;
    for (dlp_index i = 0; i < N; i++) y[i] = s[i].above;
    spread(N, s, of->weight, weight);
    if (of->offset) spread(N, s, of->offset, offset);
    for (dlp_index r = 0; r < of->N; r++) {
        const dlp_index level = (dlp_index)of->y[r];
        if (level > 0 && level < J) times[level - 1] += of->weight ? of->weight[r] : 1;
    }
    double *next = fill_columns(of, J, N, s, offset + N, rows->column);
    fill_terms(of, N, s, next, rows->column + of->p + J, rows);
    for (dlp_index i = 0; i < of->n_smooths; i++) {
        rows->smooth[i] = of->smooth[i];
        rows->smooth[i].first += J;
    }
    rows->cuts = rows->in_beta = J;
    rows->data = (dlpi_mixed_data){.likelihood = of->likelihood,
                                   .N = N,
                                   .p = of->p + J,
                                   .X = rows->column,
                                   .y = y,
                                   .weight = of->weight ? weight : NULL,
                                   .offset = of->offset ? offset : NULL,
                                   .n_terms = of->n_terms,
                                   .term = rows->term,
                                   .n_smooths = of->n_smooths,
                                   .smooth = rows->smooth,
                                   .gaps = {fixed + 1, J - 1, times}};
}

dlp_status dlpi_ordinal_rows_make(const dlpi_mixed_data *of, dlp_index levels,
                                  dlpi_ordinal_rows *rows, dlp_error *error)
{
    const dlp_index J = levels - 1, N = count_sides(of, J);
    *rows = (dlpi_ordinal_rows){.cuts = J};
    side *s = dlpi_calloc(N, sizeof *s);
    const bool there = s && take_room(of, J, N, rows);
    if (there) {
        list_sides(of, J, s);
        fill(of, J, N, s, rows);
    }
    free(s);
    return there ? DLP_OK : dlpi_no_memory(error, "the rows of an ordinal regression");
}

dlp_status dlpi_ordinal_levels_make(const dlpi_mixed_data *of, dlp_index levels,
                                    dlpi_ordinal_rows *rows, dlp_error *error)
{
    const dlp_index fixed = dlpi_mixed_fixed(of);
    *rows = (dlpi_ordinal_rows){.cuts = levels - 1, .in_beta = 1, .data = *of};
    rows->smooth = dlpi_calloc(of->n_smooths, sizeof *rows->smooth);
    rows->column = dlpi_calloc(of->p + 1, sizeof *rows->column);
    rows->numbers = dlpi_calloc(of->N, sizeof *rows->numbers);
    if (!rows->smooth || !rows->column || !rows->numbers)
        return dlpi_no_memory(error, "the rows of an ordinal regression");
    for (dlp_index r = 0; r < of->N; r++) rows->numbers[r] = -1;
    for (dlp_index j = 0; j <= of->p; j++)
        rows->column[j] = j < fixed    ? of->X[j]
                          : j == fixed ? rows->numbers
                                       : of->X[j - 1];
    for (dlp_index i = 0; i < of->n_smooths; i++) {
        rows->smooth[i] = of->smooth[i];
        rows->smooth[i].first++;
    }
    rows->data.p++;
    rows->data.X = rows->column;
    rows->data.smooth = rows->smooth;
    rows->data.levels = levels;
    rows->data.scales = levels - 2;
    return DLP_OK;
}

void dlpi_ordinal_rows_clear(dlpi_ordinal_rows *rows)
{
    free((void *)rows->data.gaps.times);
    free(rows->term);
    free(rows->smooth);
    free((void *)rows->column);
    free(rows->numbers);
    free(rows->code);
    *rows = (dlpi_ordinal_rows){0};
}
