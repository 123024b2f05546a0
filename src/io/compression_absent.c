/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces the compressors in a library that was built without them. */
#include "io/compress.h"
#include "io/decompress.h"

static const char advice[] =
    "this library was built without compression (DELAPLACE_COMPRESSION)";

static dlp_status refuse_to_write(dlp_error *error)
{
    return dlp_fail(error, DLP_EINVAL,
                    "cannot compress: %s; use a name without .gz or .zst", advice);
}

static dlp_status refuse_to_read(const char *name, const char *format,
                                 const char *command, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "%s: is compressed with %s, and %s; decompress it with '%s' first",
                    name, format, advice, command);
}

dlp_status dlpi_compress_gzip(const struct dlpi_bytes *in, struct dlpi_progress *progress,
                              struct dlpi_bytes *out, dlp_error *error)
{
    (void)in, (void)progress, (void)out;
    return refuse_to_write(error);
}

dlp_status dlpi_compress_zstd(const struct dlpi_bytes *in, struct dlpi_progress *progress,
                              struct dlpi_bytes *out, dlp_error *error)
{
    (void)in, (void)progress, (void)out;
    return refuse_to_write(error);
}

dlp_status dlpi_decompress_gzip(const char *name, const struct dlpi_bytes *in,
                                size_t limit, struct dlpi_progress *progress,
                                struct dlpi_bytes *out, dlp_error *error)
{
    (void)in, (void)limit, (void)progress, (void)out;
    return refuse_to_read(name, "gzip", "gzip -d", error);
}

dlp_status dlpi_decompress_zstd(const char *name, const struct dlpi_bytes *in,
                                size_t limit, struct dlpi_progress *progress,
                                struct dlpi_bytes *out, dlp_error *error)
{
    (void)in, (void)limit, (void)progress, (void)out;
    return refuse_to_read(name, "zstd", "zstd -d", error);
}

dlp_status dlpi_decompress_xz(const char *name, const struct dlpi_bytes *in, size_t limit,
                              struct dlpi_progress *progress, struct dlpi_bytes *out,
                              dlp_error *error)
{
    (void)in, (void)limit, (void)progress, (void)out;
    return refuse_to_read(name, "xz", "xz -d", error);
}
