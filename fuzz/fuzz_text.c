/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as text of any kind. The first byte chooses the kind and the settings; the
   corpus that comes out is sound, and its terms are words: read again, they are the
   same. */
#include "corpus/text/text_builder.h"
#include "fuzz.h"

#include <string.h>

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
    case 0: return dlp_text_builder_add(b, "fuzz", text, size, error);
    case 1: return dlpi_text_add_lines(b, text, size, error);
    case 2: return dlpi_text_add_table(b, "fuzz", text, size, "text", "id", error);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const dlp_text_settings settings = settings_from(data[0]);
    dlp_text_builder *b = NULL;
    dlp_corpus *c = NULL;
    dlp_text_report report = {0};
    dlp_error error = {""};
    fuzz_expect(dlp_text_builder_alloc(&settings, &b, NULL) == DLP_OK);
    dlp_status status =
        add_documents(b, data[0], (const char *)data + 1, size - 1, &error);
    if (status == DLP_OK) status = dlp_text_builder_finish(b, &c, &report, &error);
    if (status == DLP_OK) {
        fuzz_expect(corpus_is_sound(c) && c->V > 0 && c->words == report.kept_words);
        expect_words(c, settings.keep_numbers != 0);
        expect_names(c);
    } else {
        fuzz_expect(!c && error.message[0] != '\0');
    }
    dlp_corpus_free(c);
    dlp_text_builder_free(b);
    return 0;
}
