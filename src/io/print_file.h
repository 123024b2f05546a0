/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes tables and other text to files. Internal, and compiled into the program too. */
#ifndef DLPI_IO_PRINT_FILE_H
#define DLPI_IO_PRINT_FILE_H

#include <delaplace/file.h>

#include <stdbool.h>
#include <stdio.h>

typedef void dlpi_print_text(FILE *out, const void *what);

/* Writes what `print` prints for `what` to path, whole or not at all. */
dlp_status dlpi_print_file(const char *path, dlpi_print_text *print, const void *what,
                           dlp_error *error);
/* The same as one file of a set, which all appear together; at once if the set is
   NULL. */
dlp_status dlpi_print_file_in(dlp_file_set *set, const char *path, dlpi_print_text *print,
                              const void *what, dlp_error *error);

/*
 * A stream whose bytes end up in *text, to be freed, with a zero after them; NULL without
 * memory. Unlike open_memstream's, it remembers when it lost bytes for want of memory.
 * dlpi_close_text sets *text and *size, and returns true only if all bytes arrived.
 */
FILE *dlpi_open_text(char **text, size_t *size);
bool dlpi_close_text(FILE *out, char *const *text);

#endif
