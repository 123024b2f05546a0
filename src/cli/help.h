/* SPDX-License-Identifier: BSD-3-Clause */
/* Help for a terminal, at each of the three levels. */
#ifndef DLP_CLI_HELP_H
#define DLP_CLI_HELP_H

#include "cli/commands.h"

#include <stdio.h>

void cli_help_program(FILE *out);
void cli_help_group(FILE *out, const cli_command_group *group);
void cli_help_command(FILE *out, const cli_command *command);

/* The line that shows how the command is typed: "delaplace unigram fit CORPUS
   --output FIT.json [options]". */
void cli_print_usage(FILE *out, const cli_command *command);

#endif
