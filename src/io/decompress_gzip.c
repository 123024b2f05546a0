/* SPDX-License-Identifier: BSD-3-Clause */
#define ZLIB_CONST
#include "io/decompress.h"

#include <zlib.h>

/* One step of zlib, whose counters are narrower than a size: a piece at a time. */
static int inflate_piece(z_stream *z, const struct dlpi_bytes *in, size_t *used,
                         struct dlpi_bytes *out)
{
    const size_t most = (size_t)1 << 30;
    const size_t left = in->size - *used;
    const uInt given = (uInt)(left < most ? left : most);
    const uInt space = (uInt)dlpi_decompress_piece(out);
    z->next_in = (const Bytef *)in->data + *used;
    z->avail_in = given;
    z->next_out = (Bytef *)out->data + out->size;
    z->avail_out = space;
    const int code = inflate(z, Z_NO_FLUSH);
    *used += given - z->avail_in;
    out->size += space - z->avail_out;
    return code;
}

static dlp_status inflate_members(z_stream *z, const char *name,
                                  const struct dlpi_bytes *in, size_t limit,
                                  struct dlpi_progress *progress, struct dlpi_bytes *out,
                                  dlp_error *error)
{
    size_t used = 0;
    for (;;) {
        DLP_TRY(dlpi_progress_tell(progress, used, error));
        DLP_TRY(dlpi_decompress_room(name, out, limit, error));
        const int code = inflate_piece(z, in, &used, out);
        if (code == Z_STREAM_END && used == in->size)
            return dlpi_decompress_room(name, out, limit, error);
        if (code == Z_STREAM_END) {
            inflateReset(z);
        } else if (code == Z_BUF_ERROR) {
            /* There was room, so input is missing. */
            return dlpi_decompress_truncated(name, "gzip", error);
        } else if (code == Z_MEM_ERROR) {
            return dlpi_no_memory(error, "decompressing");
        } else if (code != Z_OK) {
            return dlpi_decompress_damaged(name, "gzip",
                                           z->msg ? z->msg : "preset dictionary", error);
        }
    }
}

dlp_status dlpi_decompress_gzip(const char *name, const struct dlpi_bytes *in,
                                size_t limit, struct dlpi_progress *progress,
                                struct dlpi_bytes *out, dlp_error *error)
{
    const int gzip_only = 16;
    z_stream z = {0};
    if (inflateInit2(&z, MAX_WBITS + gzip_only) != Z_OK)
        return dlpi_no_memory(error, "decompressing");
    const dlp_status status = inflate_members(&z, name, in, limit, progress, out, error);
    inflateEnd(&z);
    return status;
}
