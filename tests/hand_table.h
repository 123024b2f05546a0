/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables written by hand in tests: a column is a name and its values in one string. */
#ifndef DLP_TESTS_HAND_TABLE_H
#define DLP_TESTS_HAND_TABLE_H

#include <delaplace/table.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct hand_column {
    const char *name;
    const char
        *values; /* between blanks; "NA" is missing; numbers if all the others are */
};

enum { HAND_MOST = 64 }; /* rows, and levels of a column */

/* Cuts text, which is changed, into words; returns how many. */
static inline dlp_index hand_split(char *text, char *word[HAND_MOST])
{
    dlp_index n = 0;
    for (char *rest = NULL;
         n < HAND_MOST && (word[n] = strtok_r(n == 0 ? text : NULL, " \t", &rest)); n++)
        ;
    return n;
}

static inline bool hand_is_missing(const char *word)
{
    return strcmp(word, "NA") == 0;
}

static inline bool hand_is_numeric(char **word, dlp_index n)
{
    for (dlp_index i = 0; i < n; i++) {
        char *end;
        strtod(word[i], &end);
        if (*end && !hand_is_missing(word[i])) return false;
    }
    return true;
}

static inline int hand_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The words that are not missing, sorted, each once. */
static inline void hand_set_levels(dlp_column *column, char **word, dlp_index n)
{
    char *sorted[HAND_MOST];
    dlp_index m = 0;
    for (dlp_index i = 0; i < n; i++)
        if (!hand_is_missing(word[i])) sorted[m++] = word[i];
    qsort(sorted, (size_t)m, sizeof *sorted, hand_compare);
    column->level = calloc((size_t)n + 1, sizeof *column->level);
    for (dlp_index i = 0; i < m; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0)
            column->level[column->n_levels++] = strdup(sorted[i]);
}

static inline int32_t hand_code(const dlp_column *column, const char *word)
{
    int32_t code = (int32_t)column->n_levels - 1;
    while (code >= 0 && strcmp(column->level[code], word) != 0) code--;
    return code;
}

/* Returns the number of rows. */
static inline dlp_index hand_fill(dlp_column *column, const struct hand_column *from)
{
    char *text = strdup(from->values), *word[HAND_MOST];
    const dlp_index n = hand_split(text, word);
    column->name = strdup(from->name);
    column->kind = hand_is_numeric(word, n) ? DLP_NUMERIC : DLP_CATEGORICAL;
    if (column->kind == DLP_NUMERIC) {
        column->number = calloc((size_t)n + 1, sizeof *column->number);
        for (dlp_index i = 0; i < n; i++)
            column->number[i] = hand_is_missing(word[i]) ? NAN : strtod(word[i], NULL);
    } else {
        column->code = calloc((size_t)n + 1, sizeof *column->code);
        hand_set_levels(column, word, n);
        for (dlp_index i = 0; i < n; i++) column->code[i] = hand_code(column, word[i]);
    }
    for (dlp_index i = 0; i < n; i++) column->missing += hand_is_missing(word[i]);
    free(text);
    return n;
}

static inline dlp_table *hand_table(const struct hand_column *column, dlp_index n)
{
    dlp_table *table = calloc(1, sizeof *table);
    table->columns = n;
    table->column = calloc((size_t)n + 1, sizeof *table->column);
    for (dlp_index j = 0; j < n; j++)
        table->rows = hand_fill(&table->column[j], &column[j]);
    return table;
}

static inline void hand_table_free(dlp_table *table)
{
    for (dlp_index j = 0; j < table->columns; j++) {
        dlp_column *column = &table->column[j];
        for (dlp_index i = 0; i < column->n_levels; i++) free(column->level[i]);
        free(column->level);
        free(column->name);
        free(column->number);
        free(column->code);
    }
    free(table->column);
    free(table);
}

#endif
