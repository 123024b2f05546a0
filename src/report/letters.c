/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/letters.h"

#include <string.h>
#include <utf8proc.h>

/* Thousandths of the size, from the space to the tilde. */
static const short ascii[] = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
/* Other characters: an average width, or as wide as high. */
enum { OTHER = 600, WIDE = 1000, ELLIPSIS = 1000 };

/* The width of the character at `at`, and its size in bytes: 1 if it is not UTF-8. */
static int width_at(const char *at, size_t left, size_t *used)
{
    utf8proc_int32_t code;
    const utf8proc_ssize_t size =
        utf8proc_iterate((const utf8proc_uint8_t *)at, (utf8proc_ssize_t)left, &code);
    *used = size > 0 ? (size_t)size : 1;
    if (size <= 0) return ascii['?' - ' '];
    if (code >= ' ' && code <= '~') return ascii[code - ' '];
    const int columns = utf8proc_charwidth(code);
    return columns == 0 ? 0 : columns == 1 ? OTHER : WIDE;
}

double dlpi_letters_width_of(const char *text, size_t bytes, double size)
{
    size_t used;
    double sum = 0;
    for (; bytes > 0; text += used, bytes -= used) sum += width_at(text, bytes, &used);
    return sum * size / 1000;
}

double dlpi_letters_width(const char *text, double size)
{
    return dlpi_letters_width_of(text, strlen(text), size);
}

size_t dlpi_letters_fit(const char *text, double size, double room)
{
    const size_t length = strlen(text);
    if (dlpi_letters_width(text, size) <= room) return length;
    const double most = room * 1000 / size - ELLIPSIS;
    double sum = 0;
    size_t at = 0, used;
    for (; at < length; at += used) {
        sum += width_at(text + at, length - at, &used);
        if (sum > most) return at;
    }
    return length;
}
