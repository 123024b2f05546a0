/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The unfinished files of this process, which dlp_file_abandon() removes when a signal
 * ends it. They are kept between calls, since a signal handler is given no context.
 * Internal.
 */
#ifndef DLPI_CORE_FILE_BEGUN_H
#define DLPI_CORE_FILE_BEGUN_H

/* From now on path is removed if the process ends early; without room or memory for it,
   it stays. */
void dlpi_begun_add(const char *path);
/* The file is in place, is gone, or belongs to a journal. */
void dlpi_begun_drop(const char *path);

/* Around renames that belong together: in between nothing is removed and the process
   should not end. Returns 0, or EINTR if the process is ending. */
int dlpi_commit_begin(void);
void dlpi_commit_end(void);

#endif
