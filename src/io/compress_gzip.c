/* SPDX-License-Identifier: BSD-3-Clause */
#define ZLIB_CONST
#include "io/compress.h"

#include <zlib.h>

/* How much is compressed between two reports of progress. */
static const size_t PIECE = (size_t)1 << 22;

static int deflate_piece(z_stream *z, const struct dlpi_bytes *in, size_t *used,
                         struct dlpi_bytes *out)
{
    const size_t left = in->size - *used, room = out->capacity - out->size;
    const uInt given = (uInt)(left < PIECE ? left : PIECE);
    const uInt space = (uInt)(room < PIECE ? room : PIECE);
    z->next_in = (const Bytef *)in->data + *used;
    z->avail_in = given;
    z->next_out = (Bytef *)out->data + out->size;
    z->avail_out = space;
    const int code = deflate(z, given == left ? Z_FINISH : Z_NO_FLUSH);
    *used += given - z->avail_in;
    out->size += space - z->avail_out;
    return code;
}

/* zlib leaves the name and the time out of the header, so equal input gives equal
   output. */
dlp_status dlpi_compress_gzip(const struct dlpi_bytes *in, struct dlpi_progress *progress,
                              struct dlpi_bytes *out, dlp_error *error)
{
    const int as_gzip = 16, memory_level = 8;
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + as_gzip,
                     memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        return dlpi_no_memory(error, "compressing");
    size_t used = 0;
    dlp_status status = DLP_OK;
    for (int code = Z_OK; code != Z_STREAM_END && status == DLP_OK;) {
        status = dlpi_progress_tell(progress, used, error);
        if (status == DLP_OK) status = dlpi_bytes_grow(out, error);
        if (status == DLP_OK) code = deflate_piece(&z, in, &used, out);
    }
    deflateEnd(&z);
    return status;
}
