/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a call is, for whoever waits for it and may end it: one type for all of them. */
#ifndef DELAPLACE_PROGRESS_H
#define DELAPLACE_PROGRESS_H

#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* New fields come last, so that a callback works with later libraries, too. */
typedef struct dlp_progress {
    const char *phase;     /* "reading", "starting", "fitting", "predicting", ... */
    const char *unit;      /* what is counted: "bytes", "rows", "documents", "groups",
                              "iterations"; NULL: nothing is */
    dlp_index done, total; /* so many of so many; total 0: not known */
    int iteration;         /* iterations that have ended; 0: none yet, or no loop */
    int max_iter;          /* the most there will be; 0: no loop */
    double objective;      /* what is maximised, after that iteration */
    double change;         /* how far it went; the loop ends when that is below tol */
    double tol;            /* 0: not known */
    int polled;            /* non-zero: nothing is new since the last call but the time */
} dlp_progress;

/*
 * Called by the thread that called the library, and by no other: after each iteration or
 * part of a count, and between two evaluations of f in any case, so that a program can stay
 * alive and stop early. Non-zero: stop. The call then ends soon, with what it has:
 * DLP_CANCELLED is the outcome of a fit, and the status of calls that have no outcome is
 * DLP_ECANCELLED.
 */
typedef int dlp_progress_call(void *context, const dlp_progress *progress);

#ifdef __cplusplus
}
#endif

#endif
