/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes as they are, which usually fail at a checksum, and with correct checksums. */
#include "corpus/formats/dlpc.h"
#include "fuzz_corpus.h"
#include "fuzz_sound.h"

static bool whole(const dlp_corpus *corpus)
{
    (void)corpus;
    return true;
}

/* To be freed. */
static char *seal(const uint8_t *data, size_t size)
{
    char *sealed = malloc(size + 1);
    fuzz_expect(sealed != NULL);
    if (size > 0) memcpy(sealed, data, size);
    dlpi_dlpc_seal(sealed, size);
    return sealed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format("dlpc", dlp_corpus_parse_dlpc, data, size, whole);
    char *sealed = seal(data, size);
    fuzz_format("dlpc", dlp_corpus_parse_dlpc, (const uint8_t *)sealed, size, whole);
    free(sealed);
    return 0;
}

static bool passes(const uint8_t *data, size_t size)
{
    char *sealed = seal(data, size);
    const bool read = fuzz_reads(dlp_corpus_parse_dlpc, sealed, size);
    free(sealed);
    return read;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {.passes = passes};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
