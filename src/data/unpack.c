/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gzip and zstd, from memory to memory. Whether bytes are packed is told by how they
 * begin, never by the name of a file.
 */
#define ZLIB_CONST
#include "data/data.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

static bool begins_with(const struct dlpi_bytes *bytes, const char *magic, size_t length)
{
    return bytes->size >= length && memcmp(bytes->data, magic, length) == 0;
}

static bool is_gzip(const struct dlpi_bytes *bytes)
{
    return begins_with(bytes, "\x1f\x8b", 2);
}

/* A frame, or one of the sixteen kinds of skippable frame that pzstd begins with. */
static bool is_zstd(const struct dlpi_bytes *bytes)
{
    return begins_with(bytes, "\x28\xb5\x2f\xfd", 4) ||
           (bytes->size >= 4 && (bytes->data[0] & 0xf0) == 0x50 &&
            memcmp(bytes->data + 1, "\x2a\x4d\x18", 3) == 0);
}

/* What people have and this library cannot unpack. */
static dlp_status refuse_other_packers(const char *name, const struct dlpi_bytes *bytes,
                                       dlp_error *error)
{
    static const struct {
        const char *magic, *packer, *command;
        size_t length;
    } others[] = {
        {"\xfd\x37zXZ", "xz", "xz -d", 5},        {"BZh91AY", "bzip2", "bzip2 -d", 7},
        {"\x04\x22\x4d\x18", "lz4", "lz4 -d", 4}, {"PK\x03\x04", "zip", "unzip", 4},
        {"7z\xbc\xaf\x27\x1c", "7z", "7z x", 6},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (begins_with(bytes, others[i].magic, others[i].length))
            return dlp_fail(error, DLP_EINPUT,
                            "%s: is packed by %s; unpack it with '%s' first, or pack it "
                            "with gzip or zstd instead",
                            name, others[i].packer, others[i].command);
    return DLP_OK;
}

static dlp_status fail_damaged(const char *name, const char *packer, const char *reason,
                               dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "%s: the %s data are damaged (%s); fetch or pack the file again",
                    name, packer, reason);
}

static dlp_status fail_truncated(const char *name, const char *packer, dlp_error *error)
{
    return dlp_fail(
        error, DLP_EINPUT,
        "%s: the %s data end too early; the file is cut off, fetch or pack it "
        "again",
        name, packer);
}

/* Room for what comes next, unless there is more than allowed already. */
static dlp_status make_room(const char *name, struct dlpi_bytes *out, size_t limit,
                            dlp_error *error)
{
    if (out->size > limit)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: unpacks to more than %zu bytes, far more than its size lets "
                        "expect; unpack it by hand if it is sound",
                        name, limit);
    return dlpi_bytes_grow(out, error);
}

/* One step of zlib, whose counters are narrower than a size: a piece at a time. */
static int inflate_piece(z_stream *z, const struct dlpi_bytes *in, size_t *used,
                         struct dlpi_bytes *out)
{
    const size_t most = (size_t)1 << 30;
    const size_t left = in->size - *used, room = out->capacity - out->size;
    const uInt given = (uInt)(left < most ? left : most);
    const uInt space = (uInt)(room < most ? room : most);
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
                                  struct dlpi_bytes *out, dlp_error *error)
{
    size_t used = 0;
    for (;;) {
        DLP_TRY(make_room(name, out, limit, error));
        const int code = inflate_piece(z, in, &used, out);
        if (code == Z_STREAM_END && used == in->size)
            return make_room(name, out, limit, error);
        if (code == Z_STREAM_END) {
            inflateReset(z);
        } else if (code == Z_BUF_ERROR) {
            /* There was room, so it is input that lacks. */
            return fail_truncated(name, "gzip", error);
        } else if (code == Z_MEM_ERROR) {
            return dlpi_no_memory(error, "unpacking");
        } else if (code != Z_OK) {
            return fail_damaged(name, "gzip", z->msg ? z->msg : "preset dictionary",
                                error);
        }
    }
}

static dlp_status unpack_gzip(const char *name, const struct dlpi_bytes *in, size_t limit,
                              struct dlpi_bytes *out, dlp_error *error)
{
    const int gzip_only = 16;
    z_stream z = {0};
    if (inflateInit2(&z, MAX_WBITS + gzip_only) != Z_OK)
        return dlpi_no_memory(error, "unpacking");
    const dlp_status status = inflate_members(&z, name, in, limit, out, error);
    inflateEnd(&z);
    return status;
}

static dlp_status decompress_frames(ZSTD_DCtx *context, const char *name,
                                    const struct dlpi_bytes *in, size_t limit,
                                    struct dlpi_bytes *out, dlp_error *error)
{
    ZSTD_inBuffer input = {.src = in->data, .size = in->size};
    for (;;) {
        DLP_TRY(make_room(name, out, limit, error));
        ZSTD_outBuffer output = {.dst = out->data + out->size,
                                 .size = out->capacity - out->size};
        const size_t left = ZSTD_decompressStream(context, &output, &input);
        if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
            return dlpi_no_memory(error, "unpacking");
        if (ZSTD_isError(left))
            return fail_damaged(name, "zstd", ZSTD_getErrorName(left), error);
        out->size += output.pos;
        if (input.pos < input.size) continue;
        if (left == 0) return make_room(name, out, limit, error);
        if (output.pos < output.size) return fail_truncated(name, "zstd", error);
    }
}

static dlp_status unpack_zstd(const char *name, const struct dlpi_bytes *in, size_t limit,
                              struct dlpi_bytes *out, dlp_error *error)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context) return dlpi_no_memory(error, "unpacking");
    const dlp_status status = decompress_frames(context, name, in, limit, out, error);
    ZSTD_freeDCtx(context);
    return status;
}

dlp_status dlpi_unpack(const char *name, struct dlpi_bytes *bytes, size_t limit,
                       dlp_error *error)
{
    const bool gzip = is_gzip(bytes);
    if (!gzip && !is_zstd(bytes)) return refuse_other_packers(name, bytes, error);
    struct dlpi_bytes out = {0};
    const dlp_status status =
        (gzip ? unpack_gzip : unpack_zstd)(name, bytes, limit, &out, error);
    struct dlpi_bytes *discarded = status == DLP_OK ? bytes : &out;
    free(discarded->data);
    if (status == DLP_OK) *bytes = out;
    return status;
}
