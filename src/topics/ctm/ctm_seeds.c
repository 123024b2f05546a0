/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seeds: terms that topics are to have. In addition to the smoothing, each topic has a
 * Dirichlet prior of its own in which its seeds count as words that it has. EM begins
 * with topics that have their seeds: of the topics found without seeds, the one that has
 * most of a topic's seeds takes its place, mixed with the words of the documents in which
 * the seeds occur.
 */
#include "core/core.h"
#include "topics/ctm/ctm_fit.h"

#include <stdlib.h>
#include <string.h>

/* The part of a topic at the start that comes from its seeds and their documents. */
static const double SEEDED = 0.5;

dlp_status dlpi_ctm_check_seeds(const dlp_corpus *corpus, const dlp_topics_settings *s,
                                dlp_error *error)
{
    if (s->n_seed_words > 0 && !s->seed_word)
        return dlp_fail(error, DLP_EINVAL, "seed_word is missing");
    for (dlp_index i = 0; i < s->n_seed_words; i++) {
        const dlp_seed_word *w = &s->seed_word[i];
        if (w->topic < 0 || w->topic >= s->K)
            return dlp_fail(
                error, DLP_EINVAL,
                "there are seeds of topic %td, and %td topics; fit more topics, "
                "or take some of the seeds out",
                w->topic + 1, s->K);
        if (w->term < 0 || w->term >= corpus->V)
            return dlp_fail(error, DLP_EINVAL,
                            "a seed is term %td, and the corpus has %td terms",
                            w->term + 1, corpus->V);
    }
    return DLP_OK;
}

/* Seeds of topic k that the corpus has. */
static dlp_index count_of(const dlp_ctm *ctm, dlp_index k)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < ctm->settings.n_seed_words; i++)
        n += ctm->settings.seed_word[i].topic == k &&
             dlpi_ctm_is_seen(ctm, ctm->settings.seed_word[i].term);
    return n;
}

void dlpi_ctm_count_seeds(dlp_ctm *ctm)
{
    const dlp_topics_settings *s = &ctm->settings;
    const double all =
        s->seed_weight * (double)ctm->corpus->words / (double)ctm->shared.K;
    for (dlp_index i = 0; i < s->n_seed_words; i++) {
        const dlp_seed_word w = s->seed_word[i];
        if (dlpi_ctm_is_seen(ctm, w.term))
            ctm->counts[w.term * ctm->shared.stride + w.topic] +=
                all / (double)count_of(ctm, w.topic);
    }
}

/* ---- the start ---- */

/* Of the topics not yet placed, the one that has most of topic k's seeds. */
static dlp_index nearest(const dlp_ctm *ctm, dlp_index k, const unsigned char *placed)
{
    const dlp_topics_settings *s = &ctm->settings;
    dlp_index best = k;
    double most = -1;
    for (dlp_index j = 0; j < ctm->shared.K; j++) {
        double share = 0;
        for (dlp_index i = 0; i < s->n_seed_words; i++)
            if (s->seed_word[i].topic == k)
                share += ctm->shared.beta[s->seed_word[i].term * ctm->shared.stride + j];
        if (placed[j] || share <= most) continue;
        most = share;
        best = j;
    }
    return best;
}

static void swap_topics(dlp_ctm *ctm, dlp_index a, dlp_index b)
{
    for (dlp_index v = 0; v < ctm->shared.V && a != b; v++) {
        double *beta = ctm->shared.beta + v * ctm->shared.stride;
        const double kept = beta[a];
        beta[a] = beta[b];
        beta[b] = kept;
    }
}

/* share (V): the distribution of words in documents with seeds of topic k, each weighted
   by its number of seeds; false if no document has any. weight (D) is work space. */
static bool words_beside(const dlp_ctm *ctm, dlp_index k, double *weight, double *share)
{
    const dlp_topics_settings *s = &ctm->settings;
    const dlp_corpus *c = ctm->corpus;
    double sum = 0;
    memset(share, 0, (size_t)c->V * sizeof *share);
    for (dlp_index i = 0; i < s->n_seed_words; i++)
        share[s->seed_word[i].term] += s->seed_word[i].topic == k;
    for (dlp_index d = 0; d < c->D; d++) {
        weight[d] = 0;
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++)
            weight[d] += share[c->term[i]] * c->count[i];
    }
    memset(share, 0, (size_t)c->V * sizeof *share);
    for (dlp_index d = 0; d < c->D; d++) {
        double words = 0;
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) words += c->count[i];
        for (dlp_index i = c->row[d]; i < c->row[d + 1] && weight[d] > 0; i++)
            share[c->term[i]] += weight[d] * c->count[i] / words;
        sum += weight[d];
    }
    for (dlp_index v = 0; v < c->V && sum > 0; v++) share[v] /= sum;
    return sum > 0;
}

/* beta_k = (1 - SEEDED) beta_k + SEEDED (half the words beside the seeds, half the
   seeds) */
static void blend(dlp_ctm *ctm, dlp_index k, const double *share)
{
    const dlp_topics_settings *s = &ctm->settings;
    const dlp_index stride = ctm->shared.stride;
    const double seeds = (double)count_of(ctm, k);
    for (dlp_index v = 0; v < ctm->corpus->V; v++) {
        double *beta = ctm->shared.beta + v * stride + k;
        *beta = (1 - SEEDED) * *beta + SEEDED / 2 * share[v];
    }
    for (dlp_index i = 0; i < s->n_seed_words; i++)
        if (s->seed_word[i].topic == k && dlpi_ctm_is_seen(ctm, s->seed_word[i].term))
            ctm->shared.beta[s->seed_word[i].term * stride + k] += SEEDED / 2 / seeds;
}

static void seed_all(dlp_ctm *ctm, unsigned char *placed, double *weight, double *share)
{
    for (dlp_index k = 0; k < ctm->shared.K; k++) {
        if (count_of(ctm, k) == 0) continue;
        swap_topics(ctm, k, nearest(ctm, k, placed));
        placed[k] = 1;
        if (words_beside(ctm, k, weight, share)) blend(ctm, k, share);
    }
}

dlp_status dlpi_ctm_seed_topics(dlp_ctm *ctm, dlp_error *error)
{
    if (ctm->settings.n_seed_words == 0) return DLP_OK;
    unsigned char *placed = dlpi_calloc(ctm->shared.K, 1);
    double *weight = dlpi_calloc(ctm->corpus->D, sizeof *weight);
    double *share = dlpi_calloc(ctm->shared.V, sizeof *share);
    const bool held = placed && weight && share;
    if (held) seed_all(ctm, placed, weight, share);
    free(placed);
    free(weight);
    free(share);
    return held ? DLP_OK : dlpi_no_memory(error, "seeded topics");
}
