/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of text share: from a builder to a corpus. */
#ifndef TEXT_SUPPORT_H
#define TEXT_SUPPORT_H

#include "../fuzz/sound.h"
#include "support.h"

static inline dlp_text_settings every_word(void)
{
    return (dlp_text_settings){.size = sizeof(dlp_text_settings),
                               .min_length = 1,
                               .min_documents = 1,
                               .max_share = 1};
}

static inline dlp_text_builder *start(const dlp_text_settings *settings)
{
    dlp_text_builder *b = NULL;
    assert_ok(dlp_text_builder_alloc(settings, &b, error));
    return b;
}

static inline void add(dlp_text_builder *b, const char *text)
{
    assert_ok(dlp_text_builder_add(b, NULL, text, strlen(text), error));
}

/* Finishes and frees; the corpus is to be freed. */
static inline dlp_corpus *finish(dlp_text_builder *b, dlp_text_report *report)
{
    dlp_corpus *c = NULL;
    dlp_text_report r;
    assert_ok(dlp_text_builder_finish(b, &c, &r, error));
    assert_true(corpus_is_sound(c));
    assert_true(c->V >= r.kept_terms); /* given terms need not occur */
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

/* The vocabulary, separated by blanks. */
static const char *vocabulary(const dlp_corpus *c)
{
    static char out[4096];
    size_t used = 0;
    for (dlp_index v = 0; v < c->V; v++)
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%s", v ? " " : "",
                                 c->vocab[v]);
    return out;
}

#endif
