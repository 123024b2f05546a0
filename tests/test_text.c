/* SPDX-License-Identifier: BSD-3-Clause */
/* From text to words, from words to terms, from sources to documents. */
#include "support.h"

#include "../fuzz/sound.h"
#include "corpus/text_builder.h"
#include "corpus/text_words.h"
#include "failing_allocator.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- words ---- */

/* The words of a text, parted by blanks. */
static const char *words_of(const char *text, size_t size, bool keep_numbers)
{
    static char out[1 << 16];
    struct dlpi_words w;
    size_t used = 0;
    dlpi_words_start(&w, keep_numbers);
    dlpi_words_open(&w, text, size);
    while (dlpi_words_next(&w)) {
        assert_true(used + w.size + 2 < sizeof out);
        if (used > 0) out[used++] = ' ';
        memcpy(out + used, w.word, w.size);
        used += w.size;
    }
    out[used] = '\0';
    return out;
}

#define assert_words(text, expected)                                                     \
    assert_string_equal(words_of((text), sizeof(text) - 1, false), (expected))

static void test_ascii(void **state)
{
    (void)state;
    assert_words("", "");
    assert_words(" \t\r\n.,;-_", "");
    assert_words("The quick, brown FOX", "the quick brown fox");
    assert_words("state-of-the-art snake_case a/b", "state of the art snake case a b");
    assert_words("covid19 b2b 42", "covid b b");
    assert_words("nul\0byte", "nul byte");
    assert_string_equal(words_of("covid19 3.14 x", 14, true), "covid19 3 14 x");
}

static void test_apostrophes(void **state)
{
    (void)state;
    assert_words("don't DON'T don\u2019t", "don't don't don't");
    assert_words("John's dogs' 'quoted'", "john s dogs quoted");
    assert_words("we'll they\u2019ve l'homme o'clock", "we ll they ve l homme o clock");
    assert_words("don'ts in'tt n't", "don ts in tt n't");
    assert_words("can't", "can't");
    assert_words("can'", "can");
    assert_words("can't\u00e9", "can t\u00e9");
    assert_words("ma\u00f1an't", "ma\u00f1an't");
}

static void test_scripts(void **state)
{
    (void)state;
    assert_words("ΑΘΗΝΑ Ὀδυσσεύς", "αθηνα ὀδυσσεύσ"); /* the final sigma folds too */
    assert_words("МОСКВА Ёлка", "москва ёлка");
    assert_words("Straße STRASSE ﬁnal", "strasse strasse final");
    assert_words("ISPARTA ısparta", "isparta ısparta");
    assert_words("İstanbul", "i\u0307stanbul"); /* Unicode's folding, in no language */
    assert_words("東京都は日本の首都。大阪も", "東京都は日本の首都 大阪も");
    assert_words("नमस्ते दुनिया", "नमस्ते दुनिया");
    assert_words("שָׁלוֹם عربي", "שָׁלוֹם عربي");
    assert_words("good😀morning 👩‍👩‍👧 ❤️ end", "good morning end");
    assert_words("a\u00a0b\u2014c\u201cd\u201d", "a b c d");
    assert_string_equal(words_of("٢٠٢٤ año2", strlen("٢٠٢٤ año2"), true), "٢٠٢٤ año2");
    assert_words("٢٠٢٤ año2", "año");
}

static void test_normal_forms(void **state)
{
    (void)state;
    assert_words("caf\u00e9 cafe\u0301 CAFE\u0301 CAF\u00c9", "café café café café");
    assert_words("\u212b \u00c5 A\u030a", "å å å");
    assert_words("한국 \u1112\u1161\u11ab\u1100\u116e\u11a8", "한국 한국");
    /* marks in another order are the same word */
    assert_words("a\u0323\u0302 a\u0302\u0323", "\u1ead \u1ead");
    /* marks alone are no words, invisible characters do not show */
    assert_words("\u0301 \u0301x", "x");
    assert_words("co\u00adop\u00aderate می\u200cخواهم", "cooperate میخواهم");
    assert_words("\ufeffbom \u200dx", "bom x");
}

static void test_not_utf8(void **state)
{
    static const char text[] = "caf\xe9 na\xefve \xc0\xaf \xed\xa0\x80 \xf5 ok\xe2\x80";
    struct dlpi_words w;
    (void)state;
    assert_words(text, "caf na ve ok");
    dlpi_words_start(&w, false);
    dlpi_words_open(&w, text, sizeof text - 1);
    while (dlpi_words_next(&w)) continue;
    assert_int_equal(w.invalid_bytes, 1 + 1 + 2 + 3 + 1 + 2);
}

static void test_long_runs(void **state)
{
    (void)state;
    struct dlpi_words w;
    const size_t size = 10000000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    text[64] = ' ';
    memcpy(text + size - 6, " \u00e9 end", 6);
    dlpi_words_start(&w, false);
    dlpi_words_open(&w, text, size);
    assert_true(dlpi_words_next(&w));
    assert_int_equal(w.size, 64);
    assert_true(dlpi_words_next(&w));
    assert_memory_equal(w.word, "\u00e9", 2);
    assert_int_equal(w.runs_too_long, 1);
    free(text);
    /* 33 ligatures of two letters each grow beyond the limit when they fold */
    enum { MORE = 33, BYTES = 3 };
    char ligatures[MORE * BYTES];
    for (size_t i = 0; i < sizeof ligatures; i++) ligatures[i] = "\ufb01"[i % BYTES];
    dlpi_words_open(&w, ligatures, sizeof ligatures);
    assert_false(dlpi_words_next(&w));
    assert_int_equal(w.runs_too_long, 2);
    dlpi_words_open(&w, ligatures, sizeof ligatures - BYTES);
    assert_true(dlpi_words_next(&w));
    assert_int_equal(w.size, 64);
}

/* ---- terms ---- */

static dlp_text_settings every_word(void)
{
    return (dlp_text_settings){.size = sizeof(dlp_text_settings),
                               .min_length = 1,
                               .min_documents = 1,
                               .max_share = 1};
}

static dlp_text_builder *start(const dlp_text_settings *settings)
{
    dlp_text_builder *b = NULL;
    assert_ok(dlp_text_builder_alloc(settings, &b, error));
    return b;
}

static void add(dlp_text_builder *b, const char *text)
{
    assert_ok(dlp_text_builder_add(b, NULL, text, strlen(text), error));
}

/* Finishes and frees; the corpus is to be freed. */
static dlp_corpus *finish(dlp_text_builder *b, dlp_text_report *report)
{
    dlp_corpus *c = NULL;
    dlp_text_report r;
    assert_ok(dlp_text_builder_finish(b, &c, &r, error));
    assert_true(corpus_is_sound(c));
    assert_true(c->V >= r.kept_terms); /* terms that are given may not be there */
    assert_int_equal(c->words, r.kept_words);
    assert_int_equal(c->D, r.documents);
    assert_int_equal(r.words, r.kept_words + r.unknown.words + r.too_short.words +
                                  r.stop_words.words + r.too_rare.words +
                                  r.too_common.words + r.over_limit.words);
    assert_int_equal(r.terms, r.kept_terms + r.unknown.terms + r.too_short.terms +
                                  r.stop_words.terms + r.too_rare.terms +
                                  r.too_common.terms + r.over_limit.terms + r.stemmed);
    if (report) *report = r;
    dlp_text_builder_free(b);
    return c;
}

/* The vocabulary, parted by blanks. */
static const char *vocabulary(const dlp_corpus *c)
{
    static char out[4096];
    size_t used = 0;
    for (dlp_index v = 0; v < c->V; v++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%s", v ? " " : "",
                                 c->vocab[v]);
    return out;
}

static void test_counts(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_add(b, "first\nname", "b a b", 5, error));
    assert_ok(dlp_text_builder_add(b, "", NULL, 0, error));
    assert_ok(dlp_text_builder_add(b, NULL, "C b \xff", 5, error));
    for (dlp_index d = -1; d < 5; d++)
        assert_int_equal(dlp_text_builder_invalid(b, d), d == 2);
    assert_int_equal(dlp_text_builder_invalid(NULL, 0), 0);
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    assert_int_equal(r.unnamed, 2);
    assert_string_equal(vocabulary(c), "a b c");
    assert_int_equal(c->D, 3);
    const int32_t term[] = {0, 1, 1, 2}, count[] = {1, 2, 1, 1};
    assert_int_equal(c->nnz, 4);
    assert_memory_equal(c->term, term, sizeof term);
    assert_memory_equal(c->count, count, sizeof count);
    assert_int_equal(c->row[1], 2);
    assert_int_equal(c->row[2], 2);
    assert_string_equal(c->name[0], "first name");
    assert_string_equal(c->name[1], "2");
    assert_string_equal(c->name[2], "3");
    assert_int_equal(r.empty_documents, 1);
    assert_int_equal(r.invalid_bytes, 1);
    assert_int_equal(r.bytes, 10);
    dlp_corpus_free(c);
}

static void test_rules(void **state)
{
    (void)state;
    dlp_text_settings s = {.size = sizeof(dlp_text_settings),
                           .stop_words = "english",
                           .min_length = 3,
                           .min_documents = 2,
                           .max_share = 0.75,
                           .max_terms = 2};
    dlp_text_builder *b = start(&s);
    add(b, "The cat and the dog don't eat fish. ox once rare");
    add(b, "a cat, a dog: fish fish");
    add(b, "cat dog bird bird");
    add(b, "cat ox fish bird");
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    assert_string_equal(vocabulary(c), "bird fish");
    assert_int_equal(r.too_short.terms, 2); /* ox, a */
    assert_int_equal(r.too_short.words, 4);
    assert_int_equal(r.stop_words.terms, 4); /* the and don't once */
    assert_int_equal(r.stop_words.words, 5);
    assert_int_equal(r.too_rare.terms, 2);   /* eat rare */
    assert_int_equal(r.too_common.terms, 1); /* cat */
    assert_int_equal(r.too_common.words, 4);
    assert_int_equal(r.over_limit.terms, 1); /* dog: as frequent as bird, and after it */
    assert_int_equal(r.over_limit.words, 3);
    assert_int_equal(r.empty_documents, 0);
    dlp_corpus_free(c);
}

static void test_stop_words(void **state)
{
    (void)state;
    static const char list[] = "Straße # comment word\nund|oder\n\ncafe\u0301";
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_stop(b, list, sizeof list - 1, error));
    add(b, "STRASSE und caf\u00e9 comment oder word");
    dlp_corpus *c = finish(b, NULL);
    assert_string_equal(vocabulary(c), "comment oder word");
    dlp_corpus_free(c);
    /* what is odd in the list is not odd in the text */
    b = start(&s);
    assert_ok(dlp_text_builder_stop(b, "\xff\xff", 2, error));
    add(b, "x");
    dlp_text_report r;
    c = finish(b, &r);
    assert_int_equal(r.invalid_bytes, 0);
    dlp_corpus_free(c);
}

static void test_built_in_list(void **state)
{
    (void)state;
    const char *list = dlp_text_stop_list(dlp_text_stop_list_name(0));
    assert_non_null(strstr(list, "between"));
    assert_null(dlp_text_stop_list("klingon"));
    assert_null(dlp_text_stop_list(NULL));
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_stop(b, list, strlen(list), error));
    assert_ok(dlp_text_builder_stop(b, "soup", 4, error));
    add(b, "the soup and bread");
    dlp_corpus *c = finish(b, NULL);
    assert_string_equal(vocabulary(c), "bread");
    dlp_corpus_free(c);
}

static void test_stems(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    s.stem = "english";
    s.min_documents = 2;
    dlp_text_builder *b = start(&s);
    add(b, "connection connections connected alone");
    add(b, "connections run running");
    add(b, "runs");
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    /* connections is the most frequent; run, running and runs are equal: the first */
    assert_string_equal(vocabulary(c), "connections run");
    assert_int_equal(r.stemmed, 4);
    assert_int_equal(c->count[0], 3);
    assert_int_equal(c->count[2], 2);
    dlp_corpus_free(c);
    s.stem = "french";
    b = start(&s);
    add(b, "continuer continuait");
    add(b, "continuée");
    c = finish(b, NULL);
    assert_int_equal(c->V, 1);
    dlp_corpus_free(c);
}

/* The terms that are given are those of the corpus, whatever the rules would choose. */
static void test_given_terms(void **state)
{
    (void)state;
    char term_text[][8] = {"the", "zebra", "absent", "ox"};
    char *const term[] = {term_text[0], term_text[1], term_text[2], term_text[3]};
    const int32_t found[] = {0, 3, 1}, count[] = {2, 1, 1};
    dlp_text_builder *b = start(NULL);
    assert_ok(dlp_text_builder_terms(b, term, 4, error));
    add(b, "The ox and the lion");
    add(b, "zebra");
    add(b, "unknown");
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    assert_string_equal(vocabulary(c), "the zebra absent ox");
    assert_int_equal(c->nnz, 3);
    assert_memory_equal(c->term, found, sizeof found);
    assert_memory_equal(c->count, count, sizeof count);
    assert_int_equal(r.kept_terms, 3);
    assert_int_equal(r.unknown.terms, 3);
    assert_int_equal(r.empty_documents, 1);
    dlp_corpus_free(c);
}

static void test_given_terms_by_stem(void **state)
{
    (void)state;
    char text[][12] = {"running", "connections", "runs", "cat"};
    char *const term[] = {text[0], text[1]}, *const same[] = {text[2], text[3], text[0]};
    dlp_text_settings s = every_word();
    s.stem = "english";
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_terms(b, term, 2, error));
    add(b, "connected connection run cats");
    dlp_text_report r;
    dlp_corpus *c = finish(b, &r);
    assert_string_equal(vocabulary(c), "running connections");
    assert_int_equal(c->count[0], 1);
    assert_int_equal(c->count[1], 2);
    assert_int_equal(r.stemmed, 1);
    assert_int_equal(r.unknown.terms, 1);
    dlp_corpus_free(c);
    /* without stems, it is told how many words they would make known */
    s.stem = NULL;
    b = start(&s);
    assert_ok(dlp_text_builder_terms(b, term, 2, error));
    add(b, "connected connected run cats running");
    c = finish(b, &r);
    assert_int_equal(r.unknown.terms, 3);
    assert_int_equal(r.unstemmed.terms, 2);
    assert_int_equal(r.unstemmed.words, 3);
    dlp_corpus_free(c);
    b = start(&s);
    assert_ok(dlp_text_builder_terms(b, same, 3, error));
    add(b, "run");
    c = finish(b, &r);
    assert_int_equal(r.unstemmed.terms, 0);
    dlp_corpus_free(c);
    s.stem = "english";
    b = start(&s);
    assert_ok(dlp_text_builder_terms(b, same, 3, error));
    add(b, "run");
    assert_fails(dlp_text_builder_finish(b, &c, NULL, error), DLP_EINPUT,
                 "'runs' and 'running' have one stem");
    dlp_text_builder_free(b);
}

static void test_wrong_given_terms(void **state)
{
    (void)state;
    char a[] = "a", b_text[] = "b", *const twice[] = {a, b_text, a};
    dlp_text_builder *b = start(NULL);
    assert_fails(dlp_text_builder_terms(b, NULL, 1, error), DLP_EINVAL, "1 or more");
    assert_fails(dlp_text_builder_terms(b, twice, 0, error), DLP_EINVAL, "1 or more");
    assert_fails(dlp_text_builder_read_terms(b, NULL, error), DLP_EINVAL, "path");
    assert_fails(dlp_text_builder_terms(b, twice, 3, error), DLP_EINPUT,
                 "'a' is term 1 and term 3");
    dlp_text_builder_free(b);
    b = start(NULL);
    assert_ok(dlp_text_builder_terms(b, twice, 2, error));
    assert_fails(dlp_text_builder_terms(b, twice, 2, error), DLP_EINVAL, "has none");
    dlp_text_builder_free(b);
}

static void test_builder_goes_on(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    dlp_corpus *c = NULL;
    add(b, "b");
    assert_ok(dlp_text_builder_finish(b, &c, NULL, error));
    assert_string_equal(vocabulary(c), "b");
    dlp_corpus_free(c);
    add(b, "a");
    c = finish(b, NULL);
    assert_string_equal(vocabulary(c), "a b");
    assert_int_equal(c->D, 2);
    dlp_corpus_free(c);
}

static void test_nothing_left(void **state)
{
    (void)state;
    dlp_corpus *c = NULL;
    dlp_text_report r;
    dlp_text_builder *b = start(NULL);
    assert_fails(dlp_text_builder_finish(b, &c, NULL, error), DLP_EINPUT, "no document");
    add(b, "...");
    assert_fails(dlp_text_builder_finish(b, &c, NULL, error), DLP_EINPUT, "no words");
    add(b, "the cat at sea");
    assert_fails(
        dlp_text_builder_finish(b, &c, &r, error), DLP_EINPUT,
        "no term is left of 4 distinct words in 2 documents: 1 were too short, 1 "
        "stop words, 2 in too few");
    assert_int_equal(r.too_rare.terms, 2);
    assert_null(c);
    dlp_text_builder_free(b);
}

static void test_arguments(void **state)
{
    (void)state;
    dlp_text_builder *b = NULL;
    dlp_text_settings s = dlp_text_settings_default();
    s.min_length = 65;
    assert_fails(dlp_text_builder_alloc(&s, &b, error), DLP_EINVAL, "min_length");
    s = dlp_text_settings_default();
    s.max_share = NAN;
    assert_fails(dlp_text_builder_alloc(&s, &b, error), DLP_EINVAL, "max_share");
    s = dlp_text_settings_default();
    s.stem = "klingon";
    assert_fails(dlp_text_builder_alloc(&s, &b, error), DLP_EINVAL, "klingon");
    s = dlp_text_settings_default();
    s.stop_words = "latin";
    assert_fails(dlp_text_builder_alloc(&s, &b, error), DLP_EINVAL, "latin");
    assert_null(b);
    assert_fails(dlp_text_builder_alloc(NULL, NULL, error), DLP_EINVAL, "builder");
    assert_fails(dlp_text_builder_add(NULL, "", "", 0, error), DLP_EINVAL, "builder");
    assert_fails(dlp_text_builder_stop(NULL, "", 0, error), DLP_EINVAL, "builder");
    assert_fails(dlp_text_builder_read(NULL, NULL, error), DLP_EINVAL, "builder");
    assert_fails(dlp_text_builder_read_stop_words(NULL, "", error), DLP_EINVAL, "path");
    assert_fails(dlp_text_builder_finish(NULL, NULL, NULL, error), DLP_EINVAL, "corpus");
    dlp_text_builder_free(NULL);
    assert_string_equal(dlp_text_stop_list_name(0), "english");
    assert_null(dlp_text_stop_list_name(1));
    assert_null(dlp_text_stop_list_name(-1));
    assert_null(dlp_text_stemmer_name(-1));
    assert_null(dlp_text_stemmer_name(1000));
}

/* ---- sources ---- */

static dlp_corpus *table(const char *text, const char *column, const char *name)
{
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlpi_text_add_table(b, "t", text, strlen(text), column, name, error));
    return finish(b, NULL);
}

static void test_table(void **state)
{
    (void)state;
    dlp_corpus *c = table(
        "id,text,year\n007,\"one, \"\"two\"\"\nthree\",1990\n\n"
        "1e5,,1991\n\"a \"\"b\"\"\",NA,\"19\"\"92\"\n",
        "text", "id");
    assert_int_equal(c->D, 3);
    assert_string_equal(vocabulary(c), "na one three two");
    assert_string_equal(c->name[0], "007");
    assert_string_equal(c->name[1], "1e5");
    assert_string_equal(c->name[2], "a \"b\"");
    assert_int_equal(c->row[2] - c->row[1], 0);
    dlp_corpus_free(c);
    c = table("# by hand\ntext\tid\n\"a \"\"x\"\"\"\t\"b \"\"y\"\"\"\n", "text", "id");
    assert_string_equal(vocabulary(c), "a x");
    assert_string_equal(c->name[0], "b \"y\"");
    dlp_corpus_free(c);
    c = table("\"the \"\"text\"\"\"\nx\n\"\"\n", "the \"text\"", NULL);
    assert_int_equal(c->D, 2);
    assert_string_equal(c->name[1], "2");
    dlp_corpus_free(c);
}

static void test_wrong_tables(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "t: is empty"},
        {"# only\n", "t: is empty"},
        {"id,body\n1,x\n", "t:1: the header has no column 'text'"},
        {"id,text\n1,x,y\n", "t:2: expected 2 fields"},
        {"id,text\n1\n", "t:2: expected 2 fields"},
        {"id,text\n1,\"x\n", "t:2: a quote is opened"},
        {"id,text\n1,\"x\"y\n", "t:2: expected a separator"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dlp_text_builder *b = start(NULL);
        assert_fails(dlpi_text_add_table(b, "t", wrong[i].text, strlen(wrong[i].text),
                                         "text", "id", error),
                     DLP_EINPUT, wrong[i].message);
        dlp_text_builder_free(b);
    }
}

static void test_json(void **state)
{
    static const char text[] =
        "\xef\xbb\xbf{\"text\": \"One \\u00e9\\u0000two\", \"id\": 7}\r\n"
        "\n"
        "{\"text\": null, \"id\": \"x\\ny\"}\n"
        "{\"other\": [1, 2]}\n"
        "{\"text\": \"\", \"id\": 1.5}";
    (void)state;
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlpi_text_add_json(b, "j", text, sizeof text - 1, "text", "id", error));
    dlp_corpus *c = finish(b, NULL);
    assert_int_equal(c->D, 4);
    assert_string_equal(vocabulary(c), "one two é");
    assert_string_equal(c->name[0], "7");
    assert_string_equal(c->name[1], "x y");
    assert_string_equal(c->name[2], "3");
    assert_string_equal(c->name[3], "4");
    dlp_corpus_free(c);
}

static void test_wrong_json(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"{\"text\": \"x\"}\n{\"text\": \"x}\n", "j:2:"},
        {"{\"text\": \"\xff\"}\n", "j:1:"},
        {"{}\n[]\n", "j:2: expected a JSON object"},
        {"{\"text\": 5}\n", "j:1: expected a text, in quotes, under the key text"},
        {"{\"body\": \"x\"}\n", "j: no object has the key 'text'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dlp_text_builder *b = start(NULL);
        assert_fails(dlpi_text_add_json(b, "j", wrong[i].text, strlen(wrong[i].text),
                                        "text", NULL, error),
                     DLP_EINPUT, wrong[i].message);
        dlp_text_builder_free(b);
    }
}

static void test_lines(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    dlp_text_builder *b = start(&s);
    assert_ok(dlpi_text_add_lines(b, "one\r\n\ntwo", 9, error));
    dlp_corpus *c = finish(b, NULL);
    assert_int_equal(c->D, 3);
    assert_string_equal(vocabulary(c), "one two");
    dlp_corpus_free(c);
}

/* A folder of its own for a test; cmocka's setup and teardown. */
static char folder[] = "/tmp/test-text-XXXXXX";

static void put(const char *name, const char *bytes, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(dlp_file_write(path, bytes, size, error));
}

static void path_call(int (*call)(const char *), const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)call(path);
}

static int make_folder(const char *path)
{
    return mkdir(path, 0700);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    path_call(make_folder, "b");
    path_call(make_folder, ".git");
    put("b/two.txt", "two", 3);
    put("b-first.txt", "one", 3);
    put("caf\xe9", "three", 5);
    put("empty", "", 0);
    put(".hidden", "hidden", 6);
    put("picture.png", "\x89PNG\0\0", 6);
    put("wide.txt", "\xff\xfew\0i\0", 6);
    char link[256];
    snprintf(link, sizeof link, "%s/b/around", folder);
    return symlink("..", link);
}

static int tear_down(void **state)
{
    static const char *const names[] = {
        "b/around", "b/two.txt",   "b-first.txt", "caf\xe9", "empty",   ".hidden",
        "wide.txt", "picture.png", "b",           ".git",    "nothing", ""};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        path_call(remove, names[i]);
    return 0;
}

static void test_folder(void **state)
{
    (void)state;
    dlp_text_settings s = every_word();
    const dlp_text_source source = {.size = sizeof(dlp_text_source), .path = folder};
    dlp_text_report r;
    dlp_text_builder *b = start(&s);
    assert_ok(dlp_text_builder_read(b, &source, error));
    dlp_corpus *c = finish(b, &r);
    assert_int_equal(c->D, 4);
    assert_string_equal(c->name[0], "b-first.txt");
    assert_string_equal(c->name[1], "b/two.txt");
    assert_string_equal(c->name[2], "caf\xe9");
    assert_string_equal(c->name[3], "empty");
    assert_string_equal(vocabulary(c), "one three two");
    assert_int_equal(r.hidden_skipped, 2);
    assert_int_equal(r.binary_skipped, 3); /* two files and the link to a folder */
    assert_int_equal(r.empty_documents, 1);
    dlp_corpus_free(c);
}

static void test_wrong_sources(void **state)
{
    (void)state;
    char path[256];
    dlp_text_builder *b = start(NULL);
    dlp_text_source source = {
        .size = sizeof(dlp_text_source), .path = folder, .lines = 1};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINVAL, "is a folder");
    snprintf(path, sizeof path, "%s/b/two.txt", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINVAL, "(lines)");
    source = (dlp_text_source){
        .size = sizeof(dlp_text_source), .path = path, .lines = 1, .column = "x"};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINVAL, "not both");
    source =
        (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .column = "x"};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "no column 'x'");
    snprintf(path, sizeof path, "%s/empty", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .lines = 1};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "is empty");
    snprintf(path, sizeof path, "%s/.git", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "no text files");
    snprintf(path, sizeof path, "%s/missing", folder);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = path, .lines = 1};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "missing");
    snprintf(path, sizeof path, "%s/nothing", folder);
    assert_int_equal(symlink("nowhere", path), 0);
    source = (dlp_text_source){.size = sizeof(dlp_text_source), .path = folder};
    assert_fails(dlp_text_builder_read(b, &source, error), DLP_EINPUT, "nothing");
    assert_int_equal(unlink(path), 0);
    dlp_text_builder_free(b);
}

/* ---- memory ---- */

static dlp_status build_all(bool given_terms, const char *stem, dlp_error *error)
{
    char run[] = "run", field[] = "field", *const term[] = {run, field};
    static const char rows[] =
        "id,text\n\"1\",\"a \"\"quoted\"\" field\"\n2,running runs\n";
    dlp_text_settings s = every_word();
    const dlp_text_source source = {.size = sizeof(dlp_text_source), .path = folder};
    dlp_text_builder *b = NULL;
    dlp_corpus *c = NULL;
    s.stop_words = "english";
    s.stem = stem;
    s.max_terms = 3;
    dlp_status status = dlp_text_builder_alloc(&s, &b, error);
    if (status == DLP_OK && given_terms)
        status = dlp_text_builder_terms(b, term, 2, error);
    if (status == DLP_OK)
        status = dlpi_text_add_table(b, "t", rows, sizeof rows - 1, "text", "id", error);
    if (status == DLP_OK) status = dlp_text_builder_read(b, &source, error);
    if (status == DLP_OK) status = dlp_text_builder_finish(b, &c, NULL, error);
    assert_true((status == DLP_OK) == (c != NULL));
    dlp_corpus_free(c);
    dlp_text_builder_free(b);
    return status;
}

/* Every allocation fails once: an error each time, and no leak. */
static void check_lack_of_memory(bool given_terms, const char *stem)
{
    for (int n = 0;; n++) {
        dlp_error error = {""};
        allocations_left = n;
        const dlp_status status = build_all(given_terms, stem, &error);
        const bool all_succeeded = allocations_left >= 0;
        allocations_left = -1;
        if (all_succeeded) {
            assert_int_equal(status, DLP_OK);
            assert_true(n > 20);
            return;
        }
        assert_int_equal(status, DLP_ENOMEM);
        assert_non_null(strstr(error.message, "not enough memory"));
    }
}

static void test_memory_may_lack_anywhere(void **state)
{
    (void)state;
    check_lack_of_memory(false, "english");
    check_lack_of_memory(true, "english");
    check_lack_of_memory(true, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ascii),
        cmocka_unit_test(test_apostrophes),
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_normal_forms),
        cmocka_unit_test(test_not_utf8),
        cmocka_unit_test(test_long_runs),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_stop_words),
        cmocka_unit_test(test_built_in_list),
        cmocka_unit_test(test_stems),
        cmocka_unit_test(test_given_terms),
        cmocka_unit_test(test_given_terms_by_stem),
        cmocka_unit_test(test_wrong_given_terms),
        cmocka_unit_test(test_builder_goes_on),
        cmocka_unit_test(test_nothing_left),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_wrong_tables),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_wrong_json),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_wrong_sources),
        cmocka_unit_test(test_memory_may_lack_anywhere),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
