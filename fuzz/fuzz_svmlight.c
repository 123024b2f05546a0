/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz_svmlight.h"
#include "fuzz_table.h"

static dlp_table *read_table(const char *text, size_t size)
{
    dlp_table_options options = dlp_table_options_default();
    options.format = "svmlight";
    return fuzz_table(&options, text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_table *table = read_table((const char *)data, size);
    (void)fuzz_passes(table != NULL);
    dlp_table_free(table);
    return 0;
}

static void put_line(fuzz_text *t, fuzz_span head)
{
    static const char *const values[] = {"1", "0.5", "-2e1", "nan", "7", "1e-300"};
    (void)head;
    fuzz_put_svmlight(t, values, sizeof values / sizeof *values);
}

static bool passes(const char *text, size_t size)
{
    dlp_table *table = read_table(text, size);
    const bool small = table && table->columns < 1000;
    dlp_table_free(table);
    return small;
}

static const fuzz_lines fuzz_lines_of = {fuzz_no_head_size, fuzz_no_head, put_line,
                                         passes};
