/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading words and numbers out of text in memory, line by line. A line ends with LF, CR
 * LF or the end of the text; blanks are spaces and tabs; a byte order mark at the
 * beginning is skipped. The short functions run once per number or byte and are inline
 * for speed.
 */
#ifndef DLPI_IO_SCAN_H
#define DLPI_IO_SCAN_H

#include "core/progress.h"

#include <stdint.h>

struct dlpi_scan {
    const char *name; /* of the file, for messages */
    const char *at;   /* the next byte */
    const char *end;
    dlp_index line;                 /* counted from 1 */
    bool mapped;                    /* the text is that of a mapping: see io/mapping.h */
    struct dlpi_progress *progress; /* its step is the text; NULL: not reported */
};

struct dlpi_scan dlpi_scan_start(const char *name, const char *text, size_t size);

/* Begins to read what is left of the text, which makes up this share of the work that is
   left. */
void dlpi_scan_step(struct dlpi_scan *s, double share);

/* How many lines end (with LF) between the two. */
dlp_index dlpi_count_lines(const char *from, const char *to);
/* From anywhere in a line to the beginning of the next. */
void dlpi_skip_line(struct dlpi_scan *s);

/* "NAME:LINE: expected EXPECTED, found 'WORD'; ADVICE", with the word at `word`. */
dlp_status dlpi_scan_fail(const struct dlpi_scan *s, const char *word,
                          const char *expected, const char *advice, dlp_error *error);

/* The text in quotes, cut when it does not fit, with bytes that are not printable ASCII
   as \xNN: a message stays readable whatever a file holds. size is at least 16. */
void dlpi_quote(const char *text, size_t length, char *out, size_t size);

/* True when only blanks and line ends are left. */
bool dlpi_scan_is_over(const struct dlpi_scan *s);

static inline bool dlpi_at_line_end(const struct dlpi_scan *s)
{
    const char *p = s->at;
    if (p < s->end && *p == '\r') p++;
    return p == s->end || *p == '\n';
}

static inline bool dlpi_at_blank(const struct dlpi_scan *s)
{
    return s->at < s->end && (*s->at == ' ' || *s->at == '\t');
}

static inline bool dlpi_at_word_end(const struct dlpi_scan *s)
{
    return dlpi_at_blank(s) || dlpi_at_line_end(s);
}

static inline void dlpi_skip_blanks(struct dlpi_scan *s)
{
    while (dlpi_at_blank(s)) s->at++;
}

/* Reports how far the text is read. Fails when the caller cancels. */
static inline dlp_status dlpi_scan_tell(const struct dlpi_scan *s, dlp_error *error)
{
    struct dlpi_progress *const p = s->progress;
    return p ? dlpi_progress_tell(p, p->size - (size_t)(s->end - s->at), error) : DLP_OK;
}

/* From the end of a line to the beginning of the next. */
static inline void dlpi_next_line(struct dlpi_scan *s)
{
    if (s->at < s->end && *s->at == '\r') s->at++;
    if (s->at < s->end) s->at++;
    s->line++;
}

/* Reads digits up to the first byte that is not one. A number too large for an int64_t
   becomes the largest, for the caller's check of the range. False without a digit. */
static inline bool dlpi_scan_whole(struct dlpi_scan *s, int64_t *value)
{
    const char *const first = s->at;
    int64_t sum = 0;
    while (s->at < s->end && (unsigned char)(*s->at - '0') < 10) {
        sum = sum <= INT64_MAX / 10 - 1 ? 10 * sum + (*s->at - '0') : INT64_MAX;
        s->at++;
    }
    *value = sum;
    return s->at > first;
}

#endif
