/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/mapping.h"

#include "core/scratch.h"
#include "io/input.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void map(int fd, struct dlpi_mapping *mapping)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < (off_t)DLPI_MAPPED ||
        (uintmax_t)st.st_size > PTRDIFF_MAX)
        return;
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) return;
    *mapping = (struct dlpi_mapping){data, (size_t)st.st_size};
}

bool dlpi_mapping_open(const char *path, struct dlpi_mapping *mapping)
{
    *mapping = (struct dlpi_mapping){0};
    if (strcmp(path, "-") == 0) return false;
    const int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    map(fd, mapping);
    (void)close(fd); /* the mapping stays */
    const struct dlpi_bytes bytes = {.data = mapping->data, .size = mapping->size};
    if (mapping->data && dlpi_is_compressed(&bytes)) dlpi_mapping_close(mapping);
    return mapping->data != NULL;
}

void dlpi_mapping_close(struct dlpi_mapping *mapping)
{
    if (mapping->data) (void)munmap(mapping->data, mapping->size);
    *mapping = (struct dlpi_mapping){0};
}

void dlpi_mapping_release(const char *from, const char *to)
{
    dlpi_pages_release(from, to);
}

bool dlpi_mapping_own(const struct dlpi_mapping *mapping)
{
    return mprotect(mapping->data, mapping->size, PROT_READ | PROT_WRITE) == 0;
}
