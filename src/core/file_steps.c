/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/file_steps.h"

#include "core/core.h"
#include "core/file_begun.h"
#include "core/file_call.h"
#include "core/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The length of the folder part of path, with its last slash; 0 when it has none. */
size_t dlpi_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The folder part of path with name put after it, to be freed; NULL without memory. */
char *dlpi_beside(const char *path, const char *name)
{
    const size_t folder = dlpi_folder_length(path), length = strlen(name);
    char *joined = malloc(folder + length + 1);
    if (!joined) return NULL;
    memcpy(joined, path, folder);
    memcpy(joined + folder, name, length + 1);
    return joined;
}

/* Where the symbolic link at path points to, seen from here. */
static int read_link(const char *path, char **pointed)
{
    char name[4096];
    const ssize_t length = readlink(path, name, sizeof name - 1);
    if (length < 0) return errno;
    name[length] = '\0';
    *pointed = name[0] == '/' ? strdup(name) : dlpi_beside(path, name);
    return *pointed ? 0 : ENOMEM;
}

/* The file behind the symbolic links at path, if any; it need not exist. */
static int follow_links(const char *path, char **target)
{
    enum { MOST_LINKS = 40 };
    char *here = strdup(path);
    for (int links = 0; here; links++) {
        struct stat st;
        if (lstat(here, &st) != 0 || !S_ISLNK(st.st_mode)) {
            *target = here;
            return 0;
        }
        char *next = NULL;
        const int code = links < MOST_LINKS ? read_link(here, &next) : ELOOP;
        free(here);
        if (code) return code;
        here = next;
    }
    return ENOMEM;
}

int dlpi_write_all(int fd, const char *data, size_t size)
{
    const size_t most = (size_t)1 << 24;
    while (size > 0) {
        dlpi_file_call_again();
        const ssize_t written = write(fd, data, size < most ? size : most);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO;
        data += written;
        size -= (size_t)written;
    }
    return 0;
}

static int write_pages(int fd, const char *data, size_t size)
{
    const size_t most = (size_t)1 << 24;
    int code = 0;
    for (size_t at = 0, n; at < size && !code; at += n) {
        n = size - at < most ? size - at : most;
        code = dlpi_write_all(fd, data + at, n);
        dlpi_pages_release(data + at, data + at + n);
    }
    return code;
}

static int write_pieces(int fd, const struct dlpi_piece *piece, int pieces)
{
    int code = 0;
    for (int i = 0; i < pieces && !code; i++)
        code = piece[i].mapped ? write_pages(fd, piece[i].data, piece[i].size)
                               : dlpi_write_all(fd, piece[i].data, piece[i].size);
    return code;
}

/* The system may hold gigabytes that are not on the disk yet. They go there part by part,
   so that a slow disk is not taken for one that hangs (file_call.h). What fails here is not
   reported by fsync() again. */
static int sync_parts(int fd)
{
#ifdef __linux__
    const off_t most = (off_t)1 << 24;
    const unsigned int whole =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return 0;
    for (off_t at = 0; st.st_size - at > most; at += most) {
        dlpi_file_call_again();
        if (sync_file_range(fd, at, most, whole) == 0) continue;
        return errno == EIO || errno == ENOSPC || errno == EDQUOT ? errno : 0;
    }
#else
    (void)fd;
#endif
    return 0;
}

int dlpi_sync(int fd)
{
    const int code = sync_parts(fd);
    if (code) return code;
    dlpi_file_call_again();
    while (fsync(fd) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Closes fd and returns what went wrong first: before (code) or now. */
int dlpi_close_after(int fd, int code)
{
    return close(fd) != 0 && code == 0 && errno != EINTR ? errno : code;
}

/* The descriptor that a name like /dev/stdout or /dev/fd/3 refers to, or -1. Opening such
   a name again would start at the beginning of a redirected file. */
static int descriptor_of(const char *path)
{
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    int fd = -1, length = 0;
    if (sscanf(path, "/dev/fd/%9d%n", &fd, &length) == 1 && path[length] == '\0')
        return fd;
    return -1;
}

/* Terminals, pipes and devices cannot be replaced: the bytes go into them. */
static int write_in_place(const char *path, const struct dlpi_piece *piece, int pieces)
{
    const int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return errno;
    return dlpi_close_after(fd, write_pieces(fd, piece, pieces));
}

/* A new file in the folder of target, under a name that nobody uses. Returns the name,
   to be freed, or NULL with the reason in *code. */
char *dlpi_create_beside(const char *target, mode_t mode, int *fd, int *code)
{
    enum { ATTEMPTS = 10000 };
    *code = EEXIST;
    for (int i = 0; i < ATTEMPTS && *code == EEXIST; i++) {
        char name[64];
        snprintf(name, sizeof name, ".delaplace-%ld-%d", (long)getpid(), i);
        char *temporary = dlpi_beside(target, name);
        if (!temporary) {
            *code = ENOMEM;
            return NULL;
        }
        dlpi_begun_add(temporary);
        *fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (*fd >= 0) return temporary;
        *code = errno;
        dlpi_begun_drop(temporary);
        free(temporary);
    }
    return NULL;
}

/* Makes the new name itself outlive a power cut. The file is whole either way, and
   some file systems cannot sync a folder: a failure here changes nothing. */
void dlpi_sync_folder(const char *target)
{
    char *folder = dlpi_beside(target, ".");
    dlpi_file_call("syncing the folder of", target);
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    free(folder);
    if (fd >= 0) {
        (void)dlpi_sync(fd);
        (void)close(fd);
    }
    dlpi_file_called();
}

/* Tries several times: the written file is complete, and a later try may succeed. */
int dlpi_rename(const char *from, const char *to)
{
    enum { TRIES = 3 };
    int code = 0;
    dlpi_file_call("renaming", to);
    for (int i = 0; i < TRIES && code != ENOENT; i++) {
        code = rename(from, to) == 0 ? 0 : errno;
        if (code == 0) break;
    }
    dlpi_file_called();
    if (code == 0) dlpi_begun_drop(from);
    return code;
}

void dlpi_unstage(char *temporary)
{
    if (!temporary) return;
    dlpi_file_call("removing", temporary);
    (void)unlink(temporary);
    dlpi_file_called();
    dlpi_begun_drop(temporary);
    free(temporary);
}

static int stage(const dlpi_output_path *p, const struct dlpi_piece *piece, int pieces,
                 char **temporary)
{
    /* rename() would replace a file that its owner has made read-only. */
    if (p->exists && faccessat(AT_FDCWD, p->target, W_OK, AT_EACCESS) != 0) return errno;

    const mode_t mode = p->exists ? p->old.st_mode & 0777 : 0666;
    int fd = -1, code = 0;
    char *made = dlpi_create_beside(p->target, mode, &fd, &code);
    if (!made) return code;
    /* open() cleared the bits of the umask. On a file system without such bits this
       fails, and the file is no more accessible than it should be. */
    if (p->exists) (void)fchmod(fd, mode);
    code = write_pieces(fd, piece, pieces);
    if (!code) code = dlpi_sync(fd);
    code = dlpi_close_after(fd, code);
    if (code)
        dlpi_unstage(made);
    else
        *temporary = made;
    return code;
}

int dlpi_stage(const dlpi_output_path *p, const struct dlpi_piece *piece, int pieces,
               char **temporary)
{
    *temporary = NULL;
    dlpi_file_call("writing", p->target);
    const int code = stage(p, piece, pieces, temporary);
    dlpi_file_called();
    return code;
}

static int find_place(const char *path, dlpi_output_path *p)
{
    *p = (dlpi_output_path){.descriptor = descriptor_of(path)};
    if (p->descriptor >= 0) return 0;
    p->exists = stat(path, &p->old) == 0;
    if (p->exists && S_ISDIR(p->old.st_mode)) return EISDIR;
    p->in_place = p->exists && !S_ISREG(p->old.st_mode);
    return p->in_place ? 0 : follow_links(path, &p->target);
}

int dlpi_find_place(const char *path, dlpi_output_path *p)
{
    dlpi_file_call("opening", path);
    const int code = find_place(path, p);
    dlpi_file_called();
    return code;
}

int dlpi_write_stream(const char *path, const dlpi_output_path *p,
                      const struct dlpi_piece *piece, int pieces)
{
    return p->descriptor >= 0 ? write_pieces(p->descriptor, piece, pieces)
                              : write_in_place(path, piece, pieces);
}
