/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/help.h"
#include "cli/say.h"

typedef struct help_settings {
    cli_common common;
    const char *noun;
    const char *verb;
} help_settings;

static int run(const void *settings)
{
    const help_settings *s = settings;
    const char *const words[] = {s->noun, s->verb};
    cli_named named;
    const int code = cli_resolve((s->noun != NULL) + (s->verb != NULL), words, &named);
    if (code != CLI_DONE) return code;
    if (named.command)
        cli_help_command(stdout, named.command);
    else if (named.noun)
        cli_help_noun(stdout, named.noun);
    else
        cli_help_program(stdout);
    return CLI_DONE;
}

static const cli_operand operands[] = {
    {.name = "NOUN",
     .offset = offsetof(help_settings, noun),
     .optional = true,
     .choices = cli_noun_name,
     .help = "The first word of the command: unigram, say."},
    {.name = "VERB",
     .offset = offsetof(help_settings, verb),
     .optional = true,
     .help = "The second word, if it has one: fit, say."},
    {.name = NULL},
};

const cli_command cli_help = {
    .name = "help",
    .summary = "print help on a command",
    .description =
        "Prints what --help prints: without words on the program, with a noun "
        "on its commands, with a verb on that command.",
    .operands = operands,
    .settings_size = sizeof(help_settings),
    .run = run,
};
