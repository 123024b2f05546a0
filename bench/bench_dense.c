/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Microseconds of a Cholesky factor, the inverse from it and a solve with it, by our own
 * loops and by LAPACK on one thread. LAPACK_FROM (src/math/dense.c) is chosen where the
 * factor and the inverse together are faster by LAPACK. Before they are timed the two are
 * compared: the last column is their largest difference, relative to the largest entry.
 */
#include "math/blas.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <delaplace/random.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 500, REPEATS = 7 };

void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *A,
             const int *lda, double *b, const int *ldb, int *info);

/* The matrix, what is made of it, and room to work in. */
static double P[MOST * MOST], U[MOST * MOST], inverse[MOST * MOST], work[MOST * MOST];
static double b[MOST];

typedef void job(dlp_index n);

/* Both factor a copy, as dlp_cholesky_compute does. */
static void factor_by_loops(dlp_index n)
{
    memcpy(U, P, sizeof *U * (size_t)(n * n));
    if (dlpi_cholesky_by_loops(n, U) >= 0) abort();
}

static void factor_by_lapack(dlp_index n)
{
    memcpy(U, P, sizeof *U * (size_t)(n * n));
    dlp_index failed;
    if (!dlpi_lapack_cholesky(n, U, &failed) || failed >= 0) abort();
}

static void invert_by_loops(dlp_index n)
{
    dlpi_cholesky_inverse_by_loops(n, U, work, inverse);
}

static void invert_by_lapack(dlp_index n)
{
    memcpy(inverse, U, sizeof *U * (size_t)(n * n));
    if (!dlpi_lapack_upper_inverse(n, inverse, n)) abort();
    dlpi_mirror(n, inverse);
}

static void solve_by_loops(dlp_index n)
{
    for (dlp_index i = 0; i < n; i++) b[i] = 1;
    dlpi_cholesky_solve(n, U, b);
}

static void solve_by_lapack(dlp_index n)
{
    const int order = (int)n, one = 1;
    int info = 0;
    for (dlp_index i = 0; i < n; i++) b[i] = 1;
    dpotrs_("L", &order, &one, U, &order, b, &order, &info);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The fastest of the repeats: the others measure the machine's other work. */
static double microseconds(job *run, dlp_index n)
{
    const int calls = 1 + (int)(2e7 / (double)(n * n * n + 5000));
    double best = INFINITY;
    for (int r = 0; r < REPEATS; r++) {
        const double start = seconds();
        for (int k = 0; k < calls; k++) run(n);
        best = fmin(best, (seconds() - start) / calls);
    }
    return 1e6 * best;
}

static void draw_matrix(dlp_index n)
{
    dlp_rng rng = dlp_rng_at(2385, (uint64_t)n);
    for (dlp_index i = 0; i < n * n; i++) work[i] = dlp_draw_normal(&rng);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j <= i; j++)
            P[i * n + j] = P[j * n + i] =
                dlpi_dot(n, work + i * n, work + j * n) + (i == j ? (double)n : 0);
}

static double difference(dlp_index n)
{
    double largest = 0, most = 0;
    factor_by_loops(n);
    invert_by_loops(n);
    memcpy(work, inverse, sizeof *work * (size_t)(n * n));
    factor_by_lapack(n);
    invert_by_lapack(n);
    for (dlp_index i = 0; i < n * n; i++) {
        largest = fmax(largest, fabs(inverse[i]));
        most = fmax(most, fabs(inverse[i] - work[i]));
    }
    return most / largest;
}

int main(void)
{
    static const dlp_index sizes[] = {5, 20, 60, 100, 150, 200, 250, 300, 400, 500};
    if (!dlpi_blas_enter()) abort(); /* and never leaves */
    printf("microseconds      factor            inverse             solve\n");
    printf(
        "   n        loops   LAPACK      loops   LAPACK     loops  LAPACK  difference\n");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const dlp_index n = sizes[k];
        draw_matrix(n);
        const double off = difference(n);
        printf("%4td  %11.3f %8.3f", n, microseconds(factor_by_loops, n),
               microseconds(factor_by_lapack, n));
        printf("%11.3f %8.3f", microseconds(invert_by_loops, n),
               microseconds(invert_by_lapack, n));
        printf("%10.3f %7.3f  %.1e\n", microseconds(solve_by_loops, n),
               microseconds(solve_by_lapack, n), off);
    }
    return 0;
}
