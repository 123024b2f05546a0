/* SPDX-License-Identifier: BSD-3-Clause */
/* Applying a sparse factor to a vector: P = Q'U'U Q, with Q the elimination order. */
#include "math/dense.h"
#include "math/symmetric/sparse.h"

#include <math.h>

/* to = Q from, and back. */
static void reorder(const dlpi_sparse_parts *f, const double *from)
{
    for (dlp_index k = 0; k < f->pattern->n; k++)
        f->vector[k] = from[f->pattern->order[k]];
}

static void put_back(const dlpi_sparse_parts *f, double *to)
{
    for (dlp_index k = 0; k < f->pattern->n; k++) to[f->pattern->order[k]] = f->vector[k];
}

/* x := U'^-1 x */
static void forward(const dlpi_sparse_parts *f)
{
    const dlp_pattern *p = f->pattern;
    for (const dlpi_super *s = p->super; s < p->super + p->n_supers; s++) {
        const int32_t *rows = p->rows + s->rows;
        double *x = f->vector + s->first;
        for (int32_t i = 0; i < s->w; i++) {
            const double *row = f->L + s->values + (dlp_index)i * (s->w + s->r);
            const double c = x[i] /= row[i];
            for (int32_t j = i + 1; j < s->w; j++) x[j] -= c * row[j];
            for (int32_t k = 0; k < s->r; k++) f->vector[rows[k]] -= c * row[s->w + k];
        }
    }
}

/* Gathers the entries at the rows of s. */
static void gather(const dlpi_sparse_parts *f, const dlpi_super *s)
{
    const int32_t *rows = f->pattern->rows + s->rows;
    for (int32_t k = 0; k < s->r; k++) f->below[k] = f->vector[rows[k]];
}

/* x := U^-1 x */
static void backward(const dlpi_sparse_parts *f)
{
    const dlp_pattern *p = f->pattern;
    for (dlp_index k = p->n_supers - 1; k >= 0; k--) {
        const dlpi_super *s = &p->super[k];
        double *x = f->vector + s->first;
        gather(f, s);
        for (int32_t i = s->w - 1; i >= 0; i--) {
            const double *row = f->L + s->values + (dlp_index)i * (s->w + s->r);
            x[i] -= dlpi_dot(s->w - 1 - i, row + i + 1, x + i + 1) +
                    dlpi_dot(s->r, row + s->w, f->below);
            x[i] /= row[i];
        }
    }
}

void dlpi_sparse_solve(const dlp_cholesky *F, double *b)
{
    const dlpi_sparse_parts f = dlpi_sparse_parts_of(F);
    reorder(&f, b);
    forward(&f);
    backward(&f);
    put_back(&f, b);
}

/* R = Q'U^-1, for P^-1 = R R' */
void dlpi_sparse_draw(const dlp_cholesky *F, double *z)
{
    const dlpi_sparse_parts f = dlpi_sparse_parts_of(F);
    for (dlp_index k = 0; k < f.pattern->n; k++) f.vector[k] = z[k];
    backward(&f);
    put_back(&f, z);
}

/* R^-1 = U Q: going down from the first row, the entries still needed are intact */
void dlpi_sparse_whiten(const dlp_cholesky *F, double *z)
{
    const dlpi_sparse_parts f = dlpi_sparse_parts_of(F);
    const dlp_pattern *p = f.pattern;
    reorder(&f, z);
    for (const dlpi_super *s = p->super; s < p->super + p->n_supers; s++) {
        double *x = f.vector + s->first;
        gather(&f, s);
        for (int32_t i = 0; i < s->w; i++) {
            const double *row = f.L + s->values + (dlp_index)i * (s->w + s->r);
            x[i] =
                dlpi_dot(s->w - i, row + i, x + i) + dlpi_dot(s->r, row + s->w, f.below);
        }
    }
    for (dlp_index k = 0; k < p->n; k++) z[k] = f.vector[k];
}

/* R'^-1 = Q'U': going back from the last column, each adds to finished ones */
void dlpi_sparse_multiply_root(const dlp_cholesky *F, double *z)
{
    const dlpi_sparse_parts f = dlpi_sparse_parts_of(F);
    const dlp_pattern *p = f.pattern;
    for (dlp_index k = 0; k < p->n; k++) f.vector[k] = z[k];
    for (dlp_index k = p->n_supers - 1; k >= 0; k--) {
        const dlpi_super *s = &p->super[k];
        const int32_t *rows = p->rows + s->rows;
        double *x = f.vector + s->first;
        for (int32_t i = s->w - 1; i >= 0; i--) {
            const double *row = f.L + s->values + (dlp_index)i * (s->w + s->r),
                         own = x[i];
            for (int32_t j = 0; j < s->r; j++) f.vector[rows[j]] += own * row[s->w + j];
            for (int32_t j = i + 1; j < s->w; j++) x[j] += own * row[j];
            x[i] = own * row[i];
        }
    }
    put_back(&f, z);
}

double dlpi_sparse_log_det(const dlp_cholesky *F)
{
    const dlpi_sparse_parts f = dlpi_sparse_parts_of(F);
    const dlp_pattern *p = f.pattern;
    double sum = 0;
    for (const dlpi_super *s = p->super; s < p->super + p->n_supers; s++)
        for (int32_t i = 0; i < s->w; i++)
            sum += log(f.L[s->values + (dlp_index)i * (s->w + s->r + 1)]);
    return 2 * sum;
}
