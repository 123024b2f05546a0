/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The caller of a long call, who is told its progress and may stop it: after each
 * iteration or part of a count, and before each evaluation in between. Once stopped, it
 * stays stopped, and the caller is not asked again.
 *
 * The callback runs only in the thread that called the library, which is thread 0 of its
 * parallel regions; the other threads check whether it asked to stop. Internal.
 */
#ifndef DLPI_INFER_LISTENER_H
#define DLPI_INFER_LISTENER_H

#include "infer/iterations_left.h"

#include <delaplace/fit.h>
#include <stdatomic.h>
#include <stdbool.h>

/* All zeros: there is no callback. */
typedef struct dlpi_listener {
    dlp_progress_call *call; /* NULL: none */
    void *context;
    dlp_progress progress; /* what was told last */
    dlpi_steps steps;      /* since the loop began */
    atomic_bool stopped;   /* the only field that other threads may read */
} dlpi_listener;

static inline bool dlpi_listener_stopped(const dlpi_listener *listener)
{
    return atomic_load_explicit(&listener->stopped, memory_order_relaxed);
}

/* ---- iterations ---- */

/* Resets the count; nobody has asked to stop. */
void dlpi_listener_begin(dlpi_listener *listener, const char *phase, int max_iter,
                         double tol);
/* An iteration has ended; true: stop. */
bool dlpi_listener_tell(dlpi_listener *listener, int iteration, double objective,
                        double change);
/* The same at the end of every outer loop. `ended` is the outcome by the convergence rule
   (DLP_RUNNING: not yet); returns the outcome with which the loop goes on or ends. */
dlp_outcome dlpi_listener_conclude(dlpi_listener *listener, int iteration,
                                   double objective, double change, dlp_outcome ended,
                                   int max_iter);

/* ---- in between ---- */

/* Asks again, with nothing new to report; true: stop. */
bool dlpi_listener_poll(dlpi_listener *listener);
/* The same by any thread of a parallel region. */
bool dlpi_listener_poll_inside(dlpi_listener *listener);

/* ---- counts ---- */

/* Reports progress; true: stop. */
bool dlpi_listener_report(dlpi_listener *listener, dlp_progress progress);
/* The same by any thread of a parallel region. */
bool dlpi_listener_report_inside(dlpi_listener *listener, dlp_progress progress);

/* Any thread of a parallel region goes to the i-th, from 0, of n points at which the density of
   hyperparameters is evaluated; n 0: not known yet. */
void dlpi_listener_report_point(dlpi_listener *listener, int i, int n);

/* The report that `done` of `total` are done. */
static inline dlp_progress dlpi_progress_count(const char *phase, const char *unit,
                                               dlp_index done, dlp_index total)
{
    return (dlp_progress){.phase = phase, .unit = unit, .done = done, .total = total};
}

#endif
