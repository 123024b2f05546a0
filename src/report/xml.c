/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/xml.h"

#include <string.h>
#include <utf8proc.h>

static const char *escape_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

/* Characters that XML 1.0 allows; utf8proc has already rejected surrogates. */
static int is_allowed(utf8proc_int32_t code)
{
    if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
    return code != 0xFFFE && code != 0xFFFF;
}

void dlpi_xml_text(FILE *out, const char *text)
{
    dlpi_xml_bytes(out, text, strlen(text));
}

void dlpi_xml_bytes(FILE *out, const char *text, size_t size)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    size_t left = size;
    while (left > 0) {
        utf8proc_int32_t code;
        const utf8proc_ssize_t length =
            utf8proc_iterate(at, (utf8proc_ssize_t)left, &code);
        const size_t used = length > 0 ? (size_t)length : 1;
        const char *escape = used == 1 ? escape_of((char)*at) : NULL;
        if (escape)
            fputs(escape, out);
        else if (length > 0 && is_allowed(code))
            fwrite(at, 1, used, out);
        else
            fputc('?', out);
        at += used;
        left -= used;
    }
}
