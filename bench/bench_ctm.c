/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The correlated topic model: one EM iteration beside the floor of its arithmetic at a
 * rate measured here, the gain of a second thread, the reading of new documents, and
 * memory. CPU time where one thread works, so that other work on the machine counts less.
 *
 * Usage: bench_ctm [CORPUS | DOCUMENTS] [TOPICS] [ITERATIONS]
 *
 * With a number, that many documents of 100 words over 50,000 terms are simulated. With a
 * corpus, four of five documents train and the others are read.
 */
#include "math/clones.h"

#include <delaplace.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void stop(const dlp_error *error)
{
    fprintf(stderr, "bench_ctm: %s\n", error->message);
    exit(1);
}

enum { LANES = 64 };

DLPI_CLONES
static void multiply_and_add(int times, double *restrict x)
{
    for (int n = 0; n < times; n++)
        DLPI_SIMD() for (int i = 0; i < LANES; i++) x[i] = x[i] * 0.999999 + 1e-6;
}

/* Multiplications and additions per second, on numbers that stay in the first cache. */
static double flop_rate(void)
{
    enum { TIMES = 4000000 };
    double x[LANES], best = INFINITY;
    for (int i = 0; i < LANES; i++) x[i] = 1 + 1e-3 * i;
    for (int repeat = 0; repeat < 3; repeat++) {
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        multiply_and_add(TIMES, x);
        best = fmin(best, seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    return 2.0 * LANES * TIMES / best;
}

typedef struct corpora {
    dlp_corpus *train, *test;
} corpora;

static corpora simulate(dlp_index D, dlp_index K)
{
    dlp_error error;
    dlp_topics topics;
    corpora c;
    const dlp_simulate_settings
        train = {.documents = D, .words = 100, .seed = 1, .threads = 1},
        test = {.documents = 500, .words = 100, .seed = 2, .threads = 1};
    if (dlp_simulate_topics(K, 50000, 0.02, 1, &topics, &error) != DLP_OK ||
        dlp_simulate_ctm(&topics, NULL, &train, &c.train, NULL, &error) != DLP_OK ||
        dlp_simulate_ctm(&topics, NULL, &test, &c.test, NULL, &error) != DLP_OK)
        stop(&error);
    dlp_topics_free(&topics);
    return c;
}

static corpora split(const char *path)
{
    dlp_error error;
    dlp_corpus *all = NULL;
    corpora c = {NULL, NULL};
    if (dlp_corpus_read(path, &all, &error) != DLP_OK) stop(&error);
    unsigned char *keep = calloc((size_t)all->D, 1), *rest = calloc((size_t)all->D, 1);
    if (!keep || !rest) exit(4);
    for (dlp_index d = 0; d < all->D; d++) {
        keep[d] = d % 5 != 4;
        rest[d] = !keep[d];
    }
    if (dlp_corpus_select(all, keep, &c.train, &error) != DLP_OK ||
        dlp_corpus_select(all, rest, &c.test, &error) != DLP_OK)
        stop(&error);
    free(keep);
    free(rest);
    dlp_corpus_free(all);
    return c;
}

typedef struct run {
    double wall, cpu;      /* seconds per iteration */
    double start;          /* seconds of the start */
    dlp_index evaluations; /* in all */
    dlp_topics topics;
} run;

/* This many iterations from random topics, so that the start costs little. */
static run fit(const dlp_corpus *corpus, dlp_index K, int iterations, int threads)
{
    dlp_error error;
    dlp_ctm *ctm = NULL;
    dlp_topics_settings s = dlp_topics_settings_default();
    run r = {.start = seconds(CLOCK_MONOTONIC)};
    s.K = K;
    s.init = "random";
    s.threads = threads;
    s.tol = 1e-15;
    s.max_iter = iterations;
    if (dlp_ctm_alloc(corpus, NULL, &s, &ctm, &error) != DLP_OK) stop(&error);
    if (dlp_ctm_start(ctm, &error) != DLP_OK) stop(&error);
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    r.start = wall - r.start;
    dlp_ctm_run(ctm);
    r.wall = (seconds(CLOCK_MONOTONIC) - wall) / iterations;
    r.cpu = (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / iterations;
    for (int i = 0; i < iterations; i++)
        r.evaluations += dlp_ctm_result(ctm)->trace[i].evaluations;
    if (dlp_ctm_topics(ctm, &r.topics, &error) != DLP_OK) stop(&error);
    dlp_ctm_free(ctm);
    return r;
}

/* Multiplications and additions an iteration cannot do without: the words and the prior in
   each evaluation, two factors with their inverses per document, one pass for beta. */
static double flops(const dlp_corpus *corpus, double K, double evaluations)
{
    const double D = (double)corpus->D, nnz = (double)corpus->nnz;
    return evaluations * (4 * nnz / D * K + 2 * K * K) + 2 * D * K * K * K + 5 * nnz * K;
}

static void read_new(const dlp_topics *topics, const dlp_corpus *corpus, int with_sd)
{
    dlp_error error;
    dlp_document_posterior *posterior = NULL;
    const dlp_document_settings settings = {.size = sizeof(dlp_document_settings),
                                            .method = "laplace",
                                            .tol = 1e-5,
                                            .max_iter = 200};
    double *pi = calloc((size_t)(2 * topics->K), sizeof *pi), best = INFINITY;
    if (!pi) exit(4);
    if (dlp_document_posterior_alloc(topics, &settings, &posterior, &error) != DLP_OK)
        stop(&error);
    for (int repeat = 0; repeat < 5; repeat++) {
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (dlp_index d = 0; d < corpus->D; d++) {
            const dlp_document doc = dlp_corpus_document(corpus, d);
            dlp_document_result result;
            if (dlp_document_infer(posterior, &doc, &result, &error) != DLP_OK)
                stop(&error);
            dlp_document_proportions(posterior, pi, with_sd ? pi + topics->K : NULL);
        }
        best = fmin(best, seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    printf("new documents of %.0f words, %s: %.0f us each\n",
           (double)corpus->words / (double)corpus->D, with_sd ? "mean and sd" : "mean",
           1e6 * best / (double)corpus->D);
    dlp_document_posterior_free(posterior);
    free(pi);
}

int main(int argc, char **argv)
{
    char *end = NULL;
    const char *what = argc > 1 ? argv[1] : "2000";
    const dlp_index K = argc > 2 ? strtol(argv[2], NULL, 10) : 60;
    const int iterations = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 20;
    const long D = strtol(what, &end, 10);
    corpora c = *end ? split(what) : simulate(D, K);
    const double before = peak_megabytes();
    printf("%td documents, %td terms, %td pairs, %td words, %td topics\n", c.train->D,
           c.train->V, c.train->nnz, c.train->words, K);

    run one = fit(c.train, K, iterations, 1), two = fit(c.train, K, iterations, 2);
    const double docs = (double)c.train->D, each = 1e6 * one.cpu / docs;
    const double per_iteration = (double)one.evaluations / iterations;
    const double work = flops(c.train, (double)K, per_iteration);
    const double rate = flop_rate();
    printf(
        "one thread: %.4f s of CPU per iteration, %.1f us per document, %.1f "
        "evaluations\n",
        one.cpu, each, per_iteration / docs);
    printf("floor: %.3g flops per document at %.1f Gflop/s: %.1f us; ratio %.1f\n",
           work / docs, 1e-9 * rate, 1e6 * work / rate / docs, one.cpu * rate / work);
    printf("two threads: %.4f s per iteration, %.2f times as fast as one (%.4f s)\n",
           two.wall, one.wall / two.wall, one.wall);
    printf("peak memory: %.0f MB, %.0f MB of it before the fits\n", peak_megabytes(),
           before);
    read_new(&one.topics, c.test, 0);
    read_new(&one.topics, c.test, 1);
    dlp_topics_free(&one.topics);
    dlp_topics_free(&two.topics);
    dlp_corpus_free(c.train);
    dlp_corpus_free(c.test);
    return 0;
}
