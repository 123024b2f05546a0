/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/file_mapped.h"

#include <delaplace/file.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST = 16, PATH = 4096 };

typedef struct mapped {
    atomic_uintptr_t from; /* 0: none */
    uintptr_t to;
    char path[PATH]; /* a longer path is cut off: it is only for a message */
} mapped;

/* A signal handler may run at any instruction, so it takes no lock. The thread that it
   interrupts was reading the bytes, so their entry stays; the lock is for threads that
   map files concurrently. */
static mapped files[MOST];
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;

/* The entry that begins at this address; for 0, a free one. */
static mapped *entry_of(uintptr_t from)
{
    for (int i = 0; i < MOST; i++)
        if (atomic_load(&files[i].from) == from) return &files[i];
    return NULL;
}

void dlpi_mapped_add(const void *data, size_t size, const char *path)
{
    (void)pthread_mutex_lock(&door);
    mapped *file = entry_of(0);
    if (file) {
        file->to = (uintptr_t)data + size;
        snprintf(file->path, PATH, "%s", path);
        atomic_store(&file->from, (uintptr_t)data);
    }
    (void)pthread_mutex_unlock(&door);
}

void dlpi_mapped_drop(const void *data)
{
    (void)pthread_mutex_lock(&door);
    mapped *file = entry_of((uintptr_t)data);
    if (file) atomic_store(&file->from, 0);
    (void)pthread_mutex_unlock(&door);
}

int dlp_file_mapped_path(int i, char *path, size_t size)
{
    const mapped *file = NULL;
    (void)pthread_mutex_lock(&door);
    for (int j = 0; j < MOST && !file; j++)
        if (atomic_load(&files[j].from) && i-- == 0) file = &files[j];
    if (file) snprintf(path, size, "%s", file->path);
    (void)pthread_mutex_unlock(&door);
    return file != NULL;
}

const char *dlp_file_mapped(const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < MOST; i++) {
        const uintptr_t from = atomic_load(&files[i].from);
        if (from && at >= from && at < files[i].to) return files[i].path;
    }
    return NULL;
}
