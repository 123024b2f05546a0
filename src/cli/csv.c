/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/csv.h"

#include "io/csv_text.h"

static void put(void *out, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, out);
}

void cli_csv_text(FILE *out, const char *before, const char *text)
{
    const bool quoted = dlpi_csv_needs_quotes(before) || dlpi_csv_needs_quotes(text);
    if (quoted) fputc('"', out);
    dlpi_csv_put_text(before, put, out);
    dlpi_csv_put_text(text, put, out);
    if (quoted) fputc('"', out);
}
