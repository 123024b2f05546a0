/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fit while it runs: a phase whose line shows how far it is and how long it may still
 * take, and SIGINT, SIGTERM and SIGHUP turned into a clean end, so that the result so far
 * can still be written. The same signal a second time ends the program at once.
 */
#ifndef DLP_CLI_PROGRESS_H
#define DLP_CLI_PROGRESS_H

#include <delaplace.h>
#include <stdbool.h>

enum { CLI_PROGRESS_BACK = 5 }; /* iterations that tell how fast the change shrinks */

/* How far a call is. The time left is estimated only where there is something to go
   by. */
typedef struct cli_progress {
    char head[64];    /* what stands before the numbers of a loop, if anything */
    const char *what; /* is optimised; NULL: "log evidence" */
    double per;       /* it is shown over this; 0: as it is */
    bool watches;     /* signals end the call; else they end the program */
    bool percent;     /* show counts by their share alone: "12 %" */
    double tol;       /* the change at which the loop ends; 0: not known */
    int max_iter;     /* iterations that there are at most */
    double began;
    int seen; /* calls so far, of this run */
    double
        first; /* percent: the share at the first of them; else the seconds until then */
    double change[CLI_PROGRESS_BACK + 1];
} cli_progress;

/* Call around a command: from now on SIGINT, SIGTERM and SIGHUP end the program with a
   message and their exit code, except while a loop watches them. */
void cli_signals_begin(void);
void cli_signals_end(void); /* what ends the program from here on is the program */

/* Begins a phase and starts watching the signals. One at a time. */
cli_progress cli_progress_begin(const char *phase);
/* Starts another loop of the same phase; NULL: nothing precedes its numbers. */
void cli_progress_restart(cli_progress *progress, const char *head);
/* Reports that so many of so many are done, which all take about as long: "documents". */
void cli_progress_count(const cli_progress *progress, dlp_index done, dlp_index all,
                        const char *what);
/* For library settings with a dlp_progress_call, with a cli_progress as context: shows
   iterations and counts, and ends the call when a watched signal has come. */
int cli_progress_call(void *context, const dlp_progress *now);
/* Whether a signal came, for fits that run side by side; the arguments are not used. */
int cli_progress_watch(void *context, const dlp_progress *now);

/* Ends the phase and restores the previous handling of the signals. */
void cli_progress_end(void);

/* The exit code of a cancelled fit, given by the signal that cancelled it. */
int cli_progress_exit(void);
/* The same where nothing is written, which it says. */
int cli_progress_without_result(void);

#endif
