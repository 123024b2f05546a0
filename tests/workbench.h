/* SPDX-License-Identifier: BSD-3-Clause */
/* A symmetric matrix of any structure with all its entries, and every operation on it against
   the same one done naively. */
#ifndef DLP_TESTS_WORKBENCH_H
#define DLP_TESTS_WORKBENCH_H

#include "naive.h"

/* A matrix, another one of its shape, all their entries, and vectors. */
typedef struct workbench {
    const char *name;
    dlp_index n;
    dlp_sym A, B;
    dlp_cholesky *F;
    real *dense, *other, *want; /* (n, n) of A, of B, and what should come out */
    real *mask;    /* (n, n) 1 where an inverse is wanted; at first everywhere */
    double *x, *y; /* (n) */
    real *z;       /* (n) */
} workbench;

/* A and B are zero. */
static inline workbench workbench_alloc(const char *name, dlp_shape shape)
{
    workbench w = {.name = name, .n = shape.n};
    assert_ok(dlp_sym_alloc(shape, &w.A, error));
    assert_ok(dlp_sym_alloc(shape, &w.B, error));
    assert_ok(dlp_cholesky_alloc(shape, &w.F, error));
    w.dense = allocate(4 * w.n * w.n, sizeof *w.dense);
    w.other = w.dense + w.n * w.n;
    w.want = w.other + w.n * w.n;
    w.mask = w.want + w.n * w.n;
    for (dlp_index i = 0; i < w.n * w.n; i++) w.mask[i] = 1;
    w.x = allocate(2 * w.n, sizeof *w.x);
    w.y = w.x + w.n;
    w.z = allocate(w.n, sizeof *w.z);
    return w;
}

/* Once A and B are filled. */
static inline void workbench_begin(workbench *w, dlp_rng *rng)
{
    draw_normals(rng, w->n, w->x);
    naive_entries(&w->A, w->dense);
    naive_entries(&w->B, w->other);
}

static inline void workbench_free(workbench *w)
{
    dlp_sym_free(&w->A);
    dlp_sym_free(&w->B);
    dlp_cholesky_free(w->F);
    free(w->dense);
    free(w->x);
    free(w->z);
}

/* z = M x */
static inline void naive_multiply(workbench *w, const real *M)
{
    for (dlp_index i = 0; i < w->n; i++) {
        w->z[i] = 0;
        for (dlp_index j = 0; j < w->n; j++) w->z[i] += M[i * w->n + j] * w->x[j];
    }
}

/* x'A x, for which w->z has A x; the terms may cancel. */
static inline void check_quadratic(const workbench *w)
{
    real sum = 0, size = 0;
    for (dlp_index i = 0; i < w->n; i++) {
        sum += w->z[i] * w->x[i];
        for (dlp_index j = 0; j < w->n; j++)
            size += fabsl(w->dense[i * w->n + j] * w->x[i] * w->x[j]);
    }
    assert_near(dlp_sym_quadratic(&w->A, w->x), (double)sum,
                NAIVE_CLOSE * (double)(1 + size));
}

static inline void check_readers(workbench *w)
{
    const dlp_index n = w->n;
    double *all = allocate(n * n, sizeof *all);
    real trace = 0;
    dlp_sym_to_dense(&w->A, all);
    assert_same(w->name, "to_dense", n * n, all, w->dense);
    for (dlp_index i = 0; i < n * n; i++) all[i] = dlp_sym_entry(&w->A, i / n, i % n);
    assert_same(w->name, "entry", n * n, all, w->dense);

    dlp_sym_multiply(&w->A, w->x, w->y);
    naive_multiply(w, w->dense);
    assert_same(w->name, "multiply", n, w->y, w->z);
    check_quadratic(w);

    dlp_sym_get_diagonal(&w->A, w->y);
    for (dlp_index i = 0; i < n; i++) w->z[i] = w->dense[i * n + i];
    assert_same(w->name, "get_diagonal", n, w->y, w->z);

    for (dlp_index i = 0; i < n * n; i++) trace += w->dense[i] * w->other[i];
    assert_close(dlp_sym_trace(&w->A, &w->B), (double)trace, NAIVE_CLOSE);
    assert_close(dlp_sym_trace(&w->B, &w->A), (double)trace, NAIVE_CLOSE);
    trace = 0;
    for (dlp_index i = 0; i < n * n; i++) trace += w->dense[i] * w->dense[i];
    assert_close(dlp_sym_trace(&w->A, &w->A), (double)trace, NAIVE_CLOSE);
    free(all);
}

static inline void check_writers(workbench *w)
{
    const dlp_index n = w->n;
    dlp_sym_copy(&w->A, &w->B);
    assert_entries(w->name, "copy", &w->B, w->dense);

    dlp_sym_negate(&w->B);
    for (dlp_index i = 0; i < n * n; i++) w->want[i] = -w->dense[i];
    assert_entries(w->name, "negate", &w->B, w->want);

    dlp_sym_add_diagonal(&w->B, w->x);
    for (dlp_index i = 0; i < n; i++) w->want[i * n + i] += w->x[i];
    assert_entries(w->name, "add_diagonal", &w->B, w->want);

    dlp_sym_rescale(&w->B, w->x);
    for (dlp_index i = 0; i < n * n; i++) w->want[i] *= (real)w->x[i / n] * w->x[i % n];
    assert_entries(w->name, "rescale", &w->B, w->want);

    dlp_sym_keep_diagonal(&w->B);
    for (dlp_index i = 0; i < n * n; i++)
        if (i / n != i % n) w->want[i] = 0;
    assert_entries(w->name, "keep_diagonal", &w->B, w->want);

    dlp_sym_set_identity(&w->B);
    for (dlp_index i = 0; i < n * n; i++) w->want[i] = i / n == i % n;
    assert_entries(w->name, "set_identity", &w->B, w->want);

    dlp_sym_set_zero(&w->B);
    for (dlp_index i = 0; i < n * n; i++) w->want[i] = 0;
    assert_entries(w->name, "set_zero", &w->B, w->want);
}

/* R from unit vectors; R R' must be `want`. */
static inline void check_product(workbench *w, const char *what,
                                 void (*apply)(const dlp_cholesky *, double *),
                                 const real *want)
{
    const dlp_index n = w->n;
    double *R = allocate(n * n, sizeof *R), *got = allocate(n * n, sizeof *got);
    for (dlp_index j = 0; j < n; j++) { /* row j of R is its column j */
        R[j * n + j] = 1;
        apply(w->F, R + j * n);
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j <= i; j++) {
            real sum = 0;
            for (dlp_index k = 0; k < n; k++) sum += (real)R[k * n + i] * R[k * n + j];
            got[i * n + j] = got[j * n + i] = (double)sum;
        }
    assert_same(w->name, what, n * n, got, want);
    free(got);
    free(R);
}

/* Sigma holds the inverse where the structure has entries. */
static inline void check_inverse(workbench *w, const real *inverse)
{
    dlp_cholesky_inverse(w->F, &w->B);
    for (dlp_index i = 0; i < w->n * w->n; i++) w->want[i] = w->mask[i] * inverse[i];
    assert_entries(w->name, "inverse", &w->B, w->want);
    /* Tr{P P^-1} = n, by the entries of the structure alone */
    assert_close(dlp_sym_trace(&w->A, &w->B), (double)w->n, NAIVE_CLOSE);
}

static inline void check_factor(workbench *w)
{
    const dlp_index n = w->n;
    memcpy(w->want, w->dense, (size_t)(n * n) * sizeof *w->want);
    const real log_det = naive_inverse(n, w->want, w->other), *inverse = w->other;
    assert_int_equal(dlp_cholesky_compute(w->F, &w->A), -1);
    assert_near(dlp_cholesky_log_det(w->F), (double)log_det, NAIVE_CLOSE * (double)n);
    check_inverse(w, inverse);
    naive_multiply(w, inverse);
    memcpy(w->y, w->x, (size_t)n * sizeof *w->y);
    dlp_cholesky_solve(w->F, w->y);
    assert_same(w->name, "solve", n, w->y, w->z);
    check_product(w, "draw", dlp_cholesky_draw, inverse);
    check_product(w, "multiply_root", dlp_cholesky_multiply_root, w->dense);
    for (dlp_index i = 0; i < n; i++) w->z[i] = w->x[i];
    memcpy(w->y, w->x, (size_t)n * sizeof *w->y);
    dlp_cholesky_draw(w->F, w->y);
    dlp_cholesky_whiten(w->F, w->y);
    assert_same(w->name, "whiten", n, w->y, w->z);
}

#endif
