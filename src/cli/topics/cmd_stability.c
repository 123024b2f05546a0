/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics stability: whether another fit would find a model's topics again. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/topics/input.h"
#include "io/json.h"

#include <math.h>
#include <stdio.h>

typedef struct stability_settings {
    cli_common common;
    cli_topics_source source;
    dlp_index starts;
    dlp_index splits;
    dlp_index seed;
    bool keep;
    bool json;
} stability_settings;

enum { FEW_WORDS = 4 };

/* ---- text ---- */

static void print_found(int n, dlp_topic_found f)
{
    if (n > 0) printf("   %5.2f  %5.2f  %5.1f", f.mean, f.least, f.common);
}

static void print_head(const dlp_stability *x)
{
    puts(
        "How much of each topic's words, from 0 to 1, other fits find; and how many of "
        "its 10 "
        "most\nprobable words.\n");
    printf("        ");
    if (x->starts) printf("   %-19s", "other starts");
    if (x->halves) printf("   %-19s", "half the documents");
    printf("\n   topic");
    if (x->starts) printf("   %5s  %5s  %5s", "mean", "least", "words");
    if (x->halves) printf("   %5s  %5s  %5s", "mean", "least", "words");
    putchar('\n');
}

static dlp_status print_text(const cli_topics_input *input, const dlp_stability *x,
                             dlp_error *error)
{
    const dlp_topics *topics = dlp_topic_model_fitted(input->model);
    const bool merged = dlp_topic_model_group(input->model) != NULL;
    dlp_topic_words words;
    CLI_TRY(dlp_topics_words(topics, DLP_BY_FREX, FEW_WORDS, &words, error));
    print_head(x);
    for (dlp_index k = 0; k < x->K; k++) {
        char number[32];
        printf("  %6td", k + 1);
        print_found(x->starts, dlp_stability_of_starts(x, k));
        print_found(x->halves, dlp_stability_of_halves(x, k));
        fputs("   ", stdout);
        for (dlp_index i = 0; merged && i < words.n; i++) {
            if (i > 0) fputs(", ", stdout);
            cli_print_name(
                cli_topics_term(input->model, words.term[k * words.n + i], number), 0);
        }
        if (!merged) cli_topics_print_called(input->model, &words, k, FEW_WORDS);
        putchar('\n');
    }
    if (x->starts) {
        const double own = dlp_topic_model_get_info(input->model)->objective_per_word;
        fputs("\nLog evidence per word:", stdout);
        if (isfinite(own)) printf(" %.4f of the model;", own);
        fputs(" of other starts", stdout);
        for (int i = 0; i < x->starts; i++) printf(" %.4f", x->objective_per_word[i]);
        puts(".");
    }
    dlp_topic_words_free(&words);
    return DLP_OK;
}

/* ---- JSON ---- */

static json_t *found_json(int n, dlp_topic_found f)
{
    if (n == 0) return json_null();
    return json_pack("{s:o, s:o, s:o}", "mean", dlpi_json_real(f.mean), "least",
                     dlpi_json_real(f.least), "words", dlpi_json_real(f.common));
}

static json_t *topic_at(const void *of, dlp_index k)
{
    const dlp_stability *x = of;
    return json_pack("{s:I, s:o, s:o}", "topic", (json_int_t)k + 1, "starts",
                     found_json(x->starts, dlp_stability_of_starts(x, k)), "halves",
                     found_json(x->halves, dlp_stability_of_halves(x, k)));
}

static json_t *log_evidence_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i]);
}

static dlp_status print_json(const cli_topics_input *input, const dlp_stability *x,
                             dlp_error *error)
{
    json_t *root = json_pack(
        "{s:i, s:i, s:o, s:o, s:o}", "starts", x->starts, "halves", x->halves,
        "log_evidence_per_word",
        dlpi_json_real(dlp_topic_model_get_info(input->model)->objective_per_word),
        "log_evidence_per_word_of_starts",
        dlpi_json_list(x->starts, log_evidence_at, x->objective_per_word), "topics",
        dlpi_json_list(x->K, topic_at, x));
    const dlp_status status = cli_json_print(root, error);
    json_decref(root);
    return status;
}

/* ---- the command ---- */

static dlp_status keep(const stability_settings *s, const dlp_stability *x,
                       dlp_error *error)
{
    dlp_topic_model *model = NULL;
    CLI_TRY(cli_topics_load(s->source.model, DLP_LOAD_ALL, &model, error));
    dlp_status status = dlp_topic_model_keep_stability(model, x, error);
    if (status == DLP_OK) status = dlp_topic_model_save(model, s->source.model, error);
    dlp_topic_model_free(model);
    return status;
}

static dlp_status find(const stability_settings *s, cli_topics_input *input,
                       dlp_stability *x, dlp_error *error)
{
    dlp_stability_settings settings = dlp_stability_settings_default();
    CLI_TRY(cli_topics_input_read(&s->source, input, error));
    const dlp_document_covariates *covariates = cli_covariates_of(&input->covariates);
    settings.starts = (int)s->starts;
    settings.splits = (int)s->splits;
    settings.seed = (uint64_t)s->seed;
    settings.threads = input->threads;
    cli_progress progress = cli_progress_begin("fitting again");
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status = dlp_topic_model_stability(input->model, input->corpus,
                                                        covariates, &settings, x, error);
    cli_progress_end();
    return status;
}

static int run(const void *command_settings)
{
    const stability_settings *s = command_settings;
    if (cli_topics_input_misused(cli_topics_stability_command.name, &s->source))
        return CLI_MISUSE;
    cli_topics_input input = {0};
    dlp_stability x = {0};
    dlp_error error = {0};
    dlp_status status = find(s, &input, &x, &error);
    if (status == DLP_OK && s->keep) status = keep(s, &x, &error);
    if (status == DLP_OK && s->json)
        status = print_json(&input, &x, &error);
    else if (status == DLP_OK && !s->common.quiet)
        status = print_text(&input, &x, &error);
    dlp_stability_free(&x);
    cli_topics_input_clear(&input);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static void defaults(void *settings)
{
    stability_settings *s = settings;
    const dlp_stability_settings library = dlp_stability_settings_default();
    s->starts = library.starts;
    s->splits = library.splits;
    s->seed = (dlp_index)library.seed;
}

static const cli_operand operands[] = {
    CLI_TOPICS_SOURCE_OPERANDS(stability_settings),
    {.name = NULL},
};

#define FIELD(name) offsetof(stability_settings, name)

static const cli_option options[] = {
    {.name = "starts",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(starts),
     .of_library = true,
     .max = 1000,
     .help = "How many fits of all documents, from random topics."},
    {.name = "splits",
     .type = CLI_COUNT,
     .value = "N",
     .offset = FIELD(splits),
     .of_library = true,
     .max = 1000,
     .help = "How many times to split the documents into halves, each of which "
             "is fitted."},
    CLI_SEED(FIELD(seed), "random topics and halves"),
    {.name = "keep",
     .offset = FIELD(keep),
     .help = "Keep the result in the model's folder, for its report."},
    CLI_TOPICS_SOURCE_OPTIONS(stability_settings),
    CLI_JSON_RESULT(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_topics_stability_command = {
    .name = "topics stability",
    .summary = "check whether topics would be found again",
    .description =
        "Fits the topics of a model again, with its settings: from random starts, and to "
        "halves of the documents. The topics of each fit are matched with the model's, "
        "each with one. The similarity of two topics is the share of their words that "
        "they have in common: 1 if they are equal, 0 if they share none.\n\nGive the "
        "corpus of the fit. A topic that other starts do not find depends on where the "
        "fit began; one that halves do not find, on which documents are in the corpus.",
    .example = "  delaplace topics stability model data/packages.ldac\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(stability_settings),
    .defaults = defaults,
    .run = run,
};
