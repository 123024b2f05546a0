/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/decompress.h"

#include <zstd.h>
#include <zstd_errors.h>

static dlp_status decompress_frames(ZSTD_DCtx *context, const char *name,
                                    const struct dlpi_bytes *in, size_t limit,
                                    struct dlpi_progress *progress,
                                    struct dlpi_bytes *out, dlp_error *error)
{
    ZSTD_inBuffer input = {.src = in->data, .size = in->size};
    for (;;) {
        DLP_TRY(dlpi_progress_tell(progress, input.pos, error));
        DLP_TRY(dlpi_decompress_room(name, out, limit, error));
        ZSTD_outBuffer output = {.dst = out->data + out->size,
                                 .size = dlpi_decompress_piece(out)};
        const size_t left = ZSTD_decompressStream(context, &output, &input);
        if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
            return dlpi_no_memory(error, "decompressing");
        if (ZSTD_isError(left))
            return dlpi_decompress_damaged(name, "zstd", ZSTD_getErrorName(left), error);
        out->size += output.pos;
        if (input.pos < input.size) continue;
        if (left == 0) return dlpi_decompress_room(name, out, limit, error);
        if (output.pos < output.size)
            return dlpi_decompress_truncated(name, "zstd", error);
    }
}

dlp_status dlpi_decompress_zstd(const char *name, const struct dlpi_bytes *in,
                                size_t limit, struct dlpi_progress *progress,
                                struct dlpi_bytes *out, dlp_error *error)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (!context) return dlpi_no_memory(error, "decompressing");
    const dlp_status status =
        decompress_frames(context, name, in, limit, progress, out, error);
    ZSTD_freeDCtx(context);
    return status;
}
