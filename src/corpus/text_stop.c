/* SPDX-License-Identifier: BSD-3-Clause */
/* Stop words: the words of a language that say little about what a text is about. */
#include "corpus/text_builder.h"

#include <string.h>

static const struct {
    const char *name, *text;
} lists[] = {
    {"english", dlpi_stop_english},
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

/* Counts of what is no text are the documents', so that they are put back. */
static dlp_status add_words(dlp_text_builder *b, const char *text, size_t size,
                            dlp_error *error)
{
    const dlp_index invalid = b->words.invalid_bytes, too_long = b->words.runs_too_long;
    dlp_status status = DLP_OK;
    dlpi_words_open(&b->words, text, size);
    while (status == DLP_OK && dlpi_words_next(&b->words)) {
        int32_t code = 0;
        status = dlpi_string_set_add(&b->stop_words, b->words.word, b->words.size, &code,
                                     error);
    }
    b->words.invalid_bytes = invalid;
    b->words.runs_too_long = too_long;
    return status;
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
        DLP_TRY(add_words(b, text, words, error));
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
