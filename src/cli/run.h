/* SPDX-License-Identifier: BSD-3-Clause */
/* A command line, from its words to its exit code. */
#ifndef DLP_CLI_RUN_H
#define DLP_CLI_RUN_H

/* Runs a command line, given without the program's name. Returns an exit code. */
int cli_run(int count, const char *const *words);

#endif
