/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics label: names for the topics of a model. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/topics/model.h"

#include <stdio.h>

typedef struct label_settings {
    cli_common common;
    const char *model;
    const char *labels;
    bool remove;
} label_settings;

static void print_labels(const dlp_topic_model *model)
{
    const dlp_index K = dlp_topic_model_topics(model)->K;
    dlp_index without = 0;
    for (dlp_index k = 0; k < K; k++) {
        const char *label = dlp_topic_model_label(model, k);
        if (!label) {
            without++;
            continue;
        }
        printf("  %5td  ", k + 1);
        cli_print_name(label, 0);
        putchar('\n');
    }
    if (without == K)
        puts("No topic has a label.");
    else if (without > 0)
        printf("%td topic%s no label.\n", without, without == 1 ? " has" : "s have");
}

static dlp_status label_model(const label_settings *s, dlp_topic_model *model,
                              dlp_error *error)
{
    char **label = NULL;
    if (s->labels)
        CLI_TRY(dlp_topic_labels_read(s->labels, dlp_topic_model_topics(model)->K, &label,
                                      error));
    dlp_status status = dlp_topic_model_set_labels(model, label, error);
    dlp_topic_labels_free(label);
    if (status == DLP_OK) status = dlp_topic_model_save(model, s->model, error);
    return status;
}

static int run(const void *settings)
{
    const label_settings *s = settings;
    if (s->labels && s->remove)
        return cli_misuse(cli_topics_label_command.name,
                          "give a file of labels or --remove, not both");
    dlp_topic_model *model = NULL;
    dlp_error error = {0};
    dlp_status status = cli_topics_load(s->model, DLP_LOAD_ALL, &model, &error);
    if (status == DLP_OK && (s->labels || s->remove))
        status = label_model(s, model, &error);
    if (status == DLP_OK && !s->common.quiet) print_labels(model);
    dlp_topic_model_free(model);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

#define FIELD(name) offsetof(label_settings, name)

static const cli_operand operands[] = {
    CLI_MODEL_OPERAND(FIELD(model)),
    {.name = "LABELS",
     .offset = FIELD(labels),
     .optional = true,
     .path = true,
     .help = "A file with a line for each topic, as '3: economy'; or, where no "
             "line has a number, line k is for topic k. Without it, the present "
             "labels are printed."},
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "remove", .offset = FIELD(remove), .help = "Remove all labels."},
    {.name = NULL},
};

const cli_command cli_topics_label_command = {
    .name = "topics label",
    .summary = "name the topics of a model",
    .description =
        "Stores labels of topics in the model's folder, in model.json: "
        "'topics show', 'topics effects', 'topics export' and the report "
        "then call topics by them. The numbers of the model do not change.",
    .example =
        "  delaplace topics label model labels.txt\n"
        "  delaplace topics label model\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(label_settings),
    .run = run,
};
