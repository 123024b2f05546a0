/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delaplace, the program: a client of the public header, like any other. It runs the
 * command line and makes sure that everything it printed was written.
 */
#include "cli/message.h"
#include "cli/processes.h"
#include "cli/run.h"

#include <stdlib.h>
#include <unistd.h>

/* Sanitizers and coverage work in exit handlers: they look for leaks or save counts. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                     \
    defined(__clang__) || defined(DLP_COVERAGE)
#define DLP_RUN_EXIT_HANDLERS
#endif

int main(int argc, char **argv)
{
    const int skipped = argc > 0; /* the program's own name */
    /* The library calls a BLAS from its own threads, one at a time each: threads of the
       BLAS would only spin, and take address space. */
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    cli_processes_begin();
    const int code = cli_processes_exit(
        cli_close_output(cli_run(argc - skipped, (const char *const *)argv + skipped)));
#ifdef DLP_RUN_EXIT_HANDLERS
    return code;
#else
    /* Everything is written. Threads that a BLAS started (OPENBLAS_NUM_THREADS) may be
       waiting for memory, and its exit handler would wait for them. */
    _exit(code);
#endif
}
