/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logistic regression by both methods, beside the floor of the job: for each evaluation
 * of f with its Hessian, the N p (p+1)/2 multiply-adds of X'WX, at the speed the BLAS has
 * for them on this machine. The best of five. Usage: bench_glm [N] [p].
 */
#include "bench_glm_data.h"
#include "math/lapack.h"

#include <math.h>

/* Seconds for the triangle of X'X over N rows, in tiles that stay in cache. */
static double syrk_floor(dlp_index N, dlp_index p)
{
    enum { ROWS = 256 };
    double *A = calloc((size_t)(p * ROWS), sizeof *A),
           *C = calloc((size_t)(p * p), sizeof *C);
    if (!A || !C) exit(4);
    for (dlp_index i = 0; i < p * ROWS; i++) A[i] = 1e-3 * (double)(i % 17);
    double best = 1e9;
    for (int k = 0; k < BENCH_RUNS; k++) {
        const double start = bench_seconds();
        for (dlp_index at = 0; at < N; at += ROWS) dlpi_blas_syrk(p, ROWS, 1, A, C, p);
        best = fmin(best, bench_seconds() - start);
    }
    free(A);
    free(C);
    return best;
}

int main(int argc, char **argv)
{
    const dlp_index N = argc > 1 ? atol(argv[1]) : 100000,
                    p = argc > 2 ? atol(argv[2]) : 50;
    if (N < 1 || p < 1) return 2;
    bench_data data = bench_data_alloc(N, p);
    const double floor_s = syrk_floor(N, p);
    printf("%td rows, %td columns; X'WX at BLAS speed takes %.2f ms\n", N, p,
           1e3 * floor_s);
    for (int k = 0; k < 2; k++) {
        bench_fit best = {.seconds = 1e9};
        for (int run = 0; run < BENCH_RUNS; run++) {
            const bench_fit fit = bench_fit_once(&data, dlp_method_name(k));
            if (fit.seconds < best.seconds) best = fit;
        }
        printf("%-8s %s, %ld evaluations, %.4f s, %.1f floors per evaluation\n",
               dlp_method_name(k), dlp_outcome_name(best.outcome), best.evaluations,
               best.seconds, best.seconds / (double)best.evaluations / floor_s);
    }
    bench_data_free(&data);
    return 0;
}
