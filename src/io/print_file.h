/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables and other text on their way to a file. Internal, and compiled into the program
   too. */
#ifndef DLPI_IO_PRINT_FILE_H
#define DLPI_IO_PRINT_FILE_H

#include <delaplace/file.h>

#include <stdio.h>

typedef void dlpi_print_text(FILE *out, const void *what);

/* Writes what print makes of `what` to path, whole or not at all. */
dlp_status dlpi_print_file(const char *path, dlpi_print_text *print, const void *what,
                           dlp_error *error);
/* The same into a set of files, led by its first; at once where the set is NULL. */
dlp_status dlpi_print_file_in(dlp_file_set *set, const char *path, dlpi_print_text *print,
                              const void *what, dlp_error *error);

#endif
