/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delaplace, the program: a client of the public header, like any other. It runs what the
 * command line says and makes sure that what it printed arrived.
 */
#include "cli/message.h"
#include "cli/processes.h"
#include "cli/run.h"

#include <unistd.h>

/* Where they look for leaks, or count what was run. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                     \
    defined(__clang__) || defined(DLP_COVERAGE)
#define DLP_RUN_EXIT_HANDLERS
#endif

int main(int argc, char **argv)
{
    const int skipped = argc > 0; /* the program's own name */
    cli_processes_begin();
    const int code = cli_processes_exit(
        cli_close_output(cli_run(argc - skipped, (const char *const *)argv + skipped)));
#ifdef DLP_RUN_EXIT_HANDLERS
    return code;
#else
    /* All is written. A BLAS waits at the end for its threads, which may wait for memory. */
    _exit(code);
#endif
}
