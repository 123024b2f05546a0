/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market, svmlight and CSV triplets from texts in memory: each form, each error,
   and how the formats are told apart. */
#include "corpus/formats/format.h"
#include "corpus_support.h"

/* ---- Matrix Market ---- */

#define BANNER "%%MatrixMarket matrix coordinate integer general\n"

static void matrix_market_is_read(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_mtx,
                          BANNER "% by hand\n4 20 4\n1 1 2\n1 5 1\n1 18 30\n3 6 238\n");
    assert_int_equal(c->D, 4);
    assert_int_equal(c->V, 20);
    assert_int_equal(c->words, 2 + 1 + 30 + 238);
    assert_string_equal(document(c, 0), "0:2 4:1 17:30");
    assert_string_equal(document(c, 1), "");
    assert_string_equal(document(c, 2), "5:238");
    dlp_corpus_free(c);
}

static void matrix_market_variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "%%matrixmarket MATRIX Coordinate INTEGER General\n3 5 3\n1 2 2\n1 4 4\n3 1 1\n",
        "%%MatrixMarket matrix coordinate unsigned-integer general\n3 5 3\n1 2 2\n1 4 "
        "4\n3 1 1",
        "%%MatrixMarket matrix coordinate real general\n3 5 3\n1 2 2.0\n1 4 4e0\n3 1 "
        ".1e1",
        "\xef\xbb\xbf" BANNER "%\n%a\n\n  % b\n3 5 3\n3 1 1\n1 4 4\n1 2 2\n\n",
        "%%MatrixMarket matrix coordinate integer general\r\n3\t5 3 \r\n1 2 2\r\n1 4 "
        "4\r\n3 1 1\r\n",
        BANNER "3 5 5\n1 2 1\n1 2 1\n1 4 4\n2 5 0\n3 1 1\n",
    };
    ASSERT_EACH_MEANS(dlp_corpus_parse_mtx, BANNER "3 5 3\n1 2 2\n1 4 4\n3 1 1\n",
                      variants);
    static const char *const pattern[] = {
        "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n2 3\n1 2\n"};
    ASSERT_EACH_MEANS(dlp_corpus_parse_mtx, BANNER "2 3 3\n1 1 1\n1 2 1\n2 3 1\n",
                      pattern);
}

static void wrong_matrix_market_is_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"", 0, "is empty"},
        {"%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1\n", 0,
         "test.dat:1: expected '%%MatrixMarket', found '%MatrixMarket'; a Matrix Market "
         "corpus is"},
        {"%%MatrixMarket vector coordinate integer general\n", 0, "expected 'matrix'"},
        {"%%MatrixMarket matrix array real general\n2 2\n", 0,
         "expected 'coordinate': a sparse matrix, found 'array'"},
        {"%%MatrixMarket matrix coordinate complex general\n", 0,
         "expected 'integer', 'real' or 'pattern', found 'complex'"},
        {"%%MatrixMarket matrix coordinate integer symmetric\n", 0,
         "expected 'general', found 'symmetric'"},
        {"%%MatrixMarket matrix coordinate integer general more\n", 0,
         "expected the end of the line, found 'more'"},
        {BANNER, 0, "test.dat:2: expected 'documents terms pairs'"},
        {BANNER "% only\n3 5\n", 0, "test.dat:3: expected 'documents terms pairs'"},
        {BANNER "3 5 3 1\n", 0, "expected the end of the line"},
        {BANNER "3 5 3\n1 1 1\n", 0, "test.dat:2: says 3 triples but the text has room"},
        {BANNER "0 5 0\n", 0, "test.dat:2: 0 documents do not go with 0 triples"},
        {BANNER "1 99999999 0\n", 0, "test.dat:2: 99999999 terms do not go with"},
        {BANNER "1 1 1\n0 1 1\n", 0, "test.dat:3: expected a document from 1 to 1"},
        {BANNER "1 1 1\n1 2 1\n", 0, "test.dat:3: expected a term from 1 to 1"},
        {BANNER "1 1 1\n1 1 -1\n", 0, "three whole numbers, found '-1'"},
        {BANNER "1 1 1\n1 1 1.5\n", 0, "three whole numbers, found '1.5'"},
        {BANNER "1 1 1\n1 1 1.0\n", 0, "three whole numbers, found '1.0'"},
        {"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1.5\n", 0,
         "three whole numbers, found '1.5'"},
        {"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 -1\n", 0,
         "three whole numbers, found '-1'"},
        {"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n", 0,
         "three whole numbers, found 'nan'"},
        {"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e300\n", 0,
         "expected a count from 0 to 2147483647, found '1e300'"},
        {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 x\n", 0,
         "'document term', two whole numbers, found 'x'"},
        {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n", 0,
         "expected the end of the line, found '1'"},
        {BANNER "1 1 1\n1 1 1\n1 1 1\n", 0, "test.dat:4: goes on after the 1 triples"},
    };
    ASSERT_EACH_REFUSED(dlp_corpus_parse_mtx, wrong);
}

/* ---- svmlight ---- */

static void svmlight_is_read(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_svmlight,
                          "# a corpus\n+1 1:2 5:1 18:30\n-1\n2.5 qid:3 6:238 # last\n");
    assert_int_equal(c->D, 3);
    assert_int_equal(c->V, 18);
    assert_string_equal(document(c, 0), "0:2 4:1 17:30");
    assert_string_equal(document(c, 1), "");
    assert_string_equal(document(c, 2), "5:238");
    dlp_corpus_free(c);
    c = parse(dlp_corpus_parse_svmlight, "0\n1\n");
    assert_int_equal(c->D, 2);
    assert_int_equal(c->V, 0);
    dlp_corpus_free(c);
}

static void svmlight_variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "1 1:2.0 4:4e0\n1\n1 3:1", "9 4:4 1:2#two\r\n-1.5e3 # none\r\n\r\n7 3:1\r\n",
        "1 4:1 1:1 4:3 1:1 2:0\n1\n1 3:1\n", "1 0:2 3:4\n1\n1 2:1\n", /* from 0 */
    };
    ASSERT_EACH_MEANS(dlp_corpus_parse_svmlight, "0 1:2 4:4\n0\n0 3:1\n", variants);
}

static void wrong_svmlight_is_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"", 0, "is empty"},
        {"# nothing\n", 0, "has only comments; expected at least one document"},
        {"x 1:1\n", 0, "test.dat:1: expected a label, which is a number, found 'x'"},
        {"1:1 2:1\n", 0, "expected a label, which is a number, found '1:1'"},
        {"1 qid:x 1:1\n", 0, "expected 'qid:number', found 'qid:x'"},
        {"1 1:1\n1 1:\n", 0, "test.dat:2: expected 'term:count' with both whole numbers"},
        {"1 1:1.5\n", 0, "whole numbers, found '1:1.5'"},
        {"1 1:-1\n", 0, "found '1:-1'"},
        {"1 a:1\n", 0, "found 'a:1'"},
        {"1 1:2x\n", 0, "found '1:2x'"},
        {"1 2147483647:1\n", 0, "an id below and a count up to 2147483647"},
        {"1 1:2147483648\n", 0, "an id below and a count up to 2147483647"},
        {"1 99999999:1\n", 0, "term id 99999999 is too large for a corpus of 1 pairs"},
    };
    ASSERT_EACH_REFUSED(dlp_corpus_parse_svmlight, wrong);
}

/* ---- CSV triplets ---- */

static void triplets_of_names_are_read(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_csv,
                          "document,term,count\nzoo,pear,2\nzoo,apple,1\nark,pear,3\n");
    assert_int_equal(c->D, 2);
    assert_int_equal(c->V, 2);
    assert_string_equal(c->name[0], "zoo"); /* as they come */
    assert_string_equal(c->name[1], "ark");
    assert_string_equal(c->vocab[0], "apple"); /* in order */
    assert_string_equal(c->vocab[1], "pear");
    assert_string_equal(document(c, 0), "0:1 1:2");
    assert_string_equal(document(c, 1), "1:3");
    dlp_corpus_free(c);
}

static void triplets_of_ids_are_read(void **state)
{
    (void)state;
    dlp_corpus *c =
        parse(dlp_corpus_parse_csv, "document,term,count\n4,3,2\n1,10,1\n4,02,1\n");
    assert_int_equal(c->D, 4);
    assert_int_equal(c->V, 10);
    assert_null(c->name);
    assert_null(c->vocab);
    assert_string_equal(document(c, 0), "9:1");
    assert_string_equal(document(c, 1), "");
    assert_string_equal(document(c, 3), "1:1 2:2");
    dlp_corpus_free(c);
    /* One 0, and the column counts from 0. */
    c = parse(dlp_corpus_parse_csv, "document,term,count\n1,0,2\n2,3,1\n");
    assert_int_equal(c->D, 2);
    assert_int_equal(c->V, 4);
    assert_string_equal(document(c, 0), "0:2");
    dlp_corpus_free(c);
}

/* In quotes, or beside a name, a number is a name. */
static void numbers_can_be_names(void **state)
{
    (void)state;
    dlp_corpus *c =
        parse(dlp_corpus_parse_csv, "document,term,count\n\"7\",1984,2\n7,brave,1\n");
    assert_int_equal(c->D, 1);
    assert_string_equal(c->name[0], "7");
    assert_int_equal(c->V, 2);
    assert_string_equal(c->vocab[0], "1984");
    dlp_corpus_free(c);
    c = parse(dlp_corpus_parse_csv, "document,term,count\n1,99999999999,2\n");
    assert_string_equal(c->vocab[0], "99999999999");
    dlp_corpus_free(c);
    /* What a table would take for a missing value is a word like any other. */
    c = parse(dlp_corpus_parse_csv, "document,term,count\na,null,2\na,nan,3\na,NA,1\n");
    assert_string_equal(document(c, 0), "0:1 1:3 2:2");
    dlp_corpus_free(c);
}

static void triplet_variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "count,document,term\n2,a,x\n4,a,z\n1,b,y\n",
        "term;weight;document;count\r\nx;0.5;a;2\r\nz;1;a;4\r\ny;;b;1",
        "document\tterm\tcount\na\tz\t4.0\na\tx\t2e0\nb\ty\t1\n",
        "# by hand\n\n\"document\" , term,count\n\"a\",x,\"2\"\n\na , z ,4\nb,y,1\n\n",
        "document,term,count\na,x,1\nb,y,1\na,z,4\na,x,1\n",
        "document,term,count\na,x,2\na,z,4\nb,y,1\nb,x,0\n",
    };
    ASSERT_EACH_MEANS(dlp_corpus_parse_csv, "document,term,count\na,x,2\na,z,4\nb,y,1\n",
                      variants);
}

static void wrong_triplets_are_refused(void **state)
{
    (void)state;
#define HEADER "document,term,count\n"
    static const struct wrong wrong[] = {
        {"", 0, "is empty"},
        {"# only\n", 0, "is empty"},
        {"document,term\n1,2\n", 0,
         "test.dat:1: has no column 'count'; CSV triplets are"},
        {"#\ndoc,term,count\n1,2,3\n", 0, "test.dat:2: has no column 'document'"},
        {"document,term,count,term\n1,2,3,4\n", 0, "has two columns 'term'"},
        {HEADER, 0, "has a header and no rows"},
        {HEADER "a,b\n", 0, "test.dat:2: expected 3 fields as in the header, found 2"},
        {HEADER "a,b,1\na,b,1,2\n", 0, "test.dat:3: expected 3 fields"},
        {HEADER "a,b,x\n", 0,
         "test.dat:2: expected a count, a whole number from 0 to 2147483647, found 'x'"},
        {HEADER "a,b,\n", 0, "expected a count"},
        {HEADER "a,b,-1\n", 0, "found '-1'"},
        {HEADER "a,b,1.5\n", 0, "found '1.5'"},
        {HEADER "a,b,1e300\n", 0, "found '1e300'"},
        {HEADER ",b,1\n", 0, "expected the name of a document, found ''"},
        {HEADER "a,\" \",1\n", 0, "expected the name of a term, found ' '"},
        {HEADER "a,\"b\nc\",1\n", 0, "expected the name of a term, found 'b\\x0ac'"},
        {HEADER "a,\"b,1\n", 0, "a quote is opened and not closed"},
        {HEADER "a,b\0,1\n", sizeof HEADER "a,b\0,1\n" - 1, "a zero byte"},
        {HEADER "9999999,1,1\n", 0,
         "document 9999999 is too large for a corpus of 1 rows, which may have 1000000"},
        {HEADER "1,99999999,1\n", 0, "term 99999999 is too large"},
        {HEADER "a,b,2147483647\na,b,1\n", 0, "add up to more than 2147483647"},
    };
    ASSERT_EACH_REFUSED(dlp_corpus_parse_csv, wrong);
}

/* ---- which is which ---- */

static void assert_told(const char *text, const char *name)
{
    assert_string_equal(dlpi_corpus_format_of_text(text, strlen(text))->name, name);
}

static void formats_are_told_apart(void **state)
{
    (void)state;
    assert_told("2 1:2 3:4\n0\n1 0:1\n", "ldac");
    assert_told("0\n0\n0\n", "ldac");
    assert_told("2 1:2 3:4\n7 1:1\n1 0:1\n", "ldac"); /* one wrong line */
    assert_told("1 x:3\n", "ldac");
    assert_told("", "ldac");
    assert_told("3\n5\n0\n", "uci");
    assert_told(BANNER, "mtx");
    assert_told("%%matrixmarket", "mtx");
    assert_told("+1 1:2 5:1\n-1 1:1\n", "svmlight");
    assert_told("0 1:2 5:1\n1 1:1\n0 3:1 4:1\n", "svmlight");
    assert_told("# c\n1 1:2 5:1\n", "svmlight");
    assert_told("1 qid:2 5:1\n", "svmlight");
    assert_told("count,term,document\n", "csv");
    assert_told("# c\nid;document;term;count\n1;2;3;4\n", "csv");
    assert_told("document,term,counts\n", "ldac");
}

static void formats_are_told_by_extension(void **state)
{
    (void)state;
    static const struct {
        const char *path, *format;
    } paths[] = {
        {"a.ldac", "ldac"},         {"x/ap.dat", "ldac"},
        {"a.uci.gz", "uci"},        {"kos.docword", "uci"},
        {"a.b.mtx.zst", "mtx"},     {"a.mm", "mtx"},
        {"./a.svm", "svmlight"},    {"a.libsvm.xz", "svmlight"},
        {"a.svmlight", "svmlight"}, {"d.ldac/x.csv.gz", "csv"},
        {"a.dlpc", "dlpc"},
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        assert_string_equal(dlpi_corpus_format_of_path(paths[i].path, NULL)->name,
                            paths[i].format);
    static const char *const none[] = {"a",      "a.txt", "a.ldac/b", ".ldac",
                                       "x/.csv", "a.gz",  "",         ".gz"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        dlp_error error = {0};
        assert_null(dlpi_corpus_format_of_path(none[i], &error));
        assert_non_null(strstr(error.message, "the file name does not say which format"));
    }
    assert_null(dlpi_corpus_format_named("bow", NULL));
    for (int i = 0; i < 6; i++)
        assert_non_null(dlpi_corpus_format_named(dlp_corpus_format_name(i), NULL));
    assert_null(dlp_corpus_format_name(6));
    assert_null(dlp_corpus_format_name(-1));
    assert_string_equal(dlp_corpus_format_of("a/b.docword.gz", NULL), "uci");
    dlp_error error = {0};
    assert_null(dlp_corpus_format_of("a.ldac/b.txt", &error));
    assert_non_null(strstr(error.message, "a.ldac/b.txt: the file name does not say"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_market_is_read),
        cmocka_unit_test(matrix_market_variants_mean_the_same),
        cmocka_unit_test(wrong_matrix_market_is_refused),
        cmocka_unit_test(svmlight_is_read),
        cmocka_unit_test(svmlight_variants_mean_the_same),
        cmocka_unit_test(wrong_svmlight_is_refused),
        cmocka_unit_test(triplets_of_names_are_read),
        cmocka_unit_test(triplets_of_ids_are_read),
        cmocka_unit_test(numbers_can_be_names),
        cmocka_unit_test(triplet_variants_mean_the_same),
        cmocka_unit_test(wrong_triplets_are_refused),
        cmocka_unit_test(formats_are_told_apart),
        cmocka_unit_test(formats_are_told_by_extension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
