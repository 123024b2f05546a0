/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whoever waits for a call and may end it, while several threads work for that call. The
 * callback runs in the thread that called the library alone, which is thread 0 of its
 * parallel regions; the others look whether it said to stop. Internal.
 */
#ifndef DLPI_TOPICS_WATCH_H
#define DLPI_TOPICS_WATCH_H

#include <delaplace/progress.h>

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct dlpi_watch {
    dlp_progress_call *call; /* NULL: nobody asks */
    void *context;
    atomic_bool stopped;
} dlpi_watch;

static inline bool dlpi_watch_stopped(const dlpi_watch *watch)
{
    return atomic_load_explicit(&watch->stopped, memory_order_relaxed);
}

/* Tells how far the work is, outside of parallel regions. Whether it is to stop. */
static inline bool dlpi_watch_ask(dlpi_watch *watch, const dlp_progress *progress)
{
    if (watch->call && !dlpi_watch_stopped(watch) &&
        watch->call(watch->context, progress) != 0)
        atomic_store(&watch->stopped, true);
    return dlpi_watch_stopped(watch);
}

/* Inside one, where this may not be the thread to tell it. */
static inline bool dlpi_watch_ask_inside(dlpi_watch *watch, const dlp_progress *progress)
{
    return omp_get_thread_num() == 0 ? dlpi_watch_ask(watch, progress)
                                     : dlpi_watch_stopped(watch);
}

/* So many of so many are done. */
static inline dlp_progress dlpi_progress_count(const char *phase, const char *unit,
                                               dlp_index done, dlp_index total)
{
    return (dlp_progress){.phase = phase, .unit = unit, .done = done, .total = total};
}

/* 0 stands for one thread a processor. */
static inline int dlpi_threads(int asked)
{
    return asked > 0 ? asked : omp_get_num_procs();
}

#endif
