/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Milliseconds to analyse, factor, invert on the pattern and solve, for the structures of
 * mixed models, time series and fields, in one thread's CPU time. Beside them the least
 * work: the multiplications and additions of an elimination in this order, and the bytes
 * of L, with the speed achieved, and what dgemm and memcpy reach in the same run. The last
 * column is the relative error of the trace of P P^-1, which should be n.
 */
#include "math/blas.h"

#include <delaplace.h>
#include <delaplace/random.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n,
            const int *k, const double *alpha, const double *A, const int *lda,
            const double *B, const int *ldb, const double *beta, double *C,
            const int *ldc);

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* others may use the machine */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *allocate(dlp_index count, size_t size)
{
    void *memory = calloc((size_t)count, size);
    if (!memory) abort();
    return memory;
}

static void must(dlp_status status, const dlp_error *error)
{
    if (status == DLP_OK) return;
    fprintf(stderr, "%s\n", error->message);
    abort();
}

/* GFLOP/s of dgemm, and GB/s of memcpy beyond the caches. */
static double gemm_speed, copy_speed;

static void measure_machine(void)
{
    enum { N = 600 };
    const dlp_index bytes = (dlp_index)1 << 26;
    const int n = N;
    const double one = 1, zero = 0;
    const dlp_index size = (dlp_index)N * N;
    double *A = allocate(2 * size, sizeof *A), best = INFINITY;
    char *from = allocate(2 * bytes, 1);
    for (dlp_index i = 0; i < size; i++) A[i] = (double)(i % 7) - 3;
    for (int r = 0; r < REPEATS; r++) {
        const double start = seconds();
        dgemm_("N", "N", &n, &n, &n, &one, A, &n, A, &n, &zero, A + size, &n);
        best = fmin(best, seconds() - start);
    }
    gemm_speed = 2e-9 * N * N * N / best;
    best = INFINITY;
    memset(from, 1, (size_t)(2 * bytes));
    for (int r = 0; r < REPEATS; r++) {
        const double start = seconds();
        memcpy(from + bytes, from, (size_t)bytes);
        best = fmin(best, seconds() - start);
    }
    copy_speed = 2e-9 * (double)bytes / best;
    free(A);
    free(from);
}

/* Off the diagonal -1, and a diagonal that exceeds the row by 1. */
static void fill(dlp_sym *P)
{
    const dlp_index n = P->shape.n, m = P->shape.border, b = P->shape.bandwidth;
    double *sum = allocate(3 * n, sizeof *sum), *ones = sum + n, *diagonal = ones + n;
    dlp_sym_set_identity(P);
    if (P->shape.structure == DLP_SPARSE)
        for (dlp_index e = 0; e < dlp_pattern_start(P->shape.pattern)[n]; e++)
            P->a[e] = -1;
    else if (P->shape.structure == DLP_BAND)
        for (dlp_index i = 0; i < n * (b + 1); i++) P->a[i] = -1;
    else
        for (dlp_index i = 0; i < (n - m) * m; i++) dlp_sym_border(P)[i] = -1;
    for (dlp_index i = 0; i < n; i++) ones[i] = 1;
    dlp_sym_multiply(P, ones, sum);
    dlp_sym_get_diagonal(P, diagonal);
    for (dlp_index i = 0; i < n; i++) sum[i] = fabs(sum[i]) + 2 + fabs(diagonal[i]);
    dlp_sym_add_diagonal(P, sum);
    free(sum);
}

typedef struct times {
    double factor, inverse, solve, off;
} times;

static times measure(dlp_shape shape)
{
    times t = {INFINITY, INFINITY, INFINITY, 0};
    dlp_sym P, Sigma;
    dlp_cholesky *F = NULL;
    dlp_error error;
    double *v = allocate(shape.n, sizeof *v);
    must(dlp_sym_alloc(shape, &P, &error), &error);
    must(dlp_sym_alloc(shape, &Sigma, &error), &error);
    must(dlp_cholesky_alloc(shape, &F, &error), &error);
    fill(&P);
    for (int r = 0; r < REPEATS; r++) {
        const double begin = seconds();
        if (dlp_cholesky_compute(F, &P) >= 0) abort();
        const double factored = seconds();
        dlp_cholesky_inverse(F, &Sigma);
        const double inverted = seconds();
        for (dlp_index i = 0; i < shape.n; i++) v[i] = 1;
        const double ready = seconds();
        dlp_cholesky_solve(F, v);
        t.solve = fmin(t.solve, seconds() - ready);
        t.factor = fmin(t.factor, factored - begin);
        t.inverse = fmin(t.inverse, inverted - factored);
    }
    t.off = fabs(dlp_sym_trace(&P, &Sigma) / (double)shape.n - 1);
    free(v);
    dlp_cholesky_free(F);
    dlp_sym_free(&P);
    dlp_sym_free(&Sigma);
    return t;
}

static void print(const char *name, double analysis, double entries, double flops,
                  dlp_shape shape)
{
    const times t = measure(shape);
    const double speed = 1e-9 * flops / t.factor, bytes = 8e-9 * entries / t.factor;
    printf("%-22s %8.1f %8.2f %8.2f %8.2f %9.0f %9.1f %7.2f %5.2f %7.2f %5.2f  %.0e\n",
           name, 1e3 * analysis, 1e3 * t.factor, 1e3 * t.inverse, 1e3 * t.solve,
           1e-3 * entries, 1e-6 * flops, speed, speed / gemm_speed, bytes,
           bytes / copy_speed, t.off);
    fflush(stdout);
}

static void print_sparse(const char *name, dlp_index n, dlp_index n_terms,
                         const dlp_index *start, const int32_t *column)
{
    dlp_pattern *pattern = NULL;
    dlp_error error;
    const double begin = seconds();
    must(dlp_pattern_from_sum(n, n_terms, start, column, &pattern, &error), &error);
    const double analysis = seconds() - begin;
    const dlp_pattern_cost cost = dlp_pattern_cost_of(pattern);
    print(name, analysis, (double)cost.cholesky_entries, cost.flops,
          dlp_shape_sparse(pattern));
    dlp_pattern_free(pattern);
}

static void band(dlp_index n, dlp_index b, const char *name, const char *as_sparse)
{
    const double w = (double)b;
    print(name, 0, (double)n * (w + 1), (double)n * (w + 1) * (w + 1),
          dlp_shape_band(n, b));
    dlp_index *start = allocate(n + 1, sizeof *start);
    int32_t *column = allocate(n * (b + 1), sizeof *column);
    for (dlp_index i = 0; i < n; i++) {
        start[i + 1] = start[i];
        for (dlp_index j = i; j <= i + b && j < n; j++)
            column[start[i + 1]++] = (int32_t)j;
    }
    print_sparse(as_sparse, n, n, start, column);
    free(start);
    free(column);
}

/* Groups with an intercept each, and m coefficients in common. */
static void arrow(dlp_index groups, dlp_index m)
{
    dlp_index *block = allocate(groups, sizeof *block);
    for (dlp_index g = 0; g < groups; g++) block[g] = 1;
    const double w = (double)m;
    print("arrow 100,000 + 10", 0, (double)groups * (w + 1),
          (double)groups * (w + 1) * (w + 1), dlp_shape_bordered(groups, block, m));
    free(block);
    dlp_index *start = allocate(groups + 1, sizeof *start);
    int32_t *column = allocate(groups * (m + 1), sizeof *column);
    for (dlp_index g = 0; g < groups; g++) {
        int32_t *term = column + start[g];
        for (dlp_index c = 0; c < m; c++) term[c] = (int32_t)c;
        term[m] = (int32_t)(m + g);
        start[g + 1] = start[g] + m + 1;
    }
    print_sparse("  as sparse", groups + m, groups, start, column);
    free(start);
    free(column);
}

/* Rows of data, each with one of `many` and one of `few` and the coefficients. */
static void crossed(dlp_index rows, dlp_index many, dlp_index few, dlp_index m,
                    const char *name)
{
    dlp_rng rng = dlp_rng_at(12, 0);
    dlp_index *start = allocate(rows + 1, sizeof *start);
    int32_t *column = allocate(rows * (m + 2), sizeof *column);
    for (dlp_index i = 0; i < rows; i++) {
        int32_t *term = column + start[i];
        for (dlp_index c = 0; c < m; c++) term[c] = (int32_t)c;
        term[m] = (int32_t)(m + (dlp_index)(dlp_draw_uniform(&rng) * (double)many));
        term[m + 1] =
            (int32_t)(m + many + (dlp_index)(dlp_draw_uniform(&rng) * (double)few));
        start[i + 1] = start[i] + m + 2;
    }
    print_sparse(name, many + few + m, rows, start, column);
    free(start);
    free(column);
}

static void lattice(dlp_index side, const char *name)
{
    dlp_index *start = allocate(2 * side * side + 1, sizeof *start), terms = 0;
    int32_t *column = allocate(4 * side * side, sizeof *column);
    for (dlp_index i = 0; i < side * side; i++)
        for (int down = 0; down < 2; down++) {
            if (down ? i / side + 1 == side : i % side + 1 == side) continue;
            column[2 * terms] = (int32_t)i;
            column[2 * terms + 1] = (int32_t)(i + (down ? side : 1));
            terms++;
            start[terms] = 2 * terms;
        }
    print_sparse(name, side * side, terms, start, column);
    free(start);
    free(column);
}

int main(void)
{
    if (!dlpi_blas_enter()) abort(); /* and never leaves */
    measure_machine();
    printf("dgemm %.1f GFLOP/s, memcpy %.1f GB/s\n\n", gemm_speed, copy_speed);
    printf(
        "                             milliseconds                 thousand  "
        "million          of            of\n");
    printf(
        "                        analyse   factor  inverse    solve  nnz(L)    "
        "flops  GFLOP/s gemm    GB/s  copy  trace\n");
    band(5000, 1, "tridiagonal 5,000", "  as sparse");
    band(5000, 10, "band 10, 5,000", "  as sparse");
    band(5000, 100, "band 100, 5,000", "  as sparse");
    arrow(100000, 10);
    crossed(1000000, 100000, 1000, 0, "crossed 1e5 x 1e3");
    crossed(1000000, 100000, 1000, 10, "  and 10 coefficients");
    crossed(73421, 2972, 1128, 2, "crossed as InstEval");
    crossed(30000, 1000, 30, 0, "Rasch 1,000 x 30");
    lattice(50, "lattice 50 x 50");
    lattice(200, "lattice 200 x 200");
    lattice(500, "lattice 500 x 500");
    return 0;
}
