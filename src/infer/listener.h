/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The caller who waits for a long call, hears how far it is and may say stop: after each
 * iteration, and before each evaluation in between. Once stopped, it stays so, and the
 * caller is not asked again. Internal.
 */
#ifndef DLPI_INFER_LISTENER_H
#define DLPI_INFER_LISTENER_H

#include <delaplace/fit.h>
#include <stdbool.h>

/* Belongs to the thread that called the library. Zeroed: nobody waits. */
typedef struct dlpi_listener {
    dlp_progress_call *call; /* NULL: nobody waits */
    void *context;
    dlp_progress progress; /* what was told last */
    bool stopped;
} dlpi_listener;

/* Begins to count: nothing is done, and nobody said stop. */
void dlpi_listener_begin(dlpi_listener *listener, const char *phase, int max_iter,
                         double tol);
/* An iteration has ended; true: stop. */
bool dlpi_listener_tell(dlpi_listener *listener, int iteration, double objective,
                        double change);
/* The same at the end of every outer loop: how it goes on after an iteration, of which the
   rule for convergence says `ended` (DLP_RUNNING: not yet). */
dlp_outcome dlpi_listener_conclude(dlpi_listener *listener, int iteration,
                                   double objective, double change, dlp_outcome ended,
                                   int max_iter);
/* Asks the caller. */
bool dlpi_listener_ask(dlpi_listener *listener);

/* Nothing is new; true: stop. */
static inline bool dlpi_listener_poll(dlpi_listener *listener)
{
    return listener->stopped || (listener->call && dlpi_listener_ask(listener));
}

#endif
