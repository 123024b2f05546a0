/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether documents are mixtures of topics, or topics mere clusters of documents; and whether topics
   have words of their own. */
#include "topics/describe/topic_quality.h"

#include <delaplace/special.h>
#include <delaplace/topic_words.h>

#include <math.h>

/* The mean of the diagonal of C Sigma_0 C, C = I - 11'/K */
static double centred_variance(const dlp_topics *topics)
{
    const dlp_index K = topics->K;
    double trace = 0, sum = 0;
    for (dlp_index k = 0; k < K; k++) trace += topics->Sigma0[k * (K + 1)];
    for (dlp_index i = 0; i < K * K; i++) sum += topics->Sigma0[i];
    return (trace - sum / (double)K) / (double)K;
}

static double largest_share(dlp_index K, const double *theta)
{
    double most = theta[0];
    for (dlp_index k = 1; k < K; k++) most = fmax(most, theta[k]);
    return exp(most - dlp_logsumexp(K, theta));
}

dlp_topic_mixing dlpi_topics_mixing(const dlp_topics *topics, dlp_index D,
                                    dlp_index words, const double *theta)
{
    const dlp_index K = topics->K;
    dlp_topic_mixing m = {.variance = centred_variance(topics)};
    for (dlp_index d = 0; d < D; d++)
        m.largest_share += largest_share(K, theta + d * K) / (double)D;
    m.largest_words = m.largest_share * (double)words / (double)D;
    m.clusters = m.largest_share > DLP_CLUSTER_SHARE && m.variance > DLP_CLUSTER_VARIANCE;
    m.few_words = !m.clusters && m.largest_words < DLP_FEW_WORDS;
    return m;
}

double dlp_topics_own_words(const dlp_topics *topics, dlp_index k)
{
    const dlp_index K = topics->K, V = topics->V;
    double own = 0;
    for (dlp_index v = 0; v < V; v++) {
        const double beta = topics->beta[k * V + v];
        double all = 0;
        for (dlp_index j = 0; j < K; j++) all += topics->beta[j * V + v];
        if (all > 0) own += beta * (beta / all);
    }
    return own;
}
