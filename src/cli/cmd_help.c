/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/help.h"
#include "cli/message.h"

typedef struct help_settings {
    cli_common common;
    const char *first, *second;
} help_settings;

static int run(const void *settings)
{
    const help_settings *s = settings;
    const char *const words[] = {s->first, s->second};
    cli_named named;
    const int code = cli_resolve((s->first != NULL) + (s->second != NULL), words, &named);
    if (code != CLI_DONE) return code;
    if (named.command)
        cli_help_command(stdout, named.command);
    else if (named.group)
        cli_help_group(stdout, named.group);
    else
        cli_help_program(stdout);
    return CLI_DONE;
}

static const cli_operand operands[] = {
    {.name = "COMMAND",
     .offset = offsetof(help_settings, first),
     .optional = true,
     .choices = cli_group_name,
     .help = "The first word of the command, such as topics."},
    {.name = "SUBCOMMAND",
     .offset = offsetof(help_settings, second),
     .optional = true,
     .help = "The second word, if it has one, such as fit."},
    {.name = NULL},
};

const cli_command cli_help = {
    .name = "help",
    .summary = "print help on a command",
    .description =
        "Prints what --help prints: for the program, for a group of commands, or "
        "for one command.",
    .operands = operands,
    .settings_size = sizeof(help_settings),
    .run = run,
};
