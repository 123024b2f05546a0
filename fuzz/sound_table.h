/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a table keeps every promise of <delaplace/table.h>; for tests and fuzzers. */
#ifndef DLP_FUZZ_SOUND_TABLE_H
#define DLP_FUZZ_SOUND_TABLE_H

#include <delaplace/table.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool numbers_are_sound(const dlp_column *c, dlp_index rows)
{
    dlp_index missing = 0;
    if (!c->number || c->code || c->level || c->n_levels != 0) return false;
    for (dlp_index i = 0; i < rows; i++) missing += isnan(c->number[i]) != 0;
    return missing == c->missing;
}

static inline bool codes_are_sound(const dlp_column *c, dlp_index rows)
{
    dlp_index missing = 0;
    if (!c->code || !c->level || c->number || c->n_levels < 0) return false;
    for (dlp_index i = 0; i < rows; i++) {
        if (c->code[i] < -1 || c->code[i] >= c->n_levels) return false;
        missing += c->code[i] < 0;
    }
    for (dlp_index k = 1; k < c->n_levels; k++)
        if (strcmp(c->level[k - 1], c->level[k]) >= 0) return false;
    return missing == c->missing;
}

static inline int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static inline bool names_are_unique(const dlp_table *t)
{
    const char **name = malloc((size_t)t->columns * sizeof *name);
    if (!name) return false;
    for (dlp_index j = 0; j < t->columns; j++) name[j] = t->column[j].name;
    qsort(name, (size_t)t->columns, sizeof *name, compare_names);
    bool unique = true;
    for (dlp_index j = 1; j < t->columns; j++)
        unique = unique && strcmp(name[j - 1], name[j]) != 0;
    free(name);
    return unique;
}

static inline bool table_is_sound(const dlp_table *t)
{
    if (!t || t->rows < 1 || t->columns < 1 || !names_are_unique(t)) return false;
    for (dlp_index j = 0; j < t->columns; j++) {
        const dlp_column *c = &t->column[j];
        if (c->kind == DLP_NUMERIC ? !numbers_are_sound(c, t->rows)
                                   : !codes_are_sound(c, t->rows))
            return false;
    }
    return true;
}

#endif
