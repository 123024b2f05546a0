/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gzip, zstd and xz, from memory to memory. Whether bytes are compressed is judged by how
 * they begin, never by the name of a file.
 */
#include "io/decompress.h"

#include <string.h>

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

/* Four of its six bytes are enough to recognise it, even in a file that is cut off after
   them. */
static bool is_xz(const struct dlpi_bytes *bytes)
{
    return begins_with(bytes, "\xfd\x37zX", 4);
}

static dlpi_decompressor *decompressor_of(const struct dlpi_bytes *bytes)
{
    if (is_gzip(bytes)) return dlpi_decompress_gzip;
    if (is_zstd(bytes)) return dlpi_decompress_zstd;
    return is_xz(bytes) ? dlpi_decompress_xz : NULL;
}

/* Common formats that this library cannot decompress. */
static dlp_status refuse_other_formats(const char *name, const struct dlpi_bytes *bytes,
                                       dlp_error *error)
{
    static const struct {
        const char *magic, *compressor, *command;
        size_t length;
    } others[] = {
        {"BZh91AY", "bzip2", "bzip2 -d", 7},
        {"\x04\x22\x4d\x18", "lz4", "lz4 -d", 4},
        {"PK\x03\x04", "zip", "unzip", 4},
        {"7z\xbc\xaf\x27\x1c", "7z", "7z x", 6},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (begins_with(bytes, others[i].magic, others[i].length))
            return dlp_fail(error, DLP_EINPUT,
                            "%s: is compressed with %s; decompress it with '%s' first, "
                            "or compress it with gzip, zstd or xz instead",
                            name, others[i].compressor, others[i].command);
    return DLP_OK;
}

dlp_status dlpi_decompress_damaged(const char *name, const char *compressor,
                                   const char *reason, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "%s: the %s data are damaged (%s); fetch or compress the file again",
                    name, compressor, reason);
}

dlp_status dlpi_decompress_truncated(const char *name, const char *compressor,
                                     dlp_error *error)
{
    return dlp_fail(
        error, DLP_EINPUT,
        "%s: the %s data end too early; the file is cut off, fetch or compress it "
        "again",
        name, compressor);
}

dlp_status dlpi_decompress_room(const char *name, struct dlpi_bytes *out, size_t limit,
                                dlp_error *error)
{
    if (out->size > limit)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: decompresses to more than %zu bytes, far more than its size "
                        "suggests; if it is sound, decompress it first",
                        name, limit);
    return dlpi_bytes_grow(out, error);
}

size_t dlpi_decompress_piece(const struct dlpi_bytes *out)
{
    const size_t most = (size_t)1 << 24, room = out->capacity - out->size;
    return room < most ? room : most;
}

bool dlpi_is_compressed(const struct dlpi_bytes *bytes)
{
    return decompressor_of(bytes) != NULL;
}

dlp_status dlpi_decompress(const char *name, struct dlpi_bytes *bytes, size_t limit,
                           struct dlpi_progress *progress, dlp_error *error)
{
    const double decompressing =
        0.5; /* it takes about as long as to parse what comes out */
    dlpi_decompressor *decompress = decompressor_of(bytes);
    if (!decompress) return refuse_other_formats(name, bytes, error);
    struct dlpi_bytes out = {0};
    dlpi_progress_step(progress, decompressing, bytes->size);
    const dlp_status status = decompress(name, bytes, limit, progress, &out, error);
    struct dlpi_bytes *discarded = status == DLP_OK ? bytes : &out;
    free(discarded->data);
    if (status == DLP_OK) *bytes = out;
    return status;
}
