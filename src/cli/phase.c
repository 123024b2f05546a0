/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/phase.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { TEXT = 256, USUAL_WIDTH = 80 };
/* Seconds before a phase gets its line, and the time between two updates. */
static const double PATIENCE = 1;
static const long LOOK = 200000000; /* nanoseconds */
/* For output that cannot be erased: seconds before the first line of a command, and the
   longest wait between two. Each line comes when the command has run twice as long as at
   the one before, so a log does not fill up. */
static const double FIRST_LINE = 10, LONGEST_WAIT = 600;

typedef enum manner {
    SILENT,
    ONE_LINE,   /* stderr is a terminal that can erase a line */
    PLAIN_LINES /* stderr is something else, such as a log */
} manner;

/* There is one of these because a program has one terminal. The lock guards the fields
   below it. A thread draws the line, because most phases are one long call. */
static struct {
    manner manner; /* how progress is shown */
    bool quiet;    /* print only results and errors */
    bool verbose;  /* say what was done */
    int depth;     /* commands running: the demo runs others */
    bool drawing;  /* the thread is running */
    pthread_t drawer;

    pthread_mutex_t lock;
    pthread_cond_t over;
    bool ended;           /* the thread should end */
    bool open;            /* a phase is open */
    bool drawn;           /* there is a line to erase */
    double began;         /* when the phase began */
    double started, next; /* when the command began; when its next plain line is due */
    char name[TEXT], detail[TEXT], note[TEXT];
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the line; all with the lock ---- */

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
        return USUAL_WIDTH;
    return size.ws_col;
}

/* Cuts the text to that many columns, between UTF-8 characters. Control characters in
   names, which could steer the terminal, become question marks. */
static void fit_line(char *text, int columns)
{
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if ((byte & 0xC0) != 0x80 && columns-- == 0) break;
        if (byte < 0x20 || byte == 0x7F) *text = '?';
    }
    *text = '\0';
}

static void erase(void)
{
    if (watch.drawn) fputs("\r\033[K", stderr);
    watch.drawn = false;
}

/* A line as wide as the terminal would wrap, and then could not be erased. */
static void draw_over(char *line)
{
    fit_line(line, terminal_width() - 1);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    watch.drawn = true;
}

static void draw_below(char *line, double now)
{
    const double lasted = now - watch.started;
    fit_line(line, TEXT);
    fprintf(stderr, "%s\n", line);
    watch.next = now + (lasted < LONGEST_WAIT ? lasted : LONGEST_WAIT);
}

static void draw(void)
{
    const double now = cli_seconds(), lasted = now - watch.began;
    char line[2 * TEXT + 16];
    if (!watch.open || lasted < PATIENCE) return;
    if (watch.manner == PLAIN_LINES && now < watch.next) return;
    if (*watch.detail)
        snprintf(line, sizeof line, "%s: %s", watch.name, watch.detail);
    else
        snprintf(line, sizeof line, "%s, %d s", watch.name, (int)lasted);
    if (watch.manner == PLAIN_LINES)
        draw_below(line, now);
    else
        draw_over(line);
}

static void *draw_lines(void *unused)
{
    pthread_mutex_lock(&watch.lock);
    while (!watch.ended) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LOOK;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&watch.over, &watch.lock, &until);
        if (!watch.ended) draw();
    }
    pthread_mutex_unlock(&watch.lock);
    return unused;
}

/* ---- around a command ---- */

static bool can_erase(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && *terminal &&
           strcmp(terminal, "dumb") != 0;
}

/* In a log, the lines of --verbose are enough. */
static manner choose_manner(const cli_common *common)
{
    if (common->quiet) return SILENT;
    if (can_erase()) return ONE_LINE;
    return common->verbose ? SILENT : PLAIN_LINES;
}

void cli_phases_begin(const cli_common *common)
{
    pthread_condattr_t attributes;
    if (watch.depth++ > 0) return;
    watch.quiet = common->quiet;
    watch.verbose = common->verbose;
    watch.manner = choose_manner(common);
    watch.started = cli_seconds();
    watch.next = watch.started + FIRST_LINE;
    if (watch.manner == SILENT || pthread_condattr_init(&attributes) != 0) return;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    /* without the thread only the line is missing */
    watch.ended = false;
    watch.drawing = pthread_cond_init(&watch.over, &attributes) == 0 &&
                    pthread_create(&watch.drawer, NULL, draw_lines, NULL) == 0;
    pthread_condattr_destroy(&attributes);
}

void cli_phases_end(void)
{
    cli_phase_end();
    if (--watch.depth > 0 || !watch.drawing) return;
    pthread_mutex_lock(&watch.lock);
    watch.ended = true;
    pthread_cond_signal(&watch.over);
    pthread_mutex_unlock(&watch.lock);
    pthread_join(watch.drawer, NULL);
    pthread_cond_destroy(&watch.over);
    watch.drawing = false;
}

/* ---- phases ---- */

void cli_phase_begin(const char *format, ...)
{
    va_list args;
    if (watch.manner == SILENT && !watch.verbose) return;
    cli_phase_end();
    pthread_mutex_lock(&watch.lock);
    va_start(args, format);
    vsnprintf(watch.name, TEXT, format, args);
    va_end(args);
    watch.detail[0] = watch.note[0] = '\0';
    watch.began = cli_seconds();
    watch.open = true;
    pthread_mutex_unlock(&watch.lock);
}

void cli_phase_show(const char *format, ...)
{
    va_list args;
    if (watch.manner == SILENT) return;
    va_start(args, format);
    pthread_mutex_lock(&watch.lock);
    vsnprintf(watch.detail, TEXT, format, args);
    pthread_mutex_unlock(&watch.lock);
    va_end(args);
}

void cli_phase_note(const char *format, ...)
{
    va_list args;
    if (!watch.verbose) return;
    va_start(args, format);
    vsnprintf(watch.note, TEXT, format, args);
    va_end(args);
}

void cli_phase_end(void)
{
    pthread_mutex_lock(&watch.lock);
    erase();
    if (watch.open && watch.verbose) {
        fit_line(watch.name, TEXT);
        fprintf(stderr, "%s: %s%s%.3f s\n", watch.name, watch.note,
                *watch.note ? ", " : "", cli_seconds() - watch.began);
    }
    watch.open = false;
    pthread_mutex_unlock(&watch.lock);
}

bool cli_phases_are_quiet(void)
{
    return watch.quiet;
}

void cli_verbose(const char *format, ...)
{
    va_list args;
    if (!watch.verbose) return;
    va_start(args, format);
    pthread_mutex_lock(&watch.lock);
    erase();
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    pthread_mutex_unlock(&watch.lock);
    va_end(args);
}
