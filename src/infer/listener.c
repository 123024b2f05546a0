/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/listener.h"

void dlpi_listener_begin(dlpi_listener *listener, const char *phase, int max_iter,
                         double tol)
{
    listener->stopped = false;
    listener->progress = (dlp_progress){
        .phase = phase, .unit = "iterations", .max_iter = max_iter, .tol = tol};
}

bool dlpi_listener_ask(dlpi_listener *listener)
{
    listener->progress.polled = 1;
    listener->stopped = listener->call(listener->context, &listener->progress) != 0;
    return listener->stopped;
}

bool dlpi_listener_tell(dlpi_listener *listener, int iteration, double objective,
                        double change)
{
    dlp_progress *p = &listener->progress;
    if (!listener->call || listener->stopped) return listener->stopped;
    p->done = p->iteration = iteration;
    p->objective = objective;
    p->change = change;
    p->polled = 0;
    listener->stopped = listener->call(listener->context, p) != 0;
    return listener->stopped;
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
