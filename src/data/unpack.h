/* SPDX-License-Identifier: BSD-3-Clause */
/* What unpack.c and the packers share: one file a packer. Internal. */
#ifndef DLPI_UNPACK_H
#define DLPI_UNPACK_H

#include "data/data.h"

/* Appends all that `in` holds, at most limit bytes, to *out, and tells how much of `in`
   is unpacked. */
typedef dlp_status dlpi_unpacker(const char *name, const struct dlpi_bytes *in,
                                 size_t limit, struct dlpi_progress *progress,
                                 struct dlpi_bytes *out, dlp_error *error);
dlpi_unpacker dlpi_unpack_gzip, dlpi_unpack_zstd, dlpi_unpack_xz;

/* Room for what comes next, unless there is more than allowed already. */
dlp_status dlpi_unpack_room(const char *name, struct dlpi_bytes *out, size_t limit,
                            dlp_error *error);
/* How much of that room to fill before the next look at how far it is. */
size_t dlpi_unpack_piece(const struct dlpi_bytes *out);

/* The messages of all packers. */
dlp_status dlpi_unpack_damaged(const char *name, const char *packer, const char *reason,
                               dlp_error *error);
dlp_status dlpi_unpack_truncated(const char *name, const char *packer, dlp_error *error);

#endif
