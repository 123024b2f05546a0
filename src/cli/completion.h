/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion scripts for shells, from the tables. */
#ifndef DLP_CLI_COMPLETION_H
#define DLP_CLI_COMPLETION_H

void cli_complete_bash(void);
void cli_complete_zsh(void);

#endif
