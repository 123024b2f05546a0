/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Documents in, pairs of word and count out. Every word is counted here, stop words and
 * all: the rules look at each distinct word once, at the end, rather than at each word as
 * it is read.
 */
#include "corpus/text/text_builder.h"

#include "core/settings.h"
#include "core/text.h"
#include "corpus/text/text_markup.h"

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

static const char *const markups[] = {"auto", "none", "html", "xml", "mail"};
enum { MARKUPS = sizeof markups / sizeof markups[0] };

const char *dlp_text_markup_name(int i)
{
    return i >= 0 && i < MARKUPS ? markups[i] : NULL;
}

static const char *find_markup(const char *name)
{
    if (!name) return "none";
    for (int i = 0; i < MARKUPS; i++)
        if (strcmp(name, markups[i]) == 0) return markups[i];
    return NULL;
}

static bool is_auto(const char *stop_words)
{
    return stop_words && strcmp(stop_words, "auto") == 0;
}

static dlp_status check_names(const dlp_text_settings *s, dlp_error *error)
{
    if (s->stop_words && !is_auto(s->stop_words) && !dlp_text_stop_list(s->stop_words))
        return dlp_fail(error, DLP_EINVAL, "unknown list of stop words '%s'",
                        dlpi_show(s->stop_words).text);
    if (s->stem && !find_stemmer(s->stem))
        return dlp_fail(error, DLP_EINVAL, "there is no stemmer for '%s'",
                        dlpi_show(s->stem).text);
    if (s->language && !dlp_text_stop_list(s->language))
        return dlp_fail(error, DLP_EINVAL,
                        "there are no stop words for the language '%s'",
                        dlpi_show(s->language).text);
    if (!find_markup(s->markup))
        return dlp_fail(error, DLP_EINVAL,
                        "there is no markup '%s'; expected auto, none, html, xml or mail",
                        dlpi_show(s->markup).text);
    return DLP_OK;
}

static dlp_status check_settings(const dlp_text_settings *s, dlp_error *error)
{
    if (s->min_length < 1 || s->min_length > DLPI_WORD_LENGTH || s->min_documents < 1 ||
        s->max_terms < 0)
        return dlp_fail(
            error, DLP_EINVAL,
            "min_length must be 1 to %d, min_documents 1 or more, max_terms 0 or "
            "more",
            (int)DLPI_WORD_LENGTH);
    if (!(s->max_share > 0 && s->max_share <= 1))
        return dlp_fail(error, DLP_EINVAL,
                        "max_share is %g; expected more than 0, up to 1", s->max_share);
    if (!(s->phrase_strength >= -1 && s->phrase_strength <= 1))
        return dlp_fail(error, DLP_EINVAL, "phrase_strength is %g; expected -1 to 1",
                        s->phrase_strength);
    return check_names(s, error);
}

/* The name of a list as the library keeps it. */
static const char *own_list(const char *name)
{
    const char *own = NULL;
    for (int i = 0; name && (own = dlp_text_stop_list_name(i)); i++)
        if (strcmp(own, name) == 0) return own;
    return NULL;
}

static dlp_status start(dlp_text_builder *b, const dlp_text_settings *settings,
                        dlp_error *error)
{
    b->settings = *settings;
    b->settings.stem = find_stemmer(settings->stem);
    b->settings.stop_words = NULL; /* read below, and not asked for again */
    b->settings.language = own_list(settings->language);
    b->settings.markup = find_markup(settings->markup);
    b->stop_auto = is_auto(settings->stop_words);
    dlpi_words_start(&b->words, settings->keep_numbers != 0);
    b->row = dlpi_calloc(1, sizeof *b->row);
    if (!b->row) return dlpi_no_memory(error, "a corpus");
    if (!settings->stop_words || b->stop_auto) return DLP_OK;
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
    dlpi_string_set_clear(&b->given);
    dlpi_sequence_clear(&b->sequence);
    dlpi_term_matcher_clear(&b->matcher);
    dlpi_phrase_trie_clear(&b->trie);
    dlpi_words_end(&b->words);
    free(b->texts.data);
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

dlp_status dlpi_text_count(dlp_text_builder *b, const char *word, size_t size,
                           int32_t *code, dlp_error *error)
{
    DLP_TRY(dlpi_string_set_add(&b->vocabulary, word, size, code, error));
    if (!make_room_for_term(b)) return dlpi_no_memory(error, "a vocabulary");
    return count_word(b, *code, error);
}

/* Whether there are phrases to be joined. */
static bool wants_phrases(const dlp_text_builder *b)
{
    if (b->settings.phrases || b->given.count > 0) return true;
    for (int32_t v = 0; v < b->terms.count; v++) {
        size_t size = 0;
        const char *name = dlpi_string_set_name(&b->terms, v, &size);
        if (memchr(name, '_', size)) return true;
    }
    return false;
}

static dlp_status count_words(dlp_text_builder *b, const char *text, size_t size,
                              dlp_error *error)
{
    if (b->documents == 0) b->keeps_order = wants_phrases(b);
    dlpi_words_open(&b->words, text, size);
    while (dlpi_words_next(&b->words)) {
        int32_t term = 0;
        DLP_TRY(dlpi_text_count(b, b->words.word, b->words.size, &term, error));
        if (!b->keeps_order) continue;
        if (b->words.apart) DLP_TRY(dlpi_sequence_put(&b->sequence, DLPI_APART, error));
        DLP_TRY(dlpi_sequence_put(&b->sequence, term, error));
    }
    if (b->words.no_memory) return dlpi_no_memory(error, "finding words");
    return b->keeps_order ? dlpi_sequence_end(&b->sequence, error) : DLP_OK;
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

dlp_status dlpi_text_end_document(dlp_text_builder *b, size_t size, dlp_index invalid,
                                  dlp_error *error)
{
    if (!make_room_for_document(b)) return dlpi_no_memory(error, "a corpus");
    b->invalid[b->documents] = invalid;
    b->row[++b->documents] = b->pairs;
    b->bytes += (dlp_index)size;
    return DLP_OK;
}

/* Zero bytes become blanks: they would end texts. */
static dlp_status keep_text(dlp_text_builder *b, const char *text, size_t size,
                            dlp_error *error)
{
    for (size_t i = 0; i <= size; i++) {
        DLP_TRY(dlpi_bytes_grow(&b->texts, error));
        const char byte = i < size ? text[i] : '\0';
        b->texts.data[b->texts.size++] = byte || i == size ? byte : ' ';
    }
    return DLP_OK;
}

static dlp_status add_plain(dlp_text_builder *b, const char *name, const char *text,
                            size_t size, dlp_error *error)
{
    const dlp_index before = b->words.invalid_bytes;
    DLP_TRY(count_words(b, text, size, error));
    DLP_TRY(keep_name(b, name, error));
    if (b->settings.keep_text) DLP_TRY(keep_text(b, text, size, error));
    return dlpi_text_end_document(b, size, b->words.invalid_bytes - before, error);
}

/* What the document is to be read as. A text that is no mail is never read as one. */
static enum dlpi_markup markup_for(const dlp_text_builder *b, const char *text,
                                   size_t size)
{
    const char *asked = b->settings.markup;
    if (!strcmp(asked, "none") || size == 0) return DLPI_MARKUP_NONE;
    if (!strcmp(asked, "html")) return DLPI_MARKUP_HTML;
    if (!strcmp(asked, "xml")) return DLPI_MARKUP_XML;
    const enum dlpi_markup found = dlpi_markup_of(text, size);
    const bool only_mail = !strcmp(asked, "mail");
    return only_mail && found != DLPI_MARKUP_MAIL ? DLPI_MARKUP_NONE : found;
}

/* Puts the text of a document with markup; false where it must be read as it is. */
static bool put_plain(dlp_text_builder *b, enum dlpi_markup markup, const char *text,
                      size_t size, struct dlpi_output *out)
{
    bool whole = true;
    switch (markup) {
    case DLPI_MARKUP_HTML: whole = dlpi_put_html(text, size, out); break;
    case DLPI_MARKUP_XML: whole = dlpi_put_xml(text, size, out); break;
    case DLPI_MARKUP_MAIL: dlpi_put_mail(text, size, out); break;
    case DLPI_MARKUP_NONE: return false;
    }
    b->html += whole && markup == DLPI_MARKUP_HTML;
    b->xml += whole && markup == DLPI_MARKUP_XML;
    b->mail += markup == DLPI_MARKUP_MAIL;
    b->markup_kept += !whole;
    return whole;
}

dlp_status dlp_text_builder_add(dlp_text_builder *b, const char *name, const char *text,
                                size_t size, dlp_error *error)
{
    if (!b || (!text && size > 0))
        return dlp_fail(error, DLP_EINVAL, "a document needs a builder and text");
    if (!text) text = "";
    struct dlpi_output plain = {0};
    const enum dlpi_markup markup = markup_for(b, text, size);
    const bool stripped = put_plain(b, markup, text, size, &plain);
    dlp_status status = DLP_OK;
    if (plain.failed)
        status = dlpi_no_memory(error, "the text of a document");
    else if (stripped)
        status = add_plain(b, name, plain.bytes.data ? plain.bytes.data : "",
                           plain.bytes.size, error);
    else
        status = add_plain(b, name, text, size, error);
    free(plain.bytes.data);
    return status;
}

dlp_index dlp_text_builder_invalid(const dlp_text_builder *b, dlp_index d)
{
    return b && d >= 0 && d < b->documents ? b->invalid[d] : 0;
}
