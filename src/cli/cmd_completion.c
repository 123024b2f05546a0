/* SPDX-License-Identifier: BSD-3-Clause */
/* `delaplace __completion SHELL` prints the completion script that the build installs. */
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/message.h"

#include <string.h>

typedef struct completion_settings {
    cli_common common;
    const char *shell;
} completion_settings;

static int run(const void *settings)
{
    const char *shell = ((const completion_settings *)settings)->shell;
    if (!strcmp(shell, "bash"))
        cli_complete_bash();
    else if (!strcmp(shell, "zsh"))
        cli_complete_zsh();
    else
        return cli_misuse("__completion", "the shell is bash or zsh, not '%s'", shell);
    return CLI_DONE;
}

static const cli_operand operands[] = {
    {.name = "SHELL",
     .offset = offsetof(completion_settings, shell),
     .help = "The shell: bash or zsh."},
    {.name = NULL},
};

const cli_command cli_completion = {
    .name = "__completion",
    .summary = "print a completion script",
    .description = "Prints a completion script for a shell, for the build.",
    .operands = operands,
    .settings_size = sizeof(completion_settings),
    .run = run,
};
