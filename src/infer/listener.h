/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The caller who waits for a long call, learns how far it is and may stop it: after each
 * iteration or part of a count, and before each evaluation in between. Once stopped, it
 * stays so, and the caller is not asked again.
 *
 * The callback runs in the thread that called the library alone, which is thread 0 of its
 * parallel regions; the other threads look whether it said stop. Internal.
 */
#ifndef DLPI_INFER_LISTENER_H
#define DLPI_INFER_LISTENER_H

#include <delaplace/fit.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Zeroed: nobody waits. */
typedef struct dlpi_listener {
    dlp_progress_call *call; /* NULL: nobody waits */
    void *context;
    dlp_progress progress; /* what was told last */
    atomic_bool stopped;   /* the one field that other threads may look at */
} dlpi_listener;

static inline bool dlpi_listener_stopped(const dlpi_listener *listener)
{
    return atomic_load_explicit(&listener->stopped, memory_order_relaxed);
}

/* ---- iterations ---- */

/* Begins to count: nothing is done, and nobody said stop. */
void dlpi_listener_begin(dlpi_listener *listener, const char *phase, int max_iter,
                         double tol);
/* An iteration has ended; true: stop. */
bool dlpi_listener_tell(dlpi_listener *listener, int iteration, double objective,
                        double change);
/* The same at the end of every outer loop: how it goes on after an iteration, which by the
   rule for convergence has the outcome `ended` (DLP_RUNNING: not yet). */
dlp_outcome dlpi_listener_conclude(dlpi_listener *listener, int iteration,
                                   double objective, double change, dlp_outcome ended,
                                   int max_iter);

/* ---- in between ---- */

/* Nothing is new; true: stop. */
bool dlpi_listener_poll(dlpi_listener *listener);
/* The same by any thread of a parallel region. */
bool dlpi_listener_poll_inside(dlpi_listener *listener);

/* ---- counts ---- */

/* Tells how far the work is; true: stop. */
bool dlpi_listener_report(dlpi_listener *listener, dlp_progress progress);
/* The same by any thread of a parallel region. */
bool dlpi_listener_report_inside(dlpi_listener *listener, dlp_progress progress);

/* So many of so many are done. */
static inline dlp_progress dlpi_progress_count(const char *phase, const char *unit,
                                               dlp_index done, dlp_index total)
{
    return (dlp_progress){.phase = phase, .unit = unit, .done = done, .total = total};
}

#endif
