/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics show: prints a topic model. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/corpus/source.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/topics/view.h"

#include <stdio.h>
#include <unistd.h>

typedef struct show_settings {
    cli_common common;
    const char *model;
    const char *corpus;
    const char *vocab;
    const char *format;
    dlp_index topic;
    dlp_index words;
    dlp_index correlations;
    dlp_index documents;
    const char *svg;
    bool json;
} show_settings;

/* Default numbers of words: for each of all topics, and for one topic in detail. */
enum { WORDS_OF_ALL = 7, WORDS_OF_ONE = 20 };

static cli_topics_extent extent_of(const show_settings *s)
{
    const dlp_index usual = s->topic ? WORDS_OF_ONE : WORDS_OF_ALL;
    return (cli_topics_extent){.words = s->words ? s->words : usual,
                               .pairs = s->correlations,
                               .documents = s->topic ? s->documents : 0,
                               .topic = s->topic - 1,
                               .bars = isatty(STDOUT_FILENO)};
}

static dlp_status open_corpus(const show_settings *s, const dlp_topic_model *model,
                              dlp_corpus **corpus, dlp_error *error)
{
    if (!s->corpus) return DLP_OK;
    CLI_TRY(cli_corpus_open(s->corpus, s->format, s->vocab, corpus, error));
    return dlp_topic_model_align(model, *corpus, NULL, error);
}

static dlp_status print_text(const show_settings *s, const cli_topics_view *view,
                             dlp_error *error)
{
    CLI_TRY(cli_topics_view_print(view, s->model, error));
    if (s->common.quiet || !s->svg) return DLP_OK;
    putchar('\n');
    cli_print_written(s->svg);
    return DLP_OK;
}

static dlp_status report(const show_settings *s, const cli_topics_view *view,
                         dlp_error *error)
{
    if (s->svg) CLI_TRY(cli_topics_view_write_svg(view, cli_output_path(s->svg), error));
    if (cli_is_stdout(s->svg)) return DLP_OK;
    if (!s->json) return print_text(s, view, error);
    json_t *root = cli_topics_view_json(view);
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

static dlp_status show(const show_settings *s, const dlp_topic_model *model,
                       dlp_error *error)
{
    const cli_topics_extent extent = extent_of(s);
    dlp_corpus *corpus = NULL;
    cli_topics_view view = {0};
    const dlp_index K = dlp_topic_model_topics(model)->K;
    if (s->topic > K)
        return dlp_fail(error, DLP_EINVAL, "%s has topics 1 to %td, but no topic %td",
                        s->model, K, s->topic);
    dlp_status status = open_corpus(s, model, &corpus, error);
    if (status == DLP_OK)
        status = cli_topics_view_make(model, &extent, corpus, &view, error);
    if (status == DLP_OK) status = report(s, &view, error);
    cli_topics_view_clear(&view);
    dlp_corpus_free(corpus);
    return status;
}

static int run(const void *settings)
{
    const show_settings *s = settings;
    if (s->corpus &&
        cli_corpus_reads_stdin_twice(cli_topics_show_command.name, s->corpus, s->vocab))
        return CLI_MISUSE;
    if (s->vocab && !s->corpus)
        return cli_misuse(cli_topics_show_command.name,
                          "--vocab names the terms of a --corpus; the model has its own");
    dlp_topic_model *model = NULL;
    dlp_error error = {0};
    dlp_status status = cli_try_output(s->svg, &error);
    if (status == DLP_OK)
        status = cli_topics_load(
            s->model, DLP_LOAD_THETA | DLP_LOAD_NAMES | DLP_LOAD_SLICES, &model, &error);
    if (status == DLP_OK) status = show(s, model, &error);
    dlp_topic_model_free(model);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

#define FIELD(name) offsetof(show_settings, name)

static const cli_operand operands[] = {
    CLI_MODEL_OPERAND(FIELD(model)),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "topic",
     .type = CLI_COUNT,
     .value = "K",
     .offset = FIELD(topic),
     .min = 1,
     .max = 1000000,
     .help = "Show this topic in detail: its words with their probabilities and FREX, "
             "its neighbours, and the documents that show it most."},
    {.name = "words",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(words),
     .min = 1,
     .max = 1000000,
     .help = "How many words of a topic to show; without it 7, or 20 with --topic."},
    {.name = "correlations",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(correlations),
     .initial = "8",
     .max = 1000000,
     .help = "How many of the strongest correlations between topics to show."},
    {.name = "documents",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(documents),
     .initial = "10",
     .max = 1000000,
     .help = "With --topic: how many documents to show."},
    {.name = "corpus",
     .type = CLI_PATH,
     .value = "FILE",
     .offset = FIELD(corpus),
     .help = "Also show how well topics read: their coherence within this corpus (NPMI "
             "of the 10 most probable words) and their exclusivity."},
    CLI_VOCAB(FIELD(vocab)),
    CLI_CORPUS_FORMAT(FIELD(format)),
    CLI_SVG(FIELD(svg), "which topics go together"),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_topics_show_command = {
    .name = "topics show",
    .summary = "show the topics of a model",
    .description =
        "Prints a table of the topics, the most prevalent first: each topic's mean share "
        "of a document, its most probable words, and its words by FREX, which are "
        "frequent in the topic and exclusive to it. The strongest correlations between "
        "topics follow.\n\nFREX goes from 0 to 1, and larger is better: it is the "
        "harmonic mean of a term's ranks, as shares of all terms, by frequency in the "
        "topic and by exclusivity to it.\n\nCorrelations are those of the centred log "
        "ratios, theta minus its mean over topics, because theta itself is known only up "
        "to a shift. On a terminal bars are drawn, and lines fit its width.",
    .example =
        "  delaplace topics show model\n"
        "  delaplace topics show model --topic 3\n"
        "  delaplace topics show model --corpus data/packages.ldac\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(show_settings),
    .run = run,
};
