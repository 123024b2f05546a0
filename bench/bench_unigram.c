/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The language model's fit beside the floor of the job: the special functions it cannot
 * do without, timed alone over as many elements. Usage: bench_unigram [CORPUS]; without
 * one, a corpus of AP's shape is drawn from the model.
 */
#include <delaplace.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
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

/* D documents of about 194 words over V terms, with Zipf-like proportions. */
static dlp_corpus *draw_corpus(dlp_index D, dlp_index V)
{
    int32_t *x = calloc((size_t)(D * V), sizeof *x);
    double *alpha = calloc((size_t)V, sizeof *alpha), *z = calloc((size_t)V, sizeof *z);
    dlp_corpus *corpus = NULL;
    if (!x || !alpha || !z) exit(4);
    for (dlp_index i = 0; i < V; i++) alpha[i] = 60.0 / (double)(i + 25);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(2385, (uint64_t)d);
        dlp_draw_dirichlet(&rng, V, alpha, z);
        for (dlp_index i = 1; i < V; i++) z[i] += z[i - 1];
        for (int n = 0; n < 194; n++) { /* a word, by bisection of the cumulative sum */
            const double u = dlp_draw_uniform(&rng) * z[V - 1];
            dlp_index low = 0, high = V - 1;
            while (low < high) {
                const dlp_index middle = (low + high) / 2;
                if (z[middle] < u)
                    low = middle + 1;
                else
                    high = middle;
            }
            x[d * V + low]++;
        }
    }
    if (dlp_corpus_from_counts(D, V, x, &corpus, NULL) != DLP_OK) exit(4);
    free(x);
    free(alpha);
    free(z);
    return corpus;
}

/* Distinct (term, count) pairs, documents without a term included. */
static dlp_index distinct_pairs(const dlp_corpus *corpus)
{
    enum { WIDE = 4096 };
    dlp_index pairs = 0, *present = calloc((size_t)corpus->V, sizeof *present);
    unsigned char *seen = calloc((size_t)corpus->V * (WIDE / 8), 1);
    if (!present || !seen) exit(4);
    for (dlp_index k = 0; k < corpus->nnz; k++) {
        const dlp_index i = corpus->term[k], c = corpus->count[k] % WIDE;
        unsigned char *byte = &seen[i * (WIDE / 8) + c / 8];
        present[i]++;
        if (!(*byte >> (c % 8) & 1)) pairs++;
        *byte |= (unsigned char)(1 << (c % 8));
    }
    for (dlp_index i = 0; i < corpus->V; i++) pairs += present[i] < corpus->D;
    free(present);
    free(seen);
    return pairs;
}

/* Seconds per element of an array function over n elements, the best of several. */
typedef void array_function(dlp_index n, const double *x, double *y);

static double cost(array_function *function, dlp_index n)
{
    double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y), best = 1;
    if (!x || !y) exit(4);
    for (dlp_index i = 0; i < n; i++) x[i] = 0.01 + 5.0 * (double)(i % 97) / 97;
    for (int k = 0; k < 20; k++) {
        const double start = seconds();
        function(n, x, y);
        best = fmin(best, seconds() - start);
    }
    free(x);
    free(y);
    return best / (double)n;
}

int main(int argc, char **argv)
{
    dlp_error error = {0};
    dlp_corpus *corpus = NULL;
    if (argc < 2) corpus = draw_corpus(2246, 10473);
    if (argc >= 2 && dlp_corpus_read(argv[1], &corpus, &error) != DLP_OK) {
        fprintf(stderr, "bench_unigram: %s\n", error.message);
        return 1;
    }
    const dlp_index V = corpus->V, pairs = distinct_pairs(corpus);
    printf(
        "%td documents, %td terms, %td pairs in the corpus, %td distinct (term, count)\n",
        corpus->D, V, corpus->nnz, pairs);
    const double lgamma_s = cost(dlp_lgamma_array, V),
                 digamma_s = cost(dlp_digamma_array, V),
                 trigamma_s = cost(dlp_trigamma_array, V);
    printf("%-14s %10s %12s %14s %12s %8s\n", "method", "iterations", "evaluations",
           "ms/iteration", "floor, ms", "ratio");
    for (int k = 0; dlp_method_name(k); k++) {
        dlp_unigram *unigram = NULL;
        dlp_fit *fit = NULL;
        dlp_settings settings = dlp_settings_default();
        settings.method = dlp_method_name(k);
        if (dlp_unigram_alloc(corpus, &unigram, &error) != DLP_OK) return 4;
        const dlp_model model = dlp_unigram_model(unigram);
        if (dlp_fit_alloc(&model, &settings, &fit, &error) != DLP_OK) return 4;
        const double start = seconds();
        if (dlp_fit_run(fit, NULL, &error) != DLP_OK) return 1;
        const double spent = seconds() - start;
        const dlp_result *r = dlp_fit_result(fit);
        /* an evaluation: log Gamma, Psi, Psi' over V; an iteration: Psi, log Gamma over
         * pairs */
        const double floor_s =
            (double)r->evaluations * (double)V * (lgamma_s + digamma_s + trigamma_s) +
            (double)r->iterations * (double)pairs * (lgamma_s + digamma_s);
        printf("%-14s %10d %12ld %14.3f %12.3f %8.2f  %s\n", settings.method,
               r->iterations, r->evaluations, 1e3 * spent / r->iterations,
               1e3 * floor_s / r->iterations, spent / floor_s,
               dlp_outcome_name(r->outcome));
        dlp_fit_free(fit);
        dlp_unigram_free(unigram);
    }
    dlp_corpus_free(corpus);
    return 0;
}
