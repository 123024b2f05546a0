/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The spectral start beside the floor of its sparse products: the additions and the bytes
 * they cannot do without, at rates measured here. CPU time, so that other work on the
 * machine does not count.
 *
 * Usage: bench_spectral [CORPUS | DOCUMENTS] [TOPICS] [THREADS]; without a corpus,
 * documents of 100 words over 50,000 terms are drawn from topics.
 */
#include "topics/spectral/spectral.h"

#include <delaplace.h>
#include <delaplace/random.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* D documents of 100 words over V terms: half of the words from all terms by Zipf's law,
   half from the document's own stretch of a thousand terms. */
static dlp_corpus *draw_corpus(dlp_index D, dlp_index V)
{
    enum { WORDS = 100, STRETCH = 1000, LONGEST = WORDS * 8 + 16 };
    char *text = malloc((size_t)D * LONGEST), *end = text;
    dlp_corpus *corpus = NULL;
    if (!text) exit(4);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(2385, (uint64_t)d);
        const double from = dlp_draw_uniform(&rng) * (double)(V - STRETCH);
        end += sprintf(end, "%d", (int)WORDS);
        for (int n = 0; n < WORDS; n++) {
            const double u = dlp_draw_uniform(&rng);
            const double i = n % 2 ? exp(u * log((double)V)) - 1 : from + u * u * STRETCH;
            end += sprintf(end, " %d:1", (int)i);
        }
        *end++ = '\n';
    }
    if (dlp_corpus_parse_ldac("drawn", text, (size_t)(end - text), &corpus, NULL) !=
        DLP_OK)
        exit(4);
    free(text);
    return corpus;
}

/* Seconds an indexed multiply-add takes through the documents: half of a product. */
static double cost_of_pair(const dlp_corpus *corpus, double *v)
{
    double best = INFINITY, sum = 0;
    for (int repeat = 0; repeat < 5; repeat++) {
        const double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (dlp_index k = 0; k < corpus->nnz; k++)
            sum += v[corpus->term[k]] * corpus->count[k];
        best = fmin(best, seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    v[0] = sum; /* so that the loop stays */
    return best / (double)corpus->nnz;
}

static double sum_of_squares(const dlp_corpus *corpus)
{
    double sum = 0;
    for (dlp_index d = 0; d < corpus->D; d++) {
        const double m = (double)(corpus->row[d + 1] - corpus->row[d]);
        sum += m * m;
    }
    return sum;
}

static dlp_corpus *corpus_of(const char *name, dlp_error *error)
{
    dlp_corpus *corpus = NULL;
    char *end = NULL;
    const long D = strtol(name, &end, 10);
    if (*end == '\0' && D > 0) return draw_corpus(D, 50000);
    return dlp_corpus_read(name, &corpus, error) == DLP_OK ? corpus : NULL;
}

int main(int argc, char **argv)
{
    dlp_error error = {0};
    dlp_corpus *corpus = corpus_of(argc > 1 ? argv[1] : "10000", &error);
    const dlp_index K = argc > 2 ? strtol(argv[2], NULL, 10) : 60;
    struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
    struct dlpi_spectral_report report = {0};
    settings.threads = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 1;
    if (!corpus) {
        fprintf(stderr, "bench_spectral: %s\n", error.message);
        return 1;
    }
    double *beta = calloc((size_t)(corpus->V * (K > 0 ? K : 1)), sizeof *beta);
    if (!beta) return 4;
    const double pairs = 2 * (double)K * (double)corpus->nnz,
                 squares = sum_of_squares(corpus), pair = cost_of_pair(corpus, beta);
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (dlpi_spectral_topics(corpus, K, &settings, beta, NULL, &report, &error) !=
        DLP_OK) {
        fprintf(stderr, "bench_spectral: %s\n", error.message);
        return 1;
    }
    const double cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                 wall_s = seconds(CLOCK_MONOTONIC) - wall,
                 floor_s = pair * (pairs + squares);
    printf(
        "%td documents, %td terms, %td pairs, %td topics (%td with an anchor, noise "
        "share %g, min_docs %d)\n",
        corpus->D, corpus->V, corpus->nnz, K, report.found, report.noise_share,
        report.min_docs);
    printf("%d threads: %.3f s, %.3f s of CPU\n", settings.threads, wall_s, cpu_s);
    printf("floor: %.3g multiply-adds at %.2f ns, %.2f GB read: %.3f s; ratio %.2f\n",
           pairs + squares, 1e9 * pair, 8e-9 * (pairs + squares), floor_s,
           cpu_s / floor_s);
    free(beta);
    dlp_corpus_free(corpus);
    return 0;
}
