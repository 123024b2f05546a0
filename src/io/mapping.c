/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/mapping.h"

#include "core/file_call.h"
#include "core/file_mapped.h"
#include "core/scratch.h"
#include "io/input.h"

#include <delaplace/file.h>

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void map(int fd, const char *path, struct dlpi_mapping *mapping)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < (off_t)DLPI_MAPPED ||
        (uintmax_t)st.st_size > PTRDIFF_MAX)
        return;
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) return;
    *mapping = (struct dlpi_mapping){data, (size_t)st.st_size, st};
    dlpi_mapped_add(data, mapping->size, path);
}

bool dlpi_mapping_open(const char *path, struct dlpi_mapping *mapping)
{
    struct stat st;
    *mapping = (struct dlpi_mapping){0};
    /* a pipe that is opened and closed again loses what its writer has written */
    if (strcmp(path, "-") == 0) return false;
    dlpi_file_call("opening", path);
    const bool regular = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    const int fd =
        regular ? open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK) : -1;
    dlpi_file_called();
    if (fd < 0) return false;
    map(fd, path, mapping);
    (void)close(fd); /* the mapping stays */
    const struct dlpi_bytes bytes = {.data = mapping->data, .size = mapping->size};
    if (mapping->data && dlpi_is_compressed(&bytes)) dlpi_mapping_close(mapping);
    return mapping->data != NULL;
}

void dlpi_mapping_close(struct dlpi_mapping *mapping)
{
    if (mapping->data) {
        dlpi_mapped_drop(mapping->data);
        (void)munmap(mapping->data, mapping->size);
    }
    *mapping = (struct dlpi_mapping){0};
}

dlp_status dlpi_mapping_check(const struct dlpi_mapping *mapping, dlp_error *error)
{
    const char *path = dlp_file_mapped(mapping->data);
    const struct stat *then = &mapping->file;
    struct stat now;
    if (!path || stat(path, &now) != 0 || now.st_dev != then->st_dev ||
        now.st_ino != then->st_ino)
        return DLP_OK;
    if (now.st_size == then->st_size && now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == then->st_mtim.tv_nsec)
        return DLP_OK;
    return dlp_fail(error, DLP_EIO,
                    "%s: it was written to while it was read; try again when nothing "
                    "writes to it",
                    path);
}

void dlpi_mapping_release(const char *from, const char *to)
{
    dlpi_pages_release(from, to);
}

bool dlpi_mapping_own(const struct dlpi_mapping *mapping)
{
    return mprotect(mapping->data, mapping->size, PROT_READ | PROT_WRITE) == 0;
}
