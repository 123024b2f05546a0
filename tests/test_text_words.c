/* SPDX-License-Identifier: BSD-3-Clause */
/* From text to words. */
#include "corpus/text/text_words.h"
#include "support.h"

/* The words of a text, separated by blanks. */
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
    dlpi_words_end(&w);
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
    /* marks alone are not words, invisible characters do not show */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ascii),    cmocka_unit_test(test_apostrophes),
        cmocka_unit_test(test_scripts),  cmocka_unit_test(test_normal_forms),
        cmocka_unit_test(test_not_utf8), cmocka_unit_test(test_long_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
