/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/processes.h"

#include "cli/message.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static int rank, speech = -1; /* speech: the original stderr of a silenced process */

void cli_processes_begin(void)
{
    (void)dlp_processes_announced(&rank);
    if (rank == 0) return;
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    speech = dup(STDERR_FILENO);
    if (nowhere < 0 || speech < 0) return;
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
    (void)close(nowhere);
}

int cli_processes_speak(void)
{
    if (rank > 0 && speech >= 0) (void)dup2(speech, STDERR_FILENO);
    return rank;
}

int cli_processes_voice(int *fd)
{
    *fd = rank > 0 && speech >= 0 ? speech : STDERR_FILENO;
    return rank;
}

static _Atomic(dlp_processes *) opened;

dlp_status cli_processes_open(dlp_processes **processes, dlp_error *error)
{
    const dlp_status status = dlp_processes_open(processes, error);
    opened = *processes;
    return status;
}

void cli_processes_abort(int code)
{
    dlp_processes *processes = opened;
    if (processes) dlp_processes_abort(processes, code);
}

int cli_processes_exit(int code)
{
    return rank == 0 ? code : 0;
}

int cli_processes_end(dlp_processes *processes, dlp_status status, const dlp_error *error,
                      int code)
{
    if (!processes) return code;
    if (status != DLP_OK && !dlp_processes_agreed(processes)) {
        if (cli_processes_speak() > 0) {
            fprintf(stderr, "delaplace: process %d: ", rank);
            cli_print_error(error);
        }
        (void)fflush(stderr);
        dlp_processes_abort(processes, code);
    }
    opened = NULL;
    dlp_processes_close(processes);
    return code;
}
