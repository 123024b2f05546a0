/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parser(dlp_corpus_parse_ldac, data, size);
    return 0;
}

static void put_line(fuzz_text *t, fuzz_span head)
{
    static const char *const counts[] = {"1", "2", "17", "2147483647"};
    const int pairs = fuzz_chance(t, 5);
    (void)head;
    fuzz_put(t, "%d", pairs);
    for (int i = 0; i < pairs; i++)
        fuzz_put(t, " %d:%s", fuzz_chance(t, fuzz_chance(t, 8) ? 9 : 900),
                 FUZZ_ONE_OF(t, counts));
    fuzz_put(t, "%s", fuzz_chance(t, 8) ? "\n" : " \r\n");
}

static bool passes(const char *text, size_t size)
{
    return fuzz_reads(dlp_corpus_parse_ldac, text, size);
}

static const fuzz_lines fuzz_lines_of = {fuzz_no_head_size, fuzz_no_head, put_line,
                                         passes};
