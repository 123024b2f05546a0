/* SPDX-License-Identifier: BSD-3-Clause */
/* From words to terms. */
#include "corpus/text/text_builder.h"
#include "text_support.h"

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
    assert_int_equal(r.invalid_documents, 1);
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
    /* without stems, it says how many words they would make known */
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
    assert_fails(dlp_text_builder_terms(b, NULL, 1, error), DLP_EINVAL, "at least one");
    assert_fails(dlp_text_builder_terms(b, twice, 0, error), DLP_EINVAL, "at least one");
    assert_fails(dlp_text_builder_read_terms(b, NULL, error), DLP_EINVAL, "path");
    assert_fails(dlp_text_builder_terms(b, twice, 3, error), DLP_EINPUT,
                 "'a' is term 1 and term 3");
    dlp_text_builder_free(b);
    b = start(NULL);
    assert_ok(dlp_text_builder_terms(b, twice, 2, error));
    assert_fails(dlp_text_builder_terms(b, twice, 2, error), DLP_EINVAL, "without terms");
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
    assert_null(dlp_text_stop_list_name(1000));
    assert_null(dlp_text_stop_list_name(-1));
    assert_null(dlp_text_stemmer_name(-1));
    assert_null(dlp_text_stemmer_name(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
