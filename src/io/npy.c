/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices as .npy files: '<f8' in C order, whose numbers are the bytes of memory. */
#include "io/npy.h"

#include "core/file.h"
#include "io/input.h"

#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "'<f8' is the memory of a little-endian machine");

enum { ALIGNMENT = 64, HEADER = 2 * ALIGNMENT, PREFIX = 10 };

/* Magic, version 1.0, length, dictionary; padded so that the numbers begin at a multiple
   of 64, as NumPy does. Returns its size. */
static size_t write_header(int dims, const dlp_index *shape, char header[HEADER])
{
    char *const dictionary = header + PREFIX;
    const size_t room = HEADER - PREFIX;
    int used =
        snprintf(dictionary, room,
                 "{'descr': '<f8', 'fortran_order': False, 'shape': (%td,", shape[0]);
    if (dims == 2)
        used += snprintf(dictionary + used, room - (size_t)used, " %td", shape[1]);
    used += snprintf(dictionary + used, room - (size_t)used, "), }");
    const size_t least = PREFIX + (size_t)used + 1; /* the line end */
    const size_t size = (least + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memcpy(header, "\x93NUMPY\x01", 7);
    header[7] = 0;
    header[8] = (char)(size - PREFIX);
    header[9] = 0;
    memset(dictionary + used, ' ', size - PREFIX - (size_t)used);
    header[size - 1] = '\n';
    return size;
}

dlp_status dlp_npy_write(const char *path, int dims, const dlp_index *shape,
                         const double *x, dlp_error *error)
{
    return dlpi_npy_write(path, dims, shape, x, false, error);
}

dlp_status dlpi_npy_write(const char *path, int dims, const dlp_index *shape,
                          const double *x, bool mapped, dlp_error *error)
{
    const dlp_index most = PTRDIFF_MAX / (dlp_index)sizeof *x;
    if (!path || !*path || !shape || dims < 1 || dims > 2 || shape[0] < 0 ||
        shape[dims - 1] < 0)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_npy_write: needs a path and one or two dimensions");
    const dlp_index columns = dims == 2 ? shape[1] : 1;
    if (columns > 0 && shape[0] > most / columns)
        return dlp_fail(error, DLP_EINVAL, "dlp_npy_write: the shape is too large");
    const size_t n = (size_t)shape[0] * (size_t)columns;
    if (!x && n > 0) return dlp_fail(error, DLP_EINVAL, "dlp_npy_write: needs numbers");
    char header[HEADER];
    const struct dlpi_piece pieces[] = {
        {header, write_header(dims, shape, header), false}, {x, n * sizeof *x, mapped}};
    return dlpi_file_write_pieces(path, pieces, 2, error);
}

dlp_status dlp_npy_read(const char *path, int dims, dlp_index *shape, double **x,
                        dlp_error *error)
{
    struct dlpi_bytes bytes;
    size_t start = 0;
    if (x) *x = NULL;
    if (!path || !shape || !x || dims < 1 || dims > 2)
        return dlp_fail(error, DLP_EINVAL,
                        "dlp_npy_read: needs a path, room, and one or two dimensions");
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    dlp_status status = dlpi_npy_header(dlpi_input_name(path), bytes.data, bytes.size,
                                        dims, shape, &start, error);
    if (status == DLP_OK) {
        /* The numbers move to where the header was: no second copy of a large file. */
        memmove(bytes.data, bytes.data + start, bytes.size - start);
        *x = (double *)(void *)bytes.data;
        return DLP_OK;
    }
    free(bytes.data);
    return status;
}
