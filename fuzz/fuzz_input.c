/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that may be compressed. What changes is the text inside, which is compressed again, in one
   or two members, or the compressed bytes. */
#include "fuzz_chance.h"
#include "io/output.h"

#include <lzma.h>
#include <string.h>

enum { LIMIT = 100000 }; /* enough for the output to grow once */

static struct dlpi_bytes copy(const void *data, size_t size)
{
    struct dlpi_bytes bytes = {.data = malloc(size + 1), .size = size};
    fuzz_expect(bytes.data != NULL);
    if (size > 0) memcpy(bytes.data, data, size);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dlpi_bytes bytes = copy(data, size);
    dlp_error error = {0};
    const bool decompressed =
        dlpi_decompress("fuzz", &bytes, LIMIT, NULL, &error) == DLP_OK;
    const bool as_it_was = bytes.size == size && memcmp(bytes.data, data, size) == 0;
    (void)fuzz_passes(decompressed && !as_it_was);
    fuzz_expect(as_it_was || (decompressed && bytes.size <= LIMIT));
    fuzz_expect(decompressed || error.message[0] != '\0');
    free(bytes.data);
    return 0;
}

/* ---- inputs ---- */

/* What the bytes hold, with a change, and repeated in one case of eight, so that it may be too
   much. To be freed. */
static struct dlpi_bytes change(const uint8_t *data, size_t size, unsigned int seed)
{
    const size_t most = 4096, times = seed % 8 ? 1 : 1 + seed / 8 % 64;
    struct dlpi_bytes bytes = copy(data, size), all = {0};
    (void)dlpi_decompress("fuzz", &bytes, LIMIT, NULL, NULL);
    if (bytes.size > most) bytes.size = most;
    struct dlpi_bytes text = {.data = malloc(most)};
    fuzz_expect(text.data != NULL);
    if (bytes.size > 0) memcpy(text.data, bytes.data, bytes.size);
    text.size = LLVMFuzzerMutate((uint8_t *)text.data, bytes.size, most);
    all.data = malloc(text.size * times + 1);
    fuzz_expect(all.data != NULL);
    for (size_t i = 0; i < times; i++, all.size += text.size)
        memcpy(all.data + all.size, text.data, text.size);
    free(text.data);
    free(bytes.data);
    return all;
}

/* Returns how many bytes were put at out, which has room for `most`; 0: not enough. */
static size_t compress(const char *text, size_t size, unsigned int kind, uint8_t *out,
                       size_t most)
{
    size_t used = 0;
    if (kind % 3 == 2)
        return lzma_easy_buffer_encode(kind / 3 % 2, LZMA_CHECK_CRC32, NULL,
                                       (const uint8_t *)text, size, out, &used,
                                       most) == LZMA_OK
                   ? used
                   : 0;
    struct dlpi_bytes bytes = copy(text, size);
    fuzz_expect(dlpi_compress(kind % 3 ? "a.gz" : "a.zst", NULL, &bytes, NULL) == DLP_OK);
    if (bytes.size <= most) memcpy(out, bytes.data, used = bytes.size);
    free(bytes.data);
    return used;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
    const unsigned int kind = seed / 4, members = kind / 6;
    struct dlpi_bytes text = change(data, size, members / 2);
    const size_t first = members % 2 ? text.size / 2 : text.size;
    size_t used = compress(text.data, first, kind, data, most);
    if (used > 0 && members % 2)
        used += compress(text.data + first, text.size - first, kind, data + used,
                         most - used);
    free(text.data);
    return used > 0 ? used : LLVMFuzzerMutate(data, size, most);
}
