/* SPDX-License-Identifier: BSD-3-Clause */
/* What readers and writers of files share: files in pieces, and the message of a failed
   system call. */
#ifndef DLPI_CORE_FILE_H
#define DLPI_CORE_FILE_H

#include <delaplace/file.h>
#include <errno.h>
#include <stdbool.h>

/* A part of what goes into a file. */
struct dlpi_piece {
    const void *data;
    size_t size;
    bool mapped; /* pages of a mapping, to be given back once they are written */
};

/* dlp_file_write of pieces, one after the other: what is large need not be copied. */
dlp_status dlpi_file_write_pieces(const char *path, const struct dlpi_piece *piece,
                                  int pieces, dlp_error *error);

/* The same into a set of files, and into its place in the set a file that was written beside the
   target already, whose name the set takes; on failure it does not. */
dlp_status dlpi_file_set_write_pieces(dlp_file_set *set, const char *lead,
                                      const char *path, const struct dlpi_piece *piece,
                                      int pieces, dlp_error *error);
dlp_status dlpi_file_set_take(dlp_file_set *set, const char *lead, const char *path,
                              char *temporary, dlp_error *error);

/* "PATH: cannot DOING: what the system says of code; ADVICE". */
dlp_status dlpi_fail_errno(dlp_error *error, dlp_status status, const char *path,
                           const char *doing, int code, const char *advice);

/* Whether this errno of an open says that the path leads to no file that may be read: the
   input is wrong. Else the system has failed. */
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

#endif
