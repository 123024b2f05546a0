/* SPDX-License-Identifier: BSD-3-Clause */
/* The words and lines of an ARFF file. */
#include "table/formats/arff.h"

#include <string.h>

static char unescape(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* From a quote, ' or ", to the same on the same line. A backslash keeps the next
   character from meaning something; \n, \t and \r are what they are in C. */
static dlp_status quoted_word(struct dlpi_arff *a, struct dlpi_arff_word *w,
                              dlp_error *error)
{
    const char *const opened = a->s.at;
    const char quote = *a->s.at++;
    a->plain.size = 0;
    for (; !dlpi_at_line_end(&a->s); a->s.at++) {
        char c = *a->s.at;
        DLP_TRY(dlpi_bytes_grow(&a->plain, error));
        if (c == quote) {
            a->s.at++;
            *w = (struct dlpi_arff_word){a->plain.data, a->plain.size, true};
            return DLP_OK;
        }
        if (c == '\\') {
            a->s.at++;
            if (dlpi_at_line_end(&a->s)) break;
            c = unescape(*a->s.at);
        }
        a->plain.data[a->plain.size++] = c;
    }
    return dlpi_scan_fail(&a->s, opened, "a closing quote",
                          "put a backslash before a quote that belongs to a word", error);
}

bool dlpi_arff_at(const struct dlpi_scan *s, const char *characters)
{
    return s->at < s->end && *s->at && strchr(characters, *s->at);
}

/* Up to one of the characters that end it, or the line's end; blanks before that are not
   part of it. */
static struct dlpi_arff_word bare_word(struct dlpi_arff *a, const char *ends)
{
    const char *const first = a->s.at;
    while (!dlpi_at_line_end(&a->s) && !dlpi_arff_at(&a->s, ends)) a->s.at++;
    const char *last = a->s.at;
    while (last > first && (last[-1] == ' ' || last[-1] == '\t')) last--;
    return (struct dlpi_arff_word){first, (size_t)(last - first), false};
}

dlp_status dlpi_arff_next_word(struct dlpi_arff *a, const char *ends,
                               struct dlpi_arff_word *w, dlp_error *error)
{
    dlpi_skip_blanks(&a->s);
    const char *const first = a->s.at;
    if (dlpi_arff_at(&a->s, "'\""))
        DLP_TRY(quoted_word(a, w, error));
    else
        *w = bare_word(a, ends);
    if (memchr(first, '\0', (size_t)(a->s.at - first)))
        return dlp_fail(
            error, DLP_EINPUT,
            "%s:%td: a word contains a zero byte; if this is UTF-16, save it as UTF-8",
            a->s.name, a->s.line);
    return DLP_OK;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Whether the text begins with the word, in any case. */
static bool begins_with(const struct dlpi_scan *s, const char *word)
{
    const char *p = s->at;
    for (; *word; word++, p++)
        if (p == s->end || lower(*p) != *word) return false;
    return true;
}

bool dlpi_arff_take_keyword(struct dlpi_scan *s, const char *keyword)
{
    struct dlpi_scan after = *s;
    if (!begins_with(s, keyword)) return false;
    after.at += strlen(keyword);
    if (!dlpi_at_word_end(&after)) return false;
    *s = after;
    return true;
}

bool dlpi_arff_find_line(struct dlpi_scan *s)
{
    for (; s->at < s->end; dlpi_skip_line(s)) {
        dlpi_skip_blanks(s);
        if (!dlpi_at_line_end(s) && *s->at != '%') return true;
    }
    return false;
}
