/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole of a file, or of standard input, as bytes in memory. */
#include "io/input.h"
#include "core/file.h"
#include "core/file_call.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *dlpi_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

dlp_status dlpi_bytes_grow(struct dlpi_bytes *bytes, dlp_error *error)
{
    const size_t least = (size_t)1 << 16;
    if (bytes->size < bytes->capacity) return DLP_OK;
    const bool doubles = bytes->capacity <= PTRDIFF_MAX / 2;
    const size_t capacity = bytes->capacity < least ? least : 2 * bytes->capacity;
    char *data = doubles ? realloc(bytes->data, capacity) : NULL;
    if (!data) return dlpi_no_memory(error, "the text of a file");
    bytes->data = data;
    bytes->capacity = capacity;
    return DLP_OK;
}

/* A name that does not lead to a readable file is wrong input; a file that stops being
   readable half-way is a failure of the system. */
static dlp_status fail_reading(const char *path, int code, dlp_error *error)
{
    const bool wrong = dlpi_names_no_file(code);
    const dlp_status status = wrong ? DLP_EINPUT : DLP_EIO;
    const char *advice = wrong ? "check the name" : "try again with a copy of the file";
    if (code == ENOMEM) return dlpi_no_memory_to_read(error, dlpi_input_name(path));
    if (code == EISDIR) advice = "name a file inside the folder";
    if (code == EACCES || code == EPERM)
        advice = "ask for permission or name another file";
    if (code == EMFILE || code == ENFILE) advice = "close other files (ulimit -n)";
    return dlpi_fail_errno(error, status, dlpi_input_name(path), "read", code, advice);
}

/* A pipe or a device may have no end: before its text takes twice the memory, that must be
   there. So must what a file holds. */
static dlp_status check_size(const char *path, double size, dlp_error *error)
{
    char what[256];
    snprintf(what, sizeof what, "the text of %.200s", dlpi_input_name(path));
    return dlpi_memory_check(size, what, "use less data or a machine with more", error);
}

/* Reserves what a regular file holds and one byte more, so that its end is seen
   without growing. Only a hint: files may change, and some say 0. */
static dlp_status reserve_for(const char *path, const struct stat *st,
                              struct dlpi_bytes *bytes, dlp_error *error)
{
    if (!S_ISREG(st->st_mode) || st->st_size <= 0) return DLP_OK;
    DLP_TRY(check_size(path, (double)st->st_size, error));
    if ((uintmax_t)st->st_size < PTRDIFF_MAX)
        bytes->data = malloc((size_t)st->st_size + 1);
    if (!bytes->data) return dlpi_no_memory(error, "the text of a file");
    bytes->capacity = (size_t)st->st_size + 1;
    return DLP_OK;
}

/* What is then done with the bytes takes about ten times as long as reading them. */
static const double READING = 0.1;

static dlp_status read_all(const char *path, int fd, struct dlpi_progress *progress,
                           struct dlpi_bytes *bytes, dlp_error *error)
{
    const size_t most = (size_t)1 << 24; /* in one call */
    struct stat st;
    if (fstat(fd, &st) != 0) return fail_reading(path, errno, error);
    if (S_ISDIR(st.st_mode)) return fail_reading(path, EISDIR, error);
    DLP_TRY(reserve_for(path, &st, bytes, error));
    const bool known = bytes->capacity > 0; /* how much there is */
    if (known) dlpi_progress_step(progress, READING, bytes->capacity - 1);
    for (;;) {
        if (known) DLP_TRY(dlpi_progress_tell(progress, bytes->size, error));
        if (bytes->size == bytes->capacity)
            DLP_TRY(check_size(path, 2 * (double)bytes->size, error));
        DLP_TRY(dlpi_bytes_grow(bytes, error));
        const size_t room = bytes->capacity - bytes->size;
        if (S_ISREG(st.st_mode)) dlpi_file_call("reading", path);
        const ssize_t got =
            read(fd, bytes->data + bytes->size, room < most ? room : most);
        dlpi_file_called();
        if (got == 0) return DLP_OK;
        if (got > 0)
            bytes->size += (size_t)got;
        else if (errno != EINTR)
            return fail_reading(path, errno, error);
    }
}

static dlp_status read_path(const char *path, struct dlpi_progress *progress,
                            struct dlpi_bytes *bytes, dlp_error *error)
{
    if (strcmp(path, "-") == 0)
        return read_all(path, STDIN_FILENO, progress, bytes, error);
    const int fd = dlpi_file_open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return fail_reading(path, errno, error);
    const dlp_status status = read_all(path, fd, progress, bytes, error);
    (void)close(fd);
    return status;
}

/* The limit that input.h states, without overflow. */
static size_t decompressed_limit(size_t compressed)
{
    const size_t base = (size_t)1 << 30, ratio = 1100;
    return compressed < (PTRDIFF_MAX - base) / ratio ? base + ratio * compressed
                                                     : PTRDIFF_MAX;
}

dlp_status dlpi_input_read(const char *path, struct dlpi_progress *progress,
                           struct dlpi_bytes *bytes, dlp_error *error)
{
    dlp_status status;
    *bytes = (struct dlpi_bytes){0};
    DLP_TRY_OR(failed, read_path(path, progress, bytes, error));
    DLP_TRY_OR(failed, dlpi_decompress(dlpi_input_name(path), bytes,
                                       decompressed_limit(bytes->size), progress, error));
    return DLP_OK;
failed:
    free(bytes->data);
    *bytes = (struct dlpi_bytes){0};
    return status;
}
