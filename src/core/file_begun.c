/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/file_begun.h"

#include <delaplace/file.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 256 };

/* A signal handler may run at any instruction, so it takes no lock: it takes names out of
   the table and does not free them. The lock is for threads that write files
   concurrently. */
static _Atomic(char *) begun[MOST];
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static atomic_int commits;
static atomic_bool ending;

void dlpi_begun_add(const char *path)
{
    char *kept = strdup(path);
    bool put = false;
    if (!kept) return;
    (void)pthread_mutex_lock(&door);
    for (int i = 0; i < MOST && !put; i++) {
        char *nothing = NULL;
        put = atomic_compare_exchange_strong(&begun[i], &nothing, kept);
    }
    (void)pthread_mutex_unlock(&door);
    if (!put) free(kept);
}

void dlpi_begun_drop(const char *path)
{
    char *found = NULL;
    (void)pthread_mutex_lock(&door);
    for (int i = 0; i < MOST && !found; i++) {
        char *kept = atomic_load(&begun[i]);
        if (kept && !strcmp(kept, path) &&
            atomic_compare_exchange_strong(&begun[i], &kept, NULL))
            found = kept;
    }
    (void)pthread_mutex_unlock(&door);
    free(found);
}

/* Each side announces its intent before it checks the other's, so they never both go
   on. */
int dlpi_commit_begin(void)
{
    atomic_fetch_add(&commits, 1);
    if (!atomic_load(&ending)) return 0;
    dlpi_commit_end();
    return EINTR;
}

void dlpi_commit_end(void)
{
    atomic_fetch_sub(&commits, 1);
}

int dlp_file_abandon(void)
{
    atomic_store(&ending, true);
    if (atomic_load(&commits) > 0) {
        atomic_store(&ending, false);
        return 0;
    }
    const int before = errno;
    for (int i = 0; i < MOST; i++) {
        const char *path = atomic_exchange(&begun[i], NULL);
        if (path) (void)unlink(path);
    }
    errno = before;
    return 1;
}
