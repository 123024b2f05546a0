/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics infer: what new documents are about. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/topics/input.h"
#include "cli/topics/proportions.h"
#include "io/print_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct infer_settings {
    cli_common common;
    cli_topics_source source;
    const char *output;
    bool uncertainty;
    bool json;
} infer_settings;

static json_t *summary_json(const infer_settings *s, const cli_topics_input *input,
                            const dlp_inference_result *found)
{
    return json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "output", dlpi_json_text(s->output), "D",
        (json_int_t)input->corpus->D, "dropped", (json_int_t)input->dropped, "K",
        (json_int_t)dlp_topic_model_topics(input->model)->K, "words",
        (json_int_t)input->corpus->words + (json_int_t)input->unseen, "unseen_words",
        (json_int_t)input->unseen + (json_int_t)found->unseen, "unsettled",
        (json_int_t)found->unsettled);
}

static void print_dropped(FILE *out, const cli_topics_input *input)
{
    const cli_covariates *const covariates = &input->covariates;
    cli_topics_print_dropped(out, input->dropped, 1, &covariates);
}

static void print_summary(const infer_settings *s, const cli_topics_input *input,
                          const dlp_inference_result *found)
{
    const dlp_index unseen = input->unseen + found->unseen, unsettled = found->unsettled;
    printf("Proportions of %td topics in %td document%s.\n",
           dlp_topic_model_topics(input->model)->K, input->corpus->D,
           cli_plural(input->corpus->D));
    print_dropped(stdout, input);
    if (unseen > 0)
        printf("%td of %td words are not in the model's vocabulary; they were dropped.\n",
               unseen, input->corpus->words + input->unseen);
    if (unsettled > 0)
        printf(
            "%td document%s did not converge; a model fitted by another --method may do "
            "better.\n",
            unsettled, cli_plural(unsettled));
    printf("Written to %s\n", s->output);
}

static dlp_status write_table(const infer_settings *s, const cli_topics_input *input,
                              dlp_inference_result *found, dlp_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = dlpi_open_text(&text, &size);
    if (!out) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the table");
    dlp_status status =
        cli_topics_print_proportions(input, s->uncertainty, out, found, error);
    if (!dlpi_close_text(out, &text) && status == DLP_OK)
        status = dlp_fail(error, DLP_ENOMEM, "not enough memory for the table");
    if (status == DLP_OK)
        status = dlp_file_write(cli_output_path(s->output), text, size, error);
    free(text);
    return status;
}

static dlp_status print_result(const infer_settings *s, const cli_topics_input *input,
                               const dlp_inference_result *found, dlp_error *error)
{
    if (!strcmp(s->output, "-")) {
        if (!s->common.quiet) print_dropped(stderr, input);
        return DLP_OK;
    }
    if (s->json) {
        json_t *summary = summary_json(s, input, found);
        const dlp_status status = cli_json_print(summary, error);
        json_decref(summary);
        return status;
    }
    if (!s->common.quiet) print_summary(s, input, found);
    return DLP_OK;
}

static dlp_status infer(const infer_settings *s, cli_topics_input *input,
                        dlp_error *error)
{
    CLI_TRY(dlp_file_try(cli_output_path(s->output), error));
    CLI_TRY(cli_topics_input_read(&s->source, input, error));
    dlp_inference_result found = {0};
    CLI_TRY(write_table(s, input, &found, error));
    return print_result(s, input, &found, error);
}

static int run(const void *command_settings)
{
    const infer_settings *s = command_settings;
    if (cli_topics_input_misused(cli_topics_infer_command.name, &s->source))
        return CLI_MISUSE;
    cli_topics_input input = {0};
    dlp_error error = {0};
    const dlp_status status = infer(s, &input, &error);
    cli_topics_input_clear(&input);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

static const cli_operand operands[] = {
    CLI_TOPICS_SOURCE_OPERANDS(infer_settings),
    {.name = NULL},
};

#define FIELD(name) offsetof(infer_settings, name)

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "OUT.csv",
     .offset = FIELD(output),
     .required = true,
     .help = "Where the table goes: written whole or not at all. - is standard output, "
             "without the summary."},
    {.name = "uncertainty",
     .offset = FIELD(uncertainty),
     .help = "Add the standard deviation of every proportion."},
    CLI_TOPICS_SOURCE_OPTIONS(infer_settings),
    CLI_JSON_SUMMARY(FIELD(json)),
    {.name = NULL},
};

const cli_command cli_topics_infer_command = {
    .name = "topics infer",
    .summary = "infer the topic proportions of new documents",
    .description =
        "Applies a fitted model to documents and writes a table with one row each: the "
        "document's name, or its number from 1, then the proportions topic1, topic2, ... "
        "of the topics, which are softmax of the posterior mean of theta. With "
        "--uncertainty, their standard deviations topic1_sd, ... follow; they account "
        "for not knowing which topic each word came from, and are accurate to first "
        "order.\n\nWords that were not in the training documents are dropped and "
        "counted; 'corpus build --vocab MODEL/vocab.txt' drops and counts them itself. A "
        "document with no words left gets the prior.",
    .example =
        "  delaplace topics infer model new.ldac -o proportions.csv --uncertainty\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(infer_settings),
    .run = run,
};
