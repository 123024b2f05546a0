/* SPDX-License-Identifier: BSD-3-Clause */
/* Stop words: the words of a language that say little about what a text is about. */
#include "corpus/text/stop_lists.h"
#include "corpus/text/text_builder.h"

#include <string.h>

/* Named as Snowball names the languages that it has stemmers for. */
static const struct {
    const char *name, *text;
} lists[] = {
    {"english", dlpi_stop_english},       {"arabic", dlpi_stop_arabic},
    {"armenian", dlpi_stop_armenian},     {"basque", dlpi_stop_basque},
    {"catalan", dlpi_stop_catalan},       {"chinese", dlpi_stop_chinese},
    {"danish", dlpi_stop_danish},         {"dutch", dlpi_stop_dutch},
    {"finnish", dlpi_stop_finnish},       {"french", dlpi_stop_french},
    {"german", dlpi_stop_german},         {"greek", dlpi_stop_greek},
    {"hindi", dlpi_stop_hindi},           {"hungarian", dlpi_stop_hungarian},
    {"indonesian", dlpi_stop_indonesian}, {"irish", dlpi_stop_irish},
    {"italian", dlpi_stop_italian},       {"japanese", dlpi_stop_japanese},
    {"khmer", dlpi_stop_khmer},           {"lithuanian", dlpi_stop_lithuanian},
    {"nepali", dlpi_stop_nepali},         {"norwegian", dlpi_stop_norwegian},
    {"portuguese", dlpi_stop_portuguese}, {"romanian", dlpi_stop_romanian},
    {"russian", dlpi_stop_russian},       {"serbian", dlpi_stop_serbian},
    {"spanish", dlpi_stop_spanish},       {"swedish", dlpi_stop_swedish},
    {"tamil", dlpi_stop_tamil},           {"thai", dlpi_stop_thai},
    {"turkish", dlpi_stop_turkish},       {"yiddish", dlpi_stop_yiddish},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

const char *dlp_text_stop_list_name(int i)
{
    return i >= 0 && i < LISTS ? lists[i].name : NULL;
}

const char *dlp_text_stop_list(const char *name)
{
    for (int i = 0; name && i < LISTS; i++)
        if (strcmp(lists[i].name, name) == 0) return lists[i].text;
    return NULL;
}

/* Uses a reader of its own, so that its counts of invalid text are not mistaken for those
   of the documents. Words are not segmented: a list has blanks between them in every
   language. */
static dlp_status add_words(struct dlpi_string_set *set, bool keep_numbers,
                            const char *text, size_t size, dlp_error *error)
{
    struct dlpi_words words;
    dlpi_words_start(&words, keep_numbers);
    words.whole_runs = true;
    dlpi_words_open(&words, text, size);
    while (dlpi_words_next(&words)) {
        int32_t code = 0;
        DLP_TRY(dlpi_string_set_add(set, words.word, words.size, &code, error));
    }
    return DLP_OK;
}

dlp_status dlpi_text_stop_set(const char *list, struct dlpi_string_set *set,
                              dlp_error *error)
{
    const char *text = dlp_text_stop_list(list);
    return text ? add_words(set, false, text, strlen(text), error) : DLP_OK;
}

dlp_status dlp_text_builder_stop(dlp_text_builder *b, const char *text, size_t size,
                                 dlp_error *error)
{
    if (!b || (!text && size > 0))
        return dlp_fail(error, DLP_EINVAL, "stop words need a builder and text");
    while (size > 0) {
        const char *newline = memchr(text, '\n', size);
        const size_t line = newline ? (size_t)(newline - text) : size;
        size_t words = 0;
        while (words < line && text[words] != '#' && text[words] != '|') words++;
        DLP_TRY(add_words(&b->stop_words, b->words.keep_numbers, text, words, error));
        const size_t step = newline ? line + 1 : line;
        text += step;
        size -= step;
    }
    return DLP_OK;
}

dlp_status dlp_text_builder_read_stop_words(dlp_text_builder *b, const char *path,
                                            dlp_error *error)
{
    struct dlpi_bytes bytes;
    if (!b || !path)
        return dlp_fail(error, DLP_EINVAL, "stop words need a builder and a path");
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    const int32_t before = b->stop_words.count;
    dlp_status status = dlp_text_builder_stop(b, bytes.data, bytes.size, error);
    if (status == DLP_OK && b->stop_words.count == before)
        status = dlp_fail(
            error, DLP_EINPUT,
            "%s: holds no words; expected stop words, separated by blanks or line ends",
            dlpi_input_name(path));
    free(bytes.data);
    return status;
}
