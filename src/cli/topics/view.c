/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/view.h"

#include <delaplace/special.h>

#include "cli/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the topics");
}

void cli_topics_view_clear(cli_topics_view *view)
{
    dlp_topic_words_free(&view->probable);
    dlp_topic_words_free(&view->frex);
    free(view->prevalence);
    free(view->order);
    free(view->R);
    free(view->pair);
    free(view->exclusivity);
    free(view->coherence);
    *view = (cli_topics_view){0};
}

/* ---- topics ---- */

/* Insertion keeps the order of equals, and there are few topics. */
static void sort_topics(cli_topics_view *view)
{
    const dlp_index K = view->folder->topics.K;
    for (dlp_index k = 0; k < K; k++) {
        dlp_index at = k;
        for (; at > 0 && view->prevalence[view->order[at - 1]] < view->prevalence[k];
             at--)
            view->order[at] = view->order[at - 1];
        view->order[at] = k;
    }
}

static dlp_status allocate(cli_topics_view *view, bool coherence, dlp_error *error)
{
    const size_t K = (size_t)view->folder->topics.K;
    const dlp_index most = (dlp_index)(K * (K - 1) / 2);
    if (view->extent.pairs > most) view->extent.pairs = most;
    view->prevalence = calloc(K, sizeof *view->prevalence);
    view->order = calloc(K, sizeof *view->order);
    view->R = calloc(K * K, sizeof *view->R);
    view->pair = calloc((size_t)view->extent.pairs + 1, sizeof *view->pair);
    view->exclusivity = calloc(K, sizeof *view->exclusivity);
    if (coherence) view->coherence = calloc(K, sizeof *view->coherence);
    if (view->prevalence && view->order && view->R && view->pair && view->exclusivity &&
        (view->coherence || !coherence))
        return DLP_OK;
    return no_memory(error);
}

static dlp_status rate(cli_topics_view *view, const dlp_corpus *corpus, dlp_error *error)
{
    const dlp_topics *topics = &view->folder->topics;
    dlp_topic_words words;
    CLI_TRY(
        dlp_topics_words(topics, DLP_BY_PROBABILITY, CLI_QUALITY_WORDS, &words, error));
    dlp_topics_exclusivity(topics, &words, view->exclusivity);
    const dlp_status status =
        corpus ? dlp_topics_coherence(&words, corpus, view->coherence, error) : DLP_OK;
    dlp_topic_words_free(&words);
    return status;
}

static dlp_status make(cli_topics_view *view, const dlp_corpus *corpus, dlp_error *error)
{
    const cli_topics_folder *folder = view->folder;
    const dlp_topics *topics = &folder->topics;
    const dlp_index n = view->extent.words;
    CLI_TRY(allocate(view, corpus != NULL, error));
    CLI_TRY(dlp_topics_words(topics, DLP_BY_PROBABILITY, n, &view->probable, error));
    CLI_TRY(dlp_topics_words(topics, DLP_BY_FREX, n, &view->frex, error));
    dlp_topics_prevalence(folder->D, topics->K, folder->theta, view->prevalence);
    sort_topics(view);
    dlp_topics_correlations(topics, view->R);
    view->n_pairs =
        dlp_topics_strongest(topics->K, view->R, view->extent.pairs, view->pair);
    return rate(view, corpus, error);
}

dlp_status cli_topics_view_make(const cli_topics_folder *folder,
                                const cli_topics_extent *extent, const dlp_corpus *corpus,
                                cli_topics_view *view, dlp_error *error)
{
    *view = (cli_topics_view){.folder = folder, .extent = *extent};
    const dlp_status status = make(view, corpus, error);
    if (status != DLP_OK) cli_topics_view_clear(view);
    return status;
}

double cli_topics_mean(const cli_topics_view *view, const double *of)
{
    const dlp_index K = view->folder->topics.K;
    double sum = 0;
    for (dlp_index k = 0; k < K; k++) sum += of[k];
    return sum / (double)K;
}

/* ---- what belongs to one topic ---- */

static double share_of(const double *theta, dlp_index K, dlp_index k)
{
    return exp(theta[k] - dlp_logsumexp(K, theta));
}

dlp_index cli_topics_documents(const cli_topics_folder *folder, dlp_index k, dlp_index n,
                               cli_shown_document *list)
{
    const dlp_index K = folder->topics.K;
    dlp_index taken = 0;
    for (dlp_index d = 0; d < folder->D && n > 0; d++) {
        const double share = share_of(folder->theta + d * K, K, k);
        if (taken == n && share <= list[n - 1].share) continue;
        dlp_index at = taken < n ? taken++ : n - 1;
        for (; at > 0 && list[at - 1].share < share; at--) list[at] = list[at - 1];
        list[at] = (cli_shown_document){d, share};
    }
    return taken;
}

dlp_index cli_topics_neighbours(const cli_topics_view *view, dlp_index k, dlp_index n,
                                dlp_topic_pair *list)
{
    const dlp_index K = view->folder->topics.K;
    dlp_index taken = 0;
    for (dlp_index j = 0; j < K && n > 0; j++) {
        const double r = view->R[k * K + j];
        if (j == k || (taken == n && fabs(r) <= fabs(list[n - 1].correlation))) continue;
        dlp_index at = taken < n ? taken++ : n - 1;
        for (; at > 0 && fabs(list[at - 1].correlation) < fabs(r); at--)
            list[at] = list[at - 1];
        list[at] = (dlp_topic_pair){k, j, r};
    }
    return taken;
}

char *cli_topics_name(const cli_topics_folder *folder, const dlp_topic_words *words,
                      dlp_index k, dlp_index n, const char *prefix)
{
    char *text = NULL, number[32];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    fputs(prefix, out);
    for (dlp_index i = 0; i < n && i < words->n; i++) {
        if (i > 0) fputs(", ", out);
        fputs(cli_topics_term(folder, words->term[k * words->n + i], number), out);
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed) return text;
    free(text);
    return NULL;
}
