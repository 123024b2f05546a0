/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/spill.h"

#include "core/core.h"
#include "core/scratch.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, MILLISECONDS = 1 };
static const size_t PAGE = 4096;

/* Right before the array. */
typedef struct header {
    dlpi_spill *spill; /* NULL: in memory */
    size_t at;         /* in the list of files */
} header;

struct dlpi_spill {
    char *folder; /* NULL: in memory */
    bool sparse;
    double share; /* of arrays that is used */
    double most;
    int statm;            /* the system's statistics of this process */
    pthread_mutex_t door; /* guards what follows */
    dlpi_scratch *file;   /* (room) n are used; freed ones are empty */
    size_t n, room;
    dlp_error error; /* why a file could not be made; else empty */
    pthread_t watcher;
    bool watched, ended;
};

/* ---- pages given back ---- */

static double resident(int statm)
{
    char text[128] = {0}, *end;
    if (pread(statm, text, sizeof text - 1, 0) <= 0) return 0;
    (void)strtod(text, &end); /* what is mapped */
    return strtod(end, NULL) * (double)sysconf(_SC_PAGESIZE);
}

static void give_back(dlpi_spill *s)
{
    for (size_t i = 0; i < s->n && s->folder; i++) {
        const char *x = (const char *)s->file[i].x;
        if (x) dlpi_pages_release(x, x + s->file[i].size);
    }
}

/* false: the watcher should end. */
static bool tend(dlpi_spill *s)
{
    const bool full = resident(s->statm) > s->most / 3;
    pthread_mutex_lock(&s->door);
    const bool ended = s->ended;
    if (full && !ended) give_back(s);
    pthread_mutex_unlock(&s->door);
    return !ended;
}

static void *watch(void *context)
{
    dlpi_spill *s = context;
    const struct timespec pause = {.tv_nsec = MILLISECONDS * 1000000L};
    while (tend(s)) (void)nanosleep(&pause, NULL);
    return NULL;
}

void dlpi_spill_tend(dlpi_spill *s)
{
    if (s && s->folder) (void)tend(s);
}

/* ---- files ---- */

static dlpi_spill *open_in(const char *folder, bool sparse, double most)
{
    dlpi_spill *s = dlpi_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->folder = folder ? strdup(folder) : NULL;
    s->sparse = sparse;
    s->most = most;
    s->share = 1;
    s->statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if ((folder && !s->folder) || pthread_mutex_init(&s->door, NULL) != 0) {
        if (s->statm >= 0) (void)close(s->statm);
        free(s->folder);
        free(s);
        return NULL;
    }
    s->watched = folder && pthread_create(&s->watcher, NULL, watch, s) == 0;
    return s;
}

dlpi_spill *dlpi_spill_open(const char *folder, double most)
{
    return open_in(folder, false, most);
}

dlpi_spill *dlpi_spill_open_sparse(const char *folder, double most)
{
    return open_in(folder, true, most);
}

void dlpi_spill_use(dlpi_spill *s, double share)
{
    s->share = share;
}

bool dlpi_spill_is_on_disk(const dlpi_spill *s)
{
    return s && s->folder;
}

void dlpi_spill_close(dlpi_spill *s)
{
    if (!s) return;
    pthread_mutex_lock(&s->door);
    s->ended = true;
    pthread_mutex_unlock(&s->door);
    if (s->watched) (void)pthread_join(s->watcher, NULL);
    for (size_t i = 0; i < s->n; i++) dlpi_scratch_free(&s->file[i]);
    (void)pthread_mutex_destroy(&s->door);
    if (s->statm >= 0) (void)close(s->statm);
    free(s->file);
    free(s->folder);
    free(s);
}

/* Makes room for one more file at the end of the list. */
static bool grow(dlpi_spill *s)
{
    if (s->n < s->room) return true;
    const size_t room = 2 * s->room + 16;
    dlpi_scratch *file = realloc(s->file, room * sizeof *file);
    if (!file) return false;
    s->file = file;
    s->room = room;
    return true;
}

static dlp_status alloc_file(dlpi_spill *s, dlp_index numbers)
{
    dlpi_scratch *to = &s->file[s->n];
    return s->sparse
               ? dlpi_scratch_alloc_sparse(numbers, s->folder, s->share, to, &s->error)
               : dlpi_scratch_alloc(numbers, s->folder, to, &s->error);
}

/* A page for the header comes first. */
static void *take_file(dlpi_spill *s, size_t bytes)
{
    const dlp_index numbers = (dlp_index)((PAGE + bytes) / sizeof(double) + 1);
    char *rows = NULL;
    pthread_mutex_lock(&s->door);
    give_back(s); /* the next array will be used instead of the last */
    if (grow(s) && alloc_file(s, numbers) == DLP_OK) {
        rows = (char *)s->file[s->n].x + PAGE;
        *(header *)(void *)(rows - LINE) = (header){.spill = s, .at = s->n};
        s->n++;
    }
    pthread_mutex_unlock(&s->door);
    return rows;
}

/* ---- arrays ---- */

void *dlpi_rows_alloc(dlpi_spill *spill, dlp_index count, size_t size)
{
    if (count < 0 || (size && (size_t)count > (PTRDIFF_MAX - 2 * PAGE) / size))
        return NULL;
    const size_t bytes = (size_t)count * size;
    if (spill) return take_file(spill, bytes);
    char *block = dlpi_calloc((dlp_index)(LINE + bytes), 1);
    return block ? block + LINE : NULL;
}

void dlpi_rows_free(void *rows)
{
    if (!rows) return;
    char *block = (char *)rows - LINE;
    const header *h = (const header *)(void *)block;
    dlpi_spill *s = h->spill;
    if (!s) {
        free(block);
        return;
    }
    const size_t at = h->at;
    pthread_mutex_lock(&s->door);
    dlpi_scratch_free(&s->file[at]);
    pthread_mutex_unlock(&s->door);
}

dlp_status dlpi_spill_explain(const dlpi_spill *spill, dlp_status status,
                              dlp_error *error)
{
    if (status != DLP_ENOMEM || !dlpi_spill_is_on_disk(spill) || !spill->error.message[0])
        return status;
    return dlp_fail(error, DLP_EIO, "%s", spill->error.message);
}
