/* SPDX-License-Identifier: BSD-3-Clause */
/* A document of a simulated topic model, written as a line of LDA-C. */
#ifndef TESTS_DRAW_DOCUMENT_H
#define TESTS_DRAW_DOCUMENT_H

#include "support.h"

#include <delaplace/random.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Log ratios of topics have sd 2; beta (K, V) are the probabilities of words. */
static inline void draw_document_of(dlp_index K, dlp_index V, int words,
                                    const double *beta, dlp_rng *rng, FILE *out)
{
    double *pi = calloc((size_t)K, sizeof *pi), sum = 0;
    int *count = calloc((size_t)V, sizeof *count), n = 0;
    assert_non_null(pi);
    assert_non_null(count);
    for (dlp_index k = 0; k < K; k++) sum += pi[k] = exp(2 * dlp_draw_normal(rng));
    for (dlp_index k = 0; k < K; k++) pi[k] /= sum;
    for (int i = 0; i < words; i++) {
        const dlp_index z = dlp_draw_categorical(rng, K, pi);
        count[dlp_draw_categorical(rng, V, beta + z * V)]++;
    }
    for (dlp_index v = 0; v < V; v++) n += count[v] > 0;
    fprintf(out, "%d", n);
    for (dlp_index v = 0; v < V; v++)
        if (count[v]) fprintf(out, " %td:%d", v, count[v]);
    fputc('\n', out);
    free(pi);
    free(count);
}

#endif
