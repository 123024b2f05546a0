/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzzers of the table readers share. */
#ifndef DLP_FUZZ_TABLE_H
#define DLP_FUZZ_TABLE_H

#include "fuzz.h"
#include "sound_table.h"

/* A parser either makes a sound table, or says what is wrong and makes none. */
static inline dlp_table *fuzz_table(const dlp_table_options *options, const char *text,
                                    size_t size)
{
    dlp_table *table = NULL;
    dlp_error error = {0};
    if (dlp_table_parse("fuzz", text, size, options, &table, &error) == DLP_OK)
        fuzz_expect(table_is_sound(table));
    else
        fuzz_expect(!table && error.message[0] != '\0');
    return table;
}

#endif
