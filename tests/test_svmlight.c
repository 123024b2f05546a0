/* SPDX-License-Identifier: BSD-3-Clause */
/* svmlight and libsvm from texts in memory. */
#include "tables.h"

static void svmlight_is_read(void **state)
{
    (void)state;
    dlp_table *t = parse_with(NULL, "+1 1:0.5 3:-2e1\n-1 2:7 # seven\n1\n");
    assert_int_equal(t->rows, 3);
    assert_int_equal(t->columns, 4);
    assert_string_equal(t->column[0].name, "label");
    assert_string_equal(t->column[3].name, "x3");
    assert_string_equal(column_text(t, "label"), "n 1|-1|1");
    assert_string_equal(column_text(t, "x1"), "n 0.5|0|0");
    assert_string_equal(column_text(t, "x2"), "n 0|7|0");
    assert_string_equal(column_text(t, "x3"), "n -20|0|0");
    dlp_table_free(t);
}

static void variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "1 1:5\r\n0 2:6\r\n",
        "1 1:5\n0 2:6",
        "\xef\xbb\xbf\x31 1:5\n0 2:6\n",
        "# made by hand\n\n 1\t1:5  \n\n  # more\n0 2:6#six\n",
        "1 1:5 2:0\n0 1:0 2:6.0\n",
        "1 01:5\n0 2:+6\n",
    };
    dlp_table *plain = parse_with(NULL, "1 1:5\n0 2:6\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        dlp_table *t = parse_with(NULL, variants[i]);
        assert_same_tables(t, plain);
        dlp_table_free(t);
    }
    dlp_table_free(plain);
}

static void special_cases_are_read(void **state)
{
    (void)state;
    static const struct right right[] = {
        {"1 0:5 1:6\n2 1:7\n", "x0", "n 5|0"}, /* indices from 0 */
        {"1 1:5\n2 0:6 1:7\n", "x1", "n 5|7"},
        {"3 qid:1 1:5\n2 1:6\n", "qid", "n 1|NA"},
        {"3 qid:1 1:5\n2 1:6\n", "x1", "n 5|6"},
        {"3 1:6\n2 qid:4\n", "x1", "n 6|0"},
        {"nan 1:nan 2:inf\n", "label", "n NA"},
        {"1 1:nan 2:inf\n", "x1", "n NA"},
        {"1 1:nan 2:inf\n", "x2", "n inf"},
        {"0.25 1:1\n", "label", "n 0.25"},
    };
    dlp_table_options o = dlp_table_options_default();
    o.format = "svmlight";
    ASSERT_EACH_READ(&o, right);
    static const struct right alone[] = {{"1\n2\n", "label", "n 1|2"}};
    ASSERT_EACH_READ(&o, alone);
    o.features = 4;
    static const struct right wider[] = {{"1 2:3\n", "x4", "n 0"},
                                         {"1 6:3\n", "x6", "n 3"}};
    ASSERT_EACH_READ(&o, wider);
    o.missing = "-9";
    static const struct right missing[] = {{"1 2:-9.0\n", "x2", "n NA"}};
    ASSERT_EACH_READ(&o, missing);
}

static void wrong_svmlight_is_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"", 0, "test.dat: is empty"},
        {"\n# nothing\n", 0, "test.dat: is empty; expected rows"},
        {"x 1:1\n", 0,
         "test.dat:1: expected a label, which is a number, found 'x'; a row is 'label"},
        {"1,2 1:1\n", 0, "expected a label, which is a number, found '1,2'"},
        {"1 1:1\n\n1:1\n", 0, "test.dat:3: expected a label, which is a number, found"},
        {"1 1:1 2\n", 0, "expected 'index:value', found '2'"},
        {"1 1:1 2:\n", 0, "expected 'index:value', found '2:'"},
        {"1 1: 1\n", 0, "expected 'index:value', found '1:'"},
        {"1 a:1\n", 0, "expected 'index:value', found 'a:1'"},
        {"1 -1:1\n", 0, "expected 'index:value', found '-1:1'"},
        {"1 1:x\n", 0, "expected 'index:value', found '1:x'"},
        {"1 1:1,2:1\n", 0, "expected 'index:value', found '1:1,2:1'"},
        {"1 qid:x\n", 0, "expected 'qid:number', found 'qid:x'"},
        {"1 1:1 qid:2\n", 0, "expected 'index:value', found 'qid:2'"},
        {"1 2:1 1:1\n", 0, "expected an index larger than the one before, found '1:1'"},
        {"1 2:1 2:1\n", 0, "expected an index larger than the one before, found '2:1'"},
        {"1 2147483647:1\n", 0, "expected an index below 2147483647"},
        {"1 99999999999999999999:1\n", 0, "expected an index below 2147483647"},
        {"1 2147483646:1\n", 0,
         "test.dat: 1 rows and 2147483647 columns are too many to keep with their zeros"},
        {"1 1000000:1\n", 0, "a text of 12 bytes may have 1048576 values"},
        {WITH_ZEROS("1 1:1\0\n"), "expected 'index:value', found '1:1\\x00'"},
        {"1 1:1\r2 1:1\n", 0, "found '1:1\\x0d2'"},
    };
    dlp_table_options o = dlp_table_options_default();
    o.format = "svmlight";
    ASSERT_EACH_REFUSED(&o, wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svmlight_is_read),
        cmocka_unit_test(variants_mean_the_same),
        cmocka_unit_test(special_cases_are_read),
        cmocka_unit_test(wrong_svmlight_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
