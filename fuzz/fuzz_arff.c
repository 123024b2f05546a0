/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_sound.h"
#include "fuzz_table.h"

static dlp_table *read_arff(const uint8_t *data, size_t size)
{
    dlp_table_options options = dlp_table_options_default();
    options.format = "arff";
    return fuzz_table(&options, (const char *)data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_table *table = read_arff(data, size);
    (void)fuzz_passes(table != NULL);
    dlp_table_free(table);
    return 0;
}

static bool passes(const uint8_t *data, size_t size)
{
    dlp_table *table = read_arff(data, size);
    dlp_table_free(table);
    return table != NULL;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {.passes = passes};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
