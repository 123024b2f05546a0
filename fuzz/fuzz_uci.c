/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_triples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parser(dlp_corpus_parse_uci, data, size);
    return 0;
}

static size_t head_size(const char *text, size_t size)
{
    return fuzz_size_of_lines(text, size, 3);
}

static void put_head(fuzz_text *t, fuzz_span was, int n)
{
    const fuzz_sizes sizes = fuzz_sizes_like(t, was, n);
    fuzz_put(t, "%d\n%d%s%d\n", sizes.D, sizes.V, fuzz_chance(t, 8) ? "\n" : " \r\n",
             sizes.nnz);
}

static void put_line(fuzz_text *t, fuzz_span head)
{
    fuzz_put_triple(t, fuzz_sizes_like(t, head, 1), FUZZ_ONE_OF(t, fuzz_whole_counts));
}

static bool passes(const char *text, size_t size)
{
    return fuzz_reads(dlp_corpus_parse_uci, text, size);
}

static const fuzz_lines fuzz_lines_of = {head_size, put_head, put_line, passes};
