/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fit while it runs: one line on stderr, on a terminal only, and SIGINT and SIGTERM
 * turned into a clean end, so that the result so far can still be written. The same
 * signal a second time ends the program at once.
 */
#ifndef DLP_CLI_PROGRESS_H
#define DLP_CLI_PROGRESS_H

#include <delaplace.h>
#include <stdbool.h>
#include <time.h>

typedef struct cli_progress {
    bool shown;           /* stderr is a terminal and nobody asked for quiet */
    struct timespec last; /* when the line was last written */
} cli_progress;

/* Starts to watch the signals. One fit at a time. */
cli_progress cli_progress_begin(bool quiet);
/* For dlp_settings.progress; the context is the cli_progress. */
int cli_progress_step(void *context, const dlp_trace_row *row);
/* The same without the line, for fits that run side by side; the context is not used. */
int cli_progress_watch(void *context, const dlp_trace_row *row);
/* Whether the line should be written now: it is shown, and the last one is old. */
bool cli_progress_is_due(cli_progress *progress);
/* Clears the line and lets the signals do again what they did before. */
void cli_progress_end(cli_progress *progress);

/* The exit code of a cancelled fit, after the signal that cancelled it. */
int cli_progress_exit(void);

#endif
