/* SPDX-License-Identifier: BSD-3-Clause */
/* How a fit ended: in words, and as the exit code of its command. The list of exit codes is
   in cli/message.h. */
#ifndef DLP_CLI_OUTCOME_H
#define DLP_CLI_OUTCOME_H

#include <delaplace.h>

/* The outcome of that name, as files have it; DLP_RUNNING: there is none. */
dlp_outcome cli_outcome_named(const char *name);
/* How a fit ended, to stand after "the fit": "converged". */
const char *cli_outcome_sentence(dlp_outcome outcome);
/* The exit code of a command whose fit ended so; says on stderr that one did not converge. */
int cli_outcome_exit(dlp_outcome outcome);

#endif
