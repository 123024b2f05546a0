/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands.h"

#include "cli/message.h"
#include "cli/suggest.h"

#include <stdio.h>
#include <string.h>

#define COMMANDS(...) ((const cli_command *const[]){__VA_ARGS__, NULL})

const cli_command_group cli_command_groups[] = {
    {"glm", "Bayesian regression: logistic and other generalised linear models",
     COMMANDS(&cli_glm_fit_command, &cli_glm_show_command, &cli_glm_predict_command,
              &cli_glm_evaluate_command, &cli_glm_check_command,
              &cli_glm_residuals_command, &cli_glm_ppc_command, &cli_glm_compare_command,
              &cli_glm_cv_command, &cli_glm_sbc_command, &cli_glm_draws_command,
              &cli_glm_effects_command, &cli_glm_means_command, &cli_glm_contrast_command,
              &cli_glm_dose_command)},
    {"topics", "the correlated topic model: find what a corpus is about",
     COMMANDS(&cli_topics_fit_command, &cli_topics_update_command,
              &cli_topics_show_command, &cli_topics_infer_command,
              &cli_topics_evaluate_command, &cli_topics_effects_command,
              &cli_topics_search_command, &cli_topics_label_command,
              &cli_topics_merge_command, &cli_topics_export_command,
              &cli_topics_stability_command)},
    {"bugs", "models written in the language of BUGS and JAGS",
     COMMANDS(&cli_bugs_fit_command, &cli_bugs_check_command, &cli_bugs_graph_command)},
    {"unigram", "the paper's language model for word counts", COMMANDS(&cli_unigram_fit)},
    {"corpus", "build, convert, split and describe corpora of word counts",
     COMMANDS(&cli_corpus_build_command, &cli_corpus_convert_command,
              &cli_corpus_stats_command, &cli_corpus_split_command)},
    {"report", "write a report on a fit as one HTML file", COMMANDS(&cli_report_command)},
    {"simulate", "simulate data from a known model", COMMANDS(&cli_simulate_ctm_command)},
    {"study", "the paper's experiments, on its data",
     COMMANDS(&cli_study_table1_command, &cli_study_table2_command,
              &cli_study_figures_command)},
    {"demo", "a tour of the program with its example data", COMMANDS(&cli_demo_command)},
    {"help", "help on a command", COMMANDS(&cli_help)},
    {"version", "the version of the program and of its library", COMMANDS(&cli_version)},
    {"__man", NULL, COMMANDS(&cli_man)},
    {"__completion", NULL, COMMANDS(&cli_completion)},
    {NULL, NULL, NULL},
};

static const cli_option program_options[] = {
    {.name = "version",
     .letter = 'V',
     .offset = offsetof(cli_program_settings, version),
     .help = "Print the version."},
    {.name = "json",
     .offset = offsetof(cli_program_settings, json),
     .help = "With --version: print it as a JSON object."},
    {.name = NULL},
};

const cli_command cli_program = {
    .name = "",
    .summary = "fast, deterministic Bayesian inference for nonconjugate models",
    .description =
        "Fits models by Laplace and delta-method variational inference (Wang and Blei, "
        "Variational Inference in Nonconjugate Models, JMLR 14, 2013).\n\nData are read "
        "from files. Results go to files and standard output; messages, and on a "
        "terminal a progress line, go to standard error.",
    .options = program_options,
    .settings_size = sizeof(cli_program_settings),
};

const cli_command *cli_command_at(int i)
{
    for (const cli_command_group *group = cli_command_groups; group->name; group++)
        for (const cli_command *const *command = group->commands;
             group->summary && *command; command++)
            if (i-- == 0) return *command;
    return NULL;
}

const char *cli_group_name(int i)
{
    for (const cli_command_group *group = cli_command_groups; group->name; group++)
        if (group->summary && i-- == 0) return group->name;
    return NULL;
}

bool cli_group_is_command(const cli_command_group *group)
{
    return !strcmp(group->commands[0]->name, group->name);
}

const char *cli_subcommand_name(const cli_command *command)
{
    const char *space = strrchr(command->name, ' ');
    return space ? space + 1 : command->name;
}

/* A list of words for a message. */
typedef struct list {
    char text[256];
    size_t used;
} list;

static void add_word(list *words, const char *word)
{
    const size_t room = sizeof words->text - words->used;
    const int size =
        snprintf(words->text + words->used, room, "%s%s", words->used ? ", " : "", word);
    if (size > 0 && (size_t)size < room) words->used += (size_t)size;
}

static int unknown_word(const char *where, const char *typed,
                        const cli_suggestion *suggestion, const list *known)
{
    if (!suggestion->best)
        return cli_misuse(where, "unknown command '%s'; there are: %s", typed,
                          known->text);
    return cli_misuse(where, "unknown command '%s'; did you mean %s?", typed,
                      suggestion->best);
}

/* The second word of a command without the first: "fit". */
static bool suggest_groups(const char *word)
{
    list full = {.used = 0};
    const cli_command *command;
    for (int i = 0; (command = cli_command_at(i)); i++)
        if (!strcmp(cli_subcommand_name(command), word)) add_word(&full, command->name);
    if (full.used == 0) return false;
    (void)cli_misuse("", "'%s' is the second word of a command; there are: %s", word,
                     full.text);
    return true;
}

static int resolve_group(const char *word, cli_named *named)
{
    cli_suggestion suggestion = cli_suggestion_for(word);
    list known = {.used = 0};
    for (const cli_command_group *group = cli_command_groups; group->name; group++) {
        if (!strcmp(group->name, word)) {
            named->group = group;
            named->used = 1;
            return CLI_DONE;
        }
        if (!group->summary) continue;
        cli_suggestion_consider(&suggestion, group->name);
        add_word(&known, group->name);
    }
    if (suggest_groups(word)) return CLI_MISUSE;
    return unknown_word("", word, &suggestion, &known);
}

static int resolve_subcommand(const char *word, cli_named *named)
{
    cli_suggestion suggestion = cli_suggestion_for(word);
    list known = {.used = 0};
    for (const cli_command *const *command = named->group->commands; *command;
         command++) {
        if (!strcmp(cli_subcommand_name(*command), word)) {
            named->command = *command;
            named->used = 2;
            return CLI_DONE;
        }
        cli_suggestion_consider(&suggestion, cli_subcommand_name(*command));
        add_word(&known, cli_subcommand_name(*command));
    }
    return unknown_word(named->group->name, word, &suggestion, &known);
}

int cli_resolve(int count, const char *const *words, cli_named *named)
{
    *named = (cli_named){0};
    if (count == 0) return CLI_DONE;
    const int code = resolve_group(words[0], named);
    if (code != CLI_DONE) return code;
    if (cli_group_is_command(named->group)) {
        named->command = named->group->commands[0];
        return CLI_DONE;
    }
    if (count == 1 || words[1][0] == '-') return CLI_DONE;
    return resolve_subcommand(words[1], named);
}
