/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_corpus.h"

/* Rows name every document and term that has words; those without are lost. */
static bool is_whole(const dlp_corpus *c)
{
    if (c->vocab) return false;
    for (dlp_index d = 0; c->name && d < c->D; d++)
        if (c->row[d] == c->row[d + 1]) return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format("csv", dlp_corpus_parse_csv, data, size, is_whole);
    return 0;
}
