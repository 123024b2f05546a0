/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/csv.h"

#include <stdbool.h>
#include <string.h>

static void put(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
}

void cli_csv_text(FILE *out, const char *before, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") || strpbrk(before, ",\"\r\n");
    if (quoted) fputc('"', out);
    put(out, before);
    put(out, text);
    if (quoted) fputc('"', out);
}
