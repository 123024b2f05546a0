/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/nouns.h"

#include "cli/guess.h"
#include "cli/say.h"

#include <stdio.h>
#include <string.h>

#define VERBS(...) ((const cli_command *const[]){__VA_ARGS__, NULL})

const cli_noun cli_nouns[] = {
    {"glm", "Bayesian regression: logistic and other generalised linear models",
     VERBS(&cli_glm_fit_command, &cli_glm_show_command, &cli_glm_predict_command,
           &cli_glm_evaluate_command)},
    {"topics", "the correlated topic model: what a corpus is about",
     VERBS(&cli_topics_fit_command, &cli_topics_show_command, &cli_topics_infer_command,
           &cli_topics_evaluate_command, &cli_topics_effects_command,
           &cli_topics_search_command)},
    {"unigram", "the Dirichlet that a corpus of word counts was drawn from",
     VERBS(&cli_unigram_fit)},
    {"corpus", "collections of word counts, and how text becomes one",
     VERBS(&cli_corpus_build_command, &cli_corpus_convert_command,
           &cli_corpus_stats_command, &cli_corpus_split_command)},
    {"report", "a fit as one HTML file, to look at, send and print",
     VERBS(&cli_report_command)},
    {"simulate", "data drawn from a model, with the truth beside them",
     VERBS(&cli_simulate_ctm_command)},
    {"study", "the experiments of the paper, on its data",
     VERBS(&cli_study_table1_command, &cli_study_table2_command,
           &cli_study_figures_command)},
    {"demo", "a tour on the data that come with the program", VERBS(&cli_demo_command)},
    {"help", "help on a command", VERBS(&cli_help)},
    {"version", "the version of the program and of its library", VERBS(&cli_version)},
    {"__man", NULL, VERBS(&cli_man)},
    {"__completion", NULL, VERBS(&cli_completion)},
    {NULL, NULL, NULL},
};

static const cli_option program_options[] = {
    {.name = "version",
     .letter = 'V',
     .offset = offsetof(cli_program_settings, version),
     .help = "Print the version and do nothing else."},
    {.name = "json",
     .offset = offsetof(cli_program_settings, json),
     .help = "With --version: print it as a JSON object."},
    {.name = NULL},
};

const cli_command cli_program = {
    .name = "",
    .summary = "fast, deterministic Bayesian inference for models that are not conjugate",
    .description =
        "Fits models by Laplace and delta-method variational inference (Wang and Blei, "
        "Variational Inference in Nonconjugate Models, JMLR 14, 2013).\n\n"
        "Data are read from files; answers go to files and standard output; messages go "
        "to "
        "standard error, and on a terminal a line of progress, too. There are no "
        "colours.",
    .options = program_options,
    .settings_size = sizeof(cli_program_settings),
};

const cli_command *cli_command_at(int i)
{
    for (const cli_noun *noun = cli_nouns; noun->name; noun++)
        for (const cli_command *const *verb = noun->verbs; noun->summary && *verb; verb++)
            if (i-- == 0) return *verb;
    return NULL;
}

const char *cli_noun_name(int i)
{
    for (const cli_noun *noun = cli_nouns; noun->name; noun++)
        if (noun->summary && i-- == 0) return noun->name;
    return NULL;
}

bool cli_noun_is_command(const cli_noun *noun)
{
    return !strcmp(noun->verbs[0]->name, noun->name);
}

const char *cli_verb_of(const cli_command *command)
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

static int unknown_word(const char *where, const char *typed, const cli_guess *guess,
                        const list *known)
{
    if (!guess->best)
        return cli_misuse(where, "unknown command '%s'; there are: %s", typed,
                          known->text);
    return cli_misuse(where, "unknown command '%s'; did you mean %s?", typed,
                      guess->best);
}

/* A verb without its noun: "fit". */
static bool say_nouns_of(const char *verb)
{
    list nouns = {.used = 0};
    const cli_command *command;
    for (int i = 0; (command = cli_command_at(i)); i++)
        if (!strcmp(cli_verb_of(command), verb)) add_word(&nouns, command->name);
    if (nouns.used == 0) return false;
    (void)cli_misuse("", "'%s' wants to know of what; there are: %s", verb, nouns.text);
    return true;
}

static int resolve_noun(const char *word, cli_named *named)
{
    cli_guess guess = cli_guess_for(word);
    list known = {.used = 0};
    for (const cli_noun *noun = cli_nouns; noun->name; noun++) {
        if (!strcmp(noun->name, word)) {
            named->noun = noun;
            named->used = 1;
            return CLI_DONE;
        }
        if (!noun->summary) continue;
        cli_guess_consider(&guess, noun->name);
        add_word(&known, noun->name);
    }
    if (say_nouns_of(word)) return CLI_MISUSE;
    return unknown_word("", word, &guess, &known);
}

static int resolve_verb(const char *word, cli_named *named)
{
    cli_guess guess = cli_guess_for(word);
    list known = {.used = 0};
    for (const cli_command *const *verb = named->noun->verbs; *verb; verb++) {
        if (!strcmp(cli_verb_of(*verb), word)) {
            named->command = *verb;
            named->used = 2;
            return CLI_DONE;
        }
        cli_guess_consider(&guess, cli_verb_of(*verb));
        add_word(&known, cli_verb_of(*verb));
    }
    return unknown_word(named->noun->name, word, &guess, &known);
}

int cli_resolve(int count, const char *const *words, cli_named *named)
{
    *named = (cli_named){0};
    if (count == 0) return CLI_DONE;
    const int code = resolve_noun(words[0], named);
    if (code != CLI_DONE) return code;
    if (cli_noun_is_command(named->noun)) {
        named->command = named->noun->verbs[0];
        return CLI_DONE;
    }
    if (count == 1 || words[1][0] == '-') return CLI_DONE;
    return resolve_verb(words[1], named);
}
