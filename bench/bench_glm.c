/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logistic regression by both methods, beside the floor of the job: for each evaluation
 * of f with its Hessian, the N p (p+1)/2 multiply-adds of X'WX, at the speed the BLAS has
 * for them on this machine. Usage: bench_glm [N] [p].
 */
#include "math/lapack.h"

#include <delaplace.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds for the triangle of X'X over N rows, in tiles that stay in cache. */
static double syrk_floor(dlp_index N, dlp_index p)
{
    enum { ROWS = 256 };
    double *A = calloc((size_t)(p * ROWS), sizeof *A),
           *C = calloc((size_t)(p * p), sizeof *C);
    if (!A || !C) exit(4);
    for (dlp_index i = 0; i < p * ROWS; i++) A[i] = 1e-3 * (double)(i % 17);
    double best = 1e9;
    for (int k = 0; k < 5; k++) {
        const double start = seconds();
        for (dlp_index at = 0; at < N; at += ROWS) dlpi_blas_syrk(p, ROWS, 1, A, C, p);
        best = fmin(best, seconds() - start);
    }
    free(A);
    free(C);
    return best;
}

int main(int argc, char **argv)
{
    const dlp_index N = argc > 1 ? atol(argv[1]) : 100000,
                    p = argc > 2 ? atol(argv[2]) : 50;
    if (N < 1 || p < 1) exit(2);
    double *X = calloc((size_t)(N * p), sizeof *X), *y = calloc((size_t)N, sizeof *y);
    const double **x = calloc((size_t)p, sizeof *x);
    if (!X || !y || !x) exit(4);
    for (dlp_index j = 0; j < p; j++) x[j] = X + j * N;
    for (dlp_index i = 0; i < N; i++) {
        dlp_rng rng = dlp_rng_at(1, (uint64_t)i);
        double eta = 0;
        for (dlp_index j = 0; j < p; j++) {
            X[j * N + i] = j == 0 ? 1 : dlp_draw_normal(&rng);
            eta += X[j * N + i] * sin(3.0 * (double)j) * 0.3;
        }
        y[i] = dlp_draw_uniform(&rng) < dlp_logistic(eta);
    }
    const double floor_s = syrk_floor(N, p);
    printf("%td rows, %td columns; X'WX at BLAS speed takes %.2f ms\n", N, p,
           1e3 * floor_s);
    for (int k = 0; k < 2; k++) {
        const dlp_glm_data data = {.N = N, .p = p, .x = x, .y = y};
        const dlp_glm_prior prior = dlp_glm_prior_default();
        dlp_settings settings = dlp_settings_default();
        dlp_error error = {""};
        dlp_glm *glm = NULL;
        dlp_fit *fit = NULL;
        settings.method = dlp_method_name(k);
        const double start = seconds();
        if (dlp_glm_alloc("bernoulli", NULL, &data, &prior, &glm, &error) != DLP_OK)
            exit(1);
        const dlp_model model = dlp_glm_model(glm);
        if (dlp_fit_alloc(&model, &settings, &fit, &error) != DLP_OK ||
            dlp_fit_run(fit, NULL, &error) != DLP_OK)
            exit(1);
        const double spent = seconds() - start;
        const dlp_result *r = dlp_fit_result(fit);
        printf("%-8s %s, %ld evaluations, %.3f s, %.1f floors an evaluation\n",
               settings.method, dlp_outcome_name(r->outcome), r->evaluations, spent,
               spent / (double)r->evaluations / floor_s);
        dlp_fit_free(fit);
        dlp_glm_free(glm);
    }
    free(x);
    free(y);
    free(X);
    return 0;
}
