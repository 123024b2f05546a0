/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics evaluate: how well a model predicts the rest of each document. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/topics/input.h"

#include <stdio.h>

typedef struct evaluate_settings {
    cli_common common;
    cli_topics_source source;
    const char *halves;
    dlp_index seed;
    bool json;
} evaluate_settings;

static dlp_status print_result(const evaluate_settings *s, const dlp_completion *c,
                               dlp_index dropped, dlp_error *error)
{
    if (!s->json) {
        printf("  documents       %td", c->documents);
        if (dropped) printf(" (%td with missing values dropped)", dropped);
        putchar('\n');
        printf("  words           %td, in the halves that are scored\n", c->words);
        printf(
            "  unseen words    %td in the corpus, besides those that 'corpus build' "
            "dropped\n",
            c->unseen_words);
        printf("  log likelihood  %.4f per word, held out\n", c->per_word);
        return DLP_OK;
    }
    json_t *result = json_pack(
        "{s:I, s:I, s:I, s:I, s:o, s:o, s:s, s:o}", "documents", (json_int_t)c->documents,
        "dropped", (json_int_t)dropped, "words", (json_int_t)c->words, "unseen_words",
        (json_int_t)c->unseen_words, "log_likelihood", dlpi_json_real(c->log_likelihood),
        "heldout_per_word", dlpi_json_real(c->per_word), "halves", s->halves, "seed",
        cli_halves_random(s->halves) ? json_integer((json_int_t)s->seed) : json_null());
    const dlp_status status = cli_json_print(result, error);
    json_decref(result);
    return status;
}

static dlp_status score(const evaluate_settings *s, const cli_topics_input *input,
                        dlp_completion *completion, dlp_error *error)
{
    cli_progress progress = cli_progress_begin("scoring");
    dlp_completion_settings settings = dlp_completion_settings_default();
    settings.threads = input->threads;
    settings.random_halves = cli_halves_random(s->halves);
    settings.seed = (uint64_t)s->seed;
    settings.progress = cli_progress_call;
    settings.context = &progress;
    const dlp_status status = dlp_topic_model_evaluate(
        input->model, input->corpus, cli_covariates_of(&input->covariates), &settings,
        completion, error);
    cli_progress_end();
    return status;
}

static dlp_status evaluate(const evaluate_settings *s, cli_topics_input *input,
                           bool *stopped, dlp_error *error)
{
    dlp_completion completion;
    CLI_TRY(cli_topics_input_read(&s->source, input, error));
    CLI_TRY(cli_in_file(s->source.corpus, score(s, input, &completion, error), error));
    *stopped = completion.outcome == DLP_CANCELLED;
    if (*stopped) return DLP_OK;
    completion.unseen_words += input->unseen;
    return print_result(s, &completion, input->dropped, error);
}

static int run(const void *command_settings)
{
    const evaluate_settings *s = command_settings;
    if (cli_topics_input_misused(cli_topics_evaluate_command.name, &s->source))
        return CLI_MISUSE;
    cli_topics_input input = {0};
    dlp_error error = {0};
    bool stopped = false;
    const dlp_status status = evaluate(s, &input, &stopped, &error);
    cli_topics_input_clear(&input);
    if (status != DLP_OK) return cli_failed(status, &error);
    return stopped ? cli_progress_without_result() : CLI_DONE;
}

static void defaults(void *settings)
{
    evaluate_settings *s = settings;
    const dlp_completion_settings library = dlp_completion_settings_default();
    s->halves = cli_halves_name(library.random_halves != 0);
    s->seed = (dlp_index)library.seed;
}

static const cli_operand operands[] = {
    CLI_TOPICS_SOURCE_OPERANDS(evaluate_settings),
    {.name = NULL},
};

static const cli_option options[] = {
    CLI_TOPICS_SOURCE_OPTIONS(evaluate_settings),
    CLI_HALVES(offsetof(evaluate_settings, halves)),
    CLI_SEED(offsetof(evaluate_settings, seed), "random halves"),
    CLI_JSON_RESULT(offsetof(evaluate_settings, json)),
    {.name = NULL},
};

const cli_command cli_topics_evaluate_command = {
    .name = "topics evaluate",
    .summary = "measure the held-out likelihood of a model, by document completion",
    .description =
        "The words of each document, sorted by term, are split alternately into two "
        "halves, or at random (--halves random). The topic proportions are inferred from "
        "the first, and the words of the "
        "second are scored by their log probability. Larger is better; use documents "
        "that the model was not fitted to.\n\nWords that were not in the training "
        "documents are dropped and counted as unseen. A corpus made with 'corpus build "
        "--vocab MODEL/vocab.txt' has none: that command drops and counts them itself.",
    .example = "  delaplace topics evaluate model test.ldac --json\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(evaluate_settings),
    .defaults = defaults,
    .run = run,
};
