/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_corpus.h"
#include "fuzz_triples.h"

static bool is_whole(const dlp_corpus *corpus)
{
    return corpus != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format("mtx", dlp_corpus_parse_mtx, data, size, is_whole);
    return 0;
}

/* The banner and comments. */
static size_t comments_size(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && text[at] == '%')
        at += fuzz_size_of_lines(text + at, size - at, 1);
    return at;
}

static size_t head_size(const char *text, size_t size)
{
    const size_t at = comments_size(text, size);
    return at + fuzz_size_of_lines(text + at, size - at, 1);
}

static fuzz_sizes sizes_like(fuzz_text *t, fuzz_span head, int n)
{
    const size_t at = comments_size(head.at, head.size);
    return fuzz_sizes_like(t, (fuzz_span){head.at + at, head.size - at}, n);
}

static void put_head(fuzz_text *t, fuzz_span was, int n)
{
    static const char *const kinds[] = {"integer", "real", "pattern", "unsigned-integer"};
    static const char banner[] = "%%MatrixMarket matrix coordinate ";
    const bool sound = was.size > sizeof banner &&
                       memcmp(was.at, banner, sizeof banner - 1) == 0 &&
                       fuzz_chance(t, 32) > 0;
    const fuzz_sizes sizes = sizes_like(t, was, n);
    if (sound)
        fuzz_put_bytes(t, was.at, comments_size(was.at, was.size));
    else
        fuzz_put(t, "%s%s general\n%s", banner, FUZZ_ONE_OF(t, kinds),
                 fuzz_chance(t, 2) ? "" : "% a\n%\n");
    fuzz_put(t, "%d %d %d\n", sizes.D, sizes.V, sizes.nnz);
}

static void put_line(fuzz_text *t, fuzz_span head)
{
    static const char *const counts[] = {"1", "2.0", ".1e1", "4e0", "0"};
    const bool pattern = fuzz_has(head, "pattern"), real = fuzz_has(head, "real");
    fuzz_put_triple(t, sizes_like(t, head, 1),
                    pattern ? ""
                    : real  ? FUZZ_ONE_OF(t, counts)
                            : FUZZ_ONE_OF(t, fuzz_whole_counts));
}

static bool passes(const char *text, size_t size)
{
    return fuzz_reads(dlp_corpus_parse_mtx, text, size);
}

static const fuzz_lines fuzz_lines_of = {head_size, put_head, put_line, passes};
