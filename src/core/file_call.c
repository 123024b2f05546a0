/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/file_call.h"

#include <delaplace/file.h>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

enum { MOST = 64 };

static dlp_file_call calls[MOST]; /* number 0: none */
static uint64_t begun;
static _Thread_local dlp_file_call *own; /* this thread's, if it has one */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

static dlp_file_call *find_free(void)
{
    for (int i = 0; i < MOST; i++)
        if (!calls[i].number) return &calls[i];
    return NULL;
}

void dlpi_file_call(const char *doing, const char *path)
{
    (void)pthread_mutex_lock(&door);
    if (!own) own = find_free();
    if (own) {
        own->number = ++begun;
        own->doing = doing;
        snprintf(own->path, sizeof own->path, "%s", path);
    }
    (void)pthread_mutex_unlock(&door);
}

void dlpi_file_call_again(void)
{
    if (!own) return;
    (void)pthread_mutex_lock(&door);
    own->number = ++begun;
    (void)pthread_mutex_unlock(&door);
}

void dlpi_file_called(void)
{
    if (!own) return;
    (void)pthread_mutex_lock(&door);
    own->number = 0;
    (void)pthread_mutex_unlock(&door);
    own = NULL;
}

static void call_opening(const char *path)
{
    struct stat st;
    dlpi_file_call("opening", path);
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) dlpi_file_called();
}

int dlpi_file_open(const char *path, int flags)
{
    call_opening(path);
    const int fd = open(path, flags);
    dlpi_file_called();
    return fd;
}

FILE *dlpi_file_stream(const char *path)
{
    call_opening(path);
    FILE *file = fopen(path, "rb");
    dlpi_file_called();
    return file;
}

size_t dlpi_file_read(const char *path, FILE *file, void *bytes, size_t size)
{
    dlpi_file_call("reading", path);
    const size_t got = fread(bytes, 1, size, file);
    dlpi_file_called();
    return got;
}

int dlp_file_waits(dlp_file_call *call)
{
    const dlp_file_call *first = NULL;
    (void)pthread_mutex_lock(&door);
    for (int i = 0; i < MOST; i++)
        if (calls[i].number && (!first || calls[i].number < first->number))
            first = &calls[i];
    if (first) *call = *first;
    (void)pthread_mutex_unlock(&door);
    return first != NULL;
}
