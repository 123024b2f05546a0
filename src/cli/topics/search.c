/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/search.h"

#include "cli/phase.h"
#include "cli/say.h"
#include "cli/topics/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the fit ---- */

typedef struct watcher {
    cli_progress *progress;
    const cli_search *search;
} watcher;

static int show_progress(void *context, const dlp_topics_row *row)
{
    const watcher *w = context;
    cli_progress_iteration(w->progress, row->iteration, "bound per word",
                           row->bound / (double)w->search->train->words, row->change);
    return cli_progress_watch(NULL, NULL);
}

static dlp_status fit_topics(const cli_search *search, cli_progress *progress,
                             cli_search_row *row, dlp_topics *topics, dlp_error *error)
{
    watcher w = {.progress = progress, .search = search};
    dlp_topics_settings settings = search->settings;
    const double started = cli_seconds();
    dlp_ctm *ctm = NULL;
    char head[64];
    snprintf(head, sizeof head, "K = %td (%td of %td)", row->K, search->done + 1,
             search->count);
    cli_progress_restart(progress, head);
    progress->tol = settings.tol;
    progress->max_iter = settings.max_iter;
    settings.K = row->K;
    settings.progress = show_progress;
    settings.context = &w;
    CLI_TRY(dlp_ctm_alloc(search->train, NULL, &settings, &ctm, error));
    dlp_ctm_run(ctm);
    const dlp_topics_result *r = dlp_ctm_result(ctm);
    row->outcome = r->outcome;
    row->iterations = r->iterations;
    row->bound_per_word = r->bound_per_word;
    row->seconds = cli_seconds() - started;
    const dlp_status status = dlp_ctm_topics(ctm, topics, error);
    dlp_ctm_free(ctm);
    return status;
}

/* ---- how good it is ---- */

static double mean_of(const double *x, dlp_index n)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += x[i];
    return sum / (double)n;
}

/* each is room for K numbers. */
static dlp_status rate(const cli_search *search, const dlp_topics *topics, double *each,
                       cli_search_row *row, dlp_error *error)
{
    dlp_topic_words words;
    CLI_TRY(
        dlp_topics_words(topics, DLP_BY_PROBABILITY, CLI_QUALITY_WORDS, &words, error));
    dlp_topics_exclusivity(topics, &words, each);
    row->exclusivity = mean_of(each, topics->K);
    const dlp_status status = dlp_topics_coherence(&words, search->train, each, error);
    if (status == DLP_OK) row->coherence = mean_of(each, topics->K);
    dlp_topic_words_free(&words);
    return status;
}

static dlp_status score_words(const cli_search *search, const dlp_topics *topics,
                              cli_search_row *row, dlp_error *error)
{
    double *each = calloc((size_t)topics->K, sizeof *each);
    if (!each) return dlp_fail(error, DLP_ENOMEM, "not enough memory to rate the topics");
    const dlp_status status = rate(search, topics, each, row, error);
    free(each);
    return status;
}

static dlp_status score(const cli_search *search, const dlp_topics *topics,
                        cli_search_row *row, dlp_error *error)
{
    dlp_completion held;
    const dlp_completion_settings settings = {.document = &search->settings.document,
                                              .threads = search->settings.threads};
    CLI_TRY(dlp_topics_completion(topics, &settings, search->test, NULL, &held, error));
    row->heldout_per_word =
        held.words > 0 ? held.log_likelihood / (double)held.words : NAN;
    return score_words(search, topics, row, error);
}

dlp_status cli_search_next(cli_search *search, cli_progress *progress, bool *stopped,
                           dlp_error *error)
{
    cli_search_row *row = &search->row[search->done];
    dlp_topics topics;
    CLI_TRY(fit_topics(search, progress, row, &topics, error));
    *stopped = row->outcome == DLP_CANCELLED;
    const dlp_status status = *stopped ? DLP_OK : score(search, &topics, row, error);
    dlp_topics_free(&topics);
    if (status == DLP_OK && !*stopped) search->done++;
    return status;
}

/* ---- which is best ---- */

static double held_out_of(const cli_search_row *row)
{
    return row->heldout_per_word;
}

static double coherence_of(const cli_search_row *row)
{
    return row->coherence;
}

/* The row of the largest number; NULL where no row has one. */
static const cli_search_row *best_by(const cli_search *search,
                                     double (*number)(const cli_search_row *))
{
    const cli_search_row *best = NULL;
    for (dlp_index i = 0; i < search->done; i++) {
        const cli_search_row *row = &search->row[i];
        if (isfinite(number(row)) && (!best || number(row) > number(best))) best = row;
    }
    return best;
}

static dlp_index fewest_close_to(const cli_search *search, const cli_search_row *best)
{
    const double close = CLI_SEARCH_CLOSE * fabs(best->heldout_per_word);
    dlp_index fewest = best->K;
    for (dlp_index i = 0; i < search->done; i++) {
        const cli_search_row *row = &search->row[i];
        const double lost = best->heldout_per_word - row->heldout_per_word;
        if (lost <= close && row->K < fewest) fewest = row->K;
    }
    return fewest;
}

cli_search_advice cli_search_advise(const cli_search *search)
{
    const cli_search_row *held_out = best_by(search, held_out_of);
    const cli_search_row *coherent = best_by(search, coherence_of);
    cli_search_advice a = {.best_held_out = held_out ? held_out->K : 0,
                           .best_coherence = coherent ? coherent->K : 0,
                           .suggested = held_out ? fewest_close_to(search, held_out) : 0};
    for (dlp_index i = 0; i < search->done; i++) {
        const dlp_index K = search->row[i].K;
        if (i == 0 || K < a.least) a.least = K;
        if (K > a.largest) a.largest = K;
    }
    return a;
}
