/* SPDX-License-Identifier: BSD-3-Clause */
/* A table that was read is written again with every field in quotes; what is then read
   is the same table. */
#include "fuzz_sound.h"
#include "fuzz_table.h"

#include <stdio.h>

static void write_quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"') putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

static void write_value(FILE *out, const dlp_column *c, dlp_index i)
{
    char number[32] = "";
    if (c->number && !isnan(c->number[i]))
        snprintf(number, sizeof number, "%.17g", c->number[i]);
    write_quoted(out, c->number || c->code[i] < 0 ? number : c->level[c->code[i]]);
}

/* The text of the table, to be freed. */
static char *write_table(const dlp_table *t, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) abort();
    for (dlp_index j = 0; j < t->columns; j++) {
        write_quoted(out, t->column[j].name);
        putc(j + 1 < t->columns ? ',' : '\n', out);
    }
    for (dlp_index i = 0; i < t->rows; i++)
        for (dlp_index j = 0; j < t->columns; j++) {
            write_value(out, &t->column[j], i);
            putc(j + 1 < t->columns ? ',' : '\n', out);
        }
    fclose(out);
    return text;
}

static bool same_columns(const dlp_column *a, const dlp_column *b, dlp_index rows)
{
    if (strcmp(a->name, b->name) != 0 || a->kind != b->kind || a->n_levels != b->n_levels)
        return false;
    for (dlp_index k = 0; k < a->n_levels; k++)
        if (strcmp(a->level[k], b->level[k]) != 0) return false;
    for (dlp_index i = 0; i < rows; i++) {
        if (a->code && a->code[i] != b->code[i]) return false;
        if (a->number && a->number[i] != b->number[i] && !isnan(a->number[i]))
            return false;
    }
    return a->missing == b->missing;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dlp_table_options options = dlp_table_options_default();
    options.format = "csv";
    dlp_table *t = fuzz_table(&options, (const char *)data, size);
    if (!fuzz_passes(t != NULL)) return 0;
    options.separator = ',';
    size_t size_again = 0;
    char *text = write_table(t, &size_again);
    dlp_table *again = fuzz_table(&options, text, size_again);
    fuzz_expect(again && again->rows == t->rows && again->columns == t->columns);
    for (dlp_index j = 0; j < t->columns; j++)
        fuzz_expect(same_columns(&t->column[j], &again->column[j], t->rows));
    dlp_table_free(again);
    dlp_table_free(t);
    free(text);
    return 0;
}

static bool passes(const uint8_t *data, size_t size)
{
    dlp_table_options options = dlp_table_options_default();
    options.format = "csv";
    dlp_table *table = fuzz_table(&options, (const char *)data, size);
    dlp_table_free(table);
    return table != NULL;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    static const fuzz_sound sound = {.passes = passes};
    return fuzz_mutate_sound(&sound, data, size, most, seed);
}
