/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes that mpirun started: only one of them prints, and none waits for
 * another that has failed.
 */
#ifndef DLP_CLI_PROCESSES_H
#define DLP_CLI_PROCESSES_H

#include <delaplace.h>

/* Call before anything is printed: all processes but 0 are silent from here on. */
void cli_processes_begin(void);
/* From here on this process prints to stderr, too, because it ends all. Returns its rank.
   May be called in a signal handler. */
int cli_processes_speak(void);
/* Where this process can print on its own account, whether or not it is silent; returns
   its rank. */
int cli_processes_voice(int *fd);
/* dlp_processes_open, for a command that shares its work. */
dlp_status cli_processes_open(dlp_processes **processes, dlp_error *error);
/* Ends all processes that were opened with this exit code, if any, from any thread. */
void cli_processes_abort(int code);
/* The exit code of this process. The job's exit code is that of process 0; if another
   process returned a nonzero code, mpirun could end process 0 before it has printed
   why. */
int cli_processes_exit(int code);

/* Call at the end of a command that shares its work, with its outcome. If the other
   processes do not know about a failure, reports it and ends them all. Returns the exit
   code. */
int cli_processes_end(dlp_processes *processes, dlp_status status, const dlp_error *error,
                      int code);

#endif
