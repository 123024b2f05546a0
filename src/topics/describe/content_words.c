/* SPDX-License-Identifier: BSD-3-Clause */
/* The words that a group uses more than others do. */
#include <delaplace/topic_content.h>

#include <math.h>
#include <string.h>

static double log_difference(const dlp_topic_content *c, dlp_index g, dlp_index k,
                             dlp_index v)
{
    double mean = 0;
    for (dlp_index h = 0; h < c->G; h++)
        mean += log(c->beta[(h * c->K + k) * c->V + v]) / (double)c->G;
    return log(c->beta[(g * c->K + k) * c->V + v]) - mean;
}

dlp_content_word dlp_topic_content_word(const dlp_topic_content *c, dlp_index g,
                                        dlp_index k, dlp_index v)
{
    dlp_content_word word = {.term = v};
    double sd;
    if (k < 0) {
        for (dlp_index i = 0; i < c->K; i++)
            word.probability += c->beta[(g * c->K + i) * c->V + v] / (double)c->K;
        word.difference = c->common[g * c->V + v];
        sd = c->common_sd[g * c->V + v];
    } else {
        word.probability = c->beta[(g * c->K + k) * c->V + v];
        word.difference = word.probability > 0 ? log_difference(c, g, k, v) : 0;
        sd = c->sd[(g * c->K + k) * c->V + v];
    }
    word.lower = word.difference - 1.96 * sd;
    word.upper = word.difference + 1.96 * sd;
    return word;
}

static double gain(const dlp_content_word *word)
{
    return word->probability * word->lower;
}

dlp_index dlp_topic_content_words(const dlp_topic_content *c, dlp_index g, dlp_index k,
                                  dlp_index n, dlp_content_word *word)
{
    dlp_index found = 0;
    for (dlp_index v = 0; v < c->V && n > 0; v++) {
        const dlp_content_word next = dlp_topic_content_word(c, g, k, v);
        if (!(next.lower > 0)) continue;
        if (found == n && gain(&next) <= gain(&word[n - 1])) continue;
        dlp_index at = found < n ? found++ : n - 1;
        for (; at > 0 && gain(&word[at - 1]) < gain(&next); at--) word[at] = word[at - 1];
        word[at] = next;
    }
    return found;
}
