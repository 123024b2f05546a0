/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of ASCII letters, nearly all of them in English, are read by a table. Where such
 * a run meets a letter beyond ASCII, the word is read again from its beginning, character
 * by character, and folded by utf8proc. A run with letters of a script that has no blanks
 * between words is split by ICU first, and its pieces are read one after the other.
 */
#include "corpus/text/text_words.h"

#include <utf8proc.h>

void dlpi_words_start(struct dlpi_words *w, bool keep_numbers)
{
    *w = (struct dlpi_words){.keep_numbers = keep_numbers};
    for (int i = 'a'; i <= 'z'; i++)
        w->letter[i] = w->letter[i - 'a' + 'A'] = (unsigned char)i;
    for (int i = '0'; keep_numbers && i <= '9'; i++) w->letter[i] = (unsigned char)i;
}

void dlpi_words_open(struct dlpi_words *w, const char *text, size_t size)
{
    w->at = (const unsigned char *)text;
    w->end = w->at + size;
    w->piece = w->run = w->run_end = w->start = NULL;
    w->apart = true;
}

void dlpi_words_end(struct dlpi_words *w)
{
    dlpi_segmenter_free(w->segmenter);
    w->segmenter = NULL;
}

/* ---- characters ---- */

enum kind {
    PARTS,     /* separates words */
    BEGINS,    /* may begin a word, and continue one */
    CONTINUES, /* may only continue one */
};

static enum kind kind_of(const struct dlpi_words *w, utf8proc_int32_t character)
{
    const utf8proc_property_t *property = utf8proc_get_property(character);
    if (property->ignorable) return CONTINUES;
    switch (property->category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return BEGINS;
    case UTF8PROC_CATEGORY_ND: return w->keep_numbers ? BEGINS : PARTS;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return CONTINUES;
    default: return PARTS;
    }
}

/* The kind of the character at p, which is not the end, and its bytes: 0 when there is
   no character. */
static enum kind look(const struct dlpi_words *w, const unsigned char *p, size_t *bytes)
{
    *bytes = 1;
    if (*p < 0x80) return w->letter[*p] ? BEGINS : PARTS;
    utf8proc_int32_t character = 0;
    const utf8proc_ssize_t step = utf8proc_iterate(p, w->end - p, &character);
    *bytes = step > 0 ? (size_t)step : 0;
    return step > 0 ? kind_of(w, character) : PARTS;
}

static bool is_in_word(const struct dlpi_words *w, const unsigned char *p)
{
    size_t bytes = 0;
    return p < w->end && look(w, p, &bytes) != PARTS;
}

/* ---- words ---- */

/* Returns false, for a run that is not a word. */
static bool is_too_long(struct dlpi_words *w)
{
    w->runs_too_long++;
    w->apart = true;
    return false;
}

/* The bytes of an apostrophe, straight or curly, at p; 0 for none. */
static size_t apostrophe(const struct dlpi_words *w, const unsigned char *p)
{
    if (p < w->end && *p == '\'') return 1;
    return w->end - p >= 3 && p[0] == 0xe2 && p[1] == 0x80 && p[2] == 0x99 ? 3 : 0;
}

/* After a word that ends with n: takes 't along, when that ends the word. */
static void join_negation(struct dlpi_words *w)
{
    const size_t bytes = apostrophe(w, w->at);
    if (bytes == 0 || w->word[w->size - 1] != 'n') return;
    const unsigned char *p = w->at + bytes;
    if (p == w->end || (*p | 0x20) != 't' || is_in_word(w, p + 1)) return;
    w->word[w->size++] = '\'';
    w->word[w->size++] = 't';
    w->at = p + 1;
}

/* Folds and composes the bytes of a run into the word; false when it gets too long. */
static bool fold(struct dlpi_words *w, const unsigned char *run, const unsigned char *end)
{
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    utf8proc_int32_t character[8 * DLPI_WORD_LENGTH];
    const utf8proc_ssize_t room = sizeof character / sizeof character[0];
    utf8proc_ssize_t n = utf8proc_decompose(run, end - run, character, room, options);
    if (n < 0 || n > room) return false;
    n = utf8proc_normalize_utf32(character, n, options);
    if (n < 1 || n > DLPI_WORD_LENGTH) return false;
    w->size = 0;
    for (utf8proc_ssize_t i = 0; i < n; i++)
        w->size += (size_t)utf8proc_encode_char(character[i],
                                                (utf8proc_uint8_t *)w->word + w->size);
    return true;
}

/* ---- scripts without blanks ---- */

enum { MOST_PARTED = 1 << 16 }; /* bytes that ICU looks at, at a time */

static bool is_unspaced_at(const unsigned char *p, size_t bytes)
{
    utf8proc_int32_t character = 0;
    return bytes >= 3 && utf8proc_iterate(p, (utf8proc_ssize_t)bytes, &character) > 0 &&
           dlpi_is_unspaced(character);
}

/* Begins to split the run; false: it must be a word as it is. */
static bool open_run(struct dlpi_words *w, const unsigned char *run,
                     const unsigned char *end)
{
    if (!w->segmenter && !w->no_segmenter)
        w->segmenter = dlpi_segmenter_alloc(&w->no_memory);
    w->no_segmenter = !w->segmenter;
    if (!w->segmenter ||
        !dlpi_segmenter_open(w->segmenter, run, (size_t)(end - run), &w->no_memory)) {
        w->unsegmented++;
        return false;
    }
    w->segmented++;
    w->run = w->piece = run;
    w->run_end = end;
    return true;
}

/* The next piece of the run that is being split; false: it is not a word, or there is
   none. */
static bool read_piece(struct dlpi_words *w)
{
    const size_t end = dlpi_segmenter_next(w->segmenter);
    const unsigned char *const piece = w->piece;
    size_t bytes = 0;
    if (end == 0 || w->run + end <= piece) {
        w->at = w->run_end;
        w->piece = w->run = w->run_end = NULL;
        return false;
    }
    w->start = piece;
    w->piece = w->at = w->run + end;
    if (look(w, piece, &bytes) != BEGINS) return false; /* a mark by itself */
    if (fold(w, piece, w->at)) return true;
    return is_too_long(w);
}

/* ---- runs ---- */

/* Reads a run of any letters from its beginning; false: it is not a word, or begins to be
   split. */
static bool read_run(struct dlpi_words *w)
{
    const unsigned char *const run = w->at;
    bool unspaced = false;
    dlp_index length = 0;
    for (size_t bytes = 0; w->at < w->end && look(w, w->at, &bytes) != PARTS; length++) {
        if (unspaced && w->at - run > MOST_PARTED) break;
        unspaced |= !w->whole_runs && is_unspaced_at(w->at, bytes);
        w->at += bytes;
    }
    if (unspaced && open_run(w, run, w->at)) return false;
    if (length <= DLPI_WORD_LENGTH && fold(w, run, w->at)) return true;
    return is_too_long(w);
}

/* Reads a run that begins with an ASCII letter; false when it is no word. */
static bool read_ascii_run(struct dlpi_words *w)
{
    const unsigned char *p = w->at;
    size_t length = 0;
    for (unsigned char c; p < w->end && (c = w->letter[*p]); p++, length++)
        if (length < DLPI_WORD_LENGTH) w->word[length] = (char)c;
    if (p < w->end && *p >= 0x80 && is_in_word(w, p)) return read_run(w);
    w->at = p;
    w->size = length;
    if (length <= DLPI_WORD_LENGTH) return true;
    return is_too_long(w);
}

/* Whether the words on both sides are neighbours: a blank, one line end or a hyphen is
   between them. */
static bool joins(const struct dlpi_words *w)
{
    const unsigned char c = *w->at;
    return c == ' ' || c == '\t' || c == '\r' || c == '-' ||
           (c == '\n' && w->at + 1 < w->end && w->at[1] != '\n' && w->at[1] != '\r');
}

/* Reads the beginning of what is left; true: that is a word. */
static bool read_next(struct dlpi_words *w)
{
    size_t bytes = 0;
    if (w->run) return read_piece(w);
    w->start = w->at;
    if (w->letter[*w->at]) return read_ascii_run(w);
    if (*w->at >= 0x80 && look(w, w->at, &bytes) == BEGINS) return read_run(w);
    if (*w->at >= 0x80 && bytes == 0) w->invalid_bytes++;
    if (*w->at >= 0x80 || !joins(w)) w->apart = true;
    w->at += bytes ? bytes : 1;
    return false;
}

bool dlpi_words_next(struct dlpi_words *w)
{
    if (w->start) w->apart = false;
    while (w->at < w->end || w->run) {
        if (!read_next(w)) continue;
        if (!w->run) join_negation(w);
        return true;
    }
    return false;
}

dlp_index dlpi_word_length(const char *word, size_t size)
{
    dlp_index length = 0;
    utf8proc_int32_t character = 0;
    for (size_t i = 0, bytes = 1; i < size; i += bytes, length++) {
        bytes = 1;
        if ((unsigned char)word[i] < 0x80) continue;
        const utf8proc_ssize_t step = utf8proc_iterate(
            (const utf8proc_uint8_t *)word + i, (utf8proc_ssize_t)(size - i), &character);
        if (step > 0) bytes = (size_t)step;
        length += step > 0 && dlpi_is_syllabic(character);
    }
    return length;
}
