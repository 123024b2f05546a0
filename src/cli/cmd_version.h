/* SPDX-License-Identifier: BSD-3-Clause */
/* What --version and the command version share. */
#ifndef DLP_CLI_CMD_VERSION_H
#define DLP_CLI_CMD_VERSION_H

#include <stdbool.h>

/* Prints the version on stdout; returns an exit code. */
int cli_print_version(bool as_json);

#endif
