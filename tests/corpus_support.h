/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of corpora share: texts in, documents out, and whether two corpora are
   the same. */
#ifndef DLP_TESTS_CORPUS_SUPPORT_H
#define DLP_TESTS_CORPUS_SUPPORT_H

#include "../fuzz/sound.h"
#include "support.h"

typedef dlp_status parser(const char *name, const char *text, size_t size,
                          dlp_corpus **corpus, dlp_error *error);

static inline dlp_corpus *parse(parser *parse_text, const char *text)
{
    dlp_corpus *c = NULL;
    dlp_error error = {0};
    if (parse_text("test.dat", text, strlen(text), &c, &error) != DLP_OK)
        fail_msg("%s", error.message);
    assert_true(corpus_is_sound(c));
    return c;
}

/* A document as text, e.g. "1:2 4:1". */
static inline const char *document(const dlp_corpus *c, dlp_index d)
{
    static char text[256];
    size_t used = 0;
    text[0] = '\0';
    for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d:%d",
                                 i > c->row[d] ? " " : "", c->term[i], c->count[i]);
    return text;
}

static inline void assert_same_names(char *const *a, char *const *b, dlp_index n)
{
    assert_int_equal(a != NULL, b != NULL);
    for (dlp_index i = 0; a && b && i < n; i++) assert_string_equal(a[i], b[i]);
}

static inline void assert_same(const dlp_corpus *a, const dlp_corpus *b)
{
    assert_true(corpus_is_sound(a) && corpus_is_sound(b));
    assert_int_equal(a->D, b->D);
    assert_int_equal(a->V, b->V);
    assert_int_equal(a->nnz, b->nnz);
    assert_int_equal(a->words, b->words);
    assert_memory_equal(a->row, b->row, (size_t)(a->D + 1) * sizeof *a->row);
    assert_memory_equal(a->term, b->term, (size_t)a->nnz * sizeof *a->term);
    assert_memory_equal(a->count, b->count, (size_t)a->nnz * sizeof *a->count);
    assert_same_names(a->vocab, b->vocab, a->V);
    assert_same_names(a->name, b->name, a->D);
}

/* Texts that mean the same corpus as `plain`. */
static inline void assert_each_means(parser *parse_text, const char *plain,
                                     const char *const *variant, size_t n)
{
    dlp_corpus *wanted = parse(parse_text, plain);
    for (size_t i = 0; i < n; i++) {
        dlp_corpus *c = parse(parse_text, variant[i]);
        assert_same(c, wanted);
        dlp_corpus_free(c);
    }
    dlp_corpus_free(wanted);
}

#define ASSERT_EACH_MEANS(parse_text, plain, variants)                                   \
    assert_each_means(parse_text, plain, variants,                                       \
                      sizeof(variants) / sizeof((variants)[0]))

struct wrong {
    const char *text;
    size_t size; /* 0: up to the NUL */
    const char *message;
};

static inline void assert_each_refused(parser *parse_text, const struct wrong *wrong,
                                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dlp_corpus sentinel, *c = &sentinel;
        dlp_error error = {0};
        const size_t size = wrong[i].size ? wrong[i].size : strlen(wrong[i].text);
        assert_int_equal(parse_text("test.dat", wrong[i].text, size, &c, &error),
                         DLP_EINPUT);
        assert_null(c);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("'%s' lacks '%s'", error.message, wrong[i].message);
        assert_int_equal(parse_text("test.dat", wrong[i].text, size, &c, NULL),
                         DLP_EINPUT);
    }
}

#define ASSERT_EACH_REFUSED(parse_text, wrong)                                           \
    assert_each_refused(parse_text, wrong, sizeof(wrong) / sizeof((wrong)[0]))

#endif
