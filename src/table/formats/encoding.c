/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/formats/encoding.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names)) return true;
    return false;
}

/* Bytes from 0x80 to 0x9f are control characters in Latin-1, which no table has, and
   quotes, dashes and the euro in Windows-1252: a file said to be the former is often the
   latter. */
static unsigned character(unsigned char byte)
{
    static const unsigned windows[32] = {
        0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
        0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,   0x017d, 0x8f,
        0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178};
    return byte >= 0x80 && byte < 0xa0 ? windows[byte - 0x80] : byte;
}

static char *put(char *at, unsigned c)
{
    if (c < 0x80) {
        *at++ = (char)c;
    } else if (c < 0x800) {
        *at++ = (char)(0xc0 | c >> 6);
        *at++ = (char)(0x80 | (c & 0x3f));
    } else {
        *at++ = (char)(0xe0 | c >> 12);
        *at++ = (char)(0x80 | (c >> 6 & 0x3f));
        *at++ = (char)(0x80 | (c & 0x3f));
    }
    return at;
}

dlp_status dlpi_encoding_to_utf8(const char *encoding, struct dlpi_scan *s, char **made,
                                 dlp_error *error)
{
    static const char *const utf8[] = {"utf-8", "utf8", "UTF-8", NULL},
                             *const latin1[] = {"latin1",       "latin-1",
                                                "iso-8859-1",   "ISO-8859-1",
                                                "windows-1252", NULL};
    *made = NULL;
    if (!encoding || is_one_of(encoding, utf8)) return DLP_OK;
    if (!is_one_of(encoding, latin1))
        return dlp_fail(error, DLP_EINVAL,
                        "unknown encoding '%.40s'; it is utf-8 or latin1", encoding);
    const size_t size = (size_t)(s->end - s->at);
    size_t more = 0;
    for (size_t i = 0; i < size; i++) more += (unsigned char)s->at[i] >= 0x80 ? 2 : 0;
    char *text = malloc(size + more + 1), *to = text;
    if (!text) return dlpi_no_memory(error, "the text");
    for (size_t i = 0; i < size; i++) to = put(to, character((unsigned char)s->at[i]));
    *made = text;
    s->at = text;
    s->end = to;
    s->mapped = false;
    return DLP_OK;
}
