/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_corpus.h"

static bool is_whole(const dlp_corpus *corpus)
{
    return corpus != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format("svmlight", dlp_corpus_parse_svmlight, data, size, is_whole);
    return 0;
}
