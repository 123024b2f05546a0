/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that appear whole or not at all. The steps below return 0 or an errno; the
 * message is made once, by report().
 */
#include "core/file.h"

#include "core/core.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

dlp_status dlpi_fail_errno(dlp_error *error, dlp_status status, const char *path,
                           const char *doing, int code, const char *advice)
{
    char reason[128];
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "system error %d", code);
    return dlp_fail(error, status, "%s: cannot %s: %s; %s", path, doing, reason, advice);
}

static const char *advice_for(int code)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR: return "create its folder first or name another file";
    case EISDIR: return "name a file inside the folder";
    case EACCES:
    case EPERM:
    case EROFS: return "name a file that you may write";
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "make room or name a file on another disk";
    default: return "try again or name another file";
    }
}

/* The length of the folder part of path, with its last slash; 0 when it has none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The folder part of path with name put after it, to be freed; NULL without memory. */
static char *beside(const char *path, const char *name)
{
    const size_t folder = folder_length(path), length = strlen(name);
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
    *pointed = name[0] == '/' ? strdup(name) : beside(path, name);
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

static int write_all(int fd, const char *data, size_t size)
{
    const size_t most = (size_t)1 << 30; /* some systems refuse more in one call */
    while (size > 0) {
        const ssize_t written = write(fd, data, size < most ? size : most);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO;
        data += written;
        size -= (size_t)written;
    }
    return 0;
}

static int write_pieces(int fd, const struct dlpi_piece *piece, int pieces)
{
    int code = 0;
    for (int i = 0; i < pieces && !code; i++)
        code = write_all(fd, piece[i].data, piece[i].size);
    return code;
}

static int sync_all(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Closes fd and returns what went wrong first: before (code) or now. */
static int close_after(int fd, int code)
{
    return close(fd) != 0 && code == 0 && errno != EINTR ? errno : code;
}

/* The descriptor that a name like /dev/stdout or /dev/fd/3 stands for, or -1. Opening
   such a name again would start at the beginning of a redirected file. */
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
    return close_after(fd, write_pieces(fd, piece, pieces));
}

/* A new file in the folder of target, under a name that nobody uses. Returns the name,
   to be freed, or NULL with the reason in *code. */
static char *create_beside(const char *target, mode_t mode, int *fd, int *code)
{
    enum { ATTEMPTS = 10000 };
    *code = EEXIST;
    for (int i = 0; i < ATTEMPTS && *code == EEXIST; i++) {
        char name[64];
        snprintf(name, sizeof name, ".delaplace-%ld-%d", (long)getpid(), i);
        char *temporary = beside(target, name);
        *fd = temporary ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                        : -1;
        if (*fd >= 0) return temporary;
        *code = temporary ? errno : ENOMEM;
        free(temporary);
    }
    return NULL;
}

/* Makes the new name itself outlive a power cut. The file is whole either way, and
   some file systems cannot sync a folder: a failure here changes nothing. */
static void sync_folder(const char *target)
{
    char *folder = beside(target, ".");
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    free(folder);
    if (fd < 0) return;
    (void)sync_all(fd);
    (void)close(fd);
}

/* Writes beside target, syncs, renames over it. old describes the file there, or NULL. */
static int replace(const char *target, const struct stat *old,
                   const struct dlpi_piece *piece, int pieces)
{
    /* rename() would replace a file that its owner has made read-only. */
    if (old && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0) return errno;

    const mode_t mode = old ? old->st_mode & 0777 : 0666;
    int fd = -1, code = 0;
    char *temporary = create_beside(target, mode, &fd, &code);
    if (!temporary) return code;
    /* open() took the umask's bits off. Where the file system has no such bits this
       fails, and the file is no more open than it should be. */
    if (old) (void)fchmod(fd, mode);
    code = write_pieces(fd, piece, pieces);
    if (!code) code = sync_all(fd);
    code = close_after(fd, code);
    if (!code && rename(temporary, target) != 0) code = errno;
    if (code)
        (void)unlink(temporary);
    else
        sync_folder(target);
    free(temporary);
    return code;
}

/* What a path stands for: an open descriptor, something that takes bytes in place, or the
   regular file (there already or not) behind its symbolic links. */
typedef struct place {
    int descriptor; /* or -1 */
    bool in_place;
    bool exists;
    struct stat old; /* where it exists */
    char *target;    /* the regular file, to be freed */
} place;

static int find_place(const char *path, place *p)
{
    *p = (place){.descriptor = descriptor_of(path)};
    if (p->descriptor >= 0) return 0;
    p->exists = stat(path, &p->old) == 0;
    if (p->exists && S_ISDIR(p->old.st_mode)) return EISDIR;
    p->in_place = p->exists && !S_ISREG(p->old.st_mode);
    return p->in_place ? 0 : follow_links(path, &p->target);
}

static int write_path(const char *path, const struct dlpi_piece *piece, int pieces)
{
    place p;
    int code = find_place(path, &p);
    if (!code && p.descriptor >= 0)
        code = write_pieces(p.descriptor, piece, pieces);
    else if (!code && p.in_place)
        code = write_in_place(path, piece, pieces);
    else if (!code)
        code = replace(p.target, p.exists ? &p.old : NULL, piece, pieces);
    free(p.target);
    return code;
}

/* Makes the file beside the target that a write would begin with, and removes it. */
static int try_path(const char *path)
{
    place p;
    int code = find_place(path, &p);
    if (!code && p.target) {
        int fd = -1;
        char *temporary = NULL;
        if (p.exists && faccessat(AT_FDCWD, p.target, W_OK, AT_EACCESS) != 0)
            code = errno;
        if (!code) temporary = create_beside(p.target, 0600, &fd, &code);
        if (temporary) {
            code = close_after(fd, 0);
            (void)unlink(temporary);
        }
        free(temporary);
    }
    free(p.target);
    return code;
}

static dlp_status report(const char *path, int code, dlp_error *error)
{
    if (code == 0) return DLP_OK;
    if (code == ENOMEM) return dlpi_no_memory(error, "a file's name");
    return dlpi_fail_errno(error, DLP_EIO, path, "write", code, advice_for(code));
}

dlp_status dlp_file_try(const char *path, dlp_error *error)
{
    if (!path || !*path) return dlp_fail(error, DLP_EINVAL, "dlp_file_try: needs a path");
    return report(path, try_path(path), error);
}

dlp_status dlpi_file_write_pieces(const char *path, const struct dlpi_piece *piece,
                                  int pieces, dlp_error *error)
{
    return report(path, write_path(path, piece, pieces), error);
}

dlp_status dlp_file_write(const char *path, const void *data, size_t size,
                          dlp_error *error)
{
    if (!path || !*path || (!data && size > 0))
        return dlp_fail(error, DLP_EINVAL, "dlp_file_write: needs a path and data");
    const struct dlpi_piece piece = {data, size};
    return dlpi_file_write_pieces(path, &piece, 1, error);
}
