/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in parts: by the levels of a column, or from one of its numbers to another. */
#include "core/text.h"
#include "regression/look/look.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 64 };

typedef struct parting {
    const dlp_prediction *p;
    const dlp_look_settings *s;
    struct dlpi_pool *pool;
    dlpi_look_column *column;
    dlp_index n, room;
} parting;

/* A row with its number, to be sorted. */
typedef struct numbered {
    double x;
    dlp_index i;
} numbered;

static int by_number(const void *a, const void *b)
{
    const numbered *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->i > q->i) - (p->i < q->i);
}

static dlpi_look_column *add_column(parting *w, const char *name, bool numeric,
                                    dlp_index parts)
{
    if (w->n >= w->room) return NULL;
    dlpi_look_column *c = &w->column[w->n];
    c->of = dlpi_pool_take(w->pool, w->p->data.N, sizeof *c->of);
    c->part = dlpi_pool_take(w->pool, parts, sizeof *c->part);
    c->by = (dlp_look_by){.name = dlpi_pool_copy(w->pool, name, strlen(name)),
                          .numeric = numeric,
                          .n = parts,
                          .part = c->part,
                          .p = NAN};
    if (!c->of || !c->part || !c->by.name) return NULL;
    for (dlp_index i = 0; i < w->p->data.N; i++) c->of[i] = -1;
    w->n++;
    return c;
}

/* ---- numbers ---- */

/* Where parts begin among the sorted rows: parts of equal size, with equal numbers
   together, or one part per number where there are few. Returns how many. */
static dlp_index begin_parts(dlp_index n, const numbered *sorted, dlp_index parts,
                             dlp_index *begin)
{
    dlp_index distinct = 0, count = 0;
    for (dlp_index i = 0; i < n; i++)
        distinct += i == 0 || sorted[i].x != sorted[i - 1].x;
    const bool each = distinct <= parts;
    for (dlp_index i = 0; i < n; i++) {
        const bool next = i == 0 || sorted[i].x != sorted[i - 1].x;
        if (next && (each || i * parts >= count * n)) begin[count++] = i;
        if (count == parts && !each) break;
    }
    return count;
}

/* Parts that would lie on top of each other but for the last. */
static bool has_long_tail(dlp_index n, const dlp_look_part *part)
{
    const double long_tail = 30;
    return n > 4 && part[0].x > 0 && part[n - 1].x > long_tail * part[n / 2].x;
}

static bool fill_numbers(parting *w, const char *name, dlp_index n,
                         const numbered *sorted, dlp_index count, const dlp_index *begin)
{
    dlpi_look_column *c = add_column(w, name, true, count);
    for (dlp_index k = 0; c && k < count; k++) {
        const dlp_index from = begin[k], to = k + 1 < count ? begin[k + 1] : n;
        char label[LABEL];
        double sum = 0;
        for (dlp_index i = from; i < to; i++) {
            c->of[sorted[i].i] = (int32_t)k;
            sum += sorted[i].x - sorted[from].x;
        }
        const double low = sorted[from].x, high = sorted[to - 1].x;
        if (low == high)
            snprintf(label, sizeof label, "%.4g", low);
        else
            snprintf(label, sizeof label, "%.4g to %.4g", low, high);
        c->part[k] =
            (dlp_look_part){.label = dlpi_pool_copy(w->pool, label, strlen(label)),
                            .x = low + sum / (double)(to - from),
                            .rows = to - from,
                            .median = NAN,
                            .sd_median = NAN};
        if (!c->part[k].label) return false;
    }
    if (c) c->by.long_tail = has_long_tail(count, c->part);
    return c != NULL;
}

static bool add_numbers(parting *w, const char *name, const double *x,
                        const dlp_index *row)
{
    const dlp_index N = w->p->data.N;
    numbered *sorted = dlpi_calloc(N, sizeof *sorted);
    dlp_index *begin = dlpi_calloc(w->s->parts, sizeof *begin), n = 0;
    bool made = sorted && begin;
    for (dlp_index i = 0; made && i < N; i++) {
        const double value = x[row ? row[i] : i];
        if (isfinite(value)) sorted[n++] = (numbered){value, i};
    }
    if (made && n > 0) {
        qsort(sorted, (size_t)n, sizeof *sorted, by_number);
        made = fill_numbers(w, name, n, sorted,
                            begin_parts(n, sorted, w->s->parts, begin), begin);
    }
    free(sorted);
    free(begin);
    return made;
}

/* ---- levels ---- */

/* Those that occur in rows, in their order. */
static bool add_levels(parting *w, const char *name, dlp_index levels,
                       const char *const *level, const int32_t *code,
                       const dlp_index *row)
{
    const dlp_index N = w->p->data.N;
    dlp_index *rows = dlpi_calloc(levels + 1, 2 * sizeof *rows), count = 0;
    if (!rows) return false;
    dlp_index *number = rows + levels + 1;
    for (dlp_index i = 0; i < N; i++) {
        const int32_t c = code[row ? row[i] : i];
        if (c >= 0) rows[c]++;
    }
    for (dlp_index l = 0; l < levels; l++) number[l] = rows[l] > 0 ? count++ : -1;
    dlpi_look_column *c = add_column(w, name, false, count);
    bool made = c != NULL;
    for (dlp_index l = 0; made && l < levels; l++) {
        if (number[l] < 0) continue;
        const char *label = dlpi_pool_copy(w->pool, level[l], strlen(level[l]));
        c->part[number[l]] = (dlp_look_part){
            .label = label, .x = NAN, .rows = rows[l], .median = NAN, .sd_median = NAN};
        made = label != NULL;
    }
    for (dlp_index i = 0; made && i < N; i++) {
        const int32_t at = code[row ? row[i] : i];
        if (at >= 0) c->of[i] = (int32_t)number[at];
    }
    free(rows);
    return made;
}

/* Whether a column of that name was added; the fitted values are none. */
static bool is_there(const parting *w, const char *name)
{
    for (dlp_index k = 0; k < w->n; k++)
        if (!w->column[k].by.is_fitted && !strcmp(w->column[k].by.name, name))
            return true;
    return false;
}

static bool add_table_column(parting *w, dlp_index j)
{
    const dlp_column *c = &w->p->table->column[j];
    const dlp_index *row = w->p->design->row;
    if (is_there(w, c->name)) return true;
    return c->kind == DLP_NUMERIC
               ? add_numbers(w, c->name, c->number, row)
               : add_levels(w, c->name, c->n_levels, (const char *const *)c->level,
                            c->code, row);
}

/* ---- the whole ---- */

static bool add_fitted(parting *w, const double *fitted)
{
    if (!add_numbers(w, "fitted", fitted, NULL)) return false;
    for (dlp_index k = 0; k < w->n; k++) w->column[k].by.is_fitted = 1;
    return true;
}

static bool add_formula(parting *w)
{
    const dlp_design *d = w->p->design;
    for (dlp_index v = 0; v < d->n_variables; v++)
        for (dlp_index k = 0; k < d->variable[v].n_columns; k++)
            if (!add_table_column(w, d->variable[v].column[k])) return false;
    return true;
}

static bool add_groups(parting *w)
{
    const dlp_design *d = w->p->design;
    const dlp_levels *group = &d->terms->group;
    if (d->group && group->variable && !is_there(w, group->variable) &&
        !add_levels(w, group->variable, group->n, group->level, d->group, NULL))
        return false;
    for (dlp_index t = 0; t < d->n_random; t++) {
        const dlp_random *r = &d->random[t];
        if (!r->process && !is_there(w, r->group.variable) &&
            !add_levels(w, r->group.variable, r->group.n, r->group.level, r->code, NULL))
            return false;
    }
    return true;
}

static dlp_status add_named(parting *w, dlp_error *error)
{
    for (dlp_index k = 0; k < w->s->n_by; k++) {
        const dlp_index j = dlp_table_find(w->p->table, w->s->by[k]);
        if (j < 0)
            return dlpi_in_table(w->p->table,
                                 dlp_fail(error, DLP_EINPUT,
                                          "there is no column '%s' to look by",
                                          dlpi_show(w->s->by[k]).text),
                                 error);
        if (!add_table_column(w, j)) return dlpi_no_memory(error, "the columns");
    }
    return DLP_OK;
}

dlp_status dlpi_look_columns(const dlp_prediction *p, const dlp_look_settings *s,
                             const double *fitted, struct dlpi_pool *pool,
                             dlpi_look_column **column, dlp_index *n, dlp_error *error)
{
    const dlp_design *d = p->design;
    parting w = {.p = p, .s = s, .pool = pool, .room = 2 + d->n_random + s->n_by};
    for (dlp_index v = 0; v < d->n_variables; v++) w.room += d->variable[v].n_columns;
    w.column = dlpi_pool_take(pool, w.room, sizeof *w.column);
    if (!w.column || (fitted && !add_fitted(&w, fitted)) || !add_formula(&w) ||
        !add_groups(&w))
        return dlpi_no_memory(error, "the columns");
    DLP_TRY(add_named(&w, error));
    *column = w.column;
    *n = w.n;
    return DLP_OK;
}
