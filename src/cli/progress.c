/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/progress.h"

#include "cli/say.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM};
enum { WATCHED = sizeof watched / sizeof watched[0] };

/* A handler has no other place to tell. */
static volatile sig_atomic_t caught;
static struct sigaction earlier[WATCHED];

static void remember(int number)
{
    caught = number;
}

/* A signal that was ignored when the program started (nohup) stays ignored. */
static void watch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    caught = 0;
    for (int i = 0; i < WATCHED; i++) {
        sigaction(watched[i], NULL, &earlier[i]);
        if (earlier[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
    }
}

cli_progress cli_progress_begin(bool quiet)
{
    watch_signals();
    cli_progress progress = {.shown = !quiet && isatty(STDERR_FILENO)};
    return progress;
}

/* Ten lines a second are as many as anyone reads. */
bool cli_progress_is_due(cli_progress *progress)
{
    struct timespec now;
    if (!progress->shown) return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)(now.tv_sec - progress->last.tv_sec) +
                           1e-9 * (double)(now.tv_nsec - progress->last.tv_nsec);
    if (seconds < 0.1) return false;
    progress->last = now;
    return true;
}

int cli_progress_step(void *context, const dlp_trace_row *row)
{
    cli_progress *progress = context;
    if (cli_progress_is_due(progress))
        fprintf(stderr, "\riteration %d, objective %.6f, change %.2e\033[K",
                row->iteration, row->objective, row->change);
    return caught != 0;
}

int cli_progress_watch(void *context, const dlp_trace_row *row)
{
    (void)context, (void)row;
    return caught != 0;
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->shown) fputs("\r\033[K", stderr);
    for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &earlier[i], NULL);
}

int cli_progress_exit(void)
{
    return caught == SIGTERM ? CLI_TERMINATED : CLI_INTERRUPTED;
}
