/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/scan.h"

#include <stdio.h>
#include <string.h>

struct dlpi_scan dlpi_scan_start(const char *name, const char *text, size_t size)
{
    struct dlpi_scan s = {.name = name, .at = text, .end = text + size, .line = 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) s.at += 3;
    return s;
}

void dlpi_scan_step(struct dlpi_scan *s, double share)
{
    dlpi_progress_step(s->progress, share, (size_t)(s->end - s->at));
}

dlp_index dlpi_count_lines(const char *from, const char *to)
{
    dlp_index lines = 0;
    while ((from = memchr(from, '\n', (size_t)(to - from)))) {
        from++;
        lines++;
    }
    return lines;
}

void dlpi_skip_line(struct dlpi_scan *s)
{
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    s->at = newline ? newline + 1 : s->end;
    s->line++;
}

bool dlpi_scan_is_over(const struct dlpi_scan *s)
{
    struct dlpi_scan rest = *s;
    while (rest.at < rest.end) {
        dlpi_skip_blanks(&rest);
        if (!dlpi_at_line_end(&rest)) return false;
        dlpi_next_line(&rest);
    }
    return true;
}

void dlpi_quote(const char *text, size_t length, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "'");
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (used + sizeof "\\xff...'" > size) {
            used += (size_t)snprintf(out + used, size - used, "...");
            break;
        }
        const bool printable = c >= 0x20 && c < 0x7f;
        used +=
            (size_t)snprintf(out + used, size - used, printable ? "%c" : "\\x%02x", c);
    }
    snprintf(out + used, size - used, "'");
}

static size_t word_length(const struct dlpi_scan *s, const char *word)
{
    struct dlpi_scan w = {.at = word, .end = s->end};
    while (!dlpi_at_word_end(&w)) w.at++;
    return (size_t)(w.at - word);
}

dlp_status dlpi_scan_fail(const struct dlpi_scan *s, const char *word,
                          const char *expected, const char *advice, dlp_error *error)
{
    char found[64] = "the end of the line";
    const struct dlpi_scan at_word = {.at = word, .end = s->end};
    if (!dlpi_at_line_end(&at_word))
        dlpi_quote(word, word_length(s, word), found, sizeof found);
    return dlp_fail(error, DLP_EINPUT, "%s:%td: expected %s, found %s; %s", s->name,
                    s->line, expected, found, advice);
}
