/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes as they are, which usually fail at a checksum, and with correct checksums. */
#include "corpus/formats/dlpc.h"
#include "fuzz_corpus.h"

static bool whole(const dlp_corpus *corpus)
{
    (void)corpus;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format("dlpc", dlp_corpus_parse_dlpc, data, size, whole);
    char *sealed = malloc(size + 1);
    if (!sealed) return 0;
    memcpy(sealed, data, size);
    dlpi_dlpc_seal(sealed, size);
    fuzz_format("dlpc", dlp_corpus_parse_dlpc, (const uint8_t *)sealed, size, whole);
    free(sealed);
    return 0;
}
