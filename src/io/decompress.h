/* SPDX-License-Identifier: BSD-3-Clause */
/* What decompress.c and the decompressors share: one file per format. Internal. */
#ifndef DLPI_IO_DECOMPRESS_H
#define DLPI_IO_DECOMPRESS_H

#include "io/input.h"

/* Appends all that `in` holds, at most limit bytes, to *out, and reports how much of `in`
   is decompressed. */
typedef dlp_status dlpi_decompressor(const char *name, const struct dlpi_bytes *in,
                                     size_t limit, struct dlpi_progress *progress,
                                     struct dlpi_bytes *out, dlp_error *error);
dlpi_decompressor dlpi_decompress_gzip, dlpi_decompress_zstd, dlpi_decompress_xz;

/* Makes room for more output; fails when there is more than allowed already. */
dlp_status dlpi_decompress_room(const char *name, struct dlpi_bytes *out, size_t limit,
                                dlp_error *error);
/* How much of that room to fill before progress is reported again. */
size_t dlpi_decompress_piece(const struct dlpi_bytes *out);

/* The messages of all compressors. */
dlp_status dlpi_decompress_damaged(const char *name, const char *compressor,
                                   const char *reason, dlp_error *error);
dlp_status dlpi_decompress_truncated(const char *name, const char *compressor,
                                     dlp_error *error);

#endif
