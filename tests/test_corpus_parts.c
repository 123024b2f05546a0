/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Corpora in plain text, read in parts by whoever knows where these begin: together they are
 * the corpus that is read whole, wherever it is cut. Texts whose documents are scattered have
 * no parts.
 */
#include "corpus/formats/lines.h"
#include "corpus_support.h"
#include "scratch_file.h"

enum { MOST = 7 };

typedef struct text {
    const char *format, *text;
} text;

/* The same number of documents before each cut as a job of n processes might have. */
static void cut(const dlp_corpus *c, int n, struct dlpi_corpus_part *part)
{
    for (int i = 0; i < n; i++)
        part[i] = dlpi_corpus_part_of(c, c->D * i / n, c->D * (i + 1) / n);
}

static void write_text(const char *content)
{
    FILE *file = fopen(path, "wb");
    assert_true(file && fputs(content, file) >= 0 && fclose(file) == 0);
}

static dlp_corpus *open_corpus(const text *t, const struct dlpi_corpus_format **format)
{
    dlp_corpus *c = NULL;
    dlp_error error = {0};
    dlp_corpus_options options;
    write_text(t->text);
    dlp_corpus_options_init(&options, sizeof options);
    options.format = t->format;
    if (dlpi_corpus_open(path, &options, format, &c, &error) != DLP_OK)
        fail_msg("%s: %s", t->text, error.message);
    assert_string_equal((*format)->name, t->format);
    return c;
}

/* Documents first.. of a corpus are those of its part. */
static void assert_is_part(const dlp_corpus *c, const struct dlpi_corpus_part *part,
                           const dlp_corpus *own)
{
    const dlp_index first = (dlp_index)part->first, from = c->row[first];
    assert_int_equal(own->D, part->documents);
    assert_int_equal(own->V, c->V);
    assert_int_equal(own->words, part->words);
    for (dlp_index d = 0; d <= own->D; d++)
        assert_int_equal(own->row[d], c->row[first + d] - from);
    assert_memory_equal(own->term, c->term + from, (size_t)own->nnz * sizeof *own->term);
    assert_memory_equal(own->count, c->count + from,
                        (size_t)own->nnz * sizeof *own->count);
}

static void read_in_parts(const text *t, int n)
{
    const struct dlpi_corpus_format *format;
    struct dlpi_corpus_part part[MOST];
    dlp_error error = {0};
    dlp_corpus *c = open_corpus(t, &format), *own = NULL;
    cut(c, n, part);
    if (!dlpi_corpus_find_parts(path, format, n, part)) fail_msg("no parts: %s", t->text);
    for (int i = 0; i < n; i++) {
        if (dlpi_corpus_read_part(path, format, &part[i], &own, &error) != DLP_OK)
            fail_msg("part %d of %d of '%s': %s", i, n, t->text, error.message);
        assert_is_part(c, &part[i], own);
        dlp_corpus_free(own);
    }
    dlp_corpus_free(c);
}

#define MTX(field) "%%MatrixMarket matrix coordinate " field " general\n"

/* Empty documents, terms in any order and twice, counts of 0, comments, blank lines, ends of
   lines, no last one, a byte order mark, ids from 0 and from 1. */
static const text in_order[] = {
    {"ldac", "2 0:2 2:1\n0\n1 1:3\n"},
    {"ldac",
     "\xef\xbb\xbf"
     "2 0:2 2:1\r\n0\r\n3 1:3 0:0 1:1\r\n1 4:1\r\n\r\n"},
    {"ldac", "0\n0\n1 3:1"},
    {"uci", "3\n5\n3\n1 1 2\n1 3 1\n3 2 3\n"},
    {"uci", "4\n5\n4\n1 3 1\n1 1 2\n1 3 4\n3 2 0"},
    {"uci",
     "\xef\xbb\xbf"
     "6\r\n2\r\n3\r\n 2\t1 1\r\n2 2 1\r\n5 1 7\r\n\r\n \r\n"},
    {"uci", "5\n2\n1\n5 2 1\n"},
    {"uci", "5\n2\n1\n1 2 1\n"},
    {"mtx", MTX("integer") "3 5 3\n1 1 2\n1 3 1\n3 2 3\n"},
    {"mtx", MTX("real") "% a comment\n\n%another\n3 5 3\n1 1 2.0\n1 3 1e0\n3 2 3\n"},
    {"mtx", MTX("pattern") "4 5 3\n1 1\n2 3\n4 2"},
    {"svmlight", "1 1:2 3:1\n-1\n0 2:3\n"},
    {"svmlight", "# a head\n1 0:2 3:1 # with 9:9\n\n-1 qid:0 2:1.0\n# between\n0 2:3"},
    {"svmlight", "0 3:1\n0 5:1\n0 00:1\n"},
    {"svmlight", "0 3:1 0:0\r\n+1.5e0 7:2\r\n0 # 0:1\r\n"},
};

static void parts_are_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof in_order / sizeof *in_order; i++)
        for (int n = 1; n <= MOST; n++) read_in_parts(&in_order[i], n);
}

static void scattered_documents_have_no_parts(void **state)
{
    (void)state;
    static const text scattered[] = {
        {"uci", "3\n5\n3\n1 1 2\n3 2 3\n1 3 1\n"},
        {"mtx", MTX("integer") "3 5 3\n3 1 2\n1 3 1\n3 2 3\n"},
        {"csv", "document,term,count\n1,1,2\n2,1,1\n"},
    };
    for (size_t i = 0; i < sizeof scattered / sizeof *scattered; i++) {
        const struct dlpi_corpus_format *format;
        struct dlpi_corpus_part part[2];
        dlp_corpus *c = open_corpus(&scattered[i], &format);
        cut(c, 2, part);
        assert_false(dlpi_corpus_find_parts(path, format, 2, part));
        dlp_corpus_free(c);
    }
}

/* What another process, or another machine, may find under the same path. */
static void other_documents_are_noticed(void **state)
{
    (void)state;
    static const char *const others[] = {
        "3\n5\n3\n1 1 2\n2 3 1\n3 2 4\n", /* another count */
        "3\n5\n3\n1 1 2\n3 3 1\n3 2 3\n", /* another document */
        "3\n5\n2\n1 1 2\n3 2 3\n",        /* one pair less */
        "3\n5\n3\n1 1 2\n2 3 ",           /* cut off */
        "3\n5\n3\n1 1 2\n2 3 1\n3 six 3\n",
    };
    const text whole = {"uci", "3\n5\n3\n1 1 2\n2 3 1\n3 2 3\n"};
    const struct dlpi_corpus_format *format;
    struct dlpi_corpus_part part[2];
    dlp_corpus *c = open_corpus(&whole, &format), *own;
    cut(c, 2, part);
    assert_true(dlpi_corpus_find_parts(path, format, 2, part));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        dlp_error error = {0};
        write_text(others[i]);
        assert_int_not_equal(dlpi_corpus_read_part(path, format, &part[1], &own, &error),
                             DLP_OK);
        assert_null(own);
        assert_non_null(strstr(error.message, path));
    }
    dlp_corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(scattered_documents_have_no_parts),
        cmocka_unit_test(other_documents_are_noticed),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
