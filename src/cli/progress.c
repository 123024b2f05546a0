/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/progress.h"

#include "cli/json.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/processes.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* ---- signals ---- */

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { WATCHED = sizeof watched / sizeof watched[0] };

/* A handler has nowhere else to record it. It is never forgotten: a signal that comes too late for
   one loop, or while files are moved into place, ends the next. */
static volatile sig_atomic_t caught;
static struct sigaction earlier[WATCHED];

static int exit_code(int number)
{
    return number == SIGTERM  ? CLI_TERMINATED
           : number == SIGHUP ? CLI_HUNG_UP
                              : CLI_INTERRUPTED;
}

/* After this time the program ends even if a loop does not poll, say because a library
   waits forever for memory, or if moving files into place hangs on a disk that does not
   answer. */
enum { PATIENCE = 10 /* seconds */, A_MOMENT = 20000 /* microseconds */ };

/* Writes using only calls that are safe in a signal handler. */
static void write_text(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* nothing can be done about a failure */
}

/* Begins a message about what this process alone has met, also where others print. */
static void write_name(void)
{
    char number[] = "000000: ", *at = number + 6;
    int rank = cli_processes_speak();
    write_text("delaplace: ");
    if (rank == 0) return;
    for (; rank > 0 && at > number; rank /= 10) *--at = (char)('0' + rank % 10);
    write_text("process ");
    write_text(at);
}

static void lose_patience(int number);

/* Files are being moved into place: lets that finish, so that the result is complete. */
static void end_later(int number)
{
    const struct itimerval moment = {.it_value = {.tv_usec = A_MOMENT}};
    struct sigaction again;
    memset(&again, 0, sizeof again);
    again.sa_handler = lose_patience;
    again.sa_flags = SA_RESTART;
    caught = number;
    (void)sigaction(SIGALRM, &again, NULL);
    (void)setitimer(ITIMER_REAL, &moment, NULL);
}

/* Removes unfinished files. */
static void end_at_once(int number)
{
    static volatile sig_atomic_t moments;
    if (!dlp_file_abandon() && moments++ < PATIENCE * (1000000 / A_MOMENT)) {
        end_later(number);
        return;
    }
    write_text(number == SIGINT ? "delaplace: interrupted" : "delaplace: terminated");
    write_text(moments > 0 ? " while the result was written\n"
                           : " before there was a result\n");
    _exit(exit_code(number));
}

static void lose_patience(int number)
{
    (void)number;
    end_at_once(caught);
}

static void remember(int number)
{
    caught = number;
    (void)alarm(PATIENCE);
}

/* A signal that was ignored when the program started (nohup) stays ignored. */
static void handle_signals(void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < WATCHED; i++) {
        sigaction(watched[i], NULL, &earlier[i]);
        if (earlier[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
    }
}

/* A library may end the program itself, as OpenMP's does when it gets no thread or no
   memory. The exit code is then that of a system failure. */
static volatile sig_atomic_t running;

static void ended_by_library(void)
{
    static const char why[] = "the system refused a thread or memory; try --threads 1\n";
    if (!running) return;
    (void)dlp_file_abandon();
    write_name();
    write_text(why);
    _exit(CLI_SYSTEM);
}

/* When memory is short, jansson loses characters and may then fail an assertion: end the
   program before that. Files being moved into place are finished first. */
static void *json_memory(size_t size)
{
    void *memory = malloc(size);
    if (memory || !dlp_file_abandon()) return memory;
    write_name();
    write_text("not enough memory for JSON\n");
    _exit(CLI_SYSTEM);
}

/* A mapped file can no longer be read. Faults at other addresses get the default
   action. */
static void lose_file(int number, siginfo_t *info, void *context)
{
    const struct timespec moment = {.tv_nsec = A_MOMENT * 1000L};
    const char *path = dlp_file_mapped(info->si_addr);
    (void)context;
    (void)signal(number, SIG_DFL);
    if (!path) return;
    for (int i = 0; !dlp_file_abandon() && i < PATIENCE * (1000000 / A_MOMENT); i++)
        (void)nanosleep(&moment, NULL);
    write_name();
    write_text(path);
    write_text(
        ": can no longer be read: another program cut it short, or its disk failed; try "
        "again when nothing writes to it\n");
    _exit(CLI_SYSTEM);
}

static void watch_files(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = lose_file;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL);
}

void cli_signals_begin(void)
{
    json_set_alloc_funcs(json_memory, free);
    handle_signals(end_at_once);
    /* a write beyond the file size limit then fails with an error */
    (void)signal(SIGXFSZ, SIG_IGN);
    watch_files();
    running = atexit(ended_by_library) == 0;
}

void cli_signals_end(void)
{
    running = 0;
}

int cli_progress_watch(void *context, const dlp_progress *now)
{
    (void)context, (void)now;
    return caught != 0;
}

int cli_progress_without_result(void)
{
    const dlp_error error = {.message = "interrupted before there was a result"};
    return cli_failed(DLP_ECANCELLED, &error);
}

int cli_progress_exit(void)
{
    return exit_code(caught);
}

/* ---- loops ---- */

cli_progress cli_progress_begin(const char *phase)
{
    struct sigaction late;
    memset(&late, 0, sizeof late);
    late.sa_handler = lose_patience;
    sigemptyset(&late.sa_mask);
    (void)sigaction(SIGALRM, &late, NULL);
    handle_signals(remember);
    cli_phase_begin("%s", phase);
    return (cli_progress){.began = cli_seconds(), .watches = true};
}

void cli_progress_restart(cli_progress *progress, const char *head)
{
    snprintf(progress->head, sizeof progress->head, "%s", head ? head : "");
    progress->began = cli_seconds();
    progress->seen = 0;
}

enum { TIME = 60 };

/* ", about 12 s left" and of what, or nothing where that is not known. */
static void format_time_left(double seconds, const char *of, char text[TIME])
{
    text[0] = '\0';
    if (!isfinite(seconds)) return;
    const bool short_time = seconds < 120;
    snprintf(text, TIME, ", about %.0f %s left%s", short_time ? seconds : seconds / 60,
             short_time ? "s" : "min", of);
}

/* The first iteration includes setup, so it is not typical. */
static double seconds_of_iteration(cli_progress *p, double elapsed)
{
    if (p->seen == 1) p->first = elapsed;
    return p->seen == 1 ? elapsed : (elapsed - p->first) / (p->seen - 1);
}

static void show_iteration(cli_progress *progress, const dlp_progress *now)
{
    char left[TIME];
    const char *what = progress->what ? progress->what : "objective";
    const double value = now->objective / (progress->per > 0 ? progress->per : 1);
    const char *head = progress->head, *comma = *head ? ", " : "";
    const double elapsed = cli_seconds() - progress->began;
    progress->seen++;
    format_time_left(seconds_of_iteration(progress, elapsed) *
                         (now->left > 0 ? now->left : NAN),
                     *head ? " of this fit" : "", left);
    cli_phase_show("%s%siteration %d%s, %s %.6f, change %.1e", head, comma,
                   now->iteration, left, what, value, now->change);
    cli_verbose("%s%siteration %d: %s %.6f, change %.2e, %.3f s", head, comma,
                now->iteration, what, value, now->change, elapsed);
}

/* What comes before the first count, such as a search for a mode, says nothing about how long
   the rest takes; nor does a count that has ended, before another one. */
static double seconds_of_count(cli_progress *p, dlp_index done)
{
    const double now = cli_seconds();
    if (p->counted == 0 || done < p->counted) {
        p->counted_from = done;
        p->counting_since = now;
    }
    p->counted = done;
    return (now - p->counting_since) / (double)(done - p->counted_from);
}

void cli_progress_count(cli_progress *progress, dlp_index done, dlp_index all,
                        const char *what)
{
    char left[TIME];
    const double each = seconds_of_count(progress, done);
    format_time_left(progress->passes ? NAN : each * (double)(all - done), "", left);
    if (all > 0)
        cli_phase_show("%td of %td %s%s", done, all, what, left);
    else
        cli_phase_show("%td %s", done, what);
}

/* Time before the first share, such as the wait for a pipe, is not counted. The work
   after the last share, such as flushing to disk, cannot be estimated: only seconds are
   shown. */
static void show_percent(cli_progress *progress, dlp_index done, dlp_index all)
{
    const double share = all > 0 ? (double)done / (double)all : 1;
    const double now = cli_seconds();
    char left[TIME];
    if (progress->seen++ == 0) {
        progress->began = now;
        progress->first = share;
    }
    format_time_left((now - progress->began) * (1 - share) / (share - progress->first),
                     "", left);
    if (share < 1)
        cli_phase_show("%.0f %%%s", floor(100 * share), left);
    else
        cli_phase_show("%s", "");
}

int cli_progress_call(void *context, const dlp_progress *now)
{
    cli_progress *progress = context;
    if (now->polled) return progress->watches && caught != 0;
    if (progress->percent) {
        show_percent(progress, now->done, now->total);
    } else if (now->iteration > 0) {
        show_iteration(progress, now);
    } else if (now->unit && now->done > 0) {
        cli_progress_count(progress, now->done, now->total, now->unit);
    }
    return progress->watches && caught != 0;
}

void cli_progress_end(void)
{
    (void)alarm(0);
    cli_phase_end();
    for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &earlier[i], NULL);
}
