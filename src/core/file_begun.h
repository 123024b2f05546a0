/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files that this process has begun and that have not taken their places: what
 * dlp_file_abandon() removes when a signal ends the process. It is the one thing that the
 * library keeps between calls, since a handler of signals has nobody to ask. Internal.
 */
#ifndef DLPI_CORE_FILE_BEGUN_H
#define DLPI_CORE_FILE_BEGUN_H

/* From now on path is removed if the process is to end; one that finds no room or memory is
   left. */
void dlpi_begun_add(const char *path);
/* It has taken its place, is gone, or belongs to a journal. */
void dlpi_begun_drop(const char *path);

/* Around renames that belong together: between them nothing is removed and the process
   should not end. Returns 0, or EINTR where the process is ending. */
int dlpi_commit_begin(void);
void dlpi_commit_end(void);

#endif
