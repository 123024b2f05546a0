/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_corpus.h"
#include "fuzz_svmlight.h"

static bool is_whole(const dlp_corpus *corpus)
{
    return corpus != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format("svmlight", dlp_corpus_parse_svmlight, data, size, is_whole);
    return 0;
}

static void put_line(fuzz_text *t, fuzz_span head)
{
    static const char *const values[] = {"1", "2", "17", "2.0", "1e2", "0"};
    (void)head;
    fuzz_put_svmlight(t, values, sizeof values / sizeof *values);
}

static bool passes(const char *text, size_t size)
{
    return fuzz_reads(dlp_corpus_parse_svmlight, text, size);
}

static const fuzz_lines fuzz_lines_of = {fuzz_no_head_size, fuzz_no_head, put_line,
                                         passes};
