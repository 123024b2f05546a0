/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/rows.h"

#include "core/core.h"
#include "math/dense.h"

#include <stdlib.h>
#include <string.h>

enum { TOGETHER = 64 };

/* ---- the order of x ---- */

static void place_others(dlpi_mixed_rows *rows)
{
    const dlpi_mixed_data *data = rows->data;
    dlp_index at = 0, o = 0;
    for (dlp_index t = 0; t < data->n_terms; t++) {
        if (t == rows->leaf) continue;
        rows->term[o] = t;
        rows->start[o++] = at;
        at += data->term[t].L * data->term[t].q;
        rows->width += data->term[t].q;
    }
    rows->start[o] = at;
    rows->n = at + data->p;
}

/* ---- rows by leaf ---- */

/* Without terms, some rows at a time. */
static void part_rows(dlpi_mixed_rows *rows)
{
    for (dlp_index r = 0; r < rows->N; r++) rows->row[r] = r;
    for (dlp_index g = 0; g <= rows->L; g++)
        rows->begin[g] = g < rows->L ? g * TOGETHER : rows->N;
    rows->most_rows = rows->N < TOGETHER ? rows->N : TOGETHER;
}

static void sort_rows(dlpi_mixed_rows *rows)
{
    if (rows->data->n_terms == 0) {
        part_rows(rows);
        return;
    }
    const int32_t *code = rows->data->term[rows->by].code;
    dlp_index *begin = rows->begin;
    for (dlp_index r = 0; r < rows->N; r++) begin[code[r] + 1]++;
    for (dlp_index g = 0; g < rows->L; g++) {
        if (begin[g + 1] > rows->most_rows) rows->most_rows = begin[g + 1];
        begin[g + 1] += begin[g];
    }
    for (dlp_index r = 0; r < rows->N; r++) rows->row[begin[code[r]]++] = r;
    for (dlp_index g = rows->L; g > 0; g--) begin[g] = begin[g - 1];
    begin[0] = 0;
    if (rows->data->division) rows->most_rows = rows->data->division->most_rows;
}

static void copy_effects(const dlpi_mixed_term *term, dlp_index from, double *to)
{
    for (dlp_index j = 0; j < term->q; j++) to[j] = term->x[j] ? term->x[j][from] : 1;
}

static void copy_rows(dlpi_mixed_rows *rows)
{
    const dlpi_mixed_data *data = rows->data;
    for (dlp_index r = 0; r < rows->N; r++) {
        const dlp_index from = rows->row[r];
        rows->y[r] = data->y[from];
        rows->trials[r] = data->trials ? data->trials[from] : 1;
        rows->weight[r] = data->weight ? data->weight[from] : 1;
        rows->offset[r] = data->offset ? data->offset[from] : 0;
        for (dlp_index j = 0; j < rows->p; j++)
            rows->X[r * rows->p + j] = data->X[j][from];
        if (rows->leaf >= 0)
            copy_effects(&data->term[rows->leaf], from, rows->Z + r * rows->q);
        double *to = rows->O + r * rows->width;
        for (dlp_index o = 0; o < rows->n_other; o++) {
            copy_effects(&data->term[rows->term[o]], from, to);
            to += data->term[rows->term[o]].q;
        }
    }
}

/* The difference between a likelihood and the one without constants, the same at any
   eta. */
static void find_constants(dlpi_mixed_rows *rows)
{
    static const double none[2] = {0};
    dlpi_rows tile = {.n = 1};
    tile.eta[0] = rows->data->positive;
    for (dlp_index g = 0; g < rows->L; g++)
        for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++) {
            rows->weighted = rows->weighted || rows->weight[r] != 1;
            /* levels have none */
            if (!rows->data->likelihood || rows->data->levels > 0) continue;
            tile.y = rows->y + r;
            tile.trials = rows->data->trials ? rows->trials + r : NULL;
            dlpi_mixed_tell(rows->data, none, &tile);
            tile.bare = false;
            rows->data->likelihood(&tile, 0, 0);
            const double whole = tile.l[0];
            tile.bare = true;
            rows->data->likelihood(&tile, 0, 0);
            rows->constant[g] += rows->weight[r] * (whole - tile.l[0]);
        }
}

/* ---- supports ---- */

static int by_index(const void *a, const void *b)
{
    const dlp_index x = *(const dlp_index *)a, y = *(const dlp_index *)b;
    return (x > y) - (x < y);
}

/* The levels of term o that leaf g sees, once each and ascending, so that matrices are
   read row by row, written from `at` on; seen (levels) holds where the leaf last saw
   them, or -1. */
static dlp_index collect(dlpi_mixed_rows *rows, dlp_index g, dlp_index o, dlp_index *seen,
                         dlp_index at)
{
    const dlpi_mixed_term *term = &rows->data->term[rows->term[o]];
    const dlp_index from = rows->support_begin[g], q = term->q;
    dlp_index *to = rows->support + at, count = 0;
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++) {
        const dlp_index level = term->code[rows->row[r]];
        if (seen[level] < from) to[count++] = level;
        seen[level] = from;
    }
    qsort(to, (size_t)count, sizeof *to, by_index);
    for (dlp_index i = count - 1; i >= 0; i--) { /* a level becomes q effects */
        const dlp_index level = to[i];
        for (dlp_index j = 0; j < q; j++) to[i * q + j] = rows->start[o] + level * q + j;
        seen[level] = at + i * q;
    }
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++)
        rows->slot[r * rows->n_other + o] =
            (int32_t)(seen[term->code[rows->row[r]]] - from);
    return at + count * q;
}

static dlp_status find_supports(dlpi_mixed_rows *rows, dlp_error *error)
{
    const dlp_index others = rows->n - rows->p;
    dlp_index *seen = dlpi_calloc(others + 1, sizeof *seen), at = 0;
    if (!seen) return dlpi_no_memory(error, "the random effects");
    for (dlp_index i = 0; i < others; i++) seen[i] = -1;
    for (dlp_index g = 0; g < rows->L; g++) {
        rows->support_begin[g] = at;
        for (dlp_index o = 0; o < rows->n_other; o++)
            at = collect(rows, g, o, seen + rows->start[o], at);
        const dlp_index size = at - rows->support_begin[g];
        if (size > rows->most_support) rows->most_support = size;
    }
    rows->support_begin[rows->L] = at;
    free(seen);
    return DLP_OK;
}

/* ---- the whole ---- */

static bool alloc_rows(dlpi_mixed_rows *r)
{
    r->term = dlpi_calloc(r->n_other + 1, sizeof *r->term);
    r->start = dlpi_calloc(r->n_other + 1, sizeof *r->start);
    r->begin = dlpi_calloc(r->L + 2, sizeof *r->begin);
    r->constant = dlpi_calloc(r->L + 1, sizeof *r->constant);
    r->row = dlpi_calloc(r->N, sizeof *r->row);
    r->y = dlpi_calloc(r->N, 4 * sizeof *r->y);
    r->slot = dlpi_calloc(r->N, (size_t)r->n_other * sizeof *r->slot);
    r->support_begin = dlpi_calloc(r->L + 1, sizeof *r->support_begin);
    r->Z = dlpi_calloc(r->N, (size_t)r->q * sizeof *r->Z);
    r->X = dlpi_calloc(r->N, (size_t)r->p * sizeof *r->X);
    if (!r->term || !r->start || !r->begin || !r->constant || !r->row || !r->y ||
        !r->slot || !r->support_begin || !r->Z || !r->X)
        return false;
    r->trials = r->y + r->N;
    r->weight = r->trials + r->N;
    r->offset = r->weight + r->N;
    place_others(r);
    r->O = dlpi_calloc(r->N, (size_t)r->width * sizeof *r->O);
    r->support = dlpi_calloc(r->N, (size_t)r->width * sizeof *r->support);
    return r->O && r->support;
}

/* The term with the most levels. */
static dlp_index widest_term(const dlpi_mixed_data *data)
{
    dlp_index widest = 0;
    for (dlp_index t = 1; t < data->n_terms; t++)
        if (data->term[t].L > data->term[widest].L) widest = t;
    return widest;
}

dlp_status dlpi_mixed_rows_make(const dlpi_mixed_data *data, dlp_index leaf,
                                dlpi_mixed_rows *rows, dlp_error *error)
{
    const bool flat = data->n_terms == 0; /* nothing but smooths */
    if (flat && data->predictors <= 1) {
        *rows = (dlpi_mixed_rows){
            .data = data, .N = data->N, .p = data->p, .n = data->p, .leaf = -1};
        return DLP_OK;
    }
    const dlp_index by = leaf >= 0 || flat ? leaf : widest_term(data);
    *rows = (dlpi_mixed_rows){.data = data,
                              .N = data->N,
                              .p = data->p,
                              .leaf = leaf,
                              .by = by,
                              .L = flat ? (data->N + TOGETHER - 1) / TOGETHER
                                        : data->term[by].L,
                              .q = leaf >= 0 ? data->term[leaf].q : 0,
                              .n_other = data->n_terms - (leaf >= 0)};
    rows->all = data->division ? dlpi_mixed_levels(data, leaf) : rows->L;
    if (!alloc_rows(rows)) return dlpi_no_memory(error, "the rows of a mixed model");
    sort_rows(rows);
    copy_rows(rows);
    find_constants(rows);
    rows->all_weight = data->absorbed;
    for (dlp_index r = 0; r < rows->N; r++) rows->all_weight += rows->weight[r];
    return find_supports(rows, error);
}

void dlpi_mixed_rows_clear(dlpi_mixed_rows *r)
{
    free(r->term);
    free(r->start);
    free(r->begin);
    free(r->constant);
    free(r->row);
    free(r->y);
    free(r->slot);
    free(r->support_begin);
    free(r->Z);
    free(r->X);
    free(r->O);
    free(r->support);
    *r = (dlpi_mixed_rows){0};
}

void dlpi_mixed_rows_eta(const dlpi_mixed_rows *rows, dlp_index g, const double *x,
                         double *eta)
{
    const double *beta = x + rows->n - rows->p;
    const dlp_index *support = rows->support + rows->support_begin[g];
    for (dlp_index r = rows->begin[g]; r < rows->begin[g + 1]; r++) {
        double sum = rows->offset[r];
        if (rows->p < 8) /* too few for a call */
            for (dlp_index j = 0; j < rows->p; j++)
                sum += rows->X[r * rows->p + j] * beta[j];
        else
            sum += dlpi_dot(rows->p, rows->X + r * rows->p, beta);
        const double *value = rows->O + r * rows->width;
        for (dlp_index o = 0; o < rows->n_other; o++) {
            const dlp_index *at = support + rows->slot[r * rows->n_other + o];
            const dlp_index q = rows->data->term[rows->term[o]].q;
            for (dlp_index j = 0; j < q; j++) sum += *value++ * x[at[j]];
        }
        *eta++ = sum;
    }
}

void dlpi_mixed_rows_add(const dlpi_mixed_rows *rows, dlp_index r, dlp_index support,
                         double weight, double *sum)
{
    const double *value = rows->O + r * rows->width, *X = rows->X + r * rows->p;
    for (dlp_index o = 0; o < rows->n_other; o++) {
        double *at = sum + rows->slot[r * rows->n_other + o];
        const dlp_index q = rows->data->term[rows->term[o]].q;
        for (dlp_index j = 0; j < q; j++) at[j] += weight * *value++;
    }
    for (dlp_index j = 0; j < rows->p; j++) sum[support + j] += weight * X[j];
}
