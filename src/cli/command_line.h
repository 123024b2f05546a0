/* SPDX-License-Identifier: BSD-3-Clause */
/* Rebuilds a command line from the settings it was read into. */
#ifndef DLP_CLI_COMMAND_LINE_H
#define DLP_CLI_COMMAND_LINE_H

#include "cli/options.h"

/* Prints "delaplace topics fit CORPUS -k 20 -o model", ready for a shell and without a
   line end: the operands, and the options that are not at their defaults. */
void cli_print_command(const cli_command *command, const void *settings);

#endif
