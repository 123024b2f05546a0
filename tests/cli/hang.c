/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file system that hangs, for tests: loaded before the C library (LD_PRELOAD), it never
 * returns from the calls named by HANG_CALL ("read", "write", "fsync", "rename") on files
 * whose path has HANG_FILE in it, in the process whose rank is HANG_RANK, if that is set.
 * "page": a page that was released never comes back, as when a mapped file is read.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static int hangs(const char *call)
{
    const char *wanted = getenv("HANG_CALL"), *rank = getenv("HANG_RANK"),
               *own = getenv("OMPI_COMM_WORLD_RANK");
    return wanted && !strcmp(wanted, call) && (!rank || (own && !strcmp(rank, own)));
}

static int is_named(const char *path)
{
    const char *name = getenv("HANG_FILE");
    return name && strstr(path, name);
}

static int is_file(int fd)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return is_named(path);
}

static void hang(void)
{
    for (;;) pause();
}

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

ssize_t read(int fd, void *bytes, size_t size)
{
    if (hangs("read") && is_file(fd)) hang();
    return NEXT(ssize_t(*)(int, void *, size_t), "read")(fd, bytes, size);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (hangs("write") && is_file(fd)) hang();
    return NEXT(ssize_t(*)(int, const void *, size_t), "write")(fd, bytes, size);
}

int fsync(int fd)
{
    if (hangs("fsync") && is_file(fd)) hang();
    return NEXT(int (*)(int), "fsync")(fd);
}

int rename(const char *from, const char *to)
{
    if (hangs("rename") && is_named(to)) hang();
    return NEXT(int (*)(const char *, const char *), "rename")(from, to);
}

/* A process that waits for its vfork() sleeps like one that waits for a disk. It ends with
   its parent. */
int madvise(void *from, size_t size, int advice)
{
    if (hangs("page") && advice == MADV_DONTNEED && vfork() == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) pause();
    }
    return NEXT(int (*)(void *, size_t, int), "madvise")(from, size, advice);
}
