/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes that mpirun started: one speaks, and none waits for one that has failed.
 */
#ifndef DLP_CLI_PROCESSES_H
#define DLP_CLI_PROCESSES_H

#include <delaplace.h>

/* Before anything is printed: all but process 0 are silent from here on. */
void cli_processes_begin(void);
/* The code that this process exits with. That of process 0 is the job's; were another's not 0,
   mpirun could end process 0 before it has said why. */
int cli_processes_exit(int code);

/* At the end of a command that shares its work, which fared like this. Where the others do not
   know of a failure, it ends them all, and says why on its own. Returns the exit code. */
int cli_processes_end(dlp_processes *processes, dlp_status status, const dlp_error *error,
                      int code);

#endif
