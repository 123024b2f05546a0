/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_corpus.h"
#include "fuzz_lines.h"

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

/* ---- inputs ---- */

static const char *const heads[] = {
    "document,term,count\n", "count;x;term;document\n", "term\tdocument\tcount\n",
    "\"document\",term,x,count\n", "# a\n\ndocument,count,term\n"};

/* The header, up to the line of the columns' names. */
static size_t head_size(const char *text, size_t size)
{
    for (size_t from = 0, to; from < size; from = to) {
        const char *end = memchr(text + from, '\n', size - from);
        to = end ? (size_t)(end - text) + 1 : size;
        if (fuzz_has((fuzz_span){text + from, to - from}, "document")) return to;
    }
    return 0;
}

static void put_head(fuzz_text *t, fuzz_span was, int n)
{
    (void)n;
    if (was.size > 0 && was.at[was.size - 1] == '\n' && fuzz_chance(t, 32) > 0)
        fuzz_put_bytes(t, was.at, was.size);
    else
        fuzz_put(t, "%s", FUZZ_ONE_OF(t, heads));
}

static void put_field(fuzz_text *t, fuzz_span name)
{
    static const char *const ids[] = {"1", "2", "3", "5", "07", "40", "0"},
                             *const names[] = {"zoo",        "\"7\"",       "\"a,b\"",
                                               "\"a\"\"b\"", "caf\xc3\xa9", " ark",
                                               "\"b \""},
                             *const counts[] = {"1", "2", "17", "2.0", "1e2", "0"};
    if (fuzz_has(name, "count"))
        fuzz_put(t, "%s", FUZZ_ONE_OF(t, counts));
    else if (fuzz_chance(t, 4) > 0)
        fuzz_put(t, "%s", FUZZ_ONE_OF(t, ids));
    else
        fuzz_put(t, "%s", FUZZ_ONE_OF(t, names));
}

static void put_line(fuzz_text *t, fuzz_span head)
{
    fuzz_put_row(t, head, put_field);
}

static bool passes(const char *text, size_t size)
{
    return fuzz_reads(dlp_corpus_parse_csv, text, size);
}

static const fuzz_lines fuzz_lines_of = {head_size, put_head, put_line, passes};
