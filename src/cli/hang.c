/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/hang.h"

#include "cli/hang_asleep.h"
#include "cli/message.h"
#include "cli/processes.h"

#include <delaplace.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { USUAL = 1800, A_MINUTE = 60, STACK = 1 << 17, TEXT = 4096 };

static int timeout = USUAL; /* seconds; 0: none */

/* What one of the other threads waits for. Time is counted in looks, not by a clock: a
   program that was stopped, or a machine that slept, has not waited. */
typedef struct wait {
    uint64_t number; /* of the call; 0: none */
    int looks;
    int next; /* when to say so again */
} wait;

static int first_message(void)
{
    return timeout > 0 && timeout < 2 * A_MINUTE ? (timeout + 1) / 2 : A_MINUTE;
}

/* The thread must not allocate: its first malloc() would reserve address space, which may
   be limited. */
static void tell(const char *what, int seconds, bool ends)
{
    char text[TEXT], process[32] = "";
    int fd;
    const int rank = cli_processes_voice(&fd);
    if (rank > 0) snprintf(process, sizeof process, "process %d: ", rank);
    const int length = snprintf(
        text, sizeof text,
        "delaplace: %s%.3000s has taken %d s: the file system hangs%s\n", process, what,
        seconds,
        ends ? "; ended (set DELAPLACE_FILE_TIMEOUT to more seconds, or to 0, to wait)"
             : ", or is very slow");
    for (int i = 0; i + 1 < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F) text[i] = '?';
    const ssize_t written = write(fd, text, (size_t)length);
    (void)written; /* nothing can be done about a failure */
}

/* Unfinished files stay: to remove them could hang, too. The other processes learn of it
   from MPI, as the system cannot end a process that waits for a disk. */
static void end(void)
{
    (void)signal(SIGALRM, SIG_DFL);
    (void)alarm(10); /* if MPI hangs as well */
    cli_processes_abort(CLI_SYSTEM);
    _exit(CLI_SYSTEM);
}

static void count(wait *w, uint64_t number, const char *what)
{
    if (number != w->number)
        *w = (wait){.number = number, .next = first_message()};
    else if (number)
        w->looks++;
    const bool ends = timeout > 0 && w->looks >= timeout;
    if (!number || (w->looks < w->next && !ends)) return;
    tell(what, w->looks, ends);
    w->next = 2 * w->looks;
    if (ends) end();
}

static void look_at_calls(wait *w)
{
    static dlp_file_call call;
    static char what[sizeof call.path + 64];
    const bool waits = dlp_file_waits(&call) != 0;
    if (waits) snprintf(what, sizeof what, "%s %s", call.doing, call.path);
    count(w, waits ? call.number : 0, what);
}

/* No call of ours, but the system reads a page of a mapped file, or waits for a disk in
   another way. */
static void look_at_sleepers(wait *w)
{
    static char what[TEXT], path[1024];
    dlp_file_call call;
    const uint64_t number = dlp_file_waits(&call) ? 0 : cli_asleep();
    size_t used = (size_t)snprintf(what, sizeof what, "waiting for a disk");
    for (int i = 0; dlp_file_mapped_path(i, path, sizeof path) && used < 2000; i++)
        used += (size_t)snprintf(what + used, sizeof what - used, "%s%.900s",
                                 i ? ", " : ", perhaps that of ", path);
    count(w, number, what);
}

static void *watch(void *nothing)
{
    const struct timespec second = {.tv_sec = 1};
    wait call = {.number = 0}, sleep = {.number = 0};
    for (;;) {
        (void)nanosleep(&second, NULL);
        look_at_calls(&call);
        look_at_sleepers(&sleep);
    }
    return nothing;
}

static void read_timeout(void)
{
    const char *text = getenv("DELAPLACE_FILE_TIMEOUT");
    char *end = NULL;
    const long number = text ? strtol(text, &end, 10) : -1;
    if (number >= 0 && number < 1000000000 && end > text && !*end) timeout = (int)number;
}

void cli_hang_watch(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    read_timeout();
    if (pthread_attr_init(&attributes) != 0) return;
    (void)pthread_attr_setstacksize(&attributes, STACK);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /* signals are for the thread that runs the command */
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    (void)pthread_create(&thread, &attributes, watch, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
}
