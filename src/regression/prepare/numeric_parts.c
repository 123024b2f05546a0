/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/numeric_parts.h"

#include "comm/division.h"
#include "core/core.h"
#include "regression/prepare/moments.h"
#include "regression/prepare/orthogonal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which parts there are ---- */

static bool is_number(const dlp_design *d, dlp_index variable)
{
    return d->variable[variable].factor < 0;
}

/* The numbers of term t, after those of the parts so far; returns how many. */
static dlp_index list_numbers(const dlp_design *d, dlp_index t, dlp_index *to)
{
    dlp_index n = 0;
    for (dlp_index at = d->term_begin[t]; at < d->term_begin[t + 1]; at++)
        if (is_number(d, d->term_variable[at])) to[n++] = d->term_variable[at];
    return n;
}

static bool is_part(const dlpi_numeric_parts *parts, dlp_index i, dlp_index n,
                    const dlp_index *variable)
{
    return parts->begin[i + 1] - parts->begin[i] == n &&
           !memcmp(parts->variable + parts->begin[i], variable,
                   (size_t)n * sizeof *variable);
}

/* Finds or adds the part of term t. single[v] is that of variable v alone, or 0. */
static dlp_index part_of(const dlp_design *d, dlp_index t, dlp_index *single,
                         dlpi_numeric_parts *parts)
{
    const dlp_index end = parts->begin[parts->n];
    dlp_index *numbers = parts->variable + end;
    const dlp_index n = list_numbers(d, t, numbers);
    if (n == 0) return 0;
    if (n == 1 && single[*numbers] > 0) return single[*numbers];
    for (dlp_index i = 1; n > 1 && i < parts->n; i++)
        if (is_part(parts, i, n, numbers)) return i;
    if (n == 1) single[*numbers] = parts->n;
    parts->term[parts->n] = t;
    parts->begin[parts->n + 1] = end + n;
    return parts->n++;
}

static dlp_status list_parts(const dlp_design *d, dlpi_numeric_parts *parts,
                             dlp_error *error)
{
    const size_t terms = (size_t)d->n_terms, most = terms + 1;
    dlp_index *single = calloc((size_t)d->n_variables + 1, sizeof *single);
    parts->of = calloc(most, sizeof *parts->of);
    parts->term = calloc(most, sizeof *parts->term);
    parts->begin = calloc(most + 1, sizeof *parts->begin);
    parts->variable =
        calloc((size_t)d->term_begin[terms] + most, sizeof *parts->variable);
    const bool room =
        single && parts->of && parts->term && parts->begin && parts->variable;
    parts->n = 1;
    for (dlp_index t = 0; room && t < d->n_terms; t++)
        parts->of[t] = part_of(d, t, single, parts);
    free(single);
    return room ? DLP_OK : dlpi_no_memory(error, "the terms");
}

/* ---- their values ---- */

static void multiply(dlp_index from, dlp_index to, const double *by, double *x)
{
    for (dlp_index i = from; i < to; i++) x[i] *= by[i];
}

/* The values of each part: a variable by itself is a column of the design already. */
static dlp_status fill_parts(const dlp_design *d, dlpi_spill *spill,
                             dlpi_numeric_parts *parts, dlp_error *error)
{
    const dlp_index N = d->N, from = dlpi_rows_from(d->division),
                    end = dlpi_rows_to(d->division, N);
    dlp_index made = 1;
    for (dlp_index i = 1; i < parts->n; i++)
        made += parts->begin[i + 1] - parts->begin[i] > 1;
    parts->room = dlpi_rows_alloc(spill, made, (size_t)N * sizeof *parts->room);
    parts->x = calloc((size_t)parts->n, sizeof *parts->x);
    if (!parts->room || !parts->x) return dlpi_no_memory(error, "the columns");
    double *to = parts->room;
    for (dlp_index i = 0; i < parts->n; i++) {
        const dlp_index *v = parts->variable + parts->begin[i];
        const dlp_index n = parts->begin[i + 1] - parts->begin[i];
        parts->x[i] = n == 1 ? d->value[*v] : to;
        if (n == 1) continue;
        for (dlp_index row = from; row < end; row++) to[row] = 1;
        for (dlp_index k = 0; k < n; k++) multiply(from, end, d->value[v[k]], to);
        to += N;
    }
    return DLP_OK;
}

/* ---- as a design of their own ---- */

/* Without anything to absorb the level, each part is left as it is. */
static void measure_plain(const dlp_glm_data *rows, dlpi_numeric_parts *parts)
{
    for (dlp_index i = 1; i < parts->n; i++) {
        const dlpi_column_units units = dlpi_column_measure(rows, i, -1);
        parts->sd[i] = units.sd;
        parts->spread[i] = units.spread;
    }
}

/* (R^-1)_X = e_X - sum_k R_Xk (R^-1)_k, k != X, where the own parts of X come before it. */
static void invert(const double *R, dlp_index X, dlpi_numeric_parts *parts)
{
    const dlp_index n = parts->n;
    double *to = parts->R_inverse + X * n;
    for (dlp_index k = 0; k < n; k++) {
        const double r = R[X * (n + 1) + k], *of = parts->R_inverse + k * n;
        if (k == X || r == 0) continue;
        for (dlp_index Y = 0; Y < n; Y++) to[Y] -= r * of[Y];
    }
}

static dlp_status free_of_margins(const dlp_table *table, const dlp_design *design,
                                  const dlp_glm_data *rows, dlpi_numeric_parts *parts,
                                  dlp_error *error)
{
    const dlpi_intercept level = {.first = 0, .n = 1, .term = -1};
    dlpi_prepared prepared = {
        .table = table, .design = (dlp_design *)design, .data = *rows};
    dlpi_term_margins margins;
    dlpi_orthogonal orthogonal = {.R = NULL};
    prepared.assign = design->assign;
    dlp_status status = dlpi_margins_find(design, &margins, error);
    if (status == DLP_OK)
        status = dlpi_orthogonalise(&prepared, &margins, &level, &orthogonal, error);
    if (status == DLP_OK) {
        memcpy(parts->sd, orthogonal.sd, (size_t)parts->n * sizeof *orthogonal.sd);
        memcpy(parts->spread, orthogonal.spread,
               (size_t)parts->n * sizeof *orthogonal.spread);
        for (dlp_index i = 0; i < margins.terms; i++)
            invert(orthogonal.R, margins.order[i] + 1, parts);
    }
    dlpi_orthogonal_clear(&orthogonal);
    dlpi_margins_clear(&margins);
    return status;
}

static dlp_status measure_parts(const dlpi_weak *w, dlpi_numeric_parts *parts,
                                dlp_error *error)
{
    const dlp_design *d = w->prepared->design;
    const dlp_index n = parts->n;
    dlp_glm_data rows = *w->data;
    rows.p = n;
    rows.x = parts->x;
    for (dlp_index i = 0; i < n; i++) {
        parts->R_inverse[i * (n + 1)] = parts->spread[i] = 1;
        parts->size[i] = sqrt(dlpi_column_variance(&rows, rows.x[i], 0));
        parts->assign[i] = i - 1;
        parts->level[i] = parts->assign + n; /* a row of -1 */
    }
    if (!parts->levelled) {
        measure_plain(&rows, parts);
        return DLP_OK;
    }
    const dlp_design alone = {.N = d->N,
                              .p = n,
                              .x = rows.x,
                              .n_terms = n - 1,
                              .assign = parts->assign,
                              .n_variables = d->n_variables,
                              .variable = d->variable,
                              .term_begin = parts->begin + 1,
                              .term_variable = parts->variable,
                              .level = parts->level};
    return free_of_margins(w->prepared->table, &alone, &rows, parts, error);
}

dlp_status dlpi_numeric_parts_find(const dlpi_weak *w, dlpi_numeric_parts *parts,
                                   dlp_error *error)
{
    const dlp_design *d = w->prepared->design;
    *parts = (dlpi_numeric_parts){.levelled = w->intercept.n > 0};
    DLP_TRY(list_parts(d, parts, error));
    DLP_TRY(fill_parts(d, w->prepared->table->spill, parts, error));
    const size_t n = (size_t)parts->n, most = (size_t)d->n_variables;
    parts->sd = calloc(n, sizeof *parts->sd);
    parts->spread = calloc(n, sizeof *parts->spread);
    parts->size = calloc(n, sizeof *parts->size);
    parts->R_inverse = calloc(n, n * sizeof *parts->R_inverse);
    parts->assign = calloc(n + most + 1, sizeof *parts->assign);
    parts->level = calloc(n, sizeof *parts->level);
    if (!parts->sd || !parts->spread || !parts->size || !parts->R_inverse ||
        !parts->assign || !parts->level)
        return dlpi_no_memory(error, "the terms");
    for (size_t i = 0; i <= most; i++) parts->assign[n + i] = -1;
    return measure_parts(w, parts, error);
}

void dlpi_numeric_parts_clear(dlpi_numeric_parts *parts)
{
    free(parts->of);
    free(parts->term);
    free(parts->sd);
    free(parts->spread);
    free(parts->size);
    free(parts->R_inverse);
    dlpi_rows_free(parts->room);
    free(parts->x);
    free(parts->begin);
    free(parts->variable);
    free(parts->assign);
    free(parts->level);
    *parts = (dlpi_numeric_parts){0};
}
