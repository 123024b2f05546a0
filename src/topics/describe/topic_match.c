/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches the topics of two models, one to one. */
#include <delaplace/topic_stability.h>

#include "core/core.h"
#include "math/assignment.h"
#include "math/symmetric/structure.h"

#include <math.h>

static double overlap(dlp_index V, const double *a, const double *b)
{
    double common = 0;
    for (dlp_index v = 0; v < V; v++) common += fmin(a[v], b[v]);
    return common;
}

static dlp_index shared(const dlp_topic_words *a, dlp_index k, const dlp_topic_words *b,
                        dlp_index j)
{
    dlp_index n = 0;
    for (dlp_index x = k * a->n; x < (k + 1) * a->n; x++)
        for (dlp_index y = j * b->n; y < (j + 1) * b->n; y++)
            n += a->term[x] == b->term[y];
    return n;
}

static dlp_status count_common(const dlp_topics *a, const dlp_topics *b, dlp_index n,
                               const dlp_index *match, dlp_index *common,
                               dlp_error *error)
{
    dlp_topic_words first = {0}, second = {0};
    dlp_status status = dlp_topics_words(a, DLP_BY_PROBABILITY, n, &first, error);
    if (status == DLP_OK)
        status = dlp_topics_words(b, DLP_BY_PROBABILITY, n, &second, error);
    for (dlp_index k = 0; status == DLP_OK && k < a->K; k++)
        common[k] = shared(&first, k, &second, match[k]);
    dlp_topic_words_free(&first);
    dlp_topic_words_free(&second);
    return status;
}

dlp_status dlp_topics_match(const dlp_topics *a, const dlp_topics *b, dlp_index n,
                            dlp_index *match, double *similarity, dlp_index *common,
                            dlp_error *error)
{
    const dlp_index K = a->K, V = a->V;
    if (b->K != K || b->V != V)
        return dlp_fail(error, DLP_EINVAL,
                        "%td topics over %td terms cannot be matched with %td over %td",
                        K, V, b->K, b->V);
    double *gain = dlpi_calloc(dlpi_size(K, K, 0), sizeof *gain);
    if (!gain) return dlpi_no_memory(error, "matching topics");
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++)
            gain[i * K + j] = overlap(V, a->beta + i * V, b->beta + j * V);
    dlp_status status = dlpi_assign(K, gain, match, error);
    for (dlp_index k = 0; status == DLP_OK && k < K; k++)
        similarity[k] = gain[k * K + match[k]];
    free(gain);
    if (status == DLP_OK && common) status = count_common(a, b, n, match, common, error);
    return status;
}
