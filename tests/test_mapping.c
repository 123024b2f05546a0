/* SPDX-License-Identifier: BSD-3-Clause */
/* A file large enough to be mapped gives the table that its text gives, and what happens to it
   meanwhile is noticed. */
#include "io/mapping.h"
#include "tables.h"

#include <stdio.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif
#include <sys/stat.h>
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

static void test_a_handler_learns_which_file_is_mapped(void **state)
{
    (void)state;
    char path[] = "mapped-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, DLPI_MAPPED), 0);
    struct dlpi_mapping mapping;
    assert_true(dlpi_mapping_open(path, &mapping));
    const char *data = mapping.data;
    assert_string_equal(dlp_file_mapped(data), path);
    assert_string_equal(dlp_file_mapped(data + DLPI_MAPPED - 1), path);
    assert_null(dlp_file_mapped(data + DLPI_MAPPED));
    assert_null(dlp_file_mapped(path));
    assert_null(dlp_file_mapped(NULL));
    dlpi_mapping_close(&mapping);
    assert_null(dlp_file_mapped(data));
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
}

static void test_a_file_that_was_written_to_is_noticed(void **state)
{
    (void)state;
    dlp_error error = {0};
    char path[] = "mapped-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, DLPI_MAPPED), 0);
    struct dlpi_mapping mapping;
    assert_true(dlpi_mapping_open(path, &mapping));
    assert_int_equal(dlpi_mapping_check(&mapping, &error), DLP_OK);
    const struct timespec later[] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(futimens(fd, later), 0);
    assert_int_equal(dlpi_mapping_check(&mapping, &error), DLP_EIO);
    assert_non_null(strstr(error.message, "written to while it was read"));
    /* one that is removed, or that another takes the place of, stays as it was */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(dlpi_mapping_check(&mapping, &error), DLP_OK);
    dlpi_mapping_close(&mapping);
    assert_int_equal(close(fd), 0);
}

/* A pipe that is opened and closed again loses what its writer has written meanwhile. */
static void test_a_pipe_is_not_even_opened(void **state)
{
    (void)state;
    char folder[] = "piped-XXXXXX", path[sizeof folder + 8], seen[4096];
    struct dlpi_mapping mapping;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
#ifdef __linux__
    const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    assert_true(watch >= 0 && inotify_add_watch(watch, path, IN_OPEN) >= 0);
    assert_false(dlpi_mapping_open(path, &mapping));
    assert_int_equal(read(watch, seen, sizeof seen), -1);
    assert_int_equal(close(watch), 0);
#else
    (void)seen;
    assert_false(dlpi_mapping_open(path, &mapping));
#endif
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mapped_table_is_the_same),
        cmocka_unit_test(test_a_pipe_is_not_even_opened),
        cmocka_unit_test(test_a_handler_learns_which_file_is_mapped),
        cmocka_unit_test(test_a_file_that_was_written_to_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
