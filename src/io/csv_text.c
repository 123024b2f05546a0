/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/csv_text.h"

#include <string.h>

bool dlpi_csv_needs_quotes(const char *text)
{
    return strpbrk(text, ",\"\r\n") != NULL;
}

void dlpi_csv_put_text(const char *text, dlpi_csv_put *put, void *sink)
{
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        put(sink, text, (size_t)(quote - text) + 1);
        put(sink, quote, 1);
    }
    put(sink, text, strlen(text));
}
