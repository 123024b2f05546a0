/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/scratch.h"

#include "core/core.h"
#include "core/file_call.h"
#include "core/file_mapped.h"
#include "core/file_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

void dlpi_pages_release(const void *from, const void *to)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
                    before = (uintptr_t)from % page,
                    length = (uintptr_t)to - (uintptr_t)from;
    const size_t size = (before + length) / page * page;
    if (size > 0) (void)madvise((char *)from - before, size, MADV_DONTNEED);
}

const char *dlpi_scratch_folder(const char *asked)
{
    const char *folder = asked && *asked ? asked : getenv("TMPDIR");
    return folder && *folder ? folder : "/var/tmp";
}

/* Reserves all of the disk space before anything is written: a mapping can report a full
   disk only by the signal that ends the process. */
static int reserve(int fd, const dlpi_scratch *s, double share)
{
    int code = 0;
    struct statvfs disk;
    if (share < 1) {
        if (fstatvfs(fd, &disk) != 0 || ftruncate(fd, (off_t)s->size) != 0) return errno;
        const double left = (double)disk.f_bavail * (double)disk.f_frsize;
        return share * (double)s->size > left ? ENOSPC : 0;
    }
    /* Part by part, since some file systems write all of it. */
    const off_t size = (off_t)s->size, most = (off_t)1 << 30;
    for (off_t at = 0; at < size && (code == 0 || code == EINTR);) {
        dlpi_file_call_again();
        code = posix_fallocate(fd, at, size - at < most ? size - at : most);
        if (code == 0) at += most;
    }
    return code;
}

static int map_file(int fd, double share, dlpi_scratch *s)
{
    const int code = reserve(fd, s, share);
    if (code) return code;
    void *data = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED) return errno;
    s->x = data;
    return 0;
}

static int make_file(const char *folder, double share, dlpi_scratch *s)
{
    const size_t length = strlen(folder);
    char *target = malloc(length + 2);
    int fd = -1, code = ENOMEM;
    if (!target) return code;
    snprintf(target, length + 2, "%s/", folder);
    char *name = dlpi_create_beside(target, 0600, &fd, &code);
    dlpi_unstage(name);
    free(target);
    if (!name) return code;
    dlpi_file_call("making room in", folder);
    code = map_file(fd, share, s);
    dlpi_file_called();
    (void)close(fd); /* the mapping stays */
    if (!code) dlpi_mapped_add(s->x, s->size, folder);
    return code;
}

static dlp_status alloc_file(const char *folder, double share, dlpi_scratch *s,
                             dlp_error *error)
{
    const int code = make_file(folder, share, s);
    if (!code) return DLP_OK;
    const double bytes = (double)s->size;
    *s = (dlpi_scratch){.x = NULL};
    char reason[128];
    if (strerror_r(code, reason, sizeof reason) != 0) reason[0] = '\0';
    return dlp_fail(error, DLP_EIO,
                    "%s: cannot keep %.1f GB there that do not fit in memory: %s", folder,
                    bytes / 1e9, reason);
}

dlp_status dlpi_scratch_alloc(dlp_index count, const char *folder, dlpi_scratch *s,
                              dlp_error *error)
{
    *s = (dlpi_scratch){.size = (size_t)(count > 0 ? count : 1) * sizeof *s->x,
                        .on_disk = folder != NULL};
    if (folder) return alloc_file(folder, 1, s, error);
    s->x = dlpi_calloc(count, sizeof *s->x);
    return s->x ? DLP_OK : dlpi_no_memory(error, "working arrays");
}

dlp_status dlpi_scratch_alloc_sparse(dlp_index count, const char *folder, double share,
                                     dlpi_scratch *s, dlp_error *error)
{
    *s = (dlpi_scratch){.size = (size_t)(count > 0 ? count : 1) * sizeof *s->x,
                        .on_disk = true};
    if (folder) return alloc_file(folder, share, s, error);
    void *data = mmap(NULL, s->size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) {
        *s = (dlpi_scratch){.x = NULL};
        return dlpi_no_memory(error, "rows");
    }
    s->x = data;
    dlpi_mapped_add(s->x, s->size, "memory");
    return DLP_OK;
}

void dlpi_scratch_free(dlpi_scratch *s)
{
    if (s->on_disk && s->x) {
        dlpi_mapped_drop(s->x);
        (void)munmap(s->x, s->size);
    } else {
        free(s->x);
    }
    *s = (dlpi_scratch){.x = NULL};
}

void dlpi_scratch_leave(const dlpi_scratch *s, dlp_index from, dlp_index to)
{
    if (s->on_disk) dlpi_pages_release(s->x + from, s->x + to);
}
