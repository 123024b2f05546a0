/* SPDX-License-Identifier: BSD-3-Clause */
/* How a fit ended, in words and as the exit code of its command. The exit codes are
   listed in cli/message.h. */
#ifndef DLP_CLI_OUTCOME_H
#define DLP_CLI_OUTCOME_H

#include <delaplace.h>

/* How a fit ended, in words that complete "the fit ...": "converged". */
const char *cli_outcome_sentence(dlp_outcome outcome);
/* The exit code of a command whose fit ended like this; says so on stderr if it did not
   converge. */
int cli_outcome_exit(dlp_outcome outcome);

#endif
