/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/watch.h"

void dlpi_watch_begin(dlpi_watch *watch, const char *phase, int max_iter, double tol)
{
    watch->stopped = false;
    watch->progress = (dlp_progress){
        .phase = phase, .unit = "iterations", .max_iter = max_iter, .tol = tol};
}

bool dlpi_watch_ask(dlpi_watch *watch)
{
    watch->progress.polled = 1;
    watch->stopped = watch->call(watch->context, &watch->progress) != 0;
    return watch->stopped;
}

bool dlpi_watch_tell(dlpi_watch *watch, int iteration, double objective, double change)
{
    dlp_progress *p = &watch->progress;
    p->done = p->iteration = iteration;
    p->objective = objective;
    p->change = change;
    p->polled = 0;
    if (watch->call && !watch->stopped)
        watch->stopped = watch->call(watch->context, p) != 0;
    return watch->stopped;
}
