/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that point at a place in a formula. */
#include "table/formula/formula.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 72, /* characters of the line shown */
    BEFORE = 50 /* of them before the caret, at most */
};

/* The line of the text that holds a place, and the place as a person counts it. */
struct place {
    const char *line, *end;
    dlp_index number, column; /* from 1; columns are characters, not bytes */
};

static const char *next_character(const char *at, const char *end)
{
    const size_t size = dlpi_utf8_size(at, end);
    return at + (size ? size : 1);
}

static struct place find_place(const char *text, size_t at)
{
    struct place place = {.line = text, .number = 1, .column = 1};
    for (const char *c = text; c < text + at; c++)
        if (*c == '\n') {
            place.line = c + 1;
            place.number++;
        }
    place.end = place.line + strcspn(place.line, "\n");
    for (const char *c = place.line; c < text + at; c = next_character(c, place.end))
        place.column++;
    return place;
}

/* Writes WIDTH characters of the line around the place; returns how many come before the
   caret. */
static int write_window(const struct place *place, char *out, size_t room)
{
    const char *c = place->line;
    int before = (int)(place->column - 1);
    size_t used = 0;
    if (place->column > BEFORE) {
        for (dlp_index i = 1; i <= place->column - BEFORE; i++)
            c = next_character(c, place->end);
        used = (size_t)snprintf(out, room, "...");
        before = BEFORE - 1 + (int)used;
    }
    for (int shown = 0; c < place->end; shown++) {
        const char *next = next_character(c, place->end);
        const bool plain = next - c > 1 || (*c >= 0x20 && *c < 0x7f);
        if (shown == WIDTH) {
            snprintf(out + used, room - used, "...");
            break;
        }
        used +=
            (size_t)snprintf(out + used, room - used, "%.*s", plain ? (int)(next - c) : 1,
                             plain ? c : (*c == '\t' ? " " : "?"));
        c = next;
    }
    return before;
}

dlp_status dlpi_formula_fail(const char *text, size_t at, dlp_error *error,
                             const char *format, ...)
{
    char message[512], window[4 * WIDTH + 8] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (at == DLPI_NOWHERE) return dlp_fail(error, DLP_EINPUT, "%s", message);
    const struct place place = find_place(text, at);
    const int before = write_window(&place, window, sizeof window);
    return dlp_fail(error, DLP_EFORMULA, "formula:%td:%td: %s\n  %s\n  %*s^",
                    place.number, place.column, message, window, before, "");
}
