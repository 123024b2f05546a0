/* SPDX-License-Identifier: BSD-3-Clause */
/* A file large enough to be mapped gives the table that its text gives. */
#include "io/mapping.h"
#include "tables.h"

#include <stdio.h>
#include <unistd.h>

enum { ROWS = 600000, LATE = 400000 };

/* A column of numbers, one with levels, quotes and separators, one in which the first word
   comes late (the numbers above it are read again as text), and one with gaps. */
static char *write_text(size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    assert_non_null(out);
    fputs("number,name,late,gaps\n", out);
    for (int i = 0; i < ROWS; i++)
        fprintf(out, "%.9g,\"level, %d\",%s,%s\n", i / 7.0, i % 11,
                i < LATE ? "3.25" : "word", i % 5 ? "17" : "NA");
    assert_int_equal(fclose(out), 0);
    return text;
}

static void test_a_mapped_table_is_the_same(void **state)
{
    (void)state;
    char path[] = "mapped-XXXXXX";
    size_t size = 0;
    char *text = write_text(&size);
    assert_true(size >= DLPI_MAPPED);
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);

    struct dlpi_mapping mapping;
    assert_true(dlpi_mapping_open(path, &mapping));
    assert_int_equal(mapping.size, size);
    dlpi_mapping_close(&mapping);

    const dlp_table_options options = dlp_table_options_default();
    dlp_table *mapped, *parsed;
    assert_ok(dlp_table_read(path, &options, &mapped, error));
    assert_ok(dlp_table_parse(path, text, size, &options, &parsed, error));
    assert_int_equal(mapped->rows, ROWS);
    assert_same_tables(mapped, parsed);
    dlp_table_free(mapped);
    dlp_table_free(parsed);
    free(text);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_mapped_table_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
