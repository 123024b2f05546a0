/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics by their documents: the most common first, and the documents that show one. */
#include <delaplace/special.h>
#include <delaplace/topic_words.h>

#include <math.h>

dlp_index dlp_topics_of_term(const dlp_topics *topics, const double *prevalence,
                             dlp_index term, double least, dlp_index n, dlp_index *topic,
                             double *share)
{
    double all = 0;
    dlp_index found = 0;
    for (dlp_index k = 0; k < topics->K; k++)
        all += prevalence[k] * topics->beta[k * topics->V + term];
    for (dlp_index k = 0; k < topics->K && all > 0; k++) {
        const double part = prevalence[k] * topics->beta[k * topics->V + term] / all;
        if (part < least || (found == n && (n == 0 || part <= share[n - 1]))) continue;
        dlp_index at = found < n ? found++ : n - 1;
        for (; at > 0 && share[at - 1] < part; at--) {
            share[at] = share[at - 1];
            topic[at] = topic[at - 1];
        }
        share[at] = part;
        topic[at] = k;
    }
    return found;
}

/* Insertion keeps the order of equals, and there are few topics. */
void dlp_topics_order(dlp_index K, const double *prevalence, dlp_index *order)
{
    for (dlp_index k = 0; k < K; k++) {
        dlp_index at = k;
        for (; at > 0 && prevalence[order[at - 1]] < prevalence[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

static double share_of(const double *theta, dlp_index K, dlp_index k)
{
    return exp(theta[k] - dlp_logsumexp(K, theta));
}

dlp_index dlp_topics_documents(dlp_index D, dlp_index K, const double *theta, dlp_index k,
                               dlp_index n, dlp_topic_document *list)
{
    dlp_index taken = 0;
    for (dlp_index d = 0; d < D && n > 0; d++) {
        const double share = share_of(theta + d * K, K, k);
        if (taken == n && share <= list[n - 1].share) continue;
        dlp_index at = taken < n ? taken++ : n - 1;
        for (; at > 0 && list[at - 1].share < share; at--) list[at] = list[at - 1];
        list[at] = (dlp_topic_document){d, share};
    }
    return taken;
}
