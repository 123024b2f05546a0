/* SPDX-License-Identifier: BSD-3-Clause */
/* How far along a call is, for programs that show or stop it: one type for all calls. */
#ifndef DELAPLACE_PROGRESS_H
#define DELAPLACE_PROGRESS_H

#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* New fields come last, so that a callback also works with later versions of the
   library. */
typedef struct dlp_progress {
    const char *phase;     /* "reading", "starting", "fitting", "predicting", ... */
    const char *unit;      /* what is counted: "bytes", "rows", "documents", "groups",
                              "points", "iterations"; NULL: nothing is counted */
    dlp_index done, total; /* in that unit; total 0: not known */
    int iteration;         /* iterations completed; 0: none yet, or no loop */
    int max_iter;          /* the most there will be; 0: no loop */
    double objective;      /* the objective after that iteration */
    double change;         /* how far it moved the estimate; below tol the loop ends */
    double tol;            /* 0: not known */
    int polled;            /* non-zero: nothing is new, this call is only a chance to
                              stop */
    double left;           /* an estimate of the iterations still to come; 0: not known */
} dlp_progress;

/*
 * Called by the thread that called the library, and by no other: after each iteration or
 * part of a count, and at least between any two evaluations of f, so that a program stays
 * responsive and can stop early. Return non-zero to stop. The call then ends soon, with
 * what it has so far: a fit has the outcome DLP_CANCELLED, and calls without an outcome
 * return DLP_ECANCELLED. A caller that stops because of an error of its own keeps that
 * error in the context.
 */
typedef int dlp_progress_call(void *context, const dlp_progress *progress);

#ifdef __cplusplus
}
#endif

#endif
