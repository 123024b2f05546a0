/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The words that a group uses more than others do.
 *
 * Estimated topics are purer than the true ones: a term that belongs mainly to one topic
 * takes its words in the others, too, where groups do not differ, or differ otherwise. So
 * differences are too small, by a factor of about 1 + 3 (1 - o), where o is the part of a
 * topic's words that is its own (measured: docs/topics.md). Its sds grow by that factor, and
 * its interval reaches as much again farther away from 0.
 */
#include <delaplace/topic_content.h>
#include <delaplace/topic_words.h>

#include "core/core.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_content.h"

#include <math.h>
#include <string.h>

static const double DILUTION = 3;

dlp_status dlpi_content_find_dilution(dlp_topic_content *c, dlp_error *error)
{
    c->dilution = dlpi_calloc(c->K, sizeof *c->dilution);
    if (!c->dilution) return dlpi_no_memory(error, "the words of groups");
    for (dlp_index g = 0; g < c->G; g++) {
        const dlp_topics topics = {
            .K = c->K, .V = c->V, .beta = c->beta + g * c->K * c->V};
        for (dlp_index k = 0; k < c->K; k++)
            c->dilution[k] +=
                DILUTION * fmax(0, 1 - dlp_topics_own_words(&topics, k)) / (double)c->G;
    }
    return DLP_OK;
}

/* Of topic k; with k < 0, the mean over topics. */
static double dilution_of(const dlp_topic_content *c, dlp_index k)
{
    double sum = 0;
    if (!c->dilution) return 0;
    if (k >= 0) return c->dilution[k];
    for (dlp_index i = 0; i < c->K; i++) sum += c->dilution[i] / (double)c->K;
    return sum;
}

static void set_interval(double sd, double dilution, dlp_content_word *word)
{
    const double half = 1.96 * sd * (1 + dilution), far = 2 * dilution * word->difference;
    word->lower = word->difference - half + fmin(far, 0);
    word->upper = word->difference + half + fmax(far, 0);
}

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
    set_interval(sd, dilution_of(c, k), &word);
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
