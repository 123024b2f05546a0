/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/fewer_rows.h"

#include "core/core.h"
#include "math/dense.h"

#include <stdlib.h>
#include <string.h>

/* Rows in the order of their cells: those with the same levels of all terms. */
typedef struct cells {
    const dlpi_mixed_data *data;
    dlpi_division *leaves;  /* their chunks, if they are levels, or NULL */
    dlp_index K;            /* columns: Z, X, and y */
    dlp_index *row, *other; /* (N) in that order, and room */
    dlp_index *count;       /* (levels + 1) room */
    dlp_index most;         /* rows of a cell */
    dlp_index kept;         /* no more rows than these remain */
    double *A, *total;      /* (K, most), (K) room */
    dlp_index *at;          /* (K) room */
} cells;

/* ---- cells ---- */

static void sort_by(cells *c, const dlpi_mixed_term *term)
{
    dlp_index *count = c->count;
    memset(count, 0, (size_t)(term->L + 1) * sizeof *count);
    for (dlp_index r = 0; r < c->data->N; r++) count[term->code[r] + 1]++;
    for (dlp_index l = 0; l < term->L; l++) count[l + 1] += count[l];
    for (dlp_index i = 0; i < c->data->N; i++)
        c->other[count[term->code[c->row[i]]]++] = c->row[i];
    dlp_index *row = c->row;
    c->row = c->other;
    c->other = row;
}

/* Where the cell ends whose first row is the i-th. */
static dlp_index end_of(const cells *c, dlp_index i)
{
    dlp_index end = i + 1;
    for (; end < c->data->N; end++)
        for (dlp_index t = 0; t < c->data->n_terms; t++) {
            const int32_t *code = c->data->term[t].code;
            if (code[c->row[end]] != code[c->row[i]]) return end;
        }
    return end;
}

dlp_index dlpi_fewer_rows_width(const dlpi_mixed_data *data)
{
    dlp_index K = data->p + 1;
    for (dlp_index t = 0; t < data->n_terms; t++) K += data->term[t].q;
    return K;
}

static dlp_status find_cells(cells *c, dlp_error *error)
{
    const dlpi_mixed_data *data = c->data;
    dlp_index L = 0;
    c->K = dlpi_fewer_rows_width(data);
    for (dlp_index t = 0; t < data->n_terms; t++)
        L = data->term[t].L > L ? data->term[t].L : L;
    c->row = dlpi_calloc(data->N, sizeof *c->row);
    c->other = dlpi_calloc(data->N, sizeof *c->other);
    c->count = dlpi_calloc(L + 1 + c->K, sizeof *c->count);
    if (!c->row || !c->other || !c->count)
        return dlpi_no_memory(error, "the rows of a mixed model");
    c->at = c->count + L + 1;
    for (dlp_index r = 0; r < data->N; r++) c->row[r] = r;
    for (dlp_index t = 0; t < data->n_terms; t++) sort_by(c, &data->term[t]);
    for (dlp_index i = 0, end; i < data->N; i = end) {
        end = end_of(c, i);
        c->most = end - i > c->most ? end - i : c->most;
        c->kept += end - i < c->K ? end - i : c->K;
    }
    return DLP_OK;
}

/* ---- QR ---- */

/* Row r of [X Z y], times the root of its weight, into column i of to (K, n). */
static void copy_row(const dlpi_mixed_data *data, dlp_index r, dlp_index n, double *to)
{
    const double root = data->weight ? sqrt(data->weight[r]) : 1;
    for (dlp_index j = 0; j < data->p; j++, to += n) *to = root * data->X[j][r];
    for (dlp_index t = 0; t < data->n_terms; t++)
        for (dlp_index j = 0; j < data->term[t].q; j++, to += n)
            *to = root * (data->term[t].x[j] ? data->term[t].x[j][r] : 1);
    *to = root * (data->y[r] - (data->offset ? data->offset[r] : 0));
}

/* Of the columns from `step` on, that of which most is left below row `step`, as a share
   of all; -1: nothing is. */
static dlp_index choose(const cells *c, dlp_index step, dlp_index n)
{
    const double least = 1e-28; /* rounding errors, squared */
    double most = least;
    dlp_index best = -1;
    for (dlp_index j = step; j < c->K; j++) {
        const double *a = c->A + c->at[j] * n + step, total = c->total[c->at[j]];
        const double left = dlpi_dot(n - step, a, a);
        if (!(left > most * total)) continue;
        most = left / total;
        best = j;
    }
    return best;
}

/* Householder's reflection that leaves of column `pivot` nothing below row `step`. */
static void reflect(const cells *c, dlp_index step, dlp_index n)
{
    const dlp_index m = n - step;
    double *v = c->A + c->at[step] * n + step;
    const double norm = sqrt(dlpi_dot(m, v, v)), to = v[0] > 0 ? -norm : norm;
    v[0] -= to;
    const double half = -to * v[0]; /* |v|^2 / 2 */
    for (dlp_index j = step + 1; j < c->K; j++) {
        double *a = c->A + c->at[j] * n + step;
        dlpi_axpy(m, -dlpi_dot(m, v, a) / half, v, a);
    }
    v[0] = to;
    memset(v + 1, 0, (size_t)(m - 1) * sizeof *v);
}

/* A (K, n) becomes R with as many rows as its rank, which is returned; pivots make the
   rank visible, where Z repeats columns of X. */
static dlp_index reduce(const cells *c, dlp_index n)
{
    for (dlp_index j = 0; j < c->K; j++) {
        const double *a = c->A + j * n;
        c->total[j] = dlpi_dot(n, a, a);
        c->at[j] = j;
    }
    dlp_index step = 0;
    for (; step < n && step < c->K; step++) {
        const dlp_index pivot = choose(c, step, n);
        if (pivot < 0) break;
        const dlp_index at = c->at[pivot];
        c->at[pivot] = c->at[step];
        c->at[step] = at;
        reflect(c, step, n);
    }
    return step;
}

/* ---- the whole ---- */

void dlpi_fewer_rows_point(dlp_index room, dlpi_fewer_rows *to)
{
    const dlp_index K = dlpi_fewer_rows_width(&to->data);
    for (dlp_index j = 0; j < K; j++) to->column[j] = to->value + j * room;
    const double **column = to->column + to->data.p;
    for (dlp_index t = 0; t < to->data.n_terms; t++) {
        to->term[t].code = to->code + t * room;
        to->term[t].x = column;
        column += to->term[t].q;
    }
    to->data.X = to->column;
    to->data.y = *column;
}

static dlp_status alloc_fewer(cells *c, dlpi_fewer_rows *to, dlp_error *error)
{
    const dlpi_mixed_data *data = c->data;
    c->A = dlpi_calloc(c->K, (size_t)(c->most + 1) * sizeof *c->A);
    to->value = dlpi_calloc(c->K, (size_t)c->kept * sizeof *to->value);
    to->column = dlpi_calloc(c->K, sizeof *to->column);
    to->term = dlpi_calloc(data->n_terms, sizeof *to->term);
    to->code = dlpi_calloc(data->n_terms, (size_t)c->kept * sizeof *to->code);
    if (!c->A || !to->value || !to->column || !to->term || !to->code)
        return dlpi_no_memory(error, "the rows of a mixed model");
    c->total = c->A + c->K * c->most;
    return DLP_OK;
}

/* Adds what remains of the rows from the i-th on of one cell. */
static void add_cell(const cells *c, dlp_index i, dlp_index n, dlpi_fewer_rows *to)
{
    const dlpi_mixed_data *data = c->data;
    for (dlp_index k = 0; k < n; k++) copy_row(data, c->row[i + k], n, c->A + k);
    dlp_index rank = n > 1 ? reduce(c, n) : n;
    if (rank == 0) rank = 1; /* its weights are 0; terms expect rows of each level */
    const dlp_index first = to->data.N;
    for (dlp_index j = 0; j < c->K; j++)
        memcpy(to->value + j * c->kept + first, c->A + j * n,
               (size_t)rank * sizeof *c->A);
    for (dlp_index t = 0; t < data->n_terms; t++)
        for (dlp_index k = 0; k < rank; k++)
            to->code[t * c->kept + first + k] = data->term[t].code[c->row[i]];
    to->data.N += rank;
}

static double weight_of(const dlpi_mixed_data *data, dlp_index r)
{
    return data->weight ? data->weight[r] : 1;
}

/* The rows of a level are one after another in c->row, and levels in their order. */
typedef struct weighing {
    const cells *c;
    const dlp_index *begin; /* (L + 1) */
} weighing;

static void weigh_levels(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const weighing *w = context;
    const dlp_index first = dlpi_rows_from(w->c->leaves);
    for (dlp_index i = w->begin[from - first]; i < w->begin[to - first]; i++)
        *sum += weight_of(w->c->data, w->c->row[i]);
}

/* The weight of all rows. */
static double weigh(const cells *c)
{
    const dlpi_mixed_data *data = c->data;
    const weighing of = {c, c->count};
    double sum = 0;
    if (!c->leaves) {
        for (dlp_index r = 0; r < data->N; r++) sum += weight_of(data, r);
        return sum;
    }
    const dlp_index L = data->term[0].L;
    memset(c->count, 0, (size_t)(L + 1) * sizeof *c->count);
    for (dlp_index r = 0; r < data->N; r++) c->count[data->term[0].code[r] + 1]++;
    for (dlp_index l = 0; l < L; l++) c->count[l + 1] += c->count[l];
    dlpi_division_sum(c->leaves, L, 1, weigh_levels, &of, &sum);
    return sum;
}

static void add_cells(const cells *c, dlpi_fewer_rows *to)
{
    const dlpi_mixed_data *data = c->data;
    to->data.N = 0;
    for (dlp_index i = 0, end; i < data->N; i = end) {
        end = end_of(c, i);
        add_cell(c, i, end - i, to);
    }
    to->data.absorbed = weigh(c) - (double)dlpi_division_count(c->leaves, to->data.N);
    for (dlp_index t = 0; t < data->n_terms; t++) to->term[t] = data->term[t];
    to->data.term = to->term;
    to->data.weight = to->data.offset = NULL;
    dlpi_fewer_rows_point(c->kept, to);
}

/* Whether cross-products say all, and cells can have many rows. */
static bool is_reducible(const dlpi_mixed_data *data)
{
    return data->is_linear && data->n_terms > 0 && data->predictors <= 1 &&
           data->levels == 0 && !data->trials;
}

dlp_status dlpi_fewer_rows_make(const dlpi_mixed_data *data, dlpi_division *leaves,
                                dlpi_fewer_rows *fewer, dlp_error *error)
{
    cells c = {.data = data, .leaves = leaves};
    *fewer = (dlpi_fewer_rows){.data = *data};
    if (!is_reducible(data)) return DLP_OK;
    dlp_status status = dlpi_division_agree(leaves, find_cells(&c, error), error);
    const bool pays = status == DLP_OK && c.at &&
                      dlpi_fewer_rows_pay(dlpi_division_count(leaves, c.kept),
                                          dlpi_division_count(leaves, data->N));
    if (pays) status = dlpi_division_agree(leaves, alloc_fewer(&c, fewer, error), error);
    if (pays && status == DLP_OK) add_cells(&c, fewer);
    if (pays && status == DLP_OK && data->division)
        status = dlpi_fewer_rows_gather(data->division->leaves, c.kept, fewer, error);
    free(c.row);
    free(c.other);
    free(c.count);
    free(c.A);
    return status;
}

void dlpi_fewer_rows_clear(dlpi_fewer_rows *fewer)
{
    free(fewer->term);
    free(fewer->column);
    free(fewer->value);
    free(fewer->code);
    *fewer = (dlpi_fewer_rows){.term = NULL};
}
