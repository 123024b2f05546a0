/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_table_options options = dlp_table_options_default();
    options.format = "arff";
    dlp_table_free(fuzz_table(&options, (const char *)data, size));
    return 0;
}
