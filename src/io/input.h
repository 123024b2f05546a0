/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes in: a file or standard input, decompressed. Internal. */
#ifndef DLPI_IO_INPUT_H
#define DLPI_IO_INPUT_H

#include "core/progress.h"

#include <stdint.h>

/* Bytes that grow; data is owned and released by free(). */
struct dlpi_bytes {
    char *data;
    size_t size;     /* bytes in use */
    size_t capacity; /* bytes there is room for */
};

/* Makes room for at least one byte more. */
dlp_status dlpi_bytes_grow(struct dlpi_bytes *bytes, dlp_error *error);

/* The name of a path in messages: "-" is standard input. */
const char *dlpi_input_name(const char *path);
/* The whole file at path, or standard input for "-", decompressed. On failure *bytes is
   empty. A compressed file may decompress to 1 GiB and 1100 times its size, which is more
   than gzip can reach and stops small files made to fill the memory. */
dlp_status dlpi_input_read(const char *path, struct dlpi_progress *progress,
                           struct dlpi_bytes *bytes, dlp_error *error);

/* Whether the bytes begin like a compressed format that dlpi_decompress knows. */
bool dlpi_is_compressed(const struct dlpi_bytes *bytes);
/* Replaces gzip, zstd or xz bytes (any number of members, frames or streams) by what they
   hold, at most limit bytes; leaves plain bytes as they are, and also all bytes on
   failure. */
dlp_status dlpi_decompress(const char *name, struct dlpi_bytes *bytes, size_t limit,
                           struct dlpi_progress *progress, dlp_error *error);

#endif
