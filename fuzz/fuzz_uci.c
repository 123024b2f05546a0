/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parser(dlp_corpus_parse_uci, data, size);
    return 0;
}
