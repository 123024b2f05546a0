/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"
#include "io/input.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t limit = 100000; /* enough for the output to grow once */
    struct dlpi_bytes bytes = {.data = malloc(size + 1), .size = size};
    dlp_error error = {""};
    if (!bytes.data) return 0;
    if (size > 0) memcpy(bytes.data, data, size);
    const bool decompressed =
        dlpi_decompress("fuzz", &bytes, limit, NULL, &error) == DLP_OK;
    const bool as_it_was = bytes.size == size && memcmp(bytes.data, data, size) == 0;
    fuzz_expect(as_it_was || (decompressed && bytes.size <= limit));
    fuzz_expect(decompressed || error.message[0] != '\0');
    free(bytes.data);
    return 0;
}
