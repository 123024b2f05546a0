/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels of groupings in new data that a mixed model did not see. */
#include "core/core.h"
#include "regression/predict/prediction.h"

#include <stdlib.h>
#include <string.h>

/* A row's level: the number for its columns so far, and the value of the next one. */
typedef struct key {
    double before, value;
    dlp_index row;
} key;

static int by_key(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->before != y->before) return x->before < y->before ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Numbers the distinct keys, into before; returns how many there are. */
static dlp_index number_keys(dlp_index n, key *keys)
{
    dlp_index distinct = 0;
    qsort(keys, (size_t)n, sizeof *keys, by_key);
    for (dlp_index i = n - 1; i > 0; i--) /* before they are overwritten */
        keys[i].row =
            by_key(&keys[i], &keys[i - 1]) == 0 ? -1 - keys[i].row : keys[i].row;
    for (dlp_index i = 0; i < n; i++) {
        const bool repeated = keys[i].row < 0;
        distinct += !repeated;
        if (repeated) keys[i].row = -1 - keys[i].row;
        keys[i].before = (double)distinct;
    }
    return distinct;
}

static double value_at(const dlp_column *column, dlp_index row)
{
    return column->kind == DLP_CATEGORICAL ? column->code[row] : column->number[row];
}

/* How many levels n rows have, given by the columns, whose numbers are in keys. */
static dlp_index count_levels(const dlp_table *table, const dlp_random *random,
                              dlp_index n, key *keys)
{
    dlp_index distinct = n > 0;
    for (dlp_index k = 0; k < random->n_columns && n > 0; k++) {
        const dlp_column *column = &table->column[random->column[k]];
        for (dlp_index i = 0; i < n; i++) keys[i].value = value_at(column, keys[i].row);
        distinct = number_keys(n, keys);
    }
    return distinct;
}

static bool is_same_grouping(const dlp_random *a, const dlp_random *b)
{
    const size_t bytes = (size_t)a->n_columns * sizeof *a->column;
    return !strcmp(a->group.variable, b->group.variable) ||
           (a->n_columns > 0 && a->n_columns == b->n_columns &&
            !memcmp(a->column, b->column, bytes));
}

/* Each grouping counts once; processes come after bars and count by their series. */
static bool is_counted(const dlp_design *d, dlp_index t)
{
    const dlp_random *random = &d->random[t];
    for (dlp_index i = 0; i < t; i++)
        if (is_same_grouping(&d->random[i], random)) return false;
    return !random->process || random->n_columns > 0;
}

/* Each row's level, or series; -1: a new one. */
static const int32_t *codes_of(const dlp_random *random)
{
    return random->process ? random->series : random->code;
}

static dlp_index count_all(const dlp_prediction *p, key *keys)
{
    const dlp_design *d = p->design;
    dlp_index levels = 0;
    for (dlp_index t = 0; t < d->n_random; t++) {
        const int32_t *code = codes_of(&d->random[t]);
        dlp_index n = 0;
        if (!code || !is_counted(d, t)) continue;
        for (dlp_index i = 0; i < d->N; i++)
            if (code[i] < 0) keys[n++] = (key){.row = d->row ? d->row[i] : i};
        levels += count_levels(p->table, &d->random[t], n, keys);
    }
    return levels;
}

static bool has_new_level(const dlp_design *d, dlp_index i)
{
    for (dlp_index t = 0; t < d->n_random; t++) {
        const int32_t *code = codes_of(&d->random[t]);
        if (code && code[i] < 0) return true;
    }
    return false;
}

dlp_status dlpi_count_new_levels(dlp_prediction *p, dlp_error *error)
{
    const dlp_design *d = p->design;
    for (dlp_index i = 0; i < d->N; i++) p->result.new_group_rows += has_new_level(d, i);
    if (p->result.new_group_rows == 0) return DLP_OK;
    key *keys = dlpi_calloc(d->N, sizeof *keys);
    if (keys) p->result.new_groups = count_all(p, keys);
    free(keys);
    return keys ? DLP_OK : dlpi_no_memory(error, "the new groups");
}
