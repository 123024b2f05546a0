/* SPDX-License-Identifier: BSD-3-Clause */
/* delaplace topics merge: topics that are reported as one. */
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/topics/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3 }; /* operands; each may hold several merges */

typedef struct merge_settings {
    cli_common common;
    const char *model;
    const char *which[MOST];
    const char *output;
    bool undo;
} merge_settings;

/* Prints the fitted topics that make up topic g. */
static void print_members(const dlp_topic_model *model, dlp_index g)
{
    const dlp_index *group = dlp_topic_model_group(model);
    const char *before = "";
    for (dlp_index k = 0; k < dlp_topic_model_fitted(model)->K; k++) {
        if (group[k] != g) continue;
        printf("%s%td", before, k + 1);
        before = "+";
    }
}

static void print_merged(const merge_settings *s, const dlp_topic_model *model)
{
    const dlp_index K = dlp_topic_model_topics(model)->K,
                    fitted = dlp_topic_model_fitted(model)->K;
    if (!dlp_topic_model_group(model)) {
        printf("%td topics, as they were fitted.\n", K);
        return;
    }
    printf("%td topics, merged into %td:\n\n  topic  of the fit\n", fitted, K);
    for (dlp_index g = 0; g < K; g++) {
        const char *label = dlp_topic_model_label(model, g);
        printf("  %5td  ", g + 1);
        print_members(model, g);
        if (label) {
            fputs("  ", stdout);
            cli_print_name(label, 0);
        }
        putchar('\n');
    }
    puts(
        "\nMerged topics add their shares in every document and draw, and average their "
        "words by\nshare. Documents are still read with the topics of the fit.");
    fputs("To undo this: delaplace topics merge ", stdout);
    cli_print_shell_word(s->output ? s->output : s->model);
    puts(" --undo");
}

static dlp_status merge(const merge_settings *s, dlp_topic_model *model, dlp_error *error)
{
    const dlp_index K = dlp_topic_model_topics(model)->K;
    dlp_index *group = calloc((size_t)K, sizeof *group);
    dlp_status status = DLP_OK;
    if (!group) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the topics");
    for (dlp_index k = 0; k < K; k++) group[k] = k;
    for (int i = 0; i < MOST && s->which[i] && status == DLP_OK; i++)
        status = dlp_topic_merge_parse(s->which[i], K, group, error);
    if (status == DLP_OK) status = dlp_topic_model_merge(model, group, error);
    free(group);
    return status;
}

static dlp_status change(const merge_settings *s, dlp_topic_model *model,
                         dlp_error *error)
{
    if (s->undo) CLI_TRY(dlp_topic_model_unmerge(model, error));
    if (s->which[0]) CLI_TRY(merge(s, model, error));
    if (!s->undo && !s->which[0] && !s->output) return DLP_OK;
    return dlp_topic_model_save(model, s->output ? s->output : s->model, error);
}

static int run(const void *settings)
{
    const merge_settings *s = settings;
    dlp_topic_model *model = NULL;
    dlp_error error = {0};
    dlp_status status = cli_topics_load(s->model, DLP_LOAD_ALL, &model, &error);
    if (status == DLP_OK) status = change(s, model, &error);
    if (status == DLP_OK && !s->common.quiet) print_merged(s, model);
    dlp_topic_model_free(model);
    return status == DLP_OK ? CLI_DONE : cli_failed(status, &error);
}

#define FIELD(name) offsetof(merge_settings, name)
#define MORE(i)                                                                          \
    {                                                                                    \
        .name = "MORE", .offset = FIELD(which[i]), .optional = true,                     \
        .help = "Other topics to merge."                                                 \
    }

static const cli_operand operands[] = {
    CLI_MODEL_OPERAND(FIELD(model)),
    {.name = "TOPICS",
     .offset = FIELD(which[0]),
     .optional = true,
     .help = "Topics to merge, as in 3+7 or 3+7+12, by their present numbers. "
             "Up to eight of these."},
    MORE(1),
    MORE(2),
    {.name = NULL},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .type = CLI_PATH,
     .value = "MODEL/",
     .offset = FIELD(output),
     .help = "Another folder for the model; without it, the model itself is changed."},
    {.name = "undo",
     .offset = FIELD(undo),
     .help = "First undo earlier merges. This discards the labels."},
    {.name = NULL},
};

const cli_command cli_topics_merge_command = {
    .name = "topics merge",
    .summary = "treat several topics as one",
    .description =
        "Makes every command, and the report, treat several topics as one. A document's "
        "share of a merged topic is the sum of its parts' shares, also in each draw of "
        "'topics effects'; its words are those of its parts, weighted by their mean "
        "shares. The fit itself does not change: new documents are read with all of its "
        "topics and shares are added afterwards, so held-out likelihoods stay the "
        "same.\n\nCorrelations are those of the log ratios of added shares under the "
        "fitted normal distribution; these ratios are no longer normal.\n\nTopics "
        "are renumbered, and the new numbers are printed.",
    .example =
        "  delaplace topics merge model 3+7 2+5+9\n"
        "  delaplace topics merge model --undo\n",
    .operands = operands,
    .options = options,
    .settings_size = sizeof(merge_settings),
    .run = run,
};
