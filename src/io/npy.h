/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of a .npy file. Internal. */
#ifndef DLPI_IO_NPY_H
#define DLPI_IO_NPY_H

#include <delaplace/npy.h>
#include <stdbool.h>

/* Reads the header of a whole file in memory and checks it against what is expected, as
   dlp_npy_read does. *start is where the numbers begin; they fill the rest. */
dlp_status dlpi_npy_header(const char *name, const char *bytes, size_t size, int dims,
                           dlp_index *shape, size_t *start, dlp_error *error);

/* dlp_npy_write; `mapped`: the numbers are in a mapping, whose pages are released once
   written. */
dlp_status dlpi_npy_write(const char *path, int dims, const dlp_index *shape,
                          const double *x, bool mapped, dlp_error *error);

#endif
