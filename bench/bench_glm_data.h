/* SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmarks of regressions share: a logistic problem and a timed fit of it. */
#ifndef DLP_BENCH_GLM_DATA_H
#define DLP_BENCH_GLM_DATA_H

#include <delaplace.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_RUNS = 5 };

/* Processor time of all threads: what one would take on a quiet machine. */
static inline double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct bench_data {
    dlp_index N, p;
    double *X;        /* (p, N) */
    double *y;        /* (N) */
    const double **x; /* (p) */
} bench_data;

/* An intercept and normal columns, with coefficients of about 0.2. */
static inline bench_data bench_data_alloc(dlp_index N, dlp_index p)
{
    bench_data d = {.N = N, .p = p};
    d.X = calloc((size_t)(N * p), sizeof *d.X);
    d.y = calloc((size_t)N, sizeof *d.y);
    d.x = calloc((size_t)p, sizeof *d.x);
    if (!d.X || !d.y || !d.x) exit(4);
    for (dlp_index j = 0; j < p; j++) d.x[j] = d.X + j * N;
    for (dlp_index i = 0; i < N; i++) {
        dlp_rng rng = dlp_rng_at(1, (uint64_t)i);
        double eta = 0;
        for (dlp_index j = 0; j < p; j++) {
            d.X[j * N + i] = j == 0 ? 1 : dlp_draw_normal(&rng);
            eta += d.X[j * N + i] * sin(3.0 * (double)j) * 0.3;
        }
        d.y[i] = dlp_draw_uniform(&rng) < dlp_logistic(eta);
    }
    return d;
}

static inline void bench_data_free(bench_data *d)
{
    free(d->X);
    free(d->y);
    free(d->x);
}

typedef struct bench_fit {
    double seconds;
    long evaluations;
    int iterations;
    dlp_outcome outcome;
} bench_fit;

/* By "laplace", "delta" or "jaakkola-jordan". Allocation included; exits where it
   fails. */
static inline bench_fit bench_fit_once(const bench_data *d, const char *method)
{
    const dlp_glm_data data = {.N = d->N, .p = d->p, .x = d->x, .y = d->y};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    const int bound = strcmp(method, "jaakkola-jordan") == 0;
    dlp_settings settings = dlp_settings_default();
    dlp_error error = {0};
    dlp_glm *glm = NULL;
    dlp_fit *fit = NULL;
    settings.method = bound ? "laplace" : method;
    const double start = bench_seconds();
    if (dlp_glm_alloc("bernoulli", NULL, &data, &prior, &glm, &error) != DLP_OK ||
        (bound && dlp_glm_use_jaakkola_jordan(glm, &error) != DLP_OK))
        exit(1);
    const dlp_model model = dlp_glm_model(glm);
    if (dlp_fit_alloc(&model, &settings, &fit, &error) != DLP_OK ||
        dlp_fit_run(fit, NULL, &error) != DLP_OK)
        exit(1);
    const dlp_result *r = dlp_fit_result(fit);
    const bench_fit done = {bench_seconds() - start, r->evaluations, r->iterations,
                            r->outcome};
    dlp_fit_free(fit);
    dlp_glm_free(glm);
    return done;
}

#endif
