/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by readers and writers of files: writing in pieces, and messages for failed
   system calls. */
#ifndef DLPI_CORE_FILE_H
#define DLPI_CORE_FILE_H

#include <delaplace/file.h>
#include <errno.h>
#include <stdbool.h>

/* A piece of a file's content. */
struct dlpi_piece {
    const void *data;
    size_t size;
    bool mapped; /* pages of a mapping, released once they are written */
};

/* dlp_file_write of pieces, one after the other: large ones need not be copied. */
dlp_status dlpi_file_write_pieces(const char *path, const struct dlpi_piece *piece,
                                  int pieces, dlp_error *error);

/* The same into a set of files. The second adds a file already written beside its target
   and takes ownership of its name, except on failure. */
dlp_status dlpi_file_set_write_pieces(dlp_file_set *set, const char *lead,
                                      const char *path, const struct dlpi_piece *piece,
                                      int pieces, dlp_error *error);
dlp_status dlpi_file_set_take(dlp_file_set *set, const char *lead, const char *path,
                              char *temporary, dlp_error *error);

/* "PATH: cannot DOING: the system's text for code; ADVICE". */
dlp_status dlpi_fail_errno(dlp_error *error, dlp_status status, const char *path,
                           const char *doing, int code, const char *advice);

/* Whether this errno of an open means that the path names no readable file, so that the
   input is wrong. Otherwise the system has failed. */
static inline bool dlpi_names_no_file(int code)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EACCES:
    case EPERM: return true;
    default: return false;
    }
}

/* Whether two paths lead to the same regular file, so that writing to one replaces the
   other. False if there is none. */
int dlpi_file_same(const char *a, const char *b);

#endif
