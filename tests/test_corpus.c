/* SPDX-License-Identifier: BSD-3-Clause */
/* Corpora from texts in memory: each format, each error, and that the formats agree. */
#include "corpus/corpus.h"
#include "corpus_support.h"

#include <math.h>

/* ---- LDA-C ---- */

static void ldac_is_read(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "3 0:2 4:1 17:30\n0\n1 5:238\n");
    assert_int_equal(c->D, 3);
    assert_int_equal(c->V, 18);
    assert_int_equal(c->nnz, 4);
    assert_int_equal(c->words, 2 + 1 + 30 + 238);
    assert_string_equal(document(c, 0), "0:2 4:1 17:30");
    assert_string_equal(document(c, 1), "");
    assert_string_equal(document(c, 2), "5:238");
    assert_null(c->vocab);
    dlp_corpus_free(c);
}

static void ldac_variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "2 1:2 3:4\r\n0\r\n1 0:1\r\n",          /* CR LF */
        "2 1:2 3:4\n0\n1 0:1",                  /* no last line end */
        "2 1:2 3:4\r\n0\r\n1 0:1\r",            /* half of one */
        "\xef\xbb\xbf\x32 1:2 3:4\n0\n1 0:1\n", /* byte order mark */
        "2 1:2 3:4\n0\n1 0:1\n\n  \n\t\r\n",    /* blank lines at the end */
        " 2\t1:2  3:4 \n0 \n\t1 0:1\t\n",       /* blanks */
        "02 001:02 3:0004\n00\n1 0:1\n",        /* leading zeros */
        "2 3:4 1:2\n0\n1 0:1\n",                /* any order */
        "4 3:1 1:2 3:1 3:2\n0\n1 0:1\n",        /* twice and three times */
        "4 3:4 2:0 1:2 3:0\n1 3:0\n1 0:1\n",    /* counts of zero */
        "3 0:0 1:2 3:4\n2 3:0 2:0\n1 0:1 \n",   /* zeros in order */
    };
    dlp_corpus *plain = parse(dlp_corpus_parse_ldac, "2 1:2 3:4\n0\n1 0:1\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        dlp_corpus *c = parse(dlp_corpus_parse_ldac, variants[i]);
        assert_same(c, plain);
        dlp_corpus_free(c);
    }
    dlp_corpus_free(plain);
}

static void ldac_of_empty_documents_is_a_corpus(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "0\n0\n0\n");
    assert_int_equal(c->D, 3);
    assert_int_equal(c->V, 0);
    assert_int_equal(c->nnz, 0);
    dlp_corpus_free(c);
    /* The id of a pair that is dropped still shows how large the vocabulary is. */
    c = parse(dlp_corpus_parse_ldac, "1 9:0\n");
    assert_int_equal(c->V, 10);
    assert_int_equal(c->nnz, 0);
    dlp_corpus_free(c);
}

static void ldac_goes_to_the_largest_numbers(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "2 0:2147483647 9999999:2147483647\n");
    assert_int_equal(c->V, 10000000);
    assert_int_equal(c->words, 2 * (dlp_index)INT32_MAX);
    dlp_corpus_free(c);
}

static void wrong_ldac_is_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"1 0:1\n1 x:3\n", 0,
         "test.dat:2: expected 'term:count' with both whole numbers, found 'x:3'; an "
         "LDA-C "
         "line is 'M term:count ...' with ids from 0"},
        {"", 0, "test.dat: is empty"},
        {"\xef\xbb\xbf", 0, "test.dat: is empty"},
        {" \n\r\n\t\n", 0, "test.dat: is empty"},
        {"1 0:1\n\n1 0:1\n", 0, "test.dat:2: expected a document, found the end of the"},
        {"1 0:1\n  \r\n1 0:1\n", 0, "write 0 for an empty one"},
        {"hello\n", 0, "test.dat:1: expected the number of pairs, found 'hello'"},
        {"0:1\n", 0, "expected the number of pairs, found '0:1'"},
        {"-1 0:1\n", 0, "found '-1'"},
        {"+1 0:1\n", 0, "found '+1'"},
        {"1.0 0:1\n", 0, "found '1.0'"},
        {"1 -3:1\n", 0, "found '-3:1'"},
        {"1 3:-1\n", 0, "found '3:-1'"},
        {"1 3:1.5\n", 0, "found '3:1.5'"},
        {"1 3:1e5\n", 0, "found '3:1e5'"},
        {"1 3:\n", 0, "found '3:'"},
        {"1 :3\n", 0, "found ':3'"},
        {"1 3\n", 0, "found '3'"},
        {"1 3", 0, "found '3'"},
        {"1 3 :1\n", 0, "found '3'"},
        {"1 3:1:1\n", 0, "found '3:1:1'"},
        {"1 3:1,\n", 0, "found '3:1,'"},
        {"1 0:1\r2 0:1 1:1\n", 0, "found '0:1\\x0d2'"},
        {"2 0:1\n", 0, "test.dat:1: the line says 2 pairs but has 1"},
        {"1 0:1\n1 0:1 1:1\n", 0, "test.dat:2: the line says 1 pairs but has 2"},
        {"1\n", 0, "the line says 1 pairs but has 0"},
        {"0 0:1\n", 0, "the line says 0 pairs but has 1"},
        {"99999999999999999999 0:1\n", 0, "pairs but has 1"},
        {"1 2147483647:1\n", 0, "an id below and a count up to 2147483647, found"},
        {"1 99999999999999999999:1\n", 0, "an id below"},
        {"1 0:2147483648\n", 0, "a count up to 2147483647, found '0:2147483648'"},
        {"1 0:18446744073709551617\n", 0, "a count up to 2147483647"},
        {"1 0:1\n1 10000000:1\n1 0:1\n", 0,
         "test.dat:2: term id 10000000 is too large for a corpus of 3 pairs"},
        {"1 2147483646:1\n", 0, "number the terms from 0 without large gaps"},
        {"1 0:1\n2 3:2147483647 3:1\n", 0,
         "in document 2 (counted from 1) the counts of"},
        {"1 0:1\0\n", 8, "found '0:1\\x00'"},
        {"\0", 1, "found '\\x00'"},
        {"\xff\xfe"
         "1 0:1\n",
         0, "found '\\xff\\xfe1'"},
        {"1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
         0, "aaa...';"},
    };
    ASSERT_EACH_REFUSED(dlp_corpus_parse_ldac, wrong);
}

/* ---- UCI ---- */

static void uci_is_read(void **state)
{
    (void)state;
    dlp_corpus *c =
        parse(dlp_corpus_parse_uci, "4\n20\n4\n1 1 2\n1 5 1\n1 18 30\n3 6 238\n");
    assert_int_equal(c->D, 4);
    assert_int_equal(c->V, 20);
    assert_int_equal(c->nnz, 4);
    assert_int_equal(c->words, 2 + 1 + 30 + 238);
    assert_string_equal(document(c, 0), "0:2 4:1 17:30");
    assert_string_equal(document(c, 1), "");
    assert_string_equal(document(c, 2), "5:238");
    assert_string_equal(document(c, 3), "");
    dlp_corpus_free(c);
}

static void uci_variants_mean_the_same(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "3\r\n5\r\n3\r\n1 2 2\r\n1 4 4\r\n3 1 1\r\n",
        "3\n5\n3\n1 2 2\n1 4 4\n3 1 1",
        "\xef\xbb\xbf\x33\n5\n3\n1 2 2\n1 4 4\n3 1 1\n\n \n",
        " 3 \n\t5\n3\t\n 1\t2  2 \n1 4 4\n3 1 1\n",
        "3\n5\n3\n3 1 1\n1 2 2\n1 4 4\n", /* documents in any order */
        "3\n5\n3\n1 4 4\n3 1 1\n1 2 2\n", /* scattered */
        "3\n5\n6\n1 4 1\n1 2 2\n1 4 3\n2 2 0\n3 1 1\n3 5 0\n", /* twice, zeros */
    };
    dlp_corpus *plain = parse(dlp_corpus_parse_uci, "3\n5\n3\n1 2 2\n1 4 4\n3 1 1\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        dlp_corpus *c = parse(dlp_corpus_parse_uci, variants[i]);
        assert_same(c, plain);
        dlp_corpus_free(c);
    }
    dlp_corpus_free(plain);
}

static void uci_may_have_no_triples(void **state)
{
    (void)state;
    static const char *const empty[] = {"3\n0\n0\n", "3\n0\n0", "3\n0\n0\n\n"};
    for (int i = 0; i < 3; i++) {
        dlp_corpus *c = parse(dlp_corpus_parse_uci, empty[i]);
        assert_int_equal(c->D, 3);
        assert_int_equal(c->nnz, 0);
        dlp_corpus_free(c);
    }
}

static void wrong_uci_is_refused(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"", 0, "test.dat: is empty"},
        {"x\n2\n1\n1 1 1\n", 0,
         "test.dat:1: expected the number of documents alone on its line, found 'x'; a "
         "UCI "
         "file is"},
        {"1 2\n2\n1\n1 1 1\n", 0, "test.dat:1: expected the number of documents alone"},
        {"1\n-2\n1\n1 1 1\n", 0, "test.dat:2: expected the number of terms alone on its"},
        {"1\n2\n1.5\n1 1 1\n", 0, "test.dat:3: expected the number of triples alone"},
        {"1\n2\n", 0,
         "test.dat:3: expected the number of triples alone on its line, found "
         "the end of the line"},
        {"1\n\n2\n1\n1 1 1\n", 0, "test.dat:2: expected the number of terms"},
        {"0\n0\n0\n", 0, "test.dat:1: 0 documents"},
        {"1000000000000000000\n2\n1\n1 1 1\n", 0, "documents do not go with 1 triples"},
        {"1000001\n2\n1\n1 1 1\n", 0, "test.dat:1: 1000001 documents do not go"},
        {"1\n1000000000000000000\n1\n1 1 1\n", 0,
         "test.dat:2: 1000000000000000000 terms"},
        {"1\n10000001\n1\n1 1 1\n", 0, "test.dat:2: 10000001 terms do not go with"},
        {"1\n2\n1000000000000000000\n1 1 1\n", 0, "test.dat:3: says 1000000000000000000"},
        {"1\n2\n99999999999999999999\n1 1 1\n", 0,
         "test.dat:3: says 9223372036854775807"},
        {"1\n2\n2\n1 1 1000\n", 0,
         "test.dat:3: says 2 triples but the text has room for"},
        {"1\n2\n2\n1 1 1000000\n", 0, "test.dat: has 1 triples but its header says 2"},
        {"1\n2\n1\n1 1 1\n1 2 1\n", 0, "test.dat:5: goes on after the 1 triples"},
        {"1\n2\n0\n1 1 1\n", 0, "test.dat:4: goes on after the 0 triples"},
        {"1\n2\n1\n0 1 1\n", 0, "test.dat:4: expected a document from 1 to 1, found '0'"},
        {"1\n2\n1\n2 1 1\n", 0, "expected a document from 1 to 1, found '2'"},
        {"1\n2\n1\n1 0 1\n", 0, "expected a term from 1 to 2, found '0'"},
        {"1\n2\n1\n1 3 1\n", 0, "expected a term from 1 to 2, found '3'"},
        {"1\n0\n1\n1 1 1\n", 0, "expected a term from 1 to 0, found '1'"},
        {"1\n2\n1\n1 1 2147483648\n", 0, "expected a count from 0 to 2147483647, found"},
        {"1\n2\n1\n1 1 -1\n", 0, "three whole numbers, found '-1'"},
        {"1\n2\n1\n1 1 1.5\n", 0, "three whole numbers, found '1.5'"},
        {"1\n2\n1\n1 1  \n\n", 0, "three whole numbers, found the end of the line"},
        {"1\n2\n1\n1:1 1\n", 0, "three whole numbers, found '1:1'"},
        {"1\n2\n1\n1 1 1 1\n", 0, "expected the end of the line, found '1'"},
        {"1\n2\n2\n1 1 1\n\n1 2 1\n", 0, "test.dat:5: expected 'document term count'"},
        {"1\n2\n2\n1 1 2147483647\n1 1 1\n", 0,
         "the counts of term id 0 (from 0) add up"},
        {"1\n2\n1\n1 1 1\0\n", 13, "found '1\\x00'"},
    };
    ASSERT_EACH_REFUSED(dlp_corpus_parse_uci, wrong);
}

/* ---- from tables and between the formats ---- */

static void a_table_becomes_a_corpus(void **state)
{
    (void)state;
    static const int32_t x[3][4] = {{0, 2, 0, 4}, {0, 0, 0, 0}, {1, 0, 0, 0}};
    dlp_corpus *c = NULL, *same = parse(dlp_corpus_parse_ldac, "2 1:2 3:4\n0\n1 0:1\n");
    assert_int_equal(dlp_corpus_from_counts(3, 4, x[0], &c, NULL), DLP_OK);
    assert_same(c, same);
    dlp_corpus_free(c);
    dlp_corpus_free(same);
}

static void a_wrong_table_is_refused(void **state)
{
    (void)state;
    static const int32_t x[2] = {3, -1};
    dlp_corpus sentinel, *c = &sentinel;
    dlp_error error = {0};
    assert_int_equal(dlp_corpus_from_counts(1, 2, x, &c, &error), DLP_EINVAL);
    assert_null(c);
    assert_non_null(strstr(error.message, "x[0][1] is -1"));
    assert_int_equal(dlp_corpus_from_counts(0, 2, x, &c, &error), DLP_EINVAL);
    assert_int_equal(dlp_corpus_from_counts(1, 0, x, &c, &error), DLP_EINVAL);
    assert_int_equal(dlp_corpus_from_counts(1, -1, x, &c, &error), DLP_EINVAL);
    assert_int_equal(dlp_corpus_from_counts(1, 1, NULL, &c, &error), DLP_EINVAL);
    assert_int_equal(dlp_corpus_from_counts(1, 1, x, NULL, &error), DLP_EINVAL);
}

enum { DOCUMENTS = 40, TERMS = 30 };

/* The table as LDA-C and as UCI text with everything in a shuffled order. */
static void write_texts(dlp_rng *rng, int32_t x[DOCUMENTS][TERMS], char *ldac, char *uci)
{
    const int cells = DOCUMENTS * TERMS, start = (int)(dlp_draw_bits(rng) & 0xff);
    int nnz = 0;
    for (int d = 0; d < DOCUMENTS; d++) {
        int pairs = 0;
        for (int v = 0; v < TERMS; v++) pairs += x[d][v] > 0;
        nnz += pairs;
        ldac += sprintf(ldac, "%d", pairs);
        for (int i = 0, v = start % TERMS; i < TERMS; i++, v = (v + 7) % TERMS)
            if (x[d][v] > 0) ldac += sprintf(ldac, " %d:%d", v, x[d][v]);
        ldac += sprintf(ldac, "\n");
    }
    uci += sprintf(uci, "%d\n%d\n%d\n", DOCUMENTS, TERMS, nnz);
    /* 677 is coprime to 1200, so its steps pass every cell once. */
    for (int i = 0, at = start; i < cells; i++) {
        const int count = x[at / TERMS][at % TERMS];
        if (count > 0)
            uci += sprintf(uci, "%d %d %d\n", at / TERMS + 1, at % TERMS + 1, count);
        at = (at + 677) % cells;
    }
}

static void all_formats_agree(void **state)
{
    (void)state;
    static int32_t x[DOCUMENTS][TERMS];
    static char ldac[(size_t)DOCUMENTS * TERMS * 16], uci[(size_t)DOCUMENTS * TERMS * 20];
    for (uint64_t stream = 0; stream < 50; stream++) {
        dlp_rng rng = dlp_rng_at(2385, stream);
        for (int i = 0; i < DOCUMENTS * TERMS; i++) {
            const uint64_t bits = dlp_draw_bits(&rng);
            x[i / TERMS][i % TERMS] = bits % 4 ? 0 : (int32_t)(bits >> 40 & 0xfff);
        }
        x[DOCUMENTS - 1][TERMS - 1] = 1; /* so that LDA-C knows the number of terms */
        write_texts(&rng, x, ldac, uci);
        dlp_corpus *a = NULL, *b = parse(dlp_corpus_parse_ldac, ldac),
                   *c = parse(dlp_corpus_parse_uci, uci);
        assert_int_equal(dlp_corpus_from_counts(DOCUMENTS, TERMS, x[0], &a, NULL),
                         DLP_OK);
        assert_same(a, b);
        assert_same(a, c);
        dlp_corpus_free(a);
        dlp_corpus_free(b);
        dlp_corpus_free(c);
    }
}

/* ---- vocabularies ---- */

static dlp_status parse_vocab(dlp_corpus *c, const char *text, size_t size,
                              dlp_error *error)
{
    return dlpi_corpus_parse_vocab(c, "test.txt", text, size, error);
}

static void a_vocabulary_names_the_terms(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "un\ndeux mots\ntr\xc3\xb6is\n q\t\n", "un\r\ndeux mots\r\ntr\xc3\xb6is\r\n q\t",
        "\xef\xbb\xbfun\ndeux mots\ntr\xc3\xb6is\n q\t\n\n"};
    static const char *const names[] = {"un", "deux mots", "tr\xc3\xb6is", " q\t"};
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "2 1:2 3:4\n0\n1 0:1\n");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(parse_vocab(c, texts[i], strlen(texts[i]), NULL), DLP_OK);
        assert_int_equal(c->V, 4);
        for (int v = 0; v < 4; v++) assert_string_equal(c->vocab[v], names[v]);
    }
    dlp_corpus_free(c);
}

static void a_longer_vocabulary_widens_the_corpus(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "2 1:2 3:4\n0\n1 0:1\n");
    assert_int_equal(parse_vocab(c, "a\nb\nc\nd\ne\nf\n", 12, NULL), DLP_OK);
    assert_int_equal(c->V, 6);
    assert_string_equal(c->vocab[5], "f");
    assert_true(corpus_is_sound(c));
    dlp_corpus_free(c);
}

static void a_wrong_vocabulary_changes_nothing(void **state)
{
    (void)state;
    static const struct wrong wrong[] = {
        {"a\nb\nc\n", 6, "has 3 names but the corpus has 4 terms; give the vocabulary"},
        {"", 0, "has 0 names"},
        {"a\n\nb\nc\nd\n", 9,
         ":2: expected the name of a term, found the end of the line"},
        {"a\nb\n \t\r\nc\nd\n", 12, ":3: expected the name of a term"},
        {"a\nb\nc\0x\nd\n", 10, ":3: expected text, found '\\x00x'"},
    };
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "2 1:2 3:4\n0\n1 0:1\n");
    assert_int_equal(parse_vocab(c, "a\nb\nc\nd\ne\n", 10, NULL), DLP_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        c->V = 4;
        dlp_error error = {0};
        assert_int_equal(parse_vocab(c, wrong[i].text, wrong[i].size, &error),
                         DLP_EINPUT);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("'%s' lacks '%s'", error.message, wrong[i].message);
        assert_string_equal(c->vocab[3], "d");
        assert_int_equal(c->V, 4);
    }
    dlp_corpus_free(c);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    dlp_corpus *c = NULL;
    assert_int_equal(dlp_corpus_parse_ldac("x", "0\n", 2, NULL, NULL), DLP_EINVAL);
    assert_int_equal(dlp_corpus_parse_ldac(NULL, "0\n", 2, &c, NULL), DLP_EINVAL);
    assert_int_equal(dlp_corpus_parse_uci("x", NULL, 2, &c, NULL), DLP_EINVAL);
    assert_int_equal(dlp_corpus_parse_uci("x", NULL, 0, &c, NULL), DLP_EINPUT);
    dlp_corpus_free(NULL);
}

/* ---- parts and statistics ---- */

static const char seven[] = "1 0:3\n2 1:1 2:1\n0\n1 4:7\n1 1:3\n2 0:1 4:4\n1 2:2\n";

static void a_corpus_is_split(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, seven), *train, *test;
    dlp_split_settings s = dlp_split_settings_default();
    assert_ok(dlp_corpus_split(c, NULL, &train, &test, error)); /* every fifth */
    assert_int_equal(test->D, 1);
    assert_int_equal(train->D, 6);
    assert_int_equal(test->V, c->V);
    assert_string_equal(document(test, 0), "1:3");
    assert_string_equal(document(train, 4), "0:1 4:4");
    dlp_corpus_free(train);
    dlp_corpus_free(test);
    s.every = 3;
    assert_ok(dlp_corpus_split(c, &s, &train, &test, error));
    assert_int_equal(test->D, 2);
    assert_string_equal(document(test, 0), "");
    assert_string_equal(document(test, 1), "0:1 4:4");
    dlp_corpus_free(train);
    dlp_corpus_free(test);
    dlp_corpus_free(c);
}

/* Whether a document is drawn does not depend on how many there are. */
static void a_corpus_is_split_by_chance(void **state)
{
    (void)state;
    enum { D = 4000 };
    static int32_t ones[D];
    dlp_split_settings s = dlp_split_settings_default();
    dlp_corpus *c, *train, *test, *less_train, *less_test;
    for (int d = 0; d < D; d++) ones[d] = d + 1;
    s.fraction = 0.3;
    s.seed = 7;
    assert_ok(dlp_corpus_from_counts(D, 1, ones, &c, error));
    assert_ok(dlp_corpus_split(c, &s, &train, &test, error));
    assert_int_equal(train->D + test->D, D);
    assert_int_equal(train->words + test->words, c->words);
    assert_true(abs((int)test->D - 1200) < 120);
    dlp_corpus_free(c);
    assert_ok(dlp_corpus_from_counts(D / 2, 1, ones, &c, error));
    assert_ok(dlp_corpus_split(c, &s, &less_train, &less_test, error));
    assert_memory_equal(less_test->count, test->count,
                        (size_t)less_test->D * sizeof *test->count);
    dlp_corpus_free(less_train);
    dlp_corpus_free(less_test);
    dlp_corpus_free(train);
    dlp_corpus_free(test);
    dlp_corpus_free(c);
}

static void splits_that_cannot_be_are_refused(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, "1 0:3\n"), *train = c, *test = c;
    dlp_split_settings s = dlp_split_settings_default();
    assert_fails(dlp_corpus_split(c, &s, &train, &test, error), DLP_EINPUT,
                 "none of the 1 document becomes a test document");
    assert_true(!train && !test);
    s.fraction = 1 - 1e-16; /* all are for testing, none is left to learn from */
    train = test = c;
    assert_fails(dlp_corpus_split(c, &s, &train, &test, error), DLP_EINPUT,
                 "each of the 1 document becomes a test document");
    assert_true(!train && !test);
    const double wrong[] = {1, -0.1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        s.fraction = wrong[i];
        assert_fails(dlp_corpus_split(c, &s, &train, &test, error), DLP_EINVAL,
                     "fraction");
    }
    s.fraction = 0;
    s.every = 1;
    assert_fails(dlp_corpus_split(c, &s, &train, &test, error), DLP_EINVAL, "every is 1");
    assert_fails(dlp_corpus_split(c, NULL, NULL, &test, error), DLP_EINVAL, "room");
    assert_fails(dlp_corpus_split(NULL, NULL, &train, &test, error), DLP_EINVAL,
                 "a corpus");
    dlp_corpus_free(c);
}

static void a_corpus_is_measured(void **state)
{
    (void)state;
    dlp_corpus *c = parse(dlp_corpus_parse_ldac, seven);
    dlp_corpus_statistics s;
    dlp_term_frequency rank[5];
    assert_ok(dlp_corpus_measure(c, &s, error));
    assert_int_equal(s.empty_documents, 1);
    assert_int_equal(s.used_terms, 4);
    assert_int_equal(s.shortest, 0);
    assert_int_equal(s.longest, 7);
    assert_true(s.median == 3);
    assert_int_equal(c->V, 5);
    dlp_corpus_rank_terms(c, rank);
    const dlp_term_frequency expected[5] = {
        {4, 11, 2}, {0, 4, 2}, {1, 4, 2}, {2, 3, 2}, {3, 0, 0}};
    assert_memory_equal(rank, expected, sizeof rank);
    dlp_corpus_free(c);
    c = parse(dlp_corpus_parse_ldac, "1 0:3\n1 0:8\n");
    assert_ok(dlp_corpus_measure(c, &s, error));
    assert_true(s.median == 5.5);
    dlp_corpus_free(c);
    assert_fails(dlp_corpus_measure(NULL, &s, error), DLP_EINVAL, "a corpus");
}

static void repeated_names_are_counted(void **state)
{
    (void)state;
    char a[] = "a", b[] = "b", other[] = "c";
    char *names[] = {b, a, b, other, a, b};
    dlp_corpus c = {.D = 6, .name = names};
    dlp_index repeated = -1;
    const char *example = "";
    assert_ok(dlp_corpus_repeated_names(&c, &repeated, &example, error));
    assert_int_equal(repeated, 3); /* an a, two b */
    assert_string_equal(example, "a");
    c.name = NULL;
    assert_ok(dlp_corpus_repeated_names(&c, &repeated, &example, error));
    assert_int_equal(repeated, 0);
    assert_null(example);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corpus_is_split),
        cmocka_unit_test(a_corpus_is_split_by_chance),
        cmocka_unit_test(splits_that_cannot_be_are_refused),
        cmocka_unit_test(a_corpus_is_measured),
        cmocka_unit_test(ldac_is_read),
        cmocka_unit_test(ldac_variants_mean_the_same),
        cmocka_unit_test(ldac_of_empty_documents_is_a_corpus),
        cmocka_unit_test(ldac_goes_to_the_largest_numbers),
        cmocka_unit_test(wrong_ldac_is_refused),
        cmocka_unit_test(uci_is_read),
        cmocka_unit_test(uci_variants_mean_the_same),
        cmocka_unit_test(uci_may_have_no_triples),
        cmocka_unit_test(wrong_uci_is_refused),
        cmocka_unit_test(a_table_becomes_a_corpus),
        cmocka_unit_test(a_wrong_table_is_refused),
        cmocka_unit_test(all_formats_agree),
        cmocka_unit_test(a_vocabulary_names_the_terms),
        cmocka_unit_test(a_longer_vocabulary_widens_the_corpus),
        cmocka_unit_test(a_wrong_vocabulary_changes_nothing),
        cmocka_unit_test(repeated_names_are_counted),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
