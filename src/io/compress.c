/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip and zstd, from memory to memory, as the extension of a file's name asks for. */
#include "io/compress.h"

#include <string.h>

/* A compressor of NULL: files that can be read but not written. */
static const struct {
    const char *extension;
    dlpi_compressor *compress;
} compressors[] = {
    {".gz", dlpi_compress_gzip}, {".zst", dlpi_compress_zstd}, {".xz", NULL}};
enum { COMPRESSORS = sizeof compressors / sizeof compressors[0] };

/* The compressor that the path ends with, or COMPRESSORS. */
static int compressor_of(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < COMPRESSORS; i++) {
        const size_t end = strlen(compressors[i].extension);
        if (length > end && strcmp(path + length - end, compressors[i].extension) == 0)
            return i;
    }
    return COMPRESSORS;
}

size_t dlpi_uncompressed_length(const char *path)
{
    const int i = compressor_of(path);
    return strlen(path) - (i < COMPRESSORS ? strlen(compressors[i].extension) : 0);
}

dlp_status dlpi_compress(const char *path, struct dlpi_progress *progress,
                         struct dlpi_bytes *bytes, dlp_error *error)
{
    const int i = compressor_of(path);
    if (i == COMPRESSORS) return DLP_OK;
    if (!compressors[i].compress)
        return dlp_fail(
            error, DLP_EINVAL,
            "%s: cannot compress with %s; use a name that ends in .gz, .zst or neither",
            path, compressors[i].extension + 1);
    struct dlpi_bytes out = {0};
    dlpi_progress_step(progress, 1, bytes->size);
    const dlp_status status = compressors[i].compress(bytes, progress, &out, error);
    struct dlpi_bytes *discarded = status == DLP_OK ? bytes : &out;
    free(discarded->data);
    if (status == DLP_OK) *bytes = out;
    return status;
}
