/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices as NumPy's .npy files: one array of doubles per file. */
#ifndef DELAPLACE_NPY_H
#define DELAPLACE_NPY_H

#include <delaplace/export.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes x, row by row: dims = 1 for shape[0] numbers, 2 for shape[0] rows of shape[1].
 * The file (version 1.0, '<f8', C order) appears whole or not at all, as with
 * dlp_file_write. NaN and infinities keep their bits.
 */
DLP_API dlp_status dlp_npy_write(const char *path, int dims, const dlp_index *shape,
                                 const double *x, dlp_error *error);

/*
 * Reads an array of dims (1 or 2) dimensions. shape (dims) says what is expected, -1 for
 * any, and then what was found. *x is released by free(); on failure it is NULL and shape
 * is unchanged. Other types, and Fortran order, are errors that explain how to convert.
 * The file may be compressed, and "-" is standard input.
 */
DLP_API dlp_status dlp_npy_read(const char *path, int dims, dlp_index *shape, double **x,
                                dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif
