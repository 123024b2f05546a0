/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that appear whole or not at all. */
#ifndef DELAPLACE_FILE_H
#define DELAPLACE_FILE_H

#include <delaplace/export.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes size bytes to path: to a new file beside it, synced, then renamed over
 * it. On failure (disk full, no permission, path is a folder) an existing file is
 * unchanged, nothing is left beside it, and the error names the path.
 *
 * The permission bits of an existing file are kept; a read-only one is not replaced. A
 * symbolic link stays, and the file it points to is replaced. Anything other than a
 * regular file (a pipe, a terminal, /dev/null) is written in place, and /dev/stdout,
 * /dev/stderr and /dev/fd/N mean that open descriptor: there, a failure may come after
 * some of the bytes are written.
 */
DLP_API dlp_status dlp_file_write(const char *path, const void *data, size_t size,
                                  dlp_error *error);

/* Whether dlp_file_write could begin, as far as can be told without writing: for programs
   that would rather fail before long work than after it. Fails as dlp_file_write would. */
DLP_API dlp_status dlp_file_try(const char *path, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
