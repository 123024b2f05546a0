/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/listener.h"

#include <omp.h>

static bool call(dlpi_listener *listener)
{
    if (!dlpi_listener_stopped(listener) && listener->call &&
        listener->call(listener->context, &listener->progress) != 0)
        atomic_store(&listener->stopped, true);
    return dlpi_listener_stopped(listener);
}

/* ---- iterations ---- */

void dlpi_listener_begin(dlpi_listener *listener, const char *phase, int max_iter,
                         double tol)
{
    atomic_store(&listener->stopped, false);
    listener->steps.seen = 0;
    listener->progress = (dlp_progress){
        .phase = phase, .unit = "iterations", .max_iter = max_iter, .tol = tol};
}

bool dlpi_listener_tell(dlpi_listener *listener, int iteration, double objective,
                        double change)
{
    dlp_progress *p = &listener->progress;
    p->done = p->iteration = iteration;
    p->objective = objective;
    p->change = change;
    p->left = dlpi_steps_left(&listener->steps, change, p->tol, p->max_iter - iteration);
    p->polled = 0;
    return call(listener);
}

dlp_outcome dlpi_listener_conclude(dlpi_listener *listener, int iteration,
                                   double objective, double change, dlp_outcome ended,
                                   int max_iter)
{
    const bool stop = dlpi_listener_tell(listener, iteration, objective, change);
    if (ended != DLP_RUNNING) return ended;
    if (stop) return DLP_CANCELLED;
    return iteration < max_iter ? DLP_RUNNING : DLP_MAX_ITERATIONS;
}

/* ---- in between ---- */

bool dlpi_listener_poll(dlpi_listener *listener)
{
    listener->progress.polled = 1;
    return call(listener);
}

bool dlpi_listener_poll_inside(dlpi_listener *listener)
{
    return omp_get_thread_num() == 0 ? dlpi_listener_poll(listener)
                                     : dlpi_listener_stopped(listener);
}

/* ---- counts ---- */

bool dlpi_listener_report(dlpi_listener *listener, dlp_progress progress)
{
    listener->progress = progress;
    return call(listener);
}

bool dlpi_listener_report_inside(dlpi_listener *listener, dlp_progress progress)
{
    return omp_get_thread_num() == 0 ? dlpi_listener_report(listener, progress)
                                     : dlpi_listener_stopped(listener);
}

void dlpi_listener_report_point(dlpi_listener *listener, int i, int n)
{
    (void)dlpi_listener_report_inside(
        listener, dlpi_progress_count(listener->progress.phase, "points", i, n));
}
