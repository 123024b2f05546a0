/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables from files and of any format: how formats are told apart, options, compressed
 * files, standard input, and lack of memory. The linker wraps the allocator, so that
 * every allocation can be made to fail once.
 */
#include "core/string_set.h"
#include "failing_allocator.h"
#include "scratch_file.h"
#include "tables.h"

#include <delaplace/file.h>
#include <delaplace/random.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

/* A call without memory says so, or did not need it: giving memory back may fail. */
static void assert_memory_may_lack_anywhere(const char *text)
{
    for (int n = 0;; n++) {
        dlp_table *t = NULL;
        dlp_error error = {0};
        allocations_left = n;
        const dlp_status status =
            dlp_table_parse("test.dat", text, strlen(text), NULL, &t, &error);
        const bool all_succeeded = allocations_left >= 0;
        allocations_left = -1;
        if (status == DLP_OK) {
            assert_true(table_is_sound(t));
        } else {
            assert_int_equal(status, DLP_ENOMEM);
            assert_null(t);
            assert_non_null(strstr(error.message, "not enough memory"));
        }
        dlp_table_free(t);
        if (all_succeeded) return;
    }
}

static void memory_may_lack(void **state)
{
    (void)state;
    assert_memory_may_lack_anywhere("a,b,c\n1,\"x\"\"y\",2\n3,z,u\n4,v,w\n\n");
    assert_memory_may_lack_anywhere(
        "@relation r\n@attribute 'a' {1,0}\n@attribute b {x,y}"
        "\n@attribute c string\n@attribute d real\n@data\n"
        "1,x,'long string',5\n{2 u}\n");
    assert_memory_may_lack_anywhere("1 qid:1 1:5 3:2\n2 2:6\n");
}

/* ---- formats and options ---- */

static void the_format_is_told_by_the_content(void **state)
{
    (void)state;
    static const struct right right[] = {
        {"@relation r\n@attribute a real\n@data\n1\n", "a", "n 1"},
        {"% c\n\n @ATTRIBUTE a real\n@data\n1\n", "a", "n 1"},
        {"@relations,b\n1,2\n", "@relations", "n 1"},
        {"1 1:2\n", "x1", "n 2"},
        {"# c\n1\n-1 qid:3 1:2\n", "qid", "n NA|3"},
        {"1\n2\n3\n", "1", "n 2|3"},
        {"1,2:3\n4,5\n", "2:3", "n 5"},
        {"12:30 1:2\n4\n", "12:30 1:2", "n 4"},
        {"a\n1 1:2\n", "a", "{1 1:2} 1 1:2"},
    };
    ASSERT_EACH_READ(NULL, right);
    dlp_table_options o = dlp_table_options_default();
    o.separator = ',';
    static const struct right separated[] = {{"1 1:2\n3\n", "1 1:2", "n 3"}};
    ASSERT_EACH_READ(&o, separated);
    o = (dlp_table_options){.size = sizeof(dlp_table_options),
                            .header = 1}; /* no format is auto */
    static const struct right automatic[] = {{"1 1:2\n", "x1", "n 2"}};
    ASSERT_EACH_READ(&o, automatic);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    dlp_table_options o = dlp_table_options_default();
    dlp_table sentinel, *t = &sentinel;
    o.format = "xls";
    assert_fails(dlp_table_parse("t", "a\n1\n", 4, &o, &t, error), DLP_EINVAL,
                 "unknown format 'xls'; use auto, csv, tsv, arff or svmlight");
    assert_null(t);
    o = dlp_table_options_default();
    for (const char *c = ".+-\"#\r\n0a9Zz\xc3\x7f"; *c; c++) {
        o.separator = *c;
        assert_fails(dlp_table_parse("t", "a\n1\n", 4, &o, &t, error), DLP_EINVAL,
                     "may also occur in fields");
    }
    o = dlp_table_options_default();
    o.features = -1;
    assert_fails(dlp_table_parse("t", "a\n1\n", 4, &o, &t, error), DLP_EINVAL,
                 "features is -1; expected 0 to");
    assert_fails(dlp_table_parse(NULL, "a\n1\n", 4, NULL, &t, error), DLP_EINVAL,
                 "needs");
    assert_fails(dlp_table_parse("t", NULL, 4, NULL, &t, error), DLP_EINVAL, "needs");
    assert_fails(dlp_table_parse("t", NULL, 0, NULL, &t, error), DLP_EINPUT, "is empty");
    assert_fails(dlp_table_parse("t", "a", 1, NULL, NULL, error), DLP_EINVAL, "needs");
    assert_fails(dlp_table_read(NULL, NULL, &t, error), DLP_EINVAL, "needs");
    assert_fails(dlp_table_read("/no/such/file", NULL, &t, error), DLP_EINPUT,
                 "/no/such/file: cannot read");
    assert_null(t);
}

/* ---- files ---- */

static void compressed_files_and_standard_input_are_read(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1,x\n2,y\n";
    dlp_table *plain = parse_with(NULL, text), *t = NULL;
    assert_ok(dlp_file_write(path, text, strlen(text), error));
    assert_ok(dlp_table_read(path, NULL, &t, error));
    assert_same_tables(t, plain);
    dlp_table_free(t);

    gzFile compressed = gzopen(path, "wb");
    assert_int_equal(gzputs(compressed, text), strlen(text));
    assert_int_equal(gzclose(compressed), Z_OK);
    const int saved = dup(STDIN_FILENO), fd = open(path, O_RDONLY);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    close(fd);
    assert_ok(dlp_table_read("-", NULL, &t, error));
    dup2(saved, STDIN_FILENO);
    close(saved);
    assert_same_tables(t, plain);
    dlp_table_free(t);
    dlp_table_free(plain);

    assert_ok(dlp_file_write(path, "a,b\n1\n", 6, error));
    assert_fails(dlp_table_read(path, NULL, &t, error), DLP_EINPUT,
                 ":2: expected 2 fields");
    assert_null(t);
}

static void the_table_that_comes_along_is_read(void **state)
{
    (void)state;
    dlp_table *t = NULL;
    assert_ok(dlp_table_read(DLP_TEST_DIR "/data/packages.csv", NULL, &t, error));
    assert_true(table_is_sound(t));
    assert_int_equal(t->rows, 600);
    assert_int_equal(t->columns, 2);
    assert_int_equal(t->column[0].n_levels, 600);
    assert_string_equal(t->column[1].name, "section");
    dlp_table_free(t);
}

/* ---- levels ---- */

/* Names of few letters, so that they share beginnings and come twice: as a plain list
   would have it. */
static void levels_are_a_sorted_set(void **state)
{
    (void)state;
    enum { DRAWS = 3000, LONGEST = 9 };
    static char name[DRAWS][LONGEST + 1];
    static int32_t order[DRAWS];
    dlp_rng rng = dlp_rng_at(2385, 0);
    struct dlpi_string_set levels = {0};
    int32_t count = 0;
    assert_int_equal(dlpi_string_set_find(&levels, "a", 1), -1);
    for (int i = 0; i < DRAWS; i++) {
        char drawn[LONGEST + 1] = "";
        const size_t length = dlp_draw_bits(&rng) % (LONGEST + 1);
        for (size_t k = 0; k < length; k++)
            drawn[k] = "ab\xff\x01"[dlp_draw_bits(&rng) % (length > 3 ? 4 : 2)];
        int32_t code = -1, expected = 0;
        while (expected < count && strcmp(name[expected], drawn) != 0) expected++;
        assert_int_equal(dlpi_string_set_find(&levels, drawn, length),
                         expected < count ? expected : -1);
        assert_int_equal(dlpi_string_set_add(&levels, drawn, length, &code, NULL),
                         DLP_OK);
        assert_int_equal(code, expected);
        if (expected == count) memcpy(name[count++], drawn, sizeof drawn);
        assert_int_equal(levels.count, count);
    }
    assert_int_equal(dlpi_string_set_sort(&levels, order, NULL), DLP_OK);
    for (int32_t r = 1; r < count; r++)
        assert_true(strcmp(name[order[r - 1]], name[order[r]]) < 0);
    dlpi_string_set_clear(&levels);
    assert_int_equal(levels.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_lack),
        cmocka_unit_test(the_format_is_told_by_the_content),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test_setup_teardown(compressed_files_and_standard_input_are_read,
                                        make_file, remove_file),
        cmocka_unit_test(the_table_that_comes_along_is_read),
        cmocka_unit_test(levels_are_a_sorted_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
