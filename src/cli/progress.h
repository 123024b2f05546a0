/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A running fit: its phase line shows how far it is and how long it may still take.
 * SIGINT, SIGTERM and SIGHUP become a clean end, so that the result so far can still be
 * written; the same signal a second time ends the program at once.
 */
#ifndef DLP_CLI_PROGRESS_H
#define DLP_CLI_PROGRESS_H

#include <delaplace.h>
#include <stdbool.h>

/* How far a call is. Time left is estimated only if there is a basis for it. */
typedef struct cli_progress {
    char head[64];    /* text before the numbers of a loop; may be empty */
    const char *what; /* the quantity being optimised; NULL: "log evidence" */
    double per;       /* divide that quantity by this for display; 0: by nothing */
    bool watches;     /* signals end the call; else they end the program */
    bool percent;     /* show counts only as percentages: "12 %" */
    bool passes; /* counts begin again, nobody knows how often: no time is left by them */
    double began;
    dlp_index counted_from, counted; /* the count that was told first, and last; */
    double counting_since;           /*     when that first one was */
    int seen;                        /* calls so far, of this run */
    double
        first; /* percent: the share at the first of them; else the seconds until then */
} cli_progress;

/* Call around a command: from now on SIGINT, SIGTERM and SIGHUP end the program with a
   message and their exit code, except while a loop watches them. */
void cli_signals_begin(void);
void cli_signals_end(void); /* an exit is no longer blamed on a library */

/* Begins a phase and starts watching the signals. One at a time. */
cli_progress cli_progress_begin(const char *phase);
/* Starts another loop of the same phase; NULL: nothing precedes its numbers. */
void cli_progress_restart(cli_progress *progress, const char *head);
/* Reports that this many of all items ("documents") are done; all 0: it is not known how
   many there are. Assumes that each takes about as long as the others. */
void cli_progress_count(cli_progress *progress, dlp_index done, dlp_index all,
                        const char *what);
/* For library settings with a dlp_progress_call, with a cli_progress as context: shows
   iterations and counts, and ends the call when a watched signal has come. */
int cli_progress_call(void *context, const dlp_progress *now);
/* Whether a signal came, for fits that run side by side, or one after the other; the arguments are
   not used. */
int cli_progress_watch(void *context, const dlp_progress *now);

/* Ends the phase and restores the previous handling of the signals. */
void cli_progress_end(void);

/* The exit code of a cancelled fit, given by the signal that cancelled it. */
int cli_progress_exit(void);
/* The same if nothing is written, and says so. */
int cli_progress_without_result(void);

#endif
