/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Documents in, pairs of word and count out. Every word is counted here, stop words and
 * all: the rules look at each distinct word once, at the end, rather than at each word as
 * it is read.
 */
#include "corpus/text_builder.h"

#include "core/settings.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

/* The name as the library keeps it, which outlives the caller's; NULL for none. */
static const char *find_stemmer(const char *language)
{
    const char *name = NULL;
    for (int i = 0; language && (name = dlp_text_stemmer_name(i)); i++)
        if (strcmp(name, language) == 0) return name;
    return NULL;
}

static dlp_status check_settings(const dlp_text_settings *s, dlp_error *error)
{
    if (s->min_length < 1 || s->min_length > DLPI_WORD_LENGTH || s->min_documents < 1 ||
        s->max_terms < 0)
        return dlp_fail(error, DLP_EINVAL,
                        "min_length is 1 to %d, min_documents 1 or more, max_terms 0 or "
                        "more",
                        (int)DLPI_WORD_LENGTH);
    if (!(s->max_share > 0 && s->max_share <= 1))
        return dlp_fail(error, DLP_EINVAL,
                        "max_share is %g; expected more than 0, up to 1", s->max_share);
    if (s->stop_words && !dlp_text_stop_list(s->stop_words))
        return dlp_fail(error, DLP_EINVAL, "unknown list of stop words '%s'",
                        dlpi_show(s->stop_words).text);
    if (s->stem && !find_stemmer(s->stem))
        return dlp_fail(error, DLP_EINVAL, "there is no stemmer for '%s'",
                        dlpi_show(s->stem).text);
    return DLP_OK;
}

static dlp_status start(dlp_text_builder *b, const dlp_text_settings *settings,
                        dlp_error *error)
{
    b->settings = *settings;
    b->settings.stem = find_stemmer(settings->stem);
    b->settings.stop_words = NULL; /* read below, and not asked for again */
    dlpi_words_start(&b->words, settings->keep_numbers != 0);
    b->row = dlpi_calloc(1, sizeof *b->row);
    if (!b->row) return dlpi_no_memory(error, "a corpus");
    if (!settings->stop_words) return DLP_OK;
    const char *list = dlp_text_stop_list(settings->stop_words);
    return dlp_text_builder_stop(b, list, strlen(list), error);
}

dlp_status dlp_text_builder_alloc(const dlp_text_settings *settings,
                                  dlp_text_builder **builder, dlp_error *error)
{
    dlp_text_settings chosen = dlp_text_settings_default();
    DLP_TRY(dlpi_settings_take(&chosen, sizeof chosen, settings, error));
    if (!builder)
        return dlp_fail(error, DLP_EINVAL, "dlp_text_builder_alloc: builder is NULL");
    *builder = NULL;
    DLP_TRY(check_settings(&chosen, error));
    dlp_text_builder *b = dlpi_calloc(1, sizeof *b);
    if (!b) return dlpi_no_memory(error, "a corpus");
    const dlp_status status = start(b, &chosen, error);
    if (status == DLP_OK)
        *builder = b;
    else
        dlp_text_builder_free(b);
    return status;
}

void dlp_text_builder_free(dlp_text_builder *b)
{
    if (!b) return;
    dlpi_string_set_clear(&b->vocabulary);
    dlpi_string_set_clear(&b->stop_words);
    dlpi_string_set_clear(&b->terms);
    free(b->last);
    free(b->term);
    free(b->count);
    free(b->row);
    free(b->invalid);
    free(b->names.data);
    free(b);
}

/* ---- counting ---- */

/* The array with room for twice as many, or NULL, and the old one stays. */
static void *doubled(void *array, dlp_index room, size_t size)
{
    return (size_t)room <= PTRDIFF_MAX / size / 2
               ? realloc(array, 2 * (size_t)room * size)
               : NULL;
}

static bool make_room_for_pair(dlp_text_builder *b)
{
    if (b->pairs < b->pairs_room) return true;
    const dlp_index room = b->pairs_room ? b->pairs_room : 1024;
    int32_t *term = doubled(b->term, room, sizeof *term);
    if (term) b->term = term;
    int32_t *count = doubled(b->count, room, sizeof *count);
    if (count) b->count = count;
    if (term && count) b->pairs_room = 2 * room;
    return term && count;
}

static bool make_room_for_term(dlp_text_builder *b)
{
    if (b->vocabulary.count <= b->terms_room) return true;
    const dlp_index room = b->terms_room ? b->terms_room : 1024;
    dlp_index *last = doubled(b->last, room, sizeof *last);
    if (!last) return false;
    for (dlp_index i = b->terms_room; i < 2 * room; i++) last[i] = -1;
    b->last = last;
    b->terms_room = 2 * room;
    return true;
}

static dlp_status begin_pair(dlp_text_builder *b, int32_t term, dlp_error *error)
{
    if (!make_room_for_pair(b)) return dlpi_no_memory(error, "a corpus");
    b->term[b->pairs] = term;
    b->count[b->pairs] = 1;
    b->last[term] = b->pairs++;
    return DLP_OK;
}

static dlp_status count_word(dlp_text_builder *b, int32_t term, dlp_error *error)
{
    const dlp_index pair = b->last[term];
    const bool in_this_document = pair >= b->row[b->documents];
    if (!in_this_document) return begin_pair(b, term, error);
    if (b->count[pair] == INT32_MAX)
        return dlp_fail(error, DLP_EINPUT,
                        "document %td has a word more than %d times; split the document",
                        b->documents + 1, (int)INT32_MAX);
    b->count[pair]++;
    return DLP_OK;
}

static dlp_status count_words(dlp_text_builder *b, const char *text, size_t size,
                              dlp_error *error)
{
    dlpi_words_open(&b->words, text, size);
    while (dlpi_words_next(&b->words)) {
        int32_t term = 0;
        DLP_TRY(dlpi_string_set_add(&b->vocabulary, b->words.word, b->words.size, &term,
                                    error));
        if (!make_room_for_term(b)) return dlpi_no_memory(error, "a vocabulary");
        DLP_TRY(count_word(b, term, error));
    }
    return DLP_OK;
}

/* ---- documents ---- */

/* A name is a line in a file of names, so that nothing in it may end a line. */
static dlp_status keep_name(dlp_text_builder *b, const char *name, dlp_error *error)
{
    char number[32];
    if (!name || name[strspn(name, " \t\r\n")] == '\0') {
        snprintf(number, sizeof number, "%td", b->documents + 1);
        name = number;
        b->unnamed++;
    }
    for (;; name++) {
        DLP_TRY(dlpi_bytes_grow(&b->names, error));
        const unsigned char byte = (unsigned char)*name;
        const bool control = byte != 0 && (byte < 0x20 || byte == 0x7f);
        b->names.data[b->names.size++] = control ? ' ' : *name;
        if (byte == 0) return DLP_OK;
    }
}

static bool make_room_for_document(dlp_text_builder *b)
{
    if (b->documents + 1 < b->documents_room) return true;
    const dlp_index room = b->documents_room ? b->documents_room : 64;
    dlp_index *row = doubled(b->row, room, sizeof *row);
    if (row) b->row = row;
    dlp_index *invalid = doubled(b->invalid, room, sizeof *invalid);
    if (invalid) b->invalid = invalid;
    if (row && invalid) b->documents_room = 2 * room;
    return row && invalid;
}

static dlp_status end_document(dlp_text_builder *b, size_t size, dlp_index invalid,
                               dlp_error *error)
{
    if (!make_room_for_document(b)) return dlpi_no_memory(error, "a corpus");
    b->invalid[b->documents] = invalid;
    b->row[++b->documents] = b->pairs;
    b->bytes += (dlp_index)size;
    return DLP_OK;
}

dlp_status dlp_text_builder_add(dlp_text_builder *b, const char *name, const char *text,
                                size_t size, dlp_error *error)
{
    if (!b || (!text && size > 0))
        return dlp_fail(error, DLP_EINVAL, "a document needs a builder and text");
    const dlp_index before = b->words.invalid_bytes;
    DLP_TRY(count_words(b, text ? text : "", size, error));
    DLP_TRY(keep_name(b, name, error));
    return end_document(b, size, b->words.invalid_bytes - before, error);
}

dlp_index dlp_text_builder_invalid(const dlp_text_builder *b, dlp_index d)
{
    return b && d >= 0 && d < b->documents ? b->invalid[d] : 0;
}
