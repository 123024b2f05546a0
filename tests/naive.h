/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear algebra as one would write it on paper, in long double and without any of the
 * library's own: what the library's matrices are compared with.
 */
#ifndef DLP_TESTS_NAIVE_H
#define DLP_TESTS_NAIVE_H

#include "support.h"

typedef long double real;

static inline void *allocate(dlp_index count, size_t size)
{
    void *memory = calloc((size_t)count, size);
    assert_non_null(memory);
    return memory;
}

/* Those of a band or a pattern, whose rows begin with the diagonal. */
static inline void naive_rows(const dlp_sym *A, real *out)
{
    const dlp_index n = A->shape.n, ld = A->shape.bandwidth + 1;
    const dlp_pattern *pattern = A->shape.pattern;
    for (dlp_index i = 0; i < n && A->shape.structure == DLP_BAND; i++)
        for (dlp_index k = 0; k < ld && i + k < n; k++)
            out[i * n + i + k] = out[(i + k) * n + i] = A->a[i * ld + k];
    for (dlp_index i = 0; i < n && A->shape.structure == DLP_SPARSE; i++)
        for (dlp_index e = dlp_pattern_start(pattern)[i];
             e < dlp_pattern_start(pattern)[i + 1]; e++) {
            const dlp_index j = dlp_pattern_column(pattern)[e];
            out[i * n + j] = out[j * n + i] = A->a[e];
        }
}

/* All entries, from the storage as sym.h describes it. */
static inline void naive_entries(const dlp_sym *A, real *out)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    if (A->shape.structure == DLP_LOW_RANK) {
        const double *d = A->a, *C = A->a + n, *U = A->a + n + r * r;
        for (dlp_index i = 0; i < n; i++) out[i * n + i] = d[i];
        for (dlp_index i = 0; i < n * n; i++)
            for (dlp_index a = 0; a < r; a++)
                for (dlp_index b = 0; b < r; b++)
                    out[i] += (real)U[a * n + i / n] * C[a * r + b] * U[b * n + i % n];
        return;
    }
    if (A->shape.structure == DLP_BAND || A->shape.structure == DLP_SPARSE) {
        naive_rows(A, out);
        return;
    }
    const double *at = A->a;
    const dlp_index m = A->shape.border;
    for (dlp_index k = 0, first = 0; k < A->shape.n_blocks; k++) {
        const dlp_index b = A->shape.block ? A->shape.block[k] : n - m;
        for (dlp_index i = 0; i < b; i++)
            for (dlp_index j = 0; j < b; j++) out[(first + i) * n + first + j] = *at++;
        first += b;
    }
    for (dlp_index i = 0; i < n * m; i++, at++) /* the border, then the corner */
        out[i / m * n + n - m + i % m] = out[(n - m + i % m) * n + i / m] = *at;
}

static inline void swap_rows(dlp_index n, real *A, dlp_index i, dlp_index j)
{
    for (dlp_index k = 0; k < n; k++) {
        const real kept = A[i * n + k];
        A[i * n + k] = A[j * n + k];
        A[j * n + k] = kept;
    }
}

/* Gauss and Jordan with pivots: inverse := A^-1, A is destroyed; returns log |det A|. */
static inline real naive_inverse(dlp_index n, real *A, real *inverse)
{
    real log_det = 0;
    for (dlp_index i = 0; i < n * n; i++) inverse[i] = i / n == i % n;
    for (dlp_index k = 0; k < n; k++) {
        dlp_index pivot = k;
        for (dlp_index i = k; i < n; i++)
            if (fabsl(A[i * n + k]) > fabsl(A[pivot * n + k])) pivot = i;
        swap_rows(n, A, k, pivot);
        swap_rows(n, inverse, k, pivot);
        const real p = A[k * n + k];
        log_det += logl(fabsl(p));
        for (dlp_index j = 0; j < n; j++) {
            A[k * n + j] /= p;
            inverse[k * n + j] /= p;
        }
        for (dlp_index i = 0; i < n; i++) {
            const real c = A[i * n + k];
            if (i == k || c == 0) continue;
            for (dlp_index j = k; j < n; j++) A[i * n + j] -= c * A[k * n + j];
            for (dlp_index j = 0; j < n; j++)
                inverse[i * n + j] -= c * inverse[k * n + j];
        }
    }
    return log_det;
}

static inline real naive_largest(dlp_index count, const real *x)
{
    real most = 0;
    for (dlp_index i = 0; i < count; i++) most = fmaxl(most, fabsl(x[i]));
    return most;
}

static const double NAIVE_CLOSE = 1e-11;

/* Every entry within 1e-11 of the largest. */
static inline void assert_same(const char *name, const char *what, dlp_index count,
                               const double *got, const real *want)
{
    const real most = naive_largest(count, want);
    for (dlp_index i = 0; i < count; i++) {
        if (fabsl(got[i] - want[i]) <= NAIVE_CLOSE * (most > 0 ? most : 1)) continue;
        print_error("%s: %s [%td] = %.17g, expected %.17g\n", name, what, i, got[i],
                    (double)want[i]);
        fail();
    }
}

/* The entries of A, as naive_entries reads them. */
static inline void assert_entries(const char *name, const char *what, const dlp_sym *A,
                                  const real *want)
{
    const dlp_index size = A->shape.n * A->shape.n;
    real *entries = allocate(size, sizeof *entries);
    double *got = allocate(size, sizeof *got);
    naive_entries(A, entries);
    for (dlp_index i = 0; i < size; i++) got[i] = (double)entries[i];
    assert_same(name, what, size, got, want);
    free(got);
    free(entries);
}

static inline void draw_normals(dlp_rng *rng, dlp_index n, double *x)
{
    for (dlp_index i = 0; i < n; i++) x[i] = dlp_draw_normal(rng);
}

/* A (b, b) = B B' / b + diag, well conditioned. */
static inline void fill_definite(dlp_rng *rng, dlp_index b, double *A)
{
    double *B = allocate(b * b, sizeof *B);
    draw_normals(rng, b * b, B);
    for (dlp_index i = 0; i < b; i++)
        for (dlp_index j = 0; j <= i; j++) {
            real sum = i == j ? 0.3L + dlp_draw_uniform(rng) : 0;
            for (dlp_index k = 0; k < b; k++)
                sum += (real)B[i * b + k] * B[j * b + k] / b;
            A[i * b + j] = A[j * b + i] = (double)sum;
        }
    free(B);
}

#endif
