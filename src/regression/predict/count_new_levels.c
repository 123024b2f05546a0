/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels of groupings in new data that a mixed model did not see. */
#include "core/core.h"
#include "regression/predict/prediction.h"
#include "table/formula.h"

#include <stdlib.h>
#include <string.h>

/* A row's level: what the columns so far make of it, and the next one's value. */
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

/* How many levels n rows, whose numbers are in keys, have of a grouping. */
static dlp_index count_levels(const dlp_table *table, const struct dlpi_grouping *group,
                              dlp_index n, key *keys)
{
    dlp_index distinct = n > 0;
    for (dlp_index k = 0; k < group->n && n > 0; k++) {
        const dlp_index j = dlp_table_find(table, dlpi_factor_name(group->part[k])->name);
        if (j < 0) continue; /* the design had it */
        for (dlp_index i = 0; i < n; i++)
            keys[i].value = value_at(&table->column[j], keys[i].row);
        distinct = number_keys(n, keys);
    }
    return distinct;
}

static const dlp_random *find_random(const dlp_design *d, const char *group)
{
    for (dlp_index t = 0; t < d->n_random; t++)
        if (!strcmp(d->random[t].group.variable, group)) return &d->random[t];
    return NULL;
}

/* Whether an earlier bar of the formula groups by the same. */
static bool is_repeated(const struct dlp_formula *f, dlp_index g)
{
    for (dlp_index i = 0; i < g; i++)
        if (!strcmp(f->group[i].name, f->group[g].name)) return true;
    return false;
}

static dlp_index count_all(dlp_prediction *p, const struct dlp_formula *f, key *keys)
{
    const dlp_design *d = p->design;
    dlp_index levels = 0;
    for (dlp_index g = 0; g < f->n_groups; g++) {
        const dlp_random *random = find_random(d, f->group[g].name);
        dlp_index n = 0;
        if (!random || is_repeated(f, g)) continue;
        for (dlp_index i = 0; i < d->N; i++)
            if (random->code[i] < 0) keys[n++] = (key){.row = d->row ? d->row[i] : i};
        levels += count_levels(p->table, &f->group[g], n, keys);
    }
    return levels;
}

/* "g" of "ar1(t | g)", into name (size), as the table has it. */
static bool find_series(const char *label, char *name, size_t size)
{
    const char *from = strstr(label, " | ");
    size_t n = 0;
    if (!from) return false;
    for (const char *at = from + 3; at[0] && at[1] && n + 1 < size; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '`')
            continue;
        name[n++] = *at;
    }
    name[n] = 0;
    return true;
}

/* Series of processes, unless bars group by the same column. */
static dlp_index count_series(const dlp_prediction *p, const struct dlp_formula *f,
                              key *keys)
{
    const dlp_design *d = p->design;
    dlp_index levels = 0;
    for (dlp_index t = 0; t < d->n_random; t++) {
        const dlp_random *random = &d->random[t];
        char name[512];
        if (!random->process || !random->series ||
            !find_series(random->label, name, sizeof name))
            continue;
        bool counted = false;
        for (dlp_index g = 0; g < f->n_groups; g++)
            counted = counted || !strcmp(f->group[g].name, name);
        const dlp_index j = dlp_table_find(p->table, name);
        dlp_index n = 0;
        for (dlp_index i = 0; j >= 0 && !counted && i < d->N; i++) {
            const dlp_index row = d->row ? d->row[i] : i;
            if (random->series[i] < 0)
                keys[n++] =
                    (key){.row = row, .value = value_at(&p->table->column[j], row)};
        }
        levels += n > 0 ? number_keys(n, keys) : 0;
    }
    return levels;
}

static bool has_new_level(const dlp_design *d, dlp_index i)
{
    for (dlp_index t = 0; t < d->n_random; t++) {
        const dlp_random *random = &d->random[t];
        const int32_t *code = random->process ? random->series : random->code;
        if (code && code[i] < 0) return true;
    }
    return false;
}

dlp_status dlpi_count_new_levels(dlp_prediction *p, dlp_error *error)
{
    const dlp_design *d = p->design;
    dlp_formula *formula = NULL;
    for (dlp_index i = 0; i < d->N; i++) p->result.new_group_rows += has_new_level(d, i);
    if (p->result.new_group_rows == 0) return DLP_OK;
    DLP_TRY(dlp_formula_parse(d->terms->formula, &formula, error));
    key *keys = dlpi_calloc(d->N, sizeof *keys);
    if (keys)
        p->result.new_groups =
            count_all(p, formula, keys) + count_series(p, formula, keys);
    dlp_formula_free(formula);
    free(keys);
    return keys ? DLP_OK : dlpi_no_memory(error, "the new groups");
}
