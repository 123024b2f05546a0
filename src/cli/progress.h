/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fit while it runs: a phase whose line tells how far it is and how long it may still
 * take, and SIGINT and SIGTERM turned into a clean end, so that the result so far can
 * still be written. The same signal a second time ends the program at once.
 */
#ifndef DLP_CLI_PROGRESS_H
#define DLP_CLI_PROGRESS_H

#include <delaplace.h>
#include <stdbool.h>

enum { CLI_PROGRESS_BACK = 5 }; /* iterations that tell how fast the change shrinks */

/* How far a loop is. The time left is guessed only where tol is known. */
typedef struct cli_progress {
    double tol;       /* the change at which the loop ends; 0: not known */
    int max_iter;     /* iterations that there are at most */
    char head[64];    /* what stands before its numbers, if anything */
    const char *what; /* is optimised; NULL: "objective" */
    double per;       /* the objective is shown over this; 0: as it is */
    bool watches;     /* signals end the loop */
    double began;
    int seen; /* iterations so far, of this run */
    double change[CLI_PROGRESS_BACK + 1];
} cli_progress;

/* Around a command: from now on SIGINT and SIGTERM end the program with a message and their
   exit code, but for the time that a loop watches them. */
void cli_signals_begin(void);

/* Begins a phase and to watch the signals. One at a time. */
cli_progress cli_progress_begin(const char *phase);
/* Another loop of the same phase; NULL: nothing stands before its numbers. */
void cli_progress_restart(cli_progress *progress, const char *head);
/* After an iteration: what is optimised, its value, how far the last iteration went. */
void cli_progress_iteration(cli_progress *progress, int iteration, const char *what,
                            double value, double change);
/* So many of so many are done, all of which take about as long: "documents". */
void cli_progress_count(const cli_progress *progress, dlp_index done, dlp_index all,
                        const char *what);
/* Either, as the library tells them: for `progress` of its settings, with a cli_progress
   for context. Returns whether a signal came. */
int cli_progress_show(void *context, const dlp_progress *state);
/* cli_progress_iteration for dlp_settings.progress; the context is the cli_progress. */
int cli_progress_step(void *context, const dlp_progress *state);
/* For the settings with a dlp_progress_call, whose context is the cli_progress: shows
   iterations and counts, and ends the call when a signal came that is watched. */
int cli_progress_call(void *context, const dlp_progress *now);
/* Whether a signal came, for fits that run side by side; the arguments are not used. */
int cli_progress_watch(void *context, const dlp_progress *state);
/*
 * One long call of the library, by the share of it that is done; zeroed before it. The
 * phase is one of cli_phase_begin: a signal ends the program, as nothing is lost by it.
 */
typedef struct cli_share {
    bool begun;
    double began, first; /* when the first share was told, and that share */
} cli_share;
/* For dlp_table_options.progress and its like; the context is the cli_share. */
int cli_share_show(void *context, const dlp_progress *progress);

/* Ends the phase, and lets the signals do again what they did before. */
void cli_progress_end(void);

/* The exit code of a cancelled fit, after the signal that cancelled it. */
int cli_progress_exit(void);

#endif
