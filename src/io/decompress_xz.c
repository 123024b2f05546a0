/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/decompress.h"

#include <lzma.h>

/* The decoder takes as much memory as a header of a few bytes claims. `xz -9` asks for 65
   MiB; a file that asks for more than this was made to do harm. */
static const uint64_t most_memory = (uint64_t)1 << 29;

static dlp_status fail_greedy(const char *name, const lzma_stream *z, dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "%s: needs %llu MiB of memory to decompress, more than the %llu "
                    "allowed; if it is sound, decompress it with 'xz -d' first",
                    name, (unsigned long long)(lzma_memusage(z) >> 20),
                    (unsigned long long)(most_memory >> 20));
}

/* Why the decoding ended early. */
static dlp_status fail_decoding(const char *name, const lzma_stream *z, lzma_ret code,
                                dlp_error *error)
{
    switch (code) {
    case LZMA_BUF_ERROR: /* there was room, so input is missing */
        return dlpi_decompress_truncated(name, "xz", error);
    case LZMA_MEM_ERROR: return dlpi_no_memory(error, "decompressing");
    case LZMA_MEMLIMIT_ERROR: return fail_greedy(name, z, error);
    case LZMA_FORMAT_ERROR:
        return dlpi_decompress_damaged(name, "xz", "wrong first bytes", error);
    case LZMA_OPTIONS_ERROR:
        return dlpi_decompress_damaged(name, "xz", "unknown options", error);
    default: return dlpi_decompress_damaged(name, "xz", "corrupt data", error);
    }
}

static dlp_status decode_streams(lzma_stream *z, const char *name, size_t limit,
                                 struct dlpi_progress *progress, struct dlpi_bytes *out,
                                 dlp_error *error)
{
    for (;;) {
        DLP_TRY(dlpi_progress_tell(progress, (size_t)z->total_in, error));
        DLP_TRY(dlpi_decompress_room(name, out, limit, error));
        z->next_out = (uint8_t *)out->data + out->size;
        const size_t space = z->avail_out = dlpi_decompress_piece(out);
        const lzma_ret code = lzma_code(z, LZMA_FINISH);
        out->size += space - z->avail_out;
        if (code == LZMA_STREAM_END) return dlpi_decompress_room(name, out, limit, error);
        if (code != LZMA_OK) return fail_decoding(name, z, code, error);
    }
}

dlp_status dlpi_decompress_xz(const char *name, const struct dlpi_bytes *in, size_t limit,
                              struct dlpi_progress *progress, struct dlpi_bytes *out,
                              dlp_error *error)
{
    lzma_stream z = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&z, most_memory, LZMA_CONCATENATED) != LZMA_OK)
        return dlpi_no_memory(error, "decompressing");
    z.next_in = (const uint8_t *)in->data;
    z.avail_in = in->size;
    const dlp_status status = decode_streams(&z, name, limit, progress, out, error);
    lzma_end(&z);
    return status;
}
