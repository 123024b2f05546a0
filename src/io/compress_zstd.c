/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/compress.h"

#include <zstd.h>

/* How much is compressed between two reports of progress. */
static const size_t PIECE = (size_t)1 << 22;

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
        /* There is room for any output, so only memory can be short. */
        if (ZSTD_isError(left)) return dlpi_no_memory(error, "compressing");
        out->size += output.pos;
        if (last && left == 0) return DLP_OK;
    }
}

dlp_status dlpi_compress_zstd(const struct dlpi_bytes *in, struct dlpi_progress *progress,
                              struct dlpi_bytes *out, dlp_error *error)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (!context) return dlpi_no_memory(error, "compressing");
    /* if it is known beforehand, the size is put in the header and tunes the
       compressor */
    ZSTD_CCtx_setPledgedSrcSize(context, in->size);
    const dlp_status status = compress_pieces(context, in, progress, out, error);
    ZSTD_freeCCtx(context);
    return status;
}
