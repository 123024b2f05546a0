/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text.h"

#include <stdio.h>
#include <string.h>

bool dlpi_text_add(struct dlpi_text *text, const char *more, size_t size)
{
    if (size >= text->room - text->size) {
        const size_t room = 2 * text->room + size + 32;
        char *data = dlpi_pool_take(text->pool, (dlp_index)room, 1);
        if (!data) return false;
        if (text->size > 0) memcpy(data, text->data, text->size);
        text->data = data;
        text->room = room;
    }
    if (size > 0) memcpy(text->data + text->size, more, size);
    text->size += size;
    text->data[text->size] = '\0';
    return true;
}

bool dlpi_text_add_string(struct dlpi_text *text, const char *more)
{
    return dlpi_text_add(text, more, strlen(more));
}

/* Overlong forms, surrogates and what lies beyond U+10FFFF are not characters. */
static bool is_allowed_pair(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second < 0xa0;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second < 0x90;
    default: return true;
    }
}

size_t dlpi_utf8_size(const char *at, const char *end)
{
    if (at >= end) return 0;
    const unsigned char first = (unsigned char)*at;
    const size_t size = first < 0x80                    ? 1
                        : first >= 0xc2 && first < 0xe0 ? 2
                        : first >= 0xe0 && first < 0xf0 ? 3
                        : first >= 0xf0 && first < 0xf5 ? 4
                                                        : 0;
    if (size > (size_t)(end - at)) return 0;
    for (size_t i = 1; i < size; i++)
        if (((unsigned char)at[i] & 0xc0) != 0x80) return 0;
    if (size > 1 && !is_allowed_pair(first, (unsigned char)at[1])) return 0;
    return size;
}

bool dlpi_is_utf8(const char *text)
{
    const char *const end = text + strlen(text);
    for (size_t size; text < end; text += size)
        if ((size = dlpi_utf8_size(text, end)) == 0) return false;
    return true;
}

struct dlpi_shown dlpi_show_bytes(const char *name, size_t size)
{
    struct dlpi_shown shown = {""};
    const char *end = name + size;
    size_t used = 0;
    while (name < end) {
        const size_t step = dlpi_utf8_size(name, end);
        if (used + 4 + sizeof "..." > sizeof shown.text) {
            memcpy(shown.text + used, "...", sizeof "...");
            break;
        }
        const bool printable = step > 1 || (step == 1 && *name >= 0x20 && *name != 0x7f);
        memcpy(shown.text + used, printable ? name : "?", printable ? step : 1);
        used += printable ? step : 1;
        name += step ? step : 1;
    }
    return shown;
}

struct dlpi_shown dlpi_show(const char *name)
{
    return dlpi_show_bytes(name, strlen(name));
}

void dlpi_shown_list_add(struct dlpi_shown_list *list, struct dlpi_shown name)
{
    static const char more[] = ", ...";
    const char *comma = list->used > 0 ? ", " : "";
    const size_t size = strlen(comma) + strlen(name.text);
    if (list->used >= sizeof list->text - 1) return; /* it was full before */
    const bool fits = list->used + size + sizeof more <= sizeof list->text;
    snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s",
             fits ? comma : more, fits ? name.text : "");
    list->used = fits ? list->used + size : sizeof list->text - 1;
}
