/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that appear whole or not at all. The steps below return 0 or an errno; the
 * message is made once, by dlpi_file_report().
 */
#include "core/file_steps.h"

#include "core/core.h"
#include "core/file_begun.h"

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

static int replace(const dlpi_output_path *p, const struct dlpi_piece *piece, int pieces)
{
    char *temporary;
    int code = dlpi_stage(p, piece, pieces, &temporary);
    if (code) return code;
    code = dlpi_commit_begin();
    if (!code) {
        code = dlpi_rename(temporary, p->target);
        dlpi_commit_end();
    }
    if (code) {
        dlpi_unstage(temporary);
        return code;
    }
    dlpi_sync_folder(p->target);
    free(temporary);
    return 0;
}

static int write_path(const char *path, const struct dlpi_piece *piece, int pieces)
{
    dlpi_output_path p;
    int code = dlpi_find_place(path, &p);
    if (!code)
        code = p.target ? replace(&p, piece, pieces)
                        : dlpi_write_stream(path, &p, piece, pieces);
    free(p.target);
    return code;
}

/* Creates the temporary file that a write would start with, and removes it. */
static int try_path(const char *path)
{
    dlpi_output_path p;
    int code = dlpi_find_place(path, &p);
    if (!code && p.target) {
        int fd = -1;
        char *temporary = NULL;
        if (p.exists && faccessat(AT_FDCWD, p.target, W_OK, AT_EACCESS) != 0)
            code = errno;
        if (!code) temporary = dlpi_create_beside(p.target, 0600, &fd, &code);
        if (temporary) code = dlpi_close_after(fd, 0);
        dlpi_unstage(temporary);
    }
    free(p.target);
    return code;
}

dlp_status dlpi_file_report(const char *path, int code, dlp_error *error)
{
    if (code == 0) return DLP_OK;
    if (code == ENOMEM) return dlpi_no_memory(error, "a file's name");
    return dlpi_fail_errno(error, DLP_EIO, path, "write", code, advice_for(code));
}

int dlpi_file_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

dlp_status dlp_file_try(const char *path, dlp_error *error)
{
    if (!path || !*path) return dlp_fail(error, DLP_EINVAL, "dlp_file_try: needs a path");
    return dlpi_file_report(path, try_path(path), error);
}

dlp_status dlpi_file_write_pieces(const char *path, const struct dlpi_piece *piece,
                                  int pieces, dlp_error *error)
{
    return dlpi_file_report(path, write_path(path, piece, pieces), error);
}

dlp_status dlp_file_write(const char *path, const void *data, size_t size,
                          dlp_error *error)
{
    if (!path || !*path || (!data && size > 0))
        return dlp_fail(error, DLP_EINVAL, "dlp_file_write: needs a path and data");
    const struct dlpi_piece piece = {data, size, false};
    return dlpi_file_write_pieces(path, &piece, 1, error);
}
