/* SPDX-License-Identifier: BSD-3-Clause */
#include "data/scan.h"

#include <stdio.h>
#include <string.h>

struct dlpi_scan dlpi_scan_start(const char *name, const char *text, size_t size)
{
    struct dlpi_scan s = {.name = name, .at = text, .end = text + size, .line = 1};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) s.at += 3;
    return s;
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

/* The word at `word` in quotes, cut when long, with bytes that are not printable ASCII
   as \xNN: a message stays readable whatever the file holds. */
static void quote_word(const struct dlpi_scan *s, const char *word, char *out,
                       size_t size)
{
    struct dlpi_scan w = {.at = word, .end = s->end};
    size_t used = (size_t)snprintf(out, size, "'");
    while (!dlpi_at_word_end(&w)) {
        const unsigned char c = (unsigned char)*w.at++;
        if (used + sizeof "\\xff...'" > size) {
            used += (size_t)snprintf(out + used, size - used, "...");
            break;
        }
        const bool printable = c > 0x20 && c < 0x7f;
        used +=
            (size_t)snprintf(out + used, size - used, printable ? "%c" : "\\x%02x", c);
    }
    snprintf(out + used, size - used, "'");
}

dlp_status dlpi_scan_fail(const struct dlpi_scan *s, const char *word,
                          const char *expected, const char *advice, dlp_error *error)
{
    char found[64] = "the end of the line";
    const struct dlpi_scan at_word = {.at = word, .end = s->end};
    if (!dlpi_at_line_end(&at_word)) quote_word(s, word, found, sizeof found);
    return dlp_fail(error, DLP_EINPUT, "%s:%td: expected %s, found %s; %s", s->name,
                    s->line, expected, found, advice);
}
