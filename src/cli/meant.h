/* SPDX-License-Identifier: BSD-3-Clause */
/* What was likely meant by an option that is wrong. Both say so, and return CLI_MISUSE. */
#ifndef DLP_CLI_MEANT_H
#define DLP_CLI_MEANT_H

#include "cli/options.h"

/* An option that the command has not. typed has its dashes, and counts up to an "=". */
int cli_unknown_option(const cli_command *command, const char *typed);

/* A value that the option does not take. */
int cli_wrong_value(const cli_command *command, const cli_option *option,
                    const char *text);

#endif
