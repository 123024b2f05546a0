/* SPDX-License-Identifier: BSD-3-Clause */
/* ARFF from texts in memory: whole and sparse rows, each type, each error. */
#include "tables.h"

#define WEATHER                                                                          \
    "@relation weather\n"                                                                \
    "@attribute outlook {sunny, overcast, rainy}\n"                                      \
    "@attribute temperature numeric\n"                                                   \
    "@attribute play {1, 0}\n"                                                           \
    "@data\n"

static void arff_is_read(void **state)
{
    (void)state;
    dlp_table *t = parse_with(NULL, WEATHER "sunny,85,0\novercast,83.5,1\n?,?,?\n");
    assert_int_equal(t->rows, 3);
    assert_int_equal(t->columns, 3);
    assert_string_equal(column_text(t, "outlook"),
                        "{overcast|rainy|sunny} sunny|overcast|NA");
    assert_string_equal(column_text(t, "temperature"), "n 85|83.5|NA");
    assert_string_equal(column_text(t, "play"), "n 0|1|NA");
    dlp_table_free(t);
}

static void variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        WEATHER "{0 sunny, 1 85, 2 0}\n{0 rainy}\n{1 ?}\n",
        WEATHER "{ 0 sunny , 1 85 ,2 0 } \n{0 rainy }\n{1 ?}",
        WEATHER "{1 85,2 0}\nrainy,0,1\n{1 ?}\n",
        WEATHER "  sunny , 85 , 0  \n rainy,0,1\n\n% a comment\nsunny,?,1\n",
        WEATHER "sunny\t85\t0\nrainy,\t0\t,1\nsunny\t?\t1\n",
        WEATHER "'sunny',85,\"0\"\n\"rainy\",'0',1\nsunny,NA,1\n",
        "% Weka\r\n@RELATION 'the weather'\r\n\r\n@ATTRIBUTE outlook "
        "{sunny,overcast,rainy}"
        "\r\n@Attribute 'temperature' REAL\r\n@attribute \"play\" "
        "{'1',0}\r\n\r\n@DATA\r\n"
        "sunny,85,0\r\nrainy,0,1\r\nsunny,?,1\r\n",
        "\xef\xbb\xbf@relation r\n@attribute outlook{ sunny , overcast , rainy , }\n"
        "\t@attribute\ttemperature\tinteger [0, 100]\n@attribute play {1,0,1}\n@data\n"
        "sunny,85,0\nrainy,0,1\nsunny,?,1\n",
    };
    dlp_table *plain = parse_with(NULL, WEATHER "sunny,85,0\nrainy,0,1\nsunny,?,1\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        dlp_table *t = parse_with(NULL, variants[i]);
        assert_same_tables(t, plain);
        dlp_table_free(t);
    }
    dlp_table_free(plain);
}

static void types_are_followed(void **state)
{
    (void)state;
    static const struct right right[] = {
        {"@attribute a {x,y}\n@data\n?\n", "a", "{x|y} NA"},
        {"@attribute a {}\n@data\n?\n", "a", "n NA"},
        {"@attribute a {1,2,x}\n@data\n2\n", "a", "{1|2|x} 2"},
        {"@attribute a {NA, b}\n@data\nNA\n", "a", "{NA|b} NA"},
        {"@attribute a {'?', b}\n@data\n'?'\n?\n", "a", "{?|b} ?|NA"},
        {"@attribute a {0.5, 1e3}\n@data\n1e3\n0.5\n", "a", "n 1000|0.5"},
        {"@attribute a string\n@data\n'b c'\na\n?\n'b c'\n", "a", "{a|b c} b c|a|NA|b c"},
        {"@attribute a string\n@attribute b real\n@data\n{0 x}\n{1 5}\n", "a",
         "{x} x|NA"},
        {"@attribute a date 'yyyy-MM-dd'\n@data\n2001-04-03\n", "a",
         "{2001-04-03} 2001-04-03"},
        {"@attribute a string\n@data\n'it\\'s 5\\% \\\\ \"x\"'\n", "a",
         "{it's 5% \\ \"x\"} it's 5% \\ \"x\""},
        {"@attribute a string\n@data\n\"a\\tb\\nc\"\n", "a", "{a\tb\nc} a\tb\nc"},
        {"@attribute a string\n@data\n50%\nx y\n", "a", "{50%|x y} 50%|x y"},
        {"@attribute a {Iris setosa, Iris virginica}\n@data\nIris setosa\n", "a",
         "{Iris setosa|Iris virginica} Iris setosa"},
        {"@attribute 'a b' real\n@data\n1\n", "a b", "n 1"},
        {"@attribute a real\n@data\nNaN\n1e5\ninf\n", "a", "n NA|100000|inf"},
        {"@attribute a real\n@attribute b {y,n}\n@data\n{}\n{ }\n", "b", "{n|y} y|y"},
        {"@attribute a real\n@attribute b {2,3}\n@data\n{}\n{1 3}\n", "b", "n 2|3"},
        {"@attribute a {'',x}\n@data\n''\nx\n", "a", "{|x} |x"},
    };
    ASSERT_EACH_READ(NULL, right);

    dlp_table_options o = dlp_table_options_default();
    o.missing = "-9";
    static const struct right missing[] = {
        {"@attribute a real\n@data\n-9\n-9.0\n1\n", "a", "n NA|NA|1"},
        {"@attribute a {-9,x}\n@data\n-9\nx\n", "a", "{-9|x} NA|x"},
    };
    ASSERT_EACH_READ(&o, missing);
}

static void wrong_arff_is_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"@relation r\n@data\n1\n", 0, "test.dat: has no attributes; a header is"},
        {"@attribute a real\n1\n", 0,
         "test.dat:2: expected @relation, @attribute or @data, found '1'"},
        {"@attribute a real\n", 0, "test.dat: ends before '@data'"},
        {"@attribute a real\n@inputs a\n@data\n", 0, "found '@inputs'"},
        {"@attribute a real\n@data\n\n% no rows\n", 0, "has a header and no rows"},
        {"@attribute\n@data\n1\n", 0, "expected the name of an attribute, found the end"},
        {"@attribute '' real\n@data\n1\n", 0, "expected the name of an attribute"},
        {"@attribute a\n@data\n1\n", 0, "expected a type, found the end of the line"},
        {"@attribute a b real\n@data\n1\n", 0,
         "expected a type, found 'b'; use numeric, real"},
        {"@attribute a relational\n@data\n1\n", 0, "expected a type, found 'relational'"},
        {"@attribute a reals\n@data\n1\n", 0, "expected a type, found 'reals'"},
        {"@attribute a real\n@attribute a real\n@data\n1,1\n", 0,
         "test.dat:2: columns 1 and 2 are both called 'a'"},
        {"@attribute a {x,y\n@data\nx\n", 0, "expected a comma or } after a level"},
        {"@attribute a {'x' y}\n@data\nx\n", 0, "expected a comma or } after a level"},
        {"@attribute a {x,'y\n@data\nx\n", 0, "expected a closing quote, found ''y'"},
        {"@attribute 'a real\n@data\n1\n", 0, "expected a closing quote"},
        {WEATHER "sunny,85\n", 0,
         "test.dat:6: expected 3 values as the header declares, found fewer"},
        {WEATHER "sunny,85,1,1\n", 0,
         "expected 3 values as the header declares, found mo"},
        {WEATHER "sunny,85,1,\n", 0, "found more"},
        {WEATHER "sunny,85,'1'x\n", 0, "expected the end of the line, found 'x'"},
        {WEATHER "sunny,,1\n", 0,
         "test.dat:6: expected the value of column 2, found none; write ? for a missing"},
        {WEATHER "sunny,warm,1\n", 0,
         "expected a number as the header declares, found 'warm,1'"},
        {WEATHER "\n% x\nfoggy,1,1\n", 0,
         "test.dat:8: expected a level that the header declares, found 'foggy,1,1'"},
        {WEATHER "sunny,1,1.0\n", 0, "expected a level that the header declares"},
        {WEATHER "sunny,1,'1\n", 0, "expected a closing quote"},
        {WEATHER "sunny,1,'1\\", 0, "expected a closing quote"},
        {WEATHER "{0 sunny\n", 0, "expected } at the end of the line, found the end"},
        {WEATHER "{0 sunny} x\n", 0, "expected } at the end of the line, found 'x'"},
        {WEATHER "{0 sunny,}\n", 0, "expected 'index value', found '}'"},
        {WEATHER "{,0 sunny}\n", 0, "expected 'index value', found ',0'"},
        {WEATHER "{x sunny}\n", 0, "expected 'index value', found 'x'"},
        {WEATHER "{0}\n", 0, "expected 'index value', found '0}'"},
        {WEATHER "{0 }\n", 0, "expected the value of column 1, found none"},
        {WEATHER "{3 1}\n", 0, "an index above the one before and below 3, found 3"},
        {WEATHER "{99999999999999999999 1}\n", 0, "found 9223372036854775807"},
        {WEATHER "{1 5, 1 6}\n", 0, "an index above the one before and below 3, found 1"},
        {WEATHER "{1 5, 0 sunny}\n", 0, "found 0"},
        {WITH_ZEROS("@attribute a string\n@data\nx\0y\n"),
         "test.dat:3: a word contains a zero byte"},
        {WITH_ZEROS("@attribute a\0 real\n@data\n1\n"),
         "test.dat:1: a word contains a zero byte"},
    };
    ASSERT_EACH_REFUSED(NULL, wrong);
}

/* A text of this many columns and rows of "{}", to be freed. */
static char *empty_rows(int columns, int rows)
{
    char *text = malloc((size_t)columns * 32 + (size_t)rows * 3 + 8), *at = text;
    assert_non_null(text);
    for (int j = 0; j < columns; j++) at += sprintf(at, "@attribute a%d real\n", j);
    at += sprintf(at, "@data\n");
    for (int i = 0; i < rows; i++) at += sprintf(at, "{}\n");
    return text;
}

/* Such a table needs more memory than its text. */
static void sparse_rows_are_believed_within_reason(void **state)
{
    (void)state;
    char *text = empty_rows(9000, 100);
    dlp_table *t = parse_with(NULL, text);
    assert_int_equal(t->rows, 100);
    assert_int_equal(t->columns, 9000);
    assert_true(t->column[8999].number[99] == 0);
    dlp_table_free(t);
    free(text);

    text = empty_rows(9000, 1000000);
    assert_fails(dlp_table_parse("sparse", text, strlen(text), NULL, &t, error),
                 DLP_EINPUT,
                 "sparse: 1000000 rows and 9000 columns are too many to keep with their "
                 "zeros; a text of");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arff_is_read),
        cmocka_unit_test(variants_mean_the_same),
        cmocka_unit_test(types_are_followed),
        cmocka_unit_test(wrong_arff_is_refused),
        cmocka_unit_test(sparse_rows_are_believed_within_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
