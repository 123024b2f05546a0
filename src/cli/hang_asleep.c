/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/hang_asleep.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>

/* As getdents64(2) has it. */
typedef struct entry {
    uint64_t inode;
    int64_t next;
    unsigned short size;
    unsigned char type;
    char name[];
} entry;

enum { LISTED = 1 << 13, STATUS = 1 << 12 };

static const char *find(const char *text, const char *field)
{
    const char *at = strstr(text, field);
    return at ? at + strlen(field) : NULL;
}

/* "D": asleep until a disk answers. How often a thread has gone to sleep tells one sleep
   from the next. */
static uint64_t sleep_of(const char *thread)
{
    static char text[STATUS];
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0) (void)close(fd);
    text[got > 0 ? got : 0] = '\0';
    const char *state = find(text, "\nState:\t"),
               *times = find(text, "\nvoluntary_ctxt_switches:\t");
    if (!state || *state != 'D' || !times) return 0;
    return strtoull(thread, NULL, 10) << 40 | (strtoull(times, NULL, 10) & 0xFFFFFFFFFF);
}

uint64_t cli_asleep(void)
{
    static char list[LISTED];
    uint64_t least = 0; /* the first thread's, so that it is the same one every time */
    const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long got = 0;
    while (folder >= 0 && (got = syscall(SYS_getdents64, folder, list, LISTED)) > 0)
        for (long at = 0; at < got;) {
            const entry *e = (const entry *)(const void *)(list + at);
            const uint64_t sleep = *e->name == '.' ? 0 : sleep_of(e->name);
            if (sleep && (!least || sleep < least)) least = sleep;
            at += e->size;
        }
    if (folder >= 0) (void)close(folder);
    return least;
}

#else

uint64_t cli_asleep(void)
{
    return 0;
}

#endif
