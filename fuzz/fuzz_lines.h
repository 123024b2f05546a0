/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For formats of a header and lines: changes inputs so that most of them pass the door. Bytes
 * are changed as libFuzzer does, or lines are added, removed, repeated and moved; then
 * lines that the parser refuses are dropped and the header is written anew. One input in eight
 * stays as it is, so that refusals are tested, too.
 *
 * A fuzzer defines fuzz_lines_of, and includes this file in the one place where it does.
 */
#ifndef DLP_FUZZ_LINES_H
#define DLP_FUZZ_LINES_H

#include "fuzz_chance.h"
#include "fuzz_tried.h"

typedef struct fuzz_lines {
    /* How many bytes of an input are its header. */
    size_t (*head_size)(const char *text, size_t size);
    /* Writes a header for n lines like the one that there was, which may be empty or
       nonsense. */
    void (*head)(fuzz_text *t, fuzz_span was, int n);
    /* Writes a line of the format, below this header. */
    void (*line)(fuzz_text *t, fuzz_span head);
    /* Whether the parser takes it, and it is not large. */
    bool (*passes)(const char *text, size_t size);
} fuzz_lines;

static const fuzz_lines fuzz_lines_of;

enum { FUZZ_MOST = 1 << 16, FUZZ_LINES = 256 };

/* An input in its parts. */
typedef struct fuzz_parts {
    fuzz_span head, line[FUZZ_LINES];
    int n;
} fuzz_parts;

static inline void fuzz_part(const char *text, size_t size, fuzz_parts *p)
{
    const char *const end = text + size, *at = text;
    p->head = (fuzz_span){text, fuzz_lines_of.head_size(text, size)};
    at += p->head.size;
    for (p->n = 0; at < end && p->n < FUZZ_LINES; p->n++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop + 1 : end;
        p->line[p->n] = (fuzz_span){at, (size_t)(stop - at)};
        at = stop;
    }
}

static inline bool fuzz_try(const char *text, size_t size)
{
    fuzz_tried(text, size);
    const bool passed = fuzz_lines_of.passes(text, size);
    fuzz_tried(NULL, 0);
    return passed;
}

static inline void fuzz_put_line(fuzz_text *t, fuzz_span line)
{
    fuzz_put_bytes(t, line.at, line.size);
    if (line.size > 0 && line.at[line.size - 1] != '\n') fuzz_put(t, "\n");
}

/* The same input with one change among its lines. */
static inline void fuzz_change_lines(fuzz_text *t, const fuzz_parts *p)
{
    const int from = fuzz_chance(t, p->n + 1), to = fuzz_chance(t, p->n + 1),
              change = fuzz_chance(t, 8);
    fuzz_put_bytes(t, p->head.at, p->head.size);
    for (int i = 0; i <= p->n; i++) {
        if (i == to && change < 5) fuzz_lines_of.line(t, p->head);
        if (i == to && change == 5 && from < p->n) fuzz_put_line(t, p->line[from]);
        if (i < p->n && !(i == from && change > 5)) fuzz_put_line(t, p->line[i]);
        if (i == to && change == 7 && from < p->n) fuzz_put_line(t, p->line[from]);
    }
}

/* The lines that pass by themselves, below a header for so many. */
static inline void fuzz_mend(fuzz_text *t, const fuzz_parts *p)
{
    static char head[FUZZ_MOST], alone[2 * FUZZ_MOST];
    fuzz_text one = {.at = head, .most = sizeof head, .state = t->state};
    fuzz_span kept[FUZZ_LINES];
    int n = 0;
    fuzz_lines_of.head(&one, p->head, 1);
    const fuzz_span start = {head, one.size};
    memcpy(alone, head, start.size);
    for (int i = 0; i < p->n; i++) {
        if (start.size + p->line[i].size > sizeof alone) continue;
        memcpy(alone + start.size, p->line[i].at, p->line[i].size);
        if (fuzz_try(alone, start.size + p->line[i].size)) kept[n++] = p->line[i];
    }
    fuzz_lines_of.head(t, start, n ? n : 1);
    for (int i = 0; i < n; i++) fuzz_put_line(t, kept[i]);
    if (n == 0) fuzz_lines_of.line(t, start);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static char changed[FUZZ_MOST], mended[FUZZ_MOST];
    static fuzz_parts parts;
    if (most > FUZZ_MOST) most = FUZZ_MOST;
    if (size > most) size = most;
    fuzz_text t = {.at = changed, .most = most, .state = seed};
    if (fuzz_chance(&t, 4) == 0) {
        t.size = LLVMFuzzerMutate(data, size, most);
        memcpy(changed, data, t.size);
    } else {
        fuzz_part((const char *)data, size, &parts);
        fuzz_change_lines(&t, &parts);
    }
    if (fuzz_chance(&t, 8) > 0 && !fuzz_try(changed, t.size)) {
        fuzz_part(changed, t.size, &parts);
        t = (fuzz_text){.at = mended, .most = most, .state = t.state};
        fuzz_mend(&t, &parts);
    }
    memcpy(data, t.at, t.size);
    return t.size;
}

/* ---- for formats whose header names columns ---- */

static inline bool fuzz_has(fuzz_span in, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= in.size; i++)
        if (memcmp(in.at + i, word, length) == 0) return true;
    return false;
}

static inline char fuzz_separator(fuzz_span head)
{
    return fuzz_has(head, "\t") ? '\t' : fuzz_has(head, ";") ? ';' : ',';
}

/* A row with a field for each name in the header's last line. */
static inline void fuzz_put_row(fuzz_text *t, fuzz_span head,
                                void (*put_field)(fuzz_text *t, fuzz_span name))
{
    const char separator = fuzz_separator(head), *const end = head.at + head.size,
               *at = end;
    while (at > head.at && (at == end || at[-1] != '\n')) at--;
    for (const char *stop; at < end; at = stop + 1) {
        stop = memchr(at, separator, (size_t)(end - at));
        if (!stop) stop = end;
        put_field(t, (fuzz_span){at, (size_t)(stop - at)});
        if (stop < end) fuzz_put(t, "%c", separator);
    }
    fuzz_put(t, "\n");
}

/* ---- for formats without a header ---- */

static inline size_t fuzz_no_head_size(const char *text, size_t size)
{
    (void)text;
    (void)size;
    return 0;
}

static inline void fuzz_no_head(fuzz_text *t, fuzz_span was, int n)
{
    (void)t;
    (void)was;
    (void)n;
}

#endif
