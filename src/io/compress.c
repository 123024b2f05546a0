/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip and zstd, from memory to memory, as the end of a file's name asks for. */
#define ZLIB_CONST
#include "io/output.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* Tells how much of `in` is packed. */
typedef dlp_status packer(const struct dlpi_bytes *in, struct dlpi_progress *progress,
                          struct dlpi_bytes *out, dlp_error *error);

static packer pack_gzip, pack_zstd;

/* A packer of NULL: files that can be read and not written. */
static const struct {
    const char *extension;
    packer *pack;
} packers[] = {{".gz", pack_gzip}, {".zst", pack_zstd}, {".xz", NULL}};
enum { PACKERS = sizeof packers / sizeof packers[0] };

/* The packer that the path ends with, or PACKERS. */
static int packer_of(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < PACKERS; i++) {
        const size_t end = strlen(packers[i].extension);
        if (length > end && strcmp(path + length - end, packers[i].extension) == 0)
            return i;
    }
    return PACKERS;
}

size_t dlpi_unpacked_length(const char *path)
{
    const int i = packer_of(path);
    return strlen(path) - (i < PACKERS ? strlen(packers[i].extension) : 0);
}

/* So much is packed before it is told. */
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

/* zlib leaves the name and the time out of the header: packed again, the same bytes. */
static dlp_status pack_gzip(const struct dlpi_bytes *in, struct dlpi_progress *progress,
                            struct dlpi_bytes *out, dlp_error *error)
{
    const int as_gzip = 16, memory_level = 8;
    z_stream z = {0};
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + as_gzip,
                     memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        return dlpi_no_memory(error, "packing");
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

static dlp_status compress_pieces(ZSTD_CCtx *context, const struct dlpi_bytes *in,
                                  struct dlpi_progress *progress, struct dlpi_bytes *out,
                                  dlp_error *error)
{
    ZSTD_inBuffer input = {.src = in->data};
    for (;;) {
        DLP_TRY(dlpi_progress_tell(progress, input.pos, error));
        DLP_TRY(dlpi_bytes_grow(out, error));
        ZSTD_outBuffer output = {.dst = out->data + out->size,
                                 .size = out->capacity - out->size};
        const bool last = in->size - input.pos <= PIECE;
        input.size = last ? in->size : input.pos + PIECE;
        const size_t left = ZSTD_compressStream2(context, &output, &input,
                                                 last ? ZSTD_e_end : ZSTD_e_continue);
        /* There is room for whatever comes out, so memory is all that can lack. */
        if (ZSTD_isError(left)) return dlpi_no_memory(error, "packing");
        out->size += output.pos;
        if (last && left == 0) return DLP_OK;
    }
}

static dlp_status pack_zstd(const struct dlpi_bytes *in, struct dlpi_progress *progress,
                            struct dlpi_bytes *out, dlp_error *error)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (!context) return dlpi_no_memory(error, "packing");
    /* known beforehand, the size stands in the header and tunes the packer */
    ZSTD_CCtx_setPledgedSrcSize(context, in->size);
    const dlp_status status = compress_pieces(context, in, progress, out, error);
    ZSTD_freeCCtx(context);
    return status;
}

dlp_status dlpi_compress(const char *path, struct dlpi_progress *progress,
                         struct dlpi_bytes *bytes, dlp_error *error)
{
    const int i = packer_of(path);
    if (i == PACKERS) return DLP_OK;
    if (!packers[i].pack)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: cannot pack by %s; let the name end in .gz, .zst or neither",
                        path, packers[i].extension + 1);
    struct dlpi_bytes out = {0};
    dlpi_progress_step(progress, 1, bytes->size);
    const dlp_status status = packers[i].pack(bytes, progress, &out, error);
    struct dlpi_bytes *discarded = status == DLP_OK ? bytes : &out;
    free(discarded->data);
    if (status == DLP_OK) *bytes = out;
    return status;
}
