/* SPDX-License-Identifier: BSD-3-Clause */
/* What compress.c and the formats share: one file per format, or compression_absent.c for
   all of them. Internal. */
#ifndef DLPI_IO_COMPRESS_H
#define DLPI_IO_COMPRESS_H

#include "io/output.h"

/* Appends `in`, compressed, to *out, and reports progress. */
typedef dlp_status dlpi_compressor(const struct dlpi_bytes *in,
                                   struct dlpi_progress *progress, struct dlpi_bytes *out,
                                   dlp_error *error);
dlpi_compressor dlpi_compress_gzip, dlpi_compress_zstd;

#endif
