/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The caller who waits for a long call, hears how far it is and may say stop: after each
 * iteration, and before each evaluation in between. Once stopped, it stays so, and the
 * caller is not asked again. Internal.
 */
#ifndef DLPI_INFER_WATCH_H
#define DLPI_INFER_WATCH_H

#include <delaplace/progress.h>
#include <stdbool.h>

/* Belongs to the thread that called the library. Zeroed: nobody waits. */
typedef struct dlpi_watch {
    dlp_progress_call *call; /* NULL: nobody waits */
    void *context;
    dlp_progress progress; /* what was told last */
    bool stopped;
} dlpi_watch;

/* Begins to count: nothing is done, and nobody said stop. */
void dlpi_watch_begin(dlpi_watch *watch, const char *phase, int max_iter, double tol);
/* An iteration has ended; true: stop. */
bool dlpi_watch_tell(dlpi_watch *watch, int iteration, double objective, double change);
/* Asks the caller. */
bool dlpi_watch_ask(dlpi_watch *watch);

/* Nothing is new; true: stop. */
static inline bool dlpi_watch_poll(dlpi_watch *watch)
{
    return watch->stopped || (watch->call && dlpi_watch_ask(watch));
}

#endif
