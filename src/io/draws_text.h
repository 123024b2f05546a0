/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws of a posterior as files for other programs. Internal. */
#ifndef DLPI_IO_DRAWS_TEXT_H
#define DLPI_IO_DRAWS_TEXT_H

#include <delaplace/file.h>
#include <delaplace/status.h>

typedef struct dlpi_draws_table {
    dlp_index columns, draws;
    const char *(*name)(const void *of, dlp_index i); /* of column i */
    const void *of;
    const double *value;       /* (columns, draws) */
    const double *log_density; /* (draws) for CmdStan's lp__; NULL: 0 */
} dlpi_draws_table;

/* "csv": a line of names, then one draw per line. "cmdstan": the same as CmdStan writes
   it, lp__ first and beta[2,1] as beta.2.1. "coda": PATHindex.txt and PATHchain1.txt. */
const char *dlpi_draws_format(int i); /* NULL past the last */
dlp_status dlpi_draws_save(const dlpi_draws_table *table, const char *format,
                           const char *path, dlp_error *error);
/* The same into a set of files that appear together. */
dlp_status dlpi_draws_add(const dlpi_draws_table *table, const char *format,
                          const char *path, dlp_file_set *files, dlp_error *error);

#endif
