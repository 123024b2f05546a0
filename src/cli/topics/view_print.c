/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics on a screen: all in a table, or one in detail. */
#include "cli/message.h"
#include "cli/method.h"
#include "cli/outcome.h"
#include "cli/print.h"
#include "cli/screen.h"
#include "cli/topics/print.h"
#include "cli/topics/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BAR = 10, FEW_WORDS = 3, WORD_WIDTH = 20 };

static const char *word_at(const cli_topics_view *view, const dlp_topic_words *words,
                           dlp_index k, dlp_index i, char number[32])
{
    return cli_topics_term(view->model, words->term[k * words->n + i], number);
}

/* The label of a topic, or its first words by FREX: they name it best. */
static void print_few(const cli_topics_view *view, dlp_index k)
{
    cli_topics_print_called(view->model, &view->frex, k, FEW_WORDS);
}

/* "  (topics 3 and 7 of the fit)" of a merged topic */
static void print_members(const cli_topics_view *view, dlp_index g)
{
    const dlp_index *group = dlp_topic_model_group(view->model);
    dlp_index n = 0, printed = 0;
    for (dlp_index k = 0; group && k < dlp_topic_model_fitted(view->model)->K; k++)
        n += group[k] == g;
    if (n < 2) return;
    fputs("topics ", stdout);
    for (dlp_index k = 0; printed < n; k++) {
        if (group[k] != g) continue;
        printed++;
        printf("%td%s", k + 1, printed == n ? "" : printed == n - 1 ? " and " : ", ");
    }
    fputs(" of the fit", stdout);
}

/* Prints a separate line: the topic's label, and the topics it was merged from. */
static void print_title(const cli_topics_view *view, dlp_index k, int indent)
{
    const char *label = dlp_topic_model_label(view->model, k);
    const dlp_index *group = dlp_topic_model_group(view->model);
    dlp_index members = 0;
    for (dlp_index i = 0; group && i < dlp_topic_model_fitted(view->model)->K; i++)
        members += group[i] == k;
    if (!label && members < 2) return;
    if (label) cli_print_name(label, 0);
    if (label && members > 1) fputs("; ", stdout);
    print_members(view, k);
    printf("\n%*s", indent, "");
}

/* Says what words depend on besides the topic. */
static void print_what_differs(const dlp_topic_model *model)
{
    if (dlp_topic_model_slices(model)) {
        const char *time = dlp_topic_model_time(model);
        printf("Topics drift over %td slices of ", dlp_topic_model_slices(model)->T);
        cli_print_name(time ? time : "time", 0);
        printf(
            ", by steps with sd %.3g in log probabilities; the words here are those\n"
            "of their mean, and --topic K shows each slice's.\n",
            dlp_topic_model_slices(model)->drift);
    }
    if (dlp_topic_model_content(model)) {
        const char *column = dlp_topic_model_content_column(model);
        printf("Words of topics differ by %td groups of ",
               dlp_topic_model_content(model)->G);
        cli_print_name(column ? column : "documents", 0);
        puts(
            "; those here are of their mean, and --topic K shows\neach group's side by "
            "side.");
    }
}

static void print_head(const cli_topics_view *view, const char *path)
{
    const dlp_topic_model_info *info = dlp_topic_model_get_info(view->model);
    const dlp_terms *terms = dlp_topic_model_covariate_terms(view->model);
    cli_print_name(path, 0);
    printf(": %td topics over %td terms, from %td document%s.\n", info->K, info->V,
           info->D, cli_plural(info->D));
    if (dlp_topic_model_group(view->model))
        printf("Some are merged: the fit has %td topics.\n",
               dlp_topic_model_fitted(view->model)->K);
    if (info->outcome != DLP_RUNNING)
        printf("The fit by %s %s after %d iteration%s.\n",
               cli_method_phrase(info->method), cli_outcome_sentence(info->outcome),
               info->iterations, cli_plural(info->iterations));
    if (terms) {
        fputs("Prevalence depends on covariates: ", stdout);
        cli_print_name(terms->formula, 0);
        putchar('\n');
    }
    print_what_differs(view->model);
    cli_topics_print_clusters(view->model);
}

/* ---- all topics ---- */

static void print_words(const cli_topics_view *view, const dlp_topic_words *words,
                        dlp_index k, const char *title, int indent)
{
    char number[32];
    cli_list list = {.indent = indent + 6, .width = cli_screen_width()};
    printf("%-6s", title);
    for (dlp_index i = 0; i < words->n; i++)
        cli_list_add(&list, word_at(view, words, k, i, number));
    cli_list_end(&list);
}

static void print_topic(const cli_topics_view *view, dlp_index k)
{
    const double largest = view->prevalence[view->order[0]];
    int indent = 17; /* column where the words begin */
    printf("  %5td %5.1f %%  ", k + 1, 100 * view->prevalence[k]);
    if (view->extent.bars) {
        cli_print_bar(view->prevalence[k] / largest, BAR);
        fputs("  ", stdout);
        indent += BAR + 2;
    }
    if (view->quality.coherence) {
        if (isnan(view->quality.coherence[k])) /* its words never co-occur */
            printf("%9s  %11.4f  ", "-", view->quality.exclusivity[k]);
        else
            printf("%9.4f  %11.4f  ", view->quality.coherence[k],
                   view->quality.exclusivity[k]);
        indent += 24;
    }
    print_title(view, k, indent);
    print_words(view, &view->probable, k, "prob", indent);
    printf("%*s", indent, "");
    print_words(view, &view->frex, k, "frex", indent);
}

static void print_topics(const cli_topics_view *view)
{
    printf("\n  topic   share  %*s%swords\n", view->extent.bars ? BAR + 2 : 0, "",
           view->quality.coherence ? "coherence  exclusivity  " : "");
    for (dlp_index i = 0; i < view->topics->K; i++) print_topic(view, view->order[i]);
}

/* "  +0.46  +0.39 to +0.53" */
static void print_correlation(const cli_topics_view *view, const dlp_topic_pair *p)
{
    const dlp_index at = p->i * view->topics->K + p->j;
    printf("  %+6.2f  %+.2f to %+.2f", p->correlation, view->lower[at], view->upper[at]);
}

static void print_pairs(const cli_topics_view *view)
{
    if (view->n_pairs == 0) return;
    printf(
        "\nTopics that go together (+) or avoid each other (-), by the correlation of "
        "their\nlog ratios, with 95 %% intervals; for unrelated topics it is %.2f:\n",
        dlp_topics_unrelated_correlation(view->topics->K));
    for (dlp_index i = 0; i < view->n_pairs; i++) {
        const dlp_topic_pair *p = &view->pair[i];
        print_correlation(view, p);
        printf("  %3td (", p->i + 1);
        print_few(view, p->i);
        printf(") and %td (", p->j + 1);
        print_few(view, p->j);
        puts(")");
    }
    cli_topics_print_few_words(view->model);
}

static void print_notes(const cli_topics_view *view, const char *path)
{
    if (view->quality.coherence)
        printf(
            "\nMean coherence (NPMI) %.4f, mean exclusivity %.4f, each over a topic's "
            "%d most\nprobable words.\n",
            view->quality.mean_coherence, view->quality.mean_exclusivity,
            DLP_QUALITY_WORDS);
    puts(
        "\nThe share is a topic's proportion averaged over documents, long and short "
        "alike.");
    printf("\nNext, a topic in detail:\n  delaplace topics show ");
    cli_print_shell_word(path);
    printf(" --topic %td\n", view->order[0] + 1);
    printf("or all of it in a browser:\n  delaplace report ");
    cli_print_shell_word(path);
    puts(" -o report.html");
}

/* ---- one topic ---- */

static void print_ranking(const cli_topics_view *view, dlp_index k)
{
    const dlp_topic_words *by_probability = &view->probable, *by_frex = &view->frex;
    char number[32];
    printf("\n  %-*s %12s     %-*s %6s\n", WORD_WIDTH, "by probability", "probability",
           WORD_WIDTH, "by FREX", "FREX");
    for (dlp_index i = 0; i < by_probability->n; i++) {
        fputs("  ", stdout);
        cli_print_name(word_at(view, by_probability, k, i, number), WORD_WIDTH);
        printf(" %10.3g %%     ", 100 * by_probability->score[k * by_probability->n + i]);
        cli_print_name(word_at(view, by_frex, k, i, number), WORD_WIDTH);
        printf(" %6.4f\n", by_frex->score[k * by_frex->n + i]);
    }
    puts(
        "\n  FREX, from 0 to 1: the larger, the higher a word ranks both by its "
        "probability in\n  the topic and by how exclusive it is to it.");
}

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM, "not enough memory to show the topic");
}

static dlp_status print_neighbours(const cli_topics_view *view, dlp_index k,
                                   dlp_error *error)
{
    const dlp_index most = view->extent.pairs;
    dlp_topic_pair *list = calloc((size_t)most + 1, sizeof *list);
    if (!list) return no_memory(error);
    const dlp_index n = dlp_topics_neighbours(view->topics->K, view->R, k, most, list);
    if (n > 0) puts("\n  correlation with other topics, 95 % interval");
    for (dlp_index i = 0; i < n; i++) {
        print_correlation(view, &list[i]);
        printf("  %3td (", list[i].j + 1);
        print_few(view, list[i].j);
        puts(")");
    }
    if (n > 0) cli_topics_print_few_words(view->model);
    free(list);
    return DLP_OK;
}

static dlp_status print_documents(const cli_topics_view *view, dlp_index k,
                                  dlp_error *error)
{
    const dlp_index most = view->extent.documents;
    dlp_topic_document *list = calloc((size_t)most + 1, sizeof *list);
    if (!list) return no_memory(error);
    const dlp_index n =
        dlp_topics_documents(view->D, view->topics->K, view->theta, k, most, list);
    if (n > 0) puts("\n  documents that show it most");
    for (dlp_index i = 0; i < n; i++) {
        char number[32];
        printf("  %5.1f %%  ", 100 * list[i].share);
        if (view->extent.bars) {
            cli_print_bar(list[i].share, BAR);
            fputs("  ", stdout);
        }
        if (!dlp_topic_model_names(view->model)) fputs("document ", stdout);
        cli_print_name(cli_topics_document(view->model, list[i].document, number), 0);
        putchar('\n');
    }
    free(list);
    return DLP_OK;
}

static dlp_status print_detail(const cli_topics_view *view, dlp_error *error)
{
    const dlp_index k = view->extent.topic, K = view->topics->K;
    dlp_index rank = 0;
    while (view->order[rank] != k) rank++;
    if (dlp_topic_model_label(view->model, k) || dlp_topic_model_group(view->model)) {
        putchar('\n');
        print_title(view, k, 0);
    }
    printf("\nTopic %td makes up %.1f %% of a document on average: rank %td of %td.\n",
           k + 1, 100 * view->prevalence[k], rank + 1, K);
    printf("Exclusivity %.4f", view->quality.exclusivity[k]);
    if (view->quality.coherence)
        printf(", coherence (NPMI) %.4f", view->quality.coherence[k]);
    printf(", over its %d most probable words.\n", DLP_QUALITY_WORDS);
    print_ranking(view, k);
    CLI_TRY(cli_topics_time_print(view, k, error));
    CLI_TRY(cli_topics_content_print(view, k, error));
    dlp_status status = print_neighbours(view, k, error);
    if (status == DLP_OK) status = print_documents(view, k, error);
    return status;
}

dlp_status cli_topics_view_print(const cli_topics_view *view, const char *path,
                                 dlp_error *error)
{
    print_head(view, path);
    if (view->extent.topic >= 0) return print_detail(view, error);
    print_topics(view);
    cli_topics_content_print_common(view);
    print_pairs(view);
    print_notes(view, path);
    return DLP_OK;
}
