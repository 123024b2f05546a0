/* SPDX-License-Identifier: BSD-3-Clause */
/* A command line, from its words to its exit code. */
#ifndef DLP_CLI_RUN_H
#define DLP_CLI_RUN_H

/* Runs the command given by the words, the first of which follows the program's name.
   Returns an exit code. */
int cli_run(int count, const char *const *words);

#endif
