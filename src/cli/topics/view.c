/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/view.h"

#include "cli/message.h"
#include "io/print_file.h"

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
    free(view->lower);
    free(view->upper);
    free(view->pair);
    dlp_topic_quality_free(&view->quality);
    *view = (cli_topics_view){0};
}

static dlp_status allocate(cli_topics_view *view, dlp_error *error)
{
    const size_t K = (size_t)view->topics->K;
    const dlp_index most = (dlp_index)(K * (K - 1) / 2);
    if (view->extent.pairs > most) view->extent.pairs = most;
    view->prevalence = calloc(K, sizeof *view->prevalence);
    view->order = calloc(K, sizeof *view->order);
    view->R = calloc(K * K, sizeof *view->R);
    view->lower = calloc(K * K, sizeof *view->lower);
    view->upper = calloc(K * K, sizeof *view->upper);
    view->pair = calloc((size_t)view->extent.pairs + 1, sizeof *view->pair);
    if (view->prevalence && view->order && view->R && view->lower && view->upper &&
        view->pair)
        return DLP_OK;
    return no_memory(error);
}

static dlp_status make(cli_topics_view *view, const dlp_corpus *corpus, dlp_error *error)
{
    const dlp_topics *topics = view->topics;
    const dlp_index n = view->extent.words;
    /* under a Dirichlet prior there are no correlations to show */
    if (dlp_topic_model_get_info(view->model)->method_kind == DLP_TOPICS_DIRICHLET)
        view->extent.pairs = 0;
    CLI_TRY(allocate(view, error));
    CLI_TRY(dlp_topics_words(topics, DLP_BY_PROBABILITY, n, &view->probable, error));
    CLI_TRY(dlp_topics_words(topics, DLP_BY_FREX, n, &view->frex, error));
    dlp_topics_prevalence(view->D, topics->K, view->theta, view->prevalence);
    dlp_topics_order(topics->K, view->prevalence, view->order);
    dlp_topics_correlations(topics, view->R);
    CLI_TRY(dlp_topic_model_correlation_intervals(view->model, NULL, view->lower,
                                                  view->upper, error));
    view->n_pairs =
        dlp_topics_strongest(topics->K, view->R, view->extent.pairs, view->pair);
    return dlp_topics_rate(topics, corpus, &view->quality, error);
}

dlp_status cli_topics_view_make(const dlp_topic_model *model,
                                const cli_topics_extent *extent, const dlp_corpus *corpus,
                                cli_topics_view *view, dlp_error *error)
{
    *view = (cli_topics_view){.model = model,
                              .topics = dlp_topic_model_topics(model),
                              .D = dlp_topic_model_get_info(model)->D,
                              .theta = dlp_topic_model_theta(model),
                              .extent = *extent};
    const dlp_status status = make(view, corpus, error);
    if (status != DLP_OK) cli_topics_view_clear(view);
    return status;
}

char *cli_topics_name(const dlp_topic_model *model, const dlp_topic_words *words,
                      dlp_index k, dlp_index n, const char *prefix)
{
    char *text = NULL, number[32];
    size_t size = 0;
    FILE *out = dlpi_open_text(&text, &size);
    if (!out) return NULL;
    const char *label = dlp_topic_model_label(model, k);
    fputs(prefix, out);
    if (label) fputs(label, out);
    for (dlp_index i = 0; !label && i < n && i < words->n; i++) {
        if (i > 0) fputs(", ", out);
        fputs(cli_topics_term(model, words->term[k * words->n + i], number), out);
    }
    if (dlpi_close_text(out, &text)) return text;
    free(text);
    return NULL;
}
