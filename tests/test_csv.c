/* SPDX-License-Identifier: BSD-3-Clause */
/* Separated values from texts in memory: each rule, each error, each variant. */
#include "tables.h"

#include <delaplace/random.h>

static void csv_is_read(void **state)
{
    (void)state;
    dlp_table *t = parse_with(NULL, "y,x,g\n1,2.5,b\n0,-3e2,a\n1,NA,b\n");
    assert_int_equal(t->rows, 3);
    assert_int_equal(t->columns, 3);
    assert_string_equal(t->column[0].name, "y");
    assert_string_equal(column_text(t, "y"), "n 1|0|1");
    assert_string_equal(column_text(t, "x"), "n 2.5|-300|NA");
    assert_string_equal(column_text(t, "g"), "{a|b} b|a|b");
    assert_int_equal(t->column[1].missing, 1);
    assert_int_equal(t->column[2].code[0], 1);
    assert_int_equal(dlp_table_find(t, "g"), 2);
    assert_int_equal(dlp_table_find(t, "G"), -1);
    assert_int_equal(dlp_table_find(NULL, "g"), -1);
    assert_int_equal(dlp_table_find(t, NULL), -1);
    dlp_table_free(t);
    dlp_table_free(NULL);
}

static void variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "y,x,g\r\n1,2.5,b\r\n0,,a\r\n",             /* CR LF */
        "y,x,g\n1,2.5,b\n0,,a",                     /* no last line end */
        "y,x,g\n1,2.5,b\n0,,a\r",                   /* half of one */
        "\xef\xbb\xbfy,x,g\n1,2.5,b\n0,,a\n",       /* byte order mark */
        "\n  \ny,x,g\n\n1,2.5,b\n\t\n0,,a\n\n\r\n", /* blank lines */
        "# made by hand\n#,,\ny,x,g\n1,2.5,b\n0,,a\n",
        "\xef\xbb\xbf# made by hand\r\n\r\ny,x,g\r\n1,2.5,b\r\n0,,a\r\n",
        "y;x;g\n1;2.5;b\n0;;a\n",
        "y\tx\tg\n1\t2.5\tb\n0\t\ta\n",
        "\"y\",\"x\",\"g\"\n\"1\",\"2.5\",\"b\"\n\"0\",\"\",\"a\"\n",
        " y , x ,g \n 1,\t2.5 , b\n0 , NA,\ta \n",
        "y, \"x\" ,\"g\"\n1, \"2.5\" , \"b\"\n0,\" NA \",\"a\" \n",
        "y,x,g\n+1,25e-1,b\n-0e5,NaN,a\n",
        "y,x,g\n01,2.50,b\n.0,null,a\n",
    };
    dlp_table *plain = parse_with(NULL, "y,x,g\n1,2.5,b\n0,,a\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        dlp_table *t = parse_with(NULL, variants[i]);
        assert_same_tables(t, plain);
        dlp_table_free(t);
    }
    dlp_table_free(plain);
}

static void quotes_keep_what_is_in_them(void **state)
{
    (void)state;
    static const struct right right[] = {
        {"a,b\n\"x,y\",1\n", "a", "{x,y} x,y"},
        {"a,b\n\"x\ny\",1\n", "a", "{x\ny} x\ny"},
        {"a,b\n\"x\r\ny\r\",1\n", "a", "{x\r\ny\r} x\r\ny\r"},
        {"a,b\n\"say \"\"hi\"\"\",1\n", "a", "{say \"hi\"} say \"hi\""},
        {"a,b\n\"\"\"\",1\n", "a", "{\"} \""},
        {"a,b\n\"\"\"\"\"\",1\n", "a", "{\"\"} \"\""},
        {"a,b\n\" x \",1\n", "a", "{ x }  x "},
        {"a,b\n x  y ,1\n", "a", "{x  y} x  y"},
        {"a,b\n5\" pipe,1\n", "a", "{5\" pipe} 5\" pipe"},
        {"a,b\nx\"\"y,1\n", "a", "{x\"\"y} x\"\"y"},
        {"\"a\nb\",c\n1,2\n", "a\nb", "n 1"},
        {"\"a,b\",c\n1,2\n", "a,b", "n 1"},
        {"\"a\"\"b\",c\n1,2\n", "a\"b", "n 1"},
        {"a\n\"x\n\n#y\"\n", "a", "{x\n\n#y} x\n\n#y"},
    };
    ASSERT_EACH_READ(NULL, right);
}

static void latin1_is_read_when_told(void **state)
{
    (void)state;
    const char text[] =
        "st\xe4"
        "dte,\x80\nK\xf6ln,1\nBonn,2\n";
    dlp_table_options options = dlp_table_options_default();
    dlp_table *t = NULL;
    options.encoding = "latin1";
    assert_ok(dlp_table_parse("latin", text, sizeof text - 1, &options, &t, error));
    assert_string_equal(t->column[0].name,
                        "st\xc3\xa4"
                        "dte");
    assert_string_equal(t->column[1].name, "\xe2\x82\xac"); /* of Windows-1252 */
    assert_true(!strcmp(t->column[0].level[0], "K\xc3\xb6ln") ||
                !strcmp(t->column[0].level[1], "K\xc3\xb6ln"));
    dlp_table_free(t);
    options.encoding = "ebcdic";
    assert_fails(dlp_table_parse("latin", text, sizeof text - 1, &options, &t, error),
                 DLP_EINVAL, "utf-8 or latin1");
}

static void columns_find_their_kind(void **state)
{
    (void)state;
    static const struct right right[] = {
        {"a\n1\n2\n", "a", "n 1|2"},
        {"a\nTRUE\nFALSE\nTRUE\n", "a", "{FALSE|TRUE} TRUE|FALSE|TRUE"},
        {"a,b\nNA,1\n,1\nNaN,1\nnull,1\n", "a", "n NA|NA|NA|NA"},
        {"a,b\nnan,1\n-nan,1\nN/A,1\n#N/A,1\nNULL,1\nNAN,1\n", "a",
         "n NA|NA|NA|NA|NA|NA"},
        /* Marks are missing numbers, or categories among texts or alone. */
        {"a,b\n1,1\nNone,1\nnone,1\nna,1\n.,1\n?,1\n-,1\n -- ,1\n\"-\",1\nn/a,1\n", "a",
         "n 1|NA|NA|NA|NA|NA|NA|NA|NA|NA"},
        {"a\n-\n1\n", "a", "n NA|1"},
        {"a,b\n1,1\n-,2\nNA,3\nx,4\n?,5\n", "a", "{-|1|?|x} 1|-|NA|x|?"},
        {"a,b\n-,1\nNA,2\n?,3\n", "a", "{-|?} -|NA|?"},
        {"a,b\nx,1\nn/a,2\n", "a", "{x} x|NA"},
        {"a\nInf\n-inf\n+INFINITY\n1e999\n", "a", "n inf|-inf|inf|inf"},
        {"a\n0x10\n", "a", "{0x10} 0x10"},
        {"a\n1e\n", "a", "{1e} 1e"},
        {"a\n1 2\n", "a", "{1 2} 1 2"},
        {"a\n1;5\n", "a", "{1;5} 1;5"},
        {"a;b\n1,5;2\n", "a", "{1,5} 1,5"},
        /* The text comes late: the numbers above it are read again. */
        {"a,b\n1.50,1\nNA,2\n2,3\nx,4\n2,5\n", "a", "{1.50|2|x} 1.50|NA|2|x|2"},
        {"a,b\n1,1\n2,2\n3,x\n\"4,\",y\n", "b", "{1|2|x|y} 1|2|x|y"},
        {"a,b\n1,1\n2,2\n3,x\n\"4,\",y\n", "a", "{1|2|3|4,} 1|2|3|4,"},
        {"a,b\n\n1,\" 7\"\n\n,x\n", "b", "{ 7|x}  7|x"},
        /* Levels by bytes: upper case before lower, shorter first, UTF-8 last. */
        {"a\nb\nB\n\xc3\xa9\nba\n~\n10\n9\n", "a",
         "{10|9|B|b|ba|~|\xc3\xa9} b|B|\xc3\xa9|ba|~|10|9"},
        {"a\n\xff\xfe\n\x01\n", "a", "{\x01|\xff\xfe} \xff\xfe|\x01"},
        {"a,b\n#1,2\n", "a", "{#1} #1"},
        {"a,b\n1,2\n#3,4\n", "a", "{#3|1} 1|#3"},
    };
    ASSERT_EACH_READ(NULL, right);
}

static void rows_may_be_sparse_of_bytes(void **state)
{
    (void)state;
    static const struct right right[] = {
        {"a,b\n,\n,\n", "b", "n NA|NA"},
        {"a,b\n,\n,", "a", "n NA|NA"},
        {"a\n\"\"\n\"\"", "a", "n NA|NA"},
        {"a,\n1,2\n", "V2", "n 2"},
        {"\"\",a\n1,2\n", "V1", "n 1"},
        {",\n,\n", "V2", "n NA"},
        {"a\n1", "a", "n 1"},
        {"\" \"\n1", " ", "n 1"},
    };
    ASSERT_EACH_READ(NULL, right);
}

static void options_are_followed(void **state)
{
    (void)state;
    dlp_table_options o = dlp_table_options_default();
    o.header = 0;
    static const struct right headless[] = {
        {"1,2\n3,4\n", "V2", "n 2|4"},
        {"# a,b\n1,2\n", "V1", "n 1"},
        {"a,b\n", "V2", "{b} b"},
    };
    ASSERT_EACH_READ(&o, headless);

    o = dlp_table_options_default();
    o.missing = "-999";
    static const struct right number[] = {
        {"a,b\n-999,1\n2,-999.0\n", "a", "n NA|2"},
        {"a,b\n-999,1\n2,-999.0\n", "b", "n 1|NA"},
        {"a,b\n-999,1\nx,-9.99e2\n", "a", "{x} NA|x"},
        {"a,b\nx,1\n-999,-9.99e2\n", "b", "n 1|NA"},
        {"a,b\nNA,1\n-99,1\n", "a", "n NA|-99"},
    };
    ASSERT_EACH_READ(&o, number);
    o.missing = ".";
    static const struct right dot[] = {{"a\n.\n 1\n . \n..\n", "a", "{..|1} NA|1|NA|.."}};
    ASSERT_EACH_READ(&o, dot);

    o = dlp_table_options_default();
    o.separator = '|';
    static const struct right bar[] = {{"a|b\n1,5|2\n", "b", "n 2"},
                                       {"a,b|c\n1|2\n", "a,b", "n 1"}};
    ASSERT_EACH_READ(&o, bar);
    o.separator = ' ';
    static const struct right blank[] = {{"a b\n1 2\n\t3 4\n", "b", "n 2|4"},
                                         {"a b\n1 \n", "b", "n NA"}};
    ASSERT_EACH_READ(&o, blank);
    o.separator = 0;
    o.format = "tsv";
    static const struct right tabs[] = {{"a,b\tc,d\n1,5\t2\n", "c,d", "n 2"},
                                        {"a\tb\n\t\n \t2\n", "b", "n NA|2"}};
    ASSERT_EACH_READ(&o, tabs);
}

static void the_separator_is_found(void **state)
{
    (void)state;
    static const struct right right[] = {
        {"a;b,c;d\n1;2;3\n", "b,c", "n 2"}, {"a\tb,c\td;e\n1\t2\t3\n", "b,c", "n 2"},
        {"\"a;b;c\",d\n1,2\n", "d", "n 2"}, {"\"a;\n;b;c\",d\n1,2\n", "d", "n 2"},
        {"a,b;c\n1,2\n", "b;c", "n 2"},     {"alone\n1\n2\n", "alone", "n 1|2"},
    };
    ASSERT_EACH_READ(NULL, right);
}

static void wrong_csv_is_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"", 0, "test.dat: is empty; expected a table"},
        {"\xef\xbb\xbf", 0, "is empty"},
        {" \n\r\n\t\n", 0, "is empty"},
        {"# only a comment", 0, "is empty"},
        {"a,b\n", 0, "test.dat: has a header and no rows"},
        {"a,b\n \n\n", 0, "has a header and no rows"},
        {"a,b\n1,2\n3\n", 0,
         "test.dat:3: expected 2 fields as in the first line, found 1; put fields that"},
        {"a,b\n1,2,3\n", 0,
         "test.dat:2: expected 2 fields as in the first line, found 3"},
        {"a,b\n1,2,3,4,5", 0, "found 5"},
        {"a,b\n\n# no comment\n", 0, "test.dat:3: expected 2 fields"},
        {"a,b\n\"x\ny\",1\n\n2\n", 0, "test.dat:5: expected 2 fields"},
        {"a,b\n1,2\r3,4\n", 0, "test.dat:2: a carriage return without a line feed"},
        {"a,b\r1,2\r", 0, "test.dat:1: a carriage return without a line feed"},
        {"a,b\n1,\"x\n2,3\n4,5\n", 0, "test.dat:2: a quote is opened and not closed"},
        {"a,b\n1,\"", 0, "a quote is opened and not closed"},
        {"\"", 0, "test.dat:1: a quote is opened and not closed"},
        {"a,b\n1,\"x\"y\n", 0,
         "test.dat:2: expected a separator after the closing quote, found 'y'; double a"},
        {"a,b\n1,\"x\" \"y\"\n", 0, "found '\"y\"'"},
        {"a,b,a\n1,2,3\n", 0,
         "test.dat:1: columns 1 and 3 are both called 'a'; give each column a name"},
        {"# c\n\na,b,\"a\"\n1,2,3\n", 0, "test.dat:3: columns 1 and 3 are both"},
        {"V2,\n1,2\n", 0, "columns 1 and 2 are both called 'V2'"},
        {"\x1b[31m,\x1b[31m\n1,2\n", 0, "both called '\\x1b[31m'"},
        {WITH_ZEROS("a,b\n1,x\0y\n"), "test.dat:2: a field contains a zero byte"},
        {WITH_ZEROS("a,b\n1,\"x\0y\"\n"), "a field contains a zero byte"},
        {WITH_ZEROS("a,b\n1,2\0\n"), "a field contains a zero byte"},
        {WITH_ZEROS("a\0b\n1\n"), "test.dat:1: a field contains a zero byte"},
        {WITH_ZEROS("\0"), "a field contains a zero byte"},
        {WITH_ZEROS("\xff\xfe"
                    "a\0,\0b\0\n\0"),
         "if this is UTF-16, save it as UTF-8"},
    };
    ASSERT_EACH_REFUSED(NULL, wrong);
}

/* Text that comes in the last row of every column: the second look is one pass. */
static void late_text_costs_one_pass(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 500 };
    static char text[ROWS * COLUMNS * 8];
    char *at = text;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            at += sprintf(at, "%s%d%c", i > 0 && i - 1 == j % (ROWS - 1) ? "t" : "",
                          i + j, j + 1 < COLUMNS ? ',' : '\n');
    dlp_table *t = parse_with(NULL, text);
    assert_int_equal(t->rows, ROWS - 1);
    for (int j = 0; j < COLUMNS; j++) {
        assert_int_equal(t->column[j].kind, DLP_CATEGORICAL);
        assert_int_equal(t->column[j].n_levels, ROWS - 1);
        for (int i = 1; i < ROWS; i++) {
            char expected[32];
            snprintf(expected, sizeof expected, "%s%d",
                     i - 1 == j % (ROWS - 1) ? "t" : "", i + j);
            assert_string_equal(t->column[j].level[t->column[j].code[i - 1]], expected);
        }
    }
    dlp_table_free(t);
}

/* Writes over bytes, without a NUL. */
static void place(const char *bytes, char *at)
{
    while (*bytes) *at++ = *bytes++;
}

static void wide_and_long_tables_are_read(void **state)
{
    (void)state;
    enum { FIELDS = 200000, SIZE = 2 * FIELDS };
    static char text[SIZE];
    memset(text, ',', SIZE); /* no names, and a row of nothing */
    text[FIELDS - 1] = '\n';
    text[SIZE - 1] = '\n';
    dlp_table *t = NULL;
    assert_ok(dlp_table_parse("wide", text, SIZE, NULL, &t, error));
    assert_int_equal(t->columns, FIELDS);
    assert_int_equal(t->rows, 1);
    assert_string_equal(t->column[FIELDS - 1].name, "V200000");
    dlp_table_free(t);

    for (size_t i = 0; i < SIZE; i++) text[i] = "7\n"[i % 2];
    assert_ok(dlp_table_parse("long", text, SIZE, NULL, &t, error));
    assert_int_equal(t->columns, 1);
    assert_int_equal(t->rows, FIELDS - 1);
    dlp_table_free(t);

    memset(text, '\n', SIZE); /* a row among blank lines, and room for one */
    place("a,b", text);
    place("1,2", text + FIELDS);
    assert_ok(dlp_table_parse("blank", text, SIZE, NULL, &t, error));
    assert_int_equal(t->rows, 1);
    dlp_table_free(t);

    memset(text, 'x', SIZE); /* one field of half the text in quotes */
    place("a\n\"", text);
    text[SIZE - 1] = '"';
    assert_ok(dlp_table_parse("field", text, SIZE, NULL, &t, error));
    assert_int_equal(strlen(t->column[0].level[0]), SIZE - 4);
    dlp_table_free(t);
}

/* Draws a table, writes it, reads it: the same bits come back. */
static void numbers_come_back_bit_for_bit(void **state)
{
    (void)state;
    enum { ROWS = 400, COLUMNS = 7 };
    static double x[ROWS * COLUMNS];
    static char text[ROWS * COLUMNS * 32];
    dlp_rng rng = dlp_rng_at(2385, 0);
    size_t used = (size_t)snprintf(text, sizeof text, "a,b,c,d,e,f,g\n");
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        do {
            const uint64_t bits = dlp_draw_bits(&rng);
            memcpy(&x[i], &bits, sizeof bits);
        } while (isnan(x[i]));
        used += (size_t)snprintf(text + used, sizeof text - used, "%.17g%c", x[i],
                                 i % COLUMNS == COLUMNS - 1 ? '\n' : ',');
    }
    dlp_table *t = parse_with(NULL, text);
    assert_int_equal(t->rows, ROWS);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        assert_memory_equal(&t->column[i % COLUMNS].number[i / COLUMNS], &x[i],
                            sizeof x[i]);
    dlp_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_read),
        cmocka_unit_test(variants_mean_the_same),
        cmocka_unit_test(quotes_keep_what_is_in_them),
        cmocka_unit_test(latin1_is_read_when_told),
        cmocka_unit_test(columns_find_their_kind),
        cmocka_unit_test(rows_may_be_sparse_of_bytes),
        cmocka_unit_test(options_are_followed),
        cmocka_unit_test(the_separator_is_found),
        cmocka_unit_test(wrong_csv_is_refused),
        cmocka_unit_test(late_text_costs_one_pass),
        cmocka_unit_test(wide_and_long_tables_are_read),
        cmocka_unit_test(numbers_come_back_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
