/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps that make files appear whole. Those with a result return 0 or an errno.
   Internal. */
#ifndef DLPI_CORE_FILE_STEPS_H
#define DLPI_CORE_FILE_STEPS_H

#include "core/file.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

/* What a path refers to: an open descriptor, something that takes bytes in place, or the
   regular file (existing or not) behind its symbolic links. */
typedef struct dlpi_output_path {
    int descriptor; /* or -1 */
    bool in_place;
    bool exists;
    struct stat old; /* if it exists */
    char *target;    /* the regular file, to be freed; NULL for the others */
} dlpi_output_path;

int dlpi_find_place(const char *path, dlpi_output_path *p);
/* Writes the bytes to a new, synced file beside the target, under an unused name, which
   the caller frees; NULL on failure. */
int dlpi_stage(const dlpi_output_path *p, const struct dlpi_piece *piece, int pieces,
               char **temporary);
/* Writes the bytes to something other than a regular file. */
int dlpi_write_stream(const char *path, const dlpi_output_path *p,
                      const struct dlpi_piece *piece, int pieces);
/* Removes a file that was not renamed into place, and frees its name; NULL is fine. */
void dlpi_unstage(char *temporary);
/* rename() with retries. */
int dlpi_rename(const char *from, const char *to);
/* Makes a new name survive a power cut, if the file system can. */
void dlpi_sync_folder(const char *target);

/* The length of the folder part of path, with its last slash; 0 when it has none. */
size_t dlpi_folder_length(const char *path);
/* The folder part of path with name put after it, to be freed; NULL without memory. */
char *dlpi_beside(const char *path, const char *name);
/* A new file in the folder of target, under a name that nobody uses. Returns the name, to
   be freed, or NULL with the reason in *code. */
char *dlpi_create_beside(const char *target, mode_t mode, int *fd, int *code);
/* Writes all bytes, and syncs what was written to disk. */
int dlpi_write_all(int fd, const char *data, size_t size);
int dlpi_sync(int fd);
/* Closes fd and returns what went wrong first: before (code) or now. */
int dlpi_close_after(int fd, int code);
/* The message of a failed write; DLP_OK for 0. */
dlp_status dlpi_file_report(const char *path, int code, dlp_error *error);

#endif
