/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as text of any kind. The first byte chooses the kind and the settings; the
   corpus that comes out is sound, and its terms are words: read again, they are the
   same. */
#include "corpus/text/text_builder.h"
#include "fuzz_lines.h"

#include <string.h>

enum { DOCUMENT, LINES, TABLE, JSON };

static dlp_text_settings settings_from(uint8_t bits)
{
    return (dlp_text_settings){.size = sizeof(dlp_text_settings),
                               .keep_numbers = bits >> 2 & 1,
                               .stem = bits >> 3 & 1 ? "english" : NULL,
                               .stop_words = bits >> 4 & 1 ? "english" : NULL,
                               .max_terms = bits >> 5 & 1 ? 5 : 0,
                               .min_length = 1 + (bits >> 6 & 1),
                               .min_documents = 1,
                               .max_share = 1,
                               .markup = "auto",
                               .phrases = bits >> 7 & 1,
                               .phrase_strength = -1,
                               .keep_text = 1};
}

static dlp_status add_documents(dlp_text_builder *b, uint8_t kind, const char *text,
                                size_t size, dlp_error *error)
{
    switch (kind & 3) {
    case DOCUMENT: return dlp_text_builder_add(b, "fuzz", text, size, error);
    case LINES: return dlpi_text_add_lines(b, text, size, error);
    case TABLE: return dlpi_text_add_table(b, "fuzz", text, size, "text", "id", error);
    default: return dlpi_text_add_json(b, "fuzz", text, size, "text", "id", error);
    }
}

static void expect_words(const dlp_corpus *c, bool keep_numbers)
{
    struct dlpi_words w;
    dlpi_words_start(&w, keep_numbers);
    w.whole_runs = true;
    for (dlp_index v = 0; v < c->V; v++) {
        const size_t size = strlen(c->vocab[v]);
        if (strchr(c->vocab[v], '_')) continue; /* a phrase */
        dlpi_words_open(&w, c->vocab[v], size);
        fuzz_expect(dlpi_words_next(&w));
        fuzz_expect(w.size == size && memcmp(w.word, c->vocab[v], size) == 0);
        fuzz_expect(!dlpi_words_next(&w));
        fuzz_expect(v == 0 || strcmp(c->vocab[v - 1], c->vocab[v]) < 0);
    }
}

static void expect_names(const dlp_corpus *c)
{
    for (dlp_index d = 0; d < c->D; d++)
        fuzz_expect(c->name[d][0] != '\0' && !strchr(c->name[d], '\n'));
}

static dlp_status make_corpus(const char *input, size_t size, dlp_corpus **c,
                              dlp_text_report *report, dlp_error *error)
{
    const uint8_t choice = (uint8_t)input[0];
    const dlp_text_settings settings = settings_from(choice);
    dlp_text_builder *b = NULL;
    fuzz_expect(dlp_text_builder_alloc(&settings, &b, NULL) == DLP_OK);
    dlp_status status = add_documents(b, choice, input + 1, size - 1, error);
    if (status == DLP_OK) status = dlp_text_builder_finish(b, c, report, error);
    dlp_text_builder_free(b);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_corpus *c = NULL;
    dlp_text_report report = {0};
    dlp_error error = {0};
    if (size == 0) return 0;
    const dlp_status status = make_corpus((const char *)data, size, &c, &report, &error);
    if (fuzz_passes(status == DLP_OK)) {
        fuzz_expect(corpus_is_sound(c) && c->V > 0 && c->words == report.kept_words);
        expect_words(c, settings_from(data[0]).keep_numbers != 0);
        expect_names(c);
    } else {
        fuzz_expect(!c && error.message[0] != '\0');
    }
    dlp_corpus_free(c);
    return 0;
}

/* ---- inputs ---- */

/* The byte that chooses, and the names of a table's columns. */
static size_t head_size(const char *text, size_t size)
{
    if (size < 2 || (text[0] & 3) != TABLE) return size > 0;
    const char *end = memchr(text + 1, '\n', size - 1);
    return end ? (size_t)(end - text) + 1 : size;
}

static void put_head(fuzz_text *t, fuzz_span was, int n)
{
    static const char *const heads[] = {"id,text\n", "text\tid\n", "x;text;id\n"};
    (void)n;
    if (was.size > 1 && fuzz_chance(t, 32) > 0 && fuzz_has(was, "text")) {
        fuzz_put_bytes(t, was.at, was.size);
        return;
    }
    const int choice = was.size > 0 && fuzz_chance(t, 16) ? *was.at : fuzz_chance(t, 256);
    fuzz_put(t, "%c", choice);
    if ((choice & 3) == TABLE) fuzz_put(t, "%s", FUZZ_ONE_OF(t, heads));
}

#define LONG "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static void put_words(fuzz_text *t)
{
    static const char *const words[] = {"The",
                                        "running",
                                        "runs",
                                        "doesn't",
                                        "covid19",
                                        "3.14",
                                        "co\xc2\xadop",
                                        "na\xc3\xafve",
                                        "\xe6\x9d\xb1\xe4\xba\xac\xe9\x83\xbd",
                                        "\xe0\xb8\x89\xe0\xb8\xb1\xe0\xb8\x99",
                                        "e\xcc\x81",
                                        "\xef\xac\x81nal",
                                        "\xd7\xa9\xd6\xb8\xd7\x81",
                                        "\xc4\xb0stanbul",
                                        "I",
                                        "a_b",
                                        "<p>",
                                        "</p>",
                                        "&eacute;",
                                        "&#233;",
                                        "<br>",
                                        "=?utf-8?q?Gr=C3=BC?=",
                                        "\xe2\x80\x99",
                                        LONG};
    static const char *const between[] = {" ", " ", " ", "-", "'", ". ", ""};
    for (int n = 1 + fuzz_chance(t, 9); n > 0; n--)
        fuzz_put(t, "%s%s", FUZZ_ONE_OF(t, words), FUZZ_ONE_OF(t, between));
}

static void put_field(fuzz_text *t, fuzz_span name)
{
    fuzz_put(t, "\"");
    if (fuzz_has(name, "text"))
        put_words(t);
    else
        fuzz_put(t, "%d", fuzz_chance(t, 1000));
    fuzz_put(t, "\"");
}

static void put_json(fuzz_text *t)
{
    static const char *const texts[] = {"",    "\\u00e9", "\\ud83d\\ude00 ",
                                        "\\n", "\\\"",    "\\u0000"};
    fuzz_put(t, "{\"text\": \"%s", FUZZ_ONE_OF(t, texts));
    put_words(t);
    switch (fuzz_chance(t, 3)) {
    case 0: fuzz_put(t, "\"}\n"); break;
    case 1: fuzz_put(t, "\", \"id\": %d}\n", fuzz_chance(t, 1000)); break;
    default: fuzz_put(t, "\", \"id\": \"d%d\", \"x\": [1, {}]}\n", fuzz_chance(t, 1000));
    }
}

static void put_document(fuzz_text *t)
{
    static const char *const starts[] = {
        "<!doctype html><title>T</title>", "<?xml version='1.0'?><a>",
        "<script>x</script>",
        "From: a\nSubject: b\nContent-Type: text/html; charset=iso-8859-1\n\n", "> "};
    if (fuzz_chance(t, 4) == 0) fuzz_put(t, "%s", FUZZ_ONE_OF(t, starts));
    put_words(t);
    fuzz_put(t, "\n");
}

static void put_line(fuzz_text *t, fuzz_span head)
{
    const int kind = head.size > 0 ? *head.at & 3 : DOCUMENT;
    if (kind == TABLE)
        fuzz_put_row(t, (fuzz_span){head.at + 1, head.size - 1}, put_field);
    else if (kind == JSON)
        put_json(t);
    else
        put_document(t);
}

static bool passes(const char *text, size_t size)
{
    dlp_corpus *c = NULL;
    dlp_text_report report = {0};
    const bool read = size > 0 && make_corpus(text, size, &c, &report, NULL) == DLP_OK;
    dlp_corpus_free(c);
    return read;
}

static const fuzz_lines fuzz_lines_of = {head_size, put_head, put_line, passes};
